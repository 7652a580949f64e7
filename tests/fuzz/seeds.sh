#!/bin/sh
# Copies the invented fixtures into the corpora; what a run adds to them is ignored by git.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/ncu_csv corpus/ncu_rep corpus/compiled
cp ../fixtures/ncu/invented/* corpus/ncu_csv/
cp ../fixtures/ptxas/*.txt ../fixtures/cubin/*bin corpus/compiled/
