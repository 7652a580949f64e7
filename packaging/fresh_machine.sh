#!/usr/bin/env bash
# The README's two commands on a machine that has Rust and a C linker and nothing else: a Debian from debootstrap, and a clone.
#
#   packaging/fresh_machine.sh [ROOT]            builds, opens, tests, and says how long each took
#   packaging/fresh_machine.sh --quick [ROOT]    the command line alone, for a few minutes
#
# ROOT is a Debian with gcc and libc6-dev; it is made unless it is there, and left as it was. Rust and fetched sources are this
# machine's. Needs root and debootstrap.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
quick=
if [ "${1:-}" = --quick ]; then quick=1 && shift; fi
base=${1:-/var/tmp/occuscope-fresh}
rustup=$(rustc --print sysroot)
cargo=${CARGO_HOME:-$HOME/.cargo}

[ -d "$base/usr" ] || debootstrap --variant=minbase --include=gcc,libc6-dev bookworm "$base" >/dev/null
work=$(mktemp -d)
room=$work/root
cleanup() {
  for mounted in opt/rust root/.cargo dev proc; do umount "$room/$mounted" 2>/dev/null || true; done
  # Nothing of this machine may be below what is removed.
  ! grep -q " $room/" /proc/mounts && rm -rf "$work"
}
trap cleanup EXIT
cp -a "$base" "$room"
mkdir -p "$room/opt/rust" "$room/root/.cargo"
mount -t proc proc "$room/proc"
mount --bind /dev "$room/dev"
mount --bind "$rustup" "$room/opt/rust"
mount --bind "$cargo" "$room/root/.cargo"
git clone --quiet "$root" "$room/home/occuscope"

# Only what a login would set, and how this machine reaches the registry.
inside() {
  chroot "$room" env -i HOME=/root PATH=/opt/rust/bin:/usr/bin:/bin ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} \
    sh -c "cd /home/occuscope && $*"
}
# took WORDS: how long it was since the last time.
last=$SECONDS
took() { echo "$1: $((SECONDS - last)) s" && last=$SECONDS; }

echo "Debian $(cat "$room/etc/debian_version"), $(inside rustc --version), $(nproc) cores, $(chroot "$room" dpkg-query -f . -W | wc -c) packages"
if [ -n "$quick" ]; then
  inside cargo run --quiet --no-default-features -- --version
  took "cargo run --no-default-features"
  inside cargo run --quiet --no-default-features -- occupancy --cc 8.0 --threads 256 --registers 64 | head -1
  exit
fi
# Without a display the window's place is taken by a sentence, and the exit code is 1: the program was built and runs.
status=0
inside cargo run --quiet --release >"$work/out" 2>&1 || status=$?
took "cargo run --release"
cat "$work/out"
[ $status = 1 ] && grep -q "there is no display" "$work/out" || { echo "exit $status"; exit 1; }
inside cargo test --quiet >"$work/tests" 2>&1 || { tail -40 "$work/tests"; exit 1; }
took "cargo test"
grep '^test result' "$work/tests"
