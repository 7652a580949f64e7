#!/bin/sh
# Reading a report with pandas and polars against reading it with this crate: seconds, ratio, peak memory.
# Usage: pandas_compare.sh [MB] [TURNS]. Needs python3 with venv; fetches pandas and polars with pip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
megabytes=${1:-100}
turns=${2:-5}
work=${TMPDIR:-/tmp}/occuscope-pandas
mkdir -p "$work"
if [ ! -x "$work/venv/bin/python" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet pandas polars pyarrow
fi
cargo build --quiet --release --manifest-path "$here/Cargo.toml" --bins
bin=${CARGO_TARGET_DIR:-$here/target}/release
for shape in details raw; do
    file=$work/$shape-$megabytes.csv
    [ -s "$file" ] || "$bin/generate" "$shape" "$megabytes" > "$file" 2> "$work/launches"
    "$work/venv/bin/python" "$here/pandas_compare.py" "$bin/read" "$shape" "$file" "$turns"
done
