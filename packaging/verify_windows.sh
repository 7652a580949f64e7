#!/usr/bin/env bash
# Uses the Windows packages on Linux, with Wine and a virtual display.
#
#   packaging/verify_windows.sh [FOLDER]            the packages in FOLDER [default: target/packages]
#   NATIVE=FILE   the Linux program of the same source, to compare with [default: target/dist/occuscope]
#   REPORTS=FOLDER   profiler reports whose answers are compared too
#   PICTURES=FOLDER  where pictures of the window go
#   COMMANDS=1       leaves the window out, for a program that was built without it
#   TESTS=1          also builds the library's tests for Windows and runs them (BUILD_STD=1 as for windows.sh)
#
# Needs wine, mingw-w64, msitools, Xvfb, openbox, xdotool and unzip. A step that fails ends the script.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
from=${1:-$out}
native=${NATIVE:-$target/dist/occuscope}
say() { printf '%-62s %s\n' "$1" "${2:-ok}"; }
fail() { echo "FAILED: $*"; exit 1; }

work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="winemenubuilder.exe=d;mscoree=d;mshtml=d"
unset DISPLAY WAYLAND_DISPLAY
cleanup() {
  wineserver -k 2>/dev/null || true
  for process in ${manager:-} ${xvfb:-}; do kill "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
wineboot -i >/dev/null 2>&1
wineserver -w
# Wine 8 lacks a library that Rust's standard library asks for random bytes. A stand-in for this test alone; packages have none.
cat >"$work/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom, in advapi32 */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T left) {
  while (left) {
    ULONG part = left > 0x10000 ? 0x10000 : (ULONG)left;
    if (!SystemFunction036(bytes, part)) return FALSE;
    bytes += part;
    left -= part;
  }
  return TRUE;
}
C
[ -f "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ] ||
  x86_64-w64-mingw32-gcc -shared -O2 -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/random.c" -ladvapi32

# What is in the files.
unzip -q "$from/occuscope-$version-windows-x64.zip" -d "$work"
folder=$work/occuscope-$version-windows-x64
python3 - "$folder" "$version" <<'PYTHON'
import pathlib, struct, sys
folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
for name, subsystem in [("occuscope.exe", 3), ("occuscope-window.exe", 2)]:
    data = (folder / name).read_bytes()
    header = struct.unpack_from("<I", data, 0x3C)[0]
    assert struct.unpack_from("<H", data, header + 4)[0] == 0x8664, f"{name} is not for x86-64"
    assert struct.unpack_from("<H", data, header + 24 + 68)[0] == subsystem, f"{name} has the wrong subsystem"
    sections = struct.unpack_from("<H", data, header + 6)[0]
    table = header + 24 + struct.unpack_from("<H", data, header + 20)[0]
    start = next(struct.unpack_from("<I", data, at + 20)[0] for at in range(table, table + 40 * sections, 40) if data[at:at + 5] == b".rsrc")
    kinds = {struct.unpack_from("<I", data, start + 16 + 8 * index)[0] for index in range(sum(struct.unpack_from("<HH", data, start + 12)))}
    assert {3, 14, 16, 24} <= kinds, f"{name} lacks an icon, a version or a manifest: {kinds}"
    assert b"PerMonitorV2" in data and ("ProductVersion\0" + version).encode("utf-16-le").replace(b"\0\0", b"") in data.replace(b"\0\0", b"")
PYTHON
say "icon, version $version, manifest and subsystems of both programs"
dlls=$(x86_64-w64-mingw32-objdump -p "$folder/occuscope.exe" | sed -n 's/.*DLL Name: //p' | tr 'A-Z' 'a-z' | sort -u)
for dll in $dlls; do
  case $dll in
    api-ms-win-*) ;;
    *) [ -f "$WINEPREFIX/drive_c/windows/system32/$dll" ] || fail "$dll is no part of Windows" ;;
  esac
done
say "imports only Windows' own libraries" "$(wc -w <<<"$dlls")"
! strings "$folder/occuscope.exe" | grep -F -e "$root/" -e "${CARGO_HOME:-$HOME/.cargo}/" -e "${RUSTUP_HOME:-$HOME/.rustup}/" || fail "a path of the building machine is in it"
say "no path of the building machine"

# Commands.
windows() { wine "$folder/occuscope.exe" "$@"; }
export OCCUSCOPE_HOME=$work/home
[ "$(windows --version)" = "occuscope $version" ] || fail "version"
windows doctor >"$work/doctor" || [ -n "${COMMANDS:-}" ] || fail "doctor"
sed 's/\r$//; s/^/  /' "$work/doctor"
# same FILES-OR-OPTIONS…: both programs print the same bytes and end with the same code.
count=0
same() {
  local here=0 there=0
  "$native" "$@" >"$work/here" 2>"$work/here.err" || here=$?
  windows "$@" >"$work/there" 2>"$work/there.err" || there=$?
  [ $here = $there ] || fail "$*: exit $here on Linux, $there on Windows: $(head -c 500 "$work/there.err")"
  cmp "$work/here" "$work/there" || fail "$*"
  count=$((count + 1))
}
cd "$root"
for file in assets/samples/*; do same import "$file" --format json; done
for file in $(find tests/fixtures -type f \( -name '*.csv' -o -name '*.ncu-rep' -o -name '*.cubin' -o -name '*.log' -o -name '*.txt' \) | sort | awk -v step="${EVERY:-1}" 'NR % step == 0'); do
  same import "$file" --format json
done
same occupancy --gpu "A100 SXM 40 GB" --threads 256 --registers 64 --dynamic-smem 48K --format json
same arch list
same licenses
if [ -n "${REPORTS:-}" ]; then
  cd "$REPORTS"
  while read -r file; do same import "$file" --format json; done < <(find . -type f \( -name '*.ncu-rep' -o -name '*.csv' \) -size -"${LARGEST:-8M}" | sort | awk -v step="${EVERY:-1}" 'NR % step == 0')
  cd "$root"
fi
say "answers are Linux's, byte for byte" "$count"

window_works() {
  # What Wine has running was started without a display and would not look for one again.
  wineserver -k || true
  wineserver -w
  for number in $(seq 300 400); do [ -e "/tmp/.X11-unix/X$number" ] || break; done
  Xvfb ":$number" -screen 0 1440x900x24 +extension GLX -noreset -nolisten tcp >"$work/xvfb" 2>&1 &
  xvfb=$!
  export DISPLAY=:$number
  for _ in $(seq 50); do xdotool getmouselocation >/dev/null 2>&1 && break; sleep 0.2; done
  openbox >/dev/null 2>&1 &
  manager=$!
  cp assets/samples/tail_effect_a100.csv "$work/a report.csv"
  # opens WORDS-OF-TITLE FILES…: a window comes up, and its title has the words.
  opens() {
    wine "$folder/occuscope-window.exe" "${@:2}" >"$work/window" 2>&1 &
    app=$!
    for _ in $(seq 240); do
      window=$(xdotool search --onlyvisible --name "$1" 2>/dev/null | tail -1) && [ -n "$window" ] && break
      sleep 0.5
    done
    [ -n "${window:-}" ] || { cat "$work/window"; fail "no window came up with the title $1"; }
    sleep 8
    xdotool windowactivate --sync "$window"
  }
  picture() { if [ -n "${PICTURES:-}" ]; then mkdir -p "$PICTURES" && import -window root "$PICTURES/$1.png"; fi; }
  closes() {
    xdotool key ctrl+q
    for _ in $(seq 60); do kill -0 "$app" 2>/dev/null || return 0; sleep 0.5; done
    fail "the window does not close"
  }
  opens '^a report.csv .*Occuscope$' "$work/a report.csv"
  picture report
  say "a window opens with a report named on the command line" "$(xdotool getwindowname "$window")"
  closes
  opens '^Occuscope$'
  xdotool key ctrl+d
  sleep 2
  xdotool key Return
  sleep 3
  picture saved
  xdotool key Escape
  closes
  windows preset list --own | sed 's/\r$//' | grep '256 threads, 64 registers' >"$work/preset" || fail "the preset was not kept"
  say "a preset saved by key is found by the command line" "$(head -c 40 "$work/preset")…"
  opens '^Occuscope$'
  xdotool key ctrl+p
  sleep 3
  picture presets
  xdotool key Escape
  closes
  windows doctor | sed 's/\r$//' | grep '^renderer' | sed 's/^/  /'
}
# The window.
[ -n "${COMMANDS:-}" ] || window_works
unset OCCUSCOPE_HOME

# The installer.
where="$WINEPREFIX/drive_c/users/$(id -un)/AppData/Local/Programs/Occuscope"
wine msiexec /i "$from/occuscope-$version-x64.msi" /qn
wineserver -w
for file in occuscope.exe occuscope-window.exe occuscope-completions.ps1 THIRD_PARTY.md LICENSE-MIT; do [ -f "$where/$file" ] || fail "$file was not installed"; done
wine reg query 'HKCU\Software\Classes\Occuscope.Session\shell\open\command' /ve | grep -q 'occuscope-window.exe' || fail "sessions do not open by a double click"
[ "$(wine "$where/occuscope.exe" --version | tr -d '\r')" = "occuscope $version" ] || fail "the installed program"
[ -f "$WINEPREFIX/drive_c/users/$(id -un)/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Occuscope.lnk" ] || fail "it is not in the start menu"
wine reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall' /s 2>/dev/null | grep -q Occuscope || wine reg query 'HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall' /s | grep -q Occuscope || fail "no entry for uninstalling"
say "the MSI installs for one user: files, start menu, file types"
wine msiexec /x "$from/occuscope-$version-x64.msi" /qn
wineserver -w
[ ! -e "$where" ] || [ -z "$(ls -A "$where")" ] || fail "left behind: $(ls "$where")"
! wine reg query 'HKCU\Software\Classes\Occuscope.Session' >/dev/null 2>&1 || fail "a file type was left behind"
say "and uninstalls"

if [ -n "${TESTS:-}" ]; then
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine
  std=()
  if [ -n "${BUILD_STD:-}" ]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    std=(-Zbuild-std=std,panic_abort,panic_unwind,test)
  fi
  cargo test --locked --jobs "${JOBS:-2}" --no-default-features --lib --test core --target x86_64-pc-windows-gnu "${std[@]}" 2>&1 | tee "$work/tests" | grep -E '^test result|FAILED|panicked' || true
  [ "$(grep -c '^test result: ok' "$work/tests")" = 2 ] || { grep -B2 -A12 "panicked" "$work/tests" | head -60; fail "tests"; }
  say "the library's and the command line's tests pass on Windows"
fi
