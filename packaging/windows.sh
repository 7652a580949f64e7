#!/usr/bin/env bash
# Builds the Windows packages on Linux: an MSI, and a .zip that needs no installation.
#
#   packaging/windows.sh                    cross-builds the program, then the packages
#   packaging/windows.sh --program FILE     packages a program that was built before
#
#   NATIVE=FILE   a program of the same version that runs here; it writes PowerShell's completions [default: what linux.sh built]
#
# Needs mingw-w64, wixl, zip and rsvg-convert, and Rust's standard library for x86_64-pc-windows-gnu: with rustup, `rustup target
# add x86_64-pc-windows-gnu`. Where that cannot be had, Debian's rustc-web and rust-web-src build it: BUILD_STD=1.
#
# Last step, where the certificate is:  signtool sign /fd SHA256 /tr http://timestamp.digicert.com /td SHA256 FILE
# for both programs before they are packed, then for the MSI.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
cd "$root"
platform=x86_64-pc-windows-gnu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packaging/icons.sh "$work" >/dev/null
for file in occuscope.rc occuscope.manifest; do
  sed "s/VERSION_COMMAS/${version//./,}/; s/VERSION_DOTS/$version/" "packaging/windows/$file" >"$work/$file"
done
if [ "${1:-}" = --program ]; then
  cp "$2" "$work/occuscope.exe"
else
  # Icon, version and manifest go in as an object for the linker.
  (cd "$work" && x86_64-w64-mingw32-windres occuscope.rc -O coff -o occuscope.res)
  mkdir -p "$target/windows"
  cp "$work/occuscope.res" "$target/windows/occuscope.o"
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
  std=()
  if [ -n "${BUILD_STD:-}" ]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    std=(-Zbuild-std=std,panic_abort,panic_unwind)
  fi
  # For the program alone: the libraries stay as they are when the icon changes. No time of the build goes in.
  cargo rustc --locked --jobs "${JOBS:-2}" --profile dist --bin occuscope --target $platform "${std[@]}" -- \
    -C link-arg="$target/windows/occuscope.o" -C link-arg=-Wl,--no-insert-timestamp
  cp "$target/$platform/dist/occuscope.exe" "$work/occuscope.exe"
fi
# Windows decides by a number in the file whether a program gets a console: commands want one, a double click does not.
python3 - "$work/occuscope.exe" "$work/occuscope-window.exe" <<'PYTHON'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
header = struct.unpack_from("<I", data, 0x3C)[0]
assert data[header:header + 4] == b"PE\0\0", "not a Windows program"
subsystem = header + 24 + 68
assert struct.unpack_from("<H", data, subsystem)[0] in (2, 3), "neither window nor console"
struct.pack_into("<H", data, subsystem, 2)
open(sys.argv[2], "wb").write(data)
PYTHON
native=${NATIVE:-$target/dist/occuscope}
if [ -x "$native" ]; then
  "$native" completions powershell >"$work/occuscope-completions.ps1"
else
  env -u CARGO_ENCODED_RUSTFLAGS -u RUSTC -u RUSTC_BOOTSTRAP cargo run --quiet --locked --bin occuscope -- completions powershell >"$work/occuscope-completions.ps1"
fi
cp assets/THIRD_PARTY.md LICENSE-MIT LICENSE-APACHE assets/fonts/OFL.txt README.md CHANGELOG.md "$work/"
mkdir -p "$out"
(cd "$work" && cp "$root/packaging/windows/occuscope.wxs" . && wixl -a x64 -D Version="$version" -o "$out/occuscope-$version-x64.msi" occuscope.wxs)
name=occuscope-$version-windows-x64
mkdir "$work/$name"
(cd "$work" && cp occuscope.exe occuscope-window.exe occuscope-completions.ps1 THIRD_PARTY.md LICENSE-MIT LICENSE-APACHE OFL.txt README.md CHANGELOG.md "$name/" &&
  find "$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} + && rm -f "$out/$name.zip" && zip -qrX "$out/$name.zip" "$name")
sha256sum "$out/occuscope-$version-x64.msi" "$out/$name.zip"
