#!/usr/bin/env bash
# What can be checked of the packages without building one, in seconds. A check whose tool is missing is named and left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
has() { command -v "$1" >/dev/null || { echo "left out: $1 is not here"; return 1; }; }
metainfo=assets/desktop/io.github.occuscope.occuscope.metainfo.xml

for script in packaging/*.sh packaging/linux/*.sh; do bash -n "$script"; done
if has desktop-file-validate; then desktop-file-validate assets/desktop/occuscope.desktop; fi
if has appstreamcli; then appstreamcli validate --no-net "$metainfo"; fi
python3 - <<'PYTHON'
import pathlib, plistlib, re, xml.dom.minidom
for path in [*pathlib.Path("assets").rglob("*.xml"), *pathlib.Path("assets").rglob("*.svg"), *pathlib.Path("packaging").rglob("*.wxs")]:
    xml.dom.minidom.parse(str(path))
plistlib.loads(pathlib.Path("packaging/macos/Info.plist").read_bytes())
# One version everywhere.
version = re.search(r'^version = "(.*)"', pathlib.Path("Cargo.toml").read_text(), re.M).group(1)
for path in ["packaging/debian/changelog", "packaging/flatpak/io.github.occuscope.occuscope.yml", "assets/desktop/io.github.occuscope.occuscope.metainfo.xml"]:
    assert version in pathlib.Path(path).read_text(), f"{path} does not name version {version}"
PYTHON
if has flatpak-builder; then flatpak-builder --show-manifest packaging/flatpak/io.github.occuscope.occuscope.yml >/dev/null; fi
packaging/third_party.py --check
if has rsvg-convert; then
  # The window's picture is the drawing's. Another version of the tool may write other bytes, so a difference is only said.
  rsvg-convert -w 128 -h 128 assets/icon/occuscope.svg | cmp -s - assets/icon/occuscope-128.png || echo "note: occuscope-128.png differs from what rsvg-convert draws here"
fi
echo "packaging files are sound"
