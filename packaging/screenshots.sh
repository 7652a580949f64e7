#!/usr/bin/env bash
# Takes the README's pictures anew: the program draws them itself, in software, on any machine (tests/ui/tour.rs says what they show).
#
#   packaging/screenshots.sh
#
# Needs ImageMagick, which brings them to 256 colors.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
unset CARGO_ENCODED_RUSTFLAGS
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OCCUSCOPE_PICTURES=$work cargo test --quiet --jobs "${JOBS:-2}" --test ui tour
mkdir -p assets/tour
for picture in "$work"/tour_*.png; do
  name=$(basename "$picture" .png)
  convert "$picture" +dither -colors 255 -strip -define png:compression-level=9 -define png:exclude-chunk=time,date "PNG8:assets/tour/${name#tour_}.png"
done
ls -l assets/tour
