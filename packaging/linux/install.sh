#!/bin/sh
# Installs Occuscope for one user, or with PREFIX=/usr/local and the rights to write there, for all. `uninstall.sh` undoes it.
set -eu
prefix=${PREFIX:-$HOME/.local}
here=$(cd "$(dirname "$0")" && pwd)
(cd "$here/files" && find . -type f) | while read -r file; do
  install -D -m "$(stat -c %a "$here/files/$file")" "$here/files/$file" "$prefix/$file"
done
for folder in "$prefix/share/applications:update-desktop-database" "$prefix/share/mime:update-mime-database"; do
  command -v "${folder#*:}" >/dev/null && "${folder#*:}" "${folder%%:*}" >/dev/null 2>&1 || true
done
echo "installed in $prefix"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "add $prefix/bin to PATH to call occuscope by its name" ;; esac
"$prefix/bin/occuscope" doctor || true
