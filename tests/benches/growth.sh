#!/usr/bin/env bash
# How time and memory grow with the size of a report: each shape at 1, 10, 100 and 1,000 MB.
#
#   tests/benches/growth.sh [TURNS]
#
# Medians of TURNS [default: 5] processes each; needs 1 GB of room for files.
set -euo pipefail
cd "$(dirname "$0")/../.."
proofs=tests/benches/Cargo.toml
programs=${CARGO_TARGET_DIR:-target}/release
turns=${1:-5}
cargo build --release --quiet --manifest-path $proofs --bins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
median() { sort -g | awk '{ line[NR] = $1 } END { print line[int((NR + 1) / 2)] }'; }
figure() { grep -o "\"$1\": [0-9.]*" "$work/turns" | cut -d' ' -f2 | median; }

printf '%-10s%10s%10s%12s%14s%12s%16s\n' shape MB launches seconds 'MB a second' 'memory, MB' 'more per MB'
for shape in details raw binary; do
  last=
  for size in 1 10 100 1000; do
    "$programs/generate" $shape $size >"$work/report" 2>/dev/null
    # One turn that does not count: the file is in memory then.
    "$programs/read" "$work/report" >/dev/null
    for _ in $(seq "$turns"); do "$programs/read" "$work/report"; done >"$work/turns"
    seconds=$(figure seconds) memory=$(figure peak_mb)
    bytes=$(stat -c %s "$work/report")
    printf '%-10s%10.1f%10d%12.4f%14.0f%12.1f%16s\n' $shape "$(awk "BEGIN { print $bytes / 1e6 }")" "$(figure kernels)" "$seconds" \
      "$(awk "BEGIN { print $bytes / 1e6 / $seconds }")" "$memory" \
      "$([ -z "$last" ] || awk "BEGIN { split(\"$last\", was, \" \"); printf \"%.2f\", ($memory - was[2]) / ($bytes / 1e6 - was[1]) }")"
    last="$(awk "BEGIN { print $bytes / 1e6 }") $memory"
  done
done
