#!/usr/bin/env bash
# Builds the Linux packages: a .deb, and a .tar.gz with an install script for every other distribution.
#
#   packaging/linux.sh             builds the program, then the packages, into target/packages
#   packaging/linux.sh --program FILE   packages a program that was built before
#
# Needs Rust, a C linker, rsvg-convert (librsvg2-bin), Python 3.11 and dpkg-deb.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
cd "$root"
if [ "${1:-}" = --program ]; then
  program=$2
else
  cargo build --locked --profile dist --bin occuscope
  program=$target/dist/occuscope
fi
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What both packages have below their prefix.
files=$work/files
put() { install -D -m "${3:-644}" "$1" "$files/$2"; }
put "$program" bin/occuscope 755
put assets/desktop/occuscope.desktop share/applications/occuscope.desktop
put assets/desktop/occuscope-mime.xml share/mime/packages/occuscope.xml
put assets/desktop/io.github.occuscope.occuscope.metainfo.xml share/metainfo/io.github.occuscope.occuscope.metainfo.xml
packaging/icons.sh "$work/icons" >/dev/null
for size in 16 22 24 32 48 64 128 256 512; do
  put "$work/icons/$size.png" share/icons/hicolor/${size}x$size/apps/occuscope.png
done
put assets/icon/occuscope.svg share/icons/hicolor/scalable/apps/occuscope.svg
"$program" manual --output "$work/man"
for page in "$work"/man/*.1; do gzip -9n "$page"; put "$page.gz" "share/man/man1/$(basename "$page").gz"; done
for shell in bash:bash-completion/completions/occuscope zsh:zsh/vendor-completions/_occuscope fish:fish/vendor_completions.d/occuscope.fish; do
  "$program" completions "${shell%%:*}" >"$work/completion"
  put "$work/completion" "share/${shell#*:}"
done
# PowerShell has no folder for these on Linux; a profile loads the file with a dot.
"$program" completions powershell >"$work/completion"
put "$work/completion" share/occuscope/occuscope-completions.ps1
put packaging/debian/copyright share/doc/occuscope/copyright
put assets/THIRD_PARTY.md share/doc/occuscope/THIRD_PARTY.md
put assets/fonts/OFL.txt share/doc/occuscope/OFL.txt
find "$work" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"

# The portable one.
name=occuscope-$version-linux-$(uname -m)
mkdir "$work/$name"
cp -a "$files" "$work/$name/files"
cp README.md CHANGELOG.md LICENSE LICENSE-APACHE LICENSE-MIT "$work/$name/"
install -m 755 packaging/linux/install.sh packaging/linux/uninstall.sh "$work/$name/"
pack() { tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$1" | gzip -9n; }
pack "$name" >"$out/$name.tar.gz"

# The Debian one. Its description and dependencies are in Cargo.toml.
debian=$work/debian
mkdir -p "$debian/DEBIAN" "$debian/usr"
cp -a "$files/." "$debian/usr/"
gzip -9nc packaging/debian/changelog >"$debian/usr/share/doc/occuscope/changelog.Debian.gz"
gzip -9nc CHANGELOG.md >"$debian/usr/share/doc/occuscope/changelog.gz"
glibc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1 | cut -d_ -f2)
python3 - "$version" "$architecture" "$glibc" "$(du -sk "$debian/usr" | cut -f1)" >"$debian/DEBIAN/control" <<'PYTHON'
import sys, tomllib
version, architecture, glibc, size = sys.argv[1:]
package = tomllib.load(open("Cargo.toml", "rb"))["package"]
deb = package["metadata"]["deb"]
description = "\n".join(" " + line for line in deb["extended-description"].splitlines())
print(f"""Package: {deb["name"]}
Version: {version}-{deb["revision"]}
Architecture: {architecture}
Maintainer: {deb["maintainer"]}
Installed-Size: {size}
Depends: {deb["depends"].replace("$auto", f"libc6 (>= {glibc}), libgcc-s1")}
Recommends: {deb["recommends"]}
Section: {deb["section"]}
Priority: {deb["priority"]}
Description: see what limits the occupancy of a CUDA kernel
{description}""")
PYTHON
(cd "$debian" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$debian" -type d -exec chmod 755 {} +
find "$debian" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
deb=$out/occuscope_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$debian" "$deb" >/dev/null
echo "needs glibc $glibc or newer"
sha256sum "$program" "$deb" "$out/$name.tar.gz"
