#!/usr/bin/env bash
# The real window under scripted input for so many seconds, on the display that DISPLAY names: soak.sh PROGRAM SECONDS
# Prints resident memory four times a minute, and last its range in each half. Exit code 1 when the window ended or needed over 5 MB more
# in the second half than in the first. Needs xdotool, and a window manager for keys to arrive without help.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
seconds=$2
work=$(mktemp -d)
app=
trap '[ -n "$app" ] && kill "$app" 2>/dev/null; rm -rf "$work"' EXIT
cp assets/samples/tail_effect_a100.csv "$work/report.csv"
OCCUSCOPE_HOME="$work/home" "$program" "$work/report.csv" >"$work/out" 2>&1 &
app=$!
window=
for _ in $(seq 120); do
  window=$(xdotool search --onlyvisible --name 'Occuscope$' 2>/dev/null | tail -1) && [ -n "$window" ] && break
  sleep 0.5
done
[ -n "$window" ] || { echo "no window came up"; exit 1; }
sleep 2
# Without a window manager nothing has the keyboard yet.
xdotool windowfocus --sync "$window" 2>/dev/null || true

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$app/status"; }
between() { echo $(($1 + RANDOM % ($2 - $1))); }
act() {
  case $((RANDOM % 12)) in
    0 | 1 | 2) xdotool mousemove --window "$window" "$(between 20 1400)" "$(between 60 860)" ;;
    3 | 4) xdotool mousemove --window "$window" "$(between 320 1400)" "$(between 80 800)" click 1 ;;
    5) xdotool mousemove --window "$window" "$(between 320 1400)" "$(between 80 800)" click --repeat 5 4 click --repeat 5 5 ;;
    6) for key in Right Right Up Left Down Left; do xdotool key "$key"; done ;;
    7) xdotool key "ctrl+$((1 + RANDOM % 3))" ;;
    8) xdotool key ctrl+k && sleep 0.5 && xdotool type --delay 5 "heat" && xdotool key Escape ;;
    9) xdotool key ctrl+z ctrl+z ctrl+shift+z ;;
    10) xdotool key Tab Tab Tab ;;
    11) touch "$work/report.csv" && echo >>"$work/report.csv" && xdotool key Escape ;;
  esac >/dev/null 2>&1 || true
}

begin=$SECONDS
told=-1
printf 'second\tresident KB\n' >"$work/memory"
while [ $((SECONDS - begin)) -lt "$seconds" ]; do
  kill -0 "$app" 2>/dev/null || { echo "the window ended after $((SECONDS - begin)) s"; tail -3 "$work/out"; exit 1; }
  act
  minute=$(((SECONDS - begin) / 15))
  if [ "$minute" != "$told" ]; then
    told=$minute
    printf '%s\t%s\n' "$((SECONDS - begin))" "$(resident)" | tee -a "$work/memory"
  fi
done
# What the window holds goes up and down with what is open: a leak shows in the most of each half.
awk -v half=$((seconds / 2)) '
  NR > 1 { part = $1 < half ? 1 : 2; if ($2 > most[part]) most[part] = $2; if (!(part in least) || $2 < least[part]) least[part] = $2 }
  END {
    grown = most[2] - most[1]
    printf "first half %d to %d KB, second half %d to %d KB: the most changed by %+d KB\n", least[1], most[1], least[2], most[2], grown
    exit grown > 5120
  }' "$work/memory"
