# shellcheck shell=bash disable=SC2034
# Sourced by the scripts beside it: what every release build has in common. Sets `root`, `target` and the compiler's flags.
#
# Paths of the machine that builds are replaced in messages of panics and debug information, so that the same source gives the
# same bytes for everybody with the same compiler.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
out=$target/packages
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)
separator=$'\x1f'
CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
CARGO_ENCODED_RUSTFLAGS+="$separator--remap-path-prefix=${RUSTUP_HOME:-$HOME/.rustup}=/rustup"
CARGO_ENCODED_RUSTFLAGS+="$separator--remap-path-prefix=$target=/target"
CARGO_ENCODED_RUSTFLAGS+="$separator--remap-path-prefix=$root=/occuscope"
# The time of the last commit stands for "now" in archives and packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export CARGO_ENCODED_RUSTFLAGS SOURCE_DATE_EPOCH
