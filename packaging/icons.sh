#!/usr/bin/env bash
# Makes every icon that a package needs from the one drawing, assets/icon/occuscope.svg.
#
#   packaging/icons.sh [FOLDER]    PNG in all sizes, occuscope.ico and occuscope.icns [default: target/packages/icons]
#   packaging/icons.sh --window    redraws assets/icon/occuscope-128.png, which is compiled in as the window's icon
#
# Needs rsvg-convert (Debian: librsvg2-bin) and Python 3. Both container formats take PNG, so a few lines write them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
svg=$root/assets/icon/occuscope.svg
if [ "${1:-}" = --window ]; then
  rsvg-convert -w 128 -h 128 "$svg" -o "$root/assets/icon/occuscope-128.png"
  exit
fi
folder=${1:-$out/icons}
mkdir -p "$folder"
for size in 16 22 24 32 48 64 128 256 512 1024; do
  rsvg-convert -w $size -h $size "$svg" -o "$folder/$size.png"
done
python3 - "$folder" <<'PYTHON'
import pathlib, struct, sys

folder = pathlib.Path(sys.argv[1])
png = lambda size: (folder / f"{size}.png").read_bytes()

# Windows: a directory of 16-byte entries, then the pictures; 0 stands for 256 pixels.
sizes = [16, 24, 32, 48, 64, 128, 256]
offset = 6 + 16 * len(sizes)
entries, pictures = b"", b""
for size in sizes:
    data = png(size)
    entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset + len(pictures))
    pictures += data
(folder / "occuscope.ico").write_bytes(struct.pack("<HHH", 0, 1, len(sizes)) + entries + pictures)

# macOS: blocks of type, length and picture; the same size stands in for twice the resolution of the half.
kinds = [("icp4", 16), ("icp5", 32), ("icp6", 64), ("ic07", 128), ("ic08", 256), ("ic09", 512), ("ic10", 1024),
         ("ic11", 32), ("ic12", 64), ("ic13", 256), ("ic14", 512)]
blocks = b"".join(kind.encode() + struct.pack(">I", len(png(size)) + 8) + png(size) for kind, size in kinds)
(folder / "occuscope.icns").write_bytes(b"icns" + struct.pack(">I", len(blocks) + 8) + blocks)
PYTHON
echo "$folder: $(ls "$folder" | tr '\n' ' ')"
