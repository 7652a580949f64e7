#!/usr/bin/env bash
# Opens the window on a Wayland desktop that has no screen and no X11.
#
#   packaging/verify_wayland.sh [PROGRAM] [PICTURE]      [default: target/dist/occuscope, no picture]
#
# Needs weston 10 or newer and Mesa's software OpenGL.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
program=$(realpath "${1:-$target/dist/occuscope}")
picture=${2:+$(realpath -m "$2")}
work=$(mktemp -d)
cleanup() {
  for process in ${app:-} ${desktop:-}; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
unset DISPLAY
export XDG_RUNTIME_DIR=$work/run WAYLAND_DISPLAY=occuscope-test OCCUSCOPE_HOME=$work/home
mkdir -m 700 "$XDG_RUNTIME_DIR"
weston --backend=headless-backend.so --use-pixman --width=1440 --height=932 --socket=$WAYLAND_DISPLAY --debug --idle-time=0 >"$work/weston" 2>&1 &
desktop=$!
for _ in $(seq 50); do [ -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ] && break; sleep 0.2; done
cp "$root/assets/samples/tail_effect_a100.csv" "$work/a report.csv"
WAYLAND_DEBUG=1 "$program" "$work/a report.csv" >"$work/out" 2>"$work/wire" &
app=$!
opened=
for _ in $(seq 120); do
  if grep -q 'set_title("a report.csv – Occuscope")' "$work/wire" && grep -q 'the window is drawn by' "$OCCUSCOPE_HOME"/state/*.log 2>/dev/null; then opened=1 && break; fi
  kill -0 "$app" 2>/dev/null || { cat "$work/out"; grep -v '^\[' "$work/wire" | tail; exit 1; }
  sleep 0.5
done
[ -n "$opened" ] || { grep -o 'set_title([^)]*)' "$work/wire" || true; cat "$work/out"; echo "no window with the report came up"; exit 1; }
grep -o 'set_app_id([^)]*)' "$work/wire" | tail -1
grep -o 'set_title([^)]*)' "$work/wire" | tail -1
sed -n 's/.*\(the window is drawn by.*\)/\1/p' "$OCCUSCOPE_HOME"/state/*.log | tail -1
sleep 5
# What egui draws reaches the desktop as buffers of the window's size; an idle window sends none.
before=$(grep -c 'wl_surface@.*commit' "$work/wire")
sleep 5
after=$(grep -c 'wl_surface@.*commit' "$work/wire")
echo "$before frames until then, $((after - before)) in 5 idle seconds"
[ "$before" -gt 0 ] && [ $((after - before)) -le 2 ]
if [ -n "$picture" ]; then
  (cd "$work" && weston-screenshooter && mv wayland-screenshot-*.png "$picture")
  echo "$picture"
fi
"$program" doctor | grep -E '^(display|Wayland|renderer)'
echo "a window opens on Wayland, without X11"
