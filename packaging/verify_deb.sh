#!/usr/bin/env bash
# Installs a .deb in a Debian that has nothing else, uses it, and removes it again.
#
#   packaging/verify_deb.sh [DEB] [ROOT]
#
# DEB is the newest in target/packages unless named; ROOT is a minimal Debian, made with debootstrap unless it is there.
# Needs root, debootstrap, Xvfb, xdotool, desktop-file-utils, appstream and lintian. A step that fails ends the script.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
deb=${1:-$(ls -t "$out"/*.deb | head -1)}
base=${2:-/var/tmp/occuscope-debian}
say() { printf '%-58s %s\n' "$1" "${2:-ok}"; }

[ -d "$base/usr" ] || debootstrap --variant=minbase bookworm "$base" >/dev/null
work=$(mktemp -d)
room=$work/root
cp -a "$base" "$room"
cleanup() {
  [ -z "${app:-}" ] || kill "$app" 2>/dev/null || true
  [ -z "${xvfb:-}" ] || kill "$xvfb" 2>/dev/null || true
  for mounted in tmp/.X11-unix dev proc; do umount "$room/$mounted" 2>/dev/null || true; done
  mountpoint -q "$room/proc" || mountpoint -q "$room/dev" || rm -rf "$work"
}
trap cleanup EXIT
cp /etc/resolv.conf "$room/etc/" 2>/dev/null || true
cp /etc/apt/apt.conf.d/*proxy* "$room/etc/apt/apt.conf.d/" 2>/dev/null || true
cp "$deb" "$room/occuscope.deb"
cp "$root/assets/samples/tail_effect_a100.csv" "$room/a report.csv"
mkdir -p "$room/tmp/.X11-unix" /tmp/.X11-unix
mount -t proc proc "$room/proc"
mount --bind /dev "$room/dev"
mount --bind /tmp/.X11-unix "$room/tmp/.X11-unix"
inside() { chroot "$room" env -i ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

lintian --fail-on error "$deb" >"$work/lintian" 2>&1 || { cat "$work/lintian"; exit 1; }
say "lintian has no errors" "$(grep -c '^W:' "$work/lintian" || true) warnings"

inside apt-get update -qq >/dev/null
inside find / -xdev -not -path '/proc/*' -type f | sort >"$work/before"
inside apt-get install -y -qq --no-install-recommends /occuscope.deb >"$work/install" 2>&1 || { tail -20 "$work/install"; exit 1; }
say "installs with its dependencies"

desktop-file-validate "$room/usr/share/applications/occuscope.desktop"
say "desktop-file-validate"
appstreamcli validate --no-net "$room/usr/share/metainfo/io.github.occuscope.occuscope.metainfo.xml" >/dev/null
say "appstreamcli validate"
inside occuscope --version >/dev/null
inside occuscope occupancy --cc 8.0 --threads 256 --registers 64 | head -1 | sed 's/^/  /'
inside sh -c 'occuscope import "/a report.csv" >/dev/null'
say "the commands answer"
dpkg-deb -c "$deb" >"$work/contents"
for file in man/man1/occuscope.1.gz man/man1/occuscope-arch-show.1.gz bash-completion/completions/occuscope zsh/vendor-completions/_occuscope \
  fish/vendor_completions.d/occuscope.fish occuscope/occuscope-completions.ps1 doc/occuscope/THIRD_PARTY.md icons/hicolor/16x16/apps/occuscope.png; do
  # A minimal root may be told to leave manual pages out; then the package still has them.
  grep -q "usr/share/$file" "$work/contents" || { echo "$file is missing"; exit 1; }
done
bash -n "$room/usr/share/bash-completion/completions/occuscope"
say "manual pages, completions, licenses and icons are in it"

number=$((200 + RANDOM % 200))
Xvfb ":$number" -screen 0 1440x900x24 +extension GLX -noreset -nolisten tcp >"$work/xvfb" 2>&1 &
xvfb=$!
sleep 3
# As a desktop starts it after a double click: Exec of the desktop file, with a path that has a space.
exec_line=$(sed -n 's/^Exec=\(.*\) %F$/\1/p' "$room/usr/share/applications/occuscope.desktop")
inside DISPLAY=":$number" OCCUSCOPE_HOME=/home/one $exec_line "/a report.csv" >"$work/app" 2>&1 &
app=$!
window=
for _ in $(seq 240); do
  window=$(DISPLAY=:$number xdotool search --onlyvisible --name '^a report.csv .*Occuscope$' 2>/dev/null | tail -1) && [ -n "$window" ] && break
  sleep 0.5
done
[ -n "$window" ] || { echo "no window came up"; cat "$work/app"; exit 1; }
sleep 5
say "a window opens with a report, on software OpenGL"
say "  its class" "$(DISPLAY=:$number xprop -id "$window" WM_CLASS 2>/dev/null | cut -d= -f2)"
DISPLAY=:$number xdotool mousemove 1439 899 && sleep 1
[ -z "${PICTURE:-}" ] || DISPLAY=:$number import -window root "$PICTURE"
inside OCCUSCOPE_HOME=/home/one DISPLAY=":$number" occuscope doctor | sed 's/^/  /'
kill "$app" 2>/dev/null || true
wait "$app" 2>/dev/null || true
app=
rm -rf "$room/home/one"

# refuses DISPLAY WORDS: the program says in a sentence with these words why no window opens, and ends with 1.
refuses() {
  local status=0
  inside DISPLAY="$1" OCCUSCOPE_HOME=/home/two timeout 60 occuscope >"$work/refused" 2>&1 || status=$?
  rm -rf "$room/home/two"
  [ "$status" = 1 ] && grep -q "$2" "$work/refused" && ! grep -q panicked "$work/refused" || { echo "exit $status"; cat "$work/refused"; exit 1; }
}
inside sh -c 'mkdir /aside && mv /usr/lib/*/libEGL* /usr/lib/*/libGL* /aside/'
refuses ":$number" "there is no OpenGL here"
inside sh -c 'mv /aside/* /usr/lib/*-linux-gnu/ && rmdir /aside'
say "without OpenGL it says so" "$(cut -c1-100 "$work/refused" | tail -1)…"
kill "$xvfb"; xvfb=
refuses ":1" "the window cannot be opened"
say "without a display it says so" "$(cut -c1-60 "$work/refused" | tail -1)…"

inside apt-get purge -y -qq occuscope >/dev/null 2>&1
inside find / -xdev -not -path '/proc/*' -type f | sort >"$work/after"
left=$(comm -13 "$work/before" "$work/after" | grep -i occuscope || true)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
say "uninstalls and leaves nothing"
