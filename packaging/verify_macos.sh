#!/usr/bin/env bash
# What can be checked of the macOS package without a Mac: the program compiles for both processors, and the bundle is whole.
#
#   packaging/verify_macos.sh            checks the program for both, then bundles a stand-in for it
#   packaging/verify_macos.sh --bundle   only the bundle
#
# Rust's standard library for the two is built where Debian's rustc-web and rust-web-src are (BUILD_STD=1), else rustup's is used.
# Nothing is linked, which needs Apple's libraries. Needs librsvg2-bin, python3-pil and libplist-utils.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
cd "$root"
if [ "${1:-}" != --bundle ]; then
  std=()
  if [ -n "${BUILD_STD:-}" ]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    std=("-Zbuild-std=std,panic_abort,panic_unwind")
  fi
  for platform in aarch64-apple-darwin x86_64-apple-darwin; do
    start=$SECONDS
    cargo check --quiet --locked --jobs "${JOBS:-2}" --target $platform --lib --bins "${std[@]}"
    echo "compiles for $platform: $((SECONDS - start)) s"
  done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\nexit 1\n' >"$work/stand-in"
CARGO_TARGET_DIR=$work packaging/macos.sh --program "$work/stand-in"
app=$work/packages/Occuscope.app
# Read by what others wrote.
/usr/bin/python3 - "$app/Contents/Resources/occuscope.icns" <<'PYTHON'
import sys
from PIL import Image
sizes = sorted(set(Image.open(sys.argv[1]).info["sizes"]))
for size in sizes:
    icon = Image.open(sys.argv[1])
    icon.size = size
    icon.load()
    # Whole, and transparent in its corners.
    least, most = icon.getextrema()[3]
    assert icon.width == size[0] * size[2] and least < 64 and most == 255, size
print(f"the icon has {len(sizes)} pictures: " + ", ".join(f"{w}x{h}@{scale}" for w, h, scale in sizes))
PYTHON
plistutil -i "$app/Contents/Info.plist" -f bin -o "$work/info.bin"
echo "Info.plist is read by libplist"
