#!/usr/bin/env bash
# Builds every package that this system can build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case $(uname -s) in
  Darwin) "$here/macos.sh" ;;
  Linux)
    "$here/linux.sh"
    if command -v x86_64-w64-mingw32-gcc >/dev/null && command -v wixl >/dev/null; then
      "$here/windows.sh"
    else
      echo "no Windows packages: mingw-w64 or wixl is missing"
    fi
    ;;
  *) "$here/windows.sh" ;;
esac
