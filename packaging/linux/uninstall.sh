#!/bin/sh
# Takes away what `install.sh` put into PREFIX. Settings, presets and sessions stay; `occuscope doctor` says where they are.
set -eu
prefix=${PREFIX:-$HOME/.local}
here=$(cd "$(dirname "$0")" && pwd)
(cd "$here/files" && find . -type f) | while read -r file; do rm -f "$prefix/$file"; done
(cd "$here/files" && find . -depth -type d -name 'occuscope*') | while read -r folder; do
  rmdir "$prefix/$folder" 2>/dev/null || true
done
for folder in "$prefix/share/applications:update-desktop-database" "$prefix/share/mime:update-mime-database"; do
  command -v "${folder#*:}" >/dev/null && "${folder#*:}" "${folder%%:*}" >/dev/null 2>&1 || true
done
echo "removed from $prefix"
