#!/usr/bin/env bash
# Builds the committed program twice, in two folders that share nothing but the sources that cargo fetched, and compares the bytes.
#
#   packaging/reproduce.sh [FOLDER]     what was built stays below FOLDER when one is named
#
# Takes two full builds of the released program. Ends with 1 when they differ, or are larger than a release may be.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
limit=20000000
# What is committed meanwhile is another program.
commit=$(git -C "$root" rev-parse HEAD)
work=${1:-$(mktemp -d)}
[ -n "${1:-}" ] || trap 'rm -rf "$work"' EXIT
# Names of unequal length, so that a path that found its way in moves everything behind it.
for folder in "$work/a" "$work/another folder/b"; do
  rm -rf "$folder/occuscope"
  mkdir -p "$folder/occuscope"
  git -C "$root" archive "$commit" | tar -x -C "$folder/occuscope"
  start=$SECONDS
  (
    export CARGO_TARGET_DIR=$folder/target
    . "$folder/occuscope/packaging/build_flags.sh"
    cd "$folder/occuscope"
    cargo build --quiet --locked --jobs "${JOBS:-2}" --profile dist --bin occuscope
  )
  echo "$(sha256sum <"$folder/target/dist/occuscope" | cut -c1-64)  $(stat -c %s "$folder/target/dist/occuscope") bytes, built in $((SECONDS - start)) s"
done
program=$work/a/target/dist/occuscope
cmp "$program" "$work/another folder/b/target/dist/occuscope"
if strings "$program" | grep -F -e "$work" -e "$root/" -e "${CARGO_HOME:-$HOME/.cargo}" -e "${RUSTUP_HOME:-$HOME/.rustup}"; then
  echo "a path of this machine is in it"
  exit 1
fi
[ "$(stat -c %s "$program")" -le "$limit" ] || { echo "larger than $limit bytes"; exit 1; }
echo "the same bytes twice, no path of this machine, at most $limit bytes"
