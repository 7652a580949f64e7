#!/bin/sh
# Fills the corpora with invented fixtures and saved files of this repository; what a run adds to them is ignored by git.
set -eu
cd "$(dirname "$0")"
for target in ncu_csv ncu_rep compiled presets codes settings sessions gpus; do mkdir -p "corpus/$target"; done
cp ../fixtures/ncu/invented/* corpus/ncu_csv/
cp ../fixtures/ptxas/*.txt ../fixtures/cubin/*bin corpus/compiled/
cp ../fixtures/saved/presets-*.toml ../../assets/presets.toml corpus/presets/
cp ../fixtures/saved/settings-*.toml corpus/settings/
cp ../fixtures/saved/session-*.occuscope corpus/sessions/
cp ../../arch/*.toml ../../arch/textbook/*.toml corpus/gpus/
# A session without its report is small enough for the fuzzer to change every part of it.
sed 's/"reports":.*/"reports":[],"selected":[0,0]}/' ../fixtures/saved/session-1.occuscope >corpus/sessions/without_reports
printf 'name=Tiled matmul; note=50%%25; tags=tiles,a%%2Cb; gpu=A100 SXM 40 GB; chart=curves; placed=2; block=16x16; registers=64; dynamic_smem=48 KiB; grid=1024' >corpus/codes/usual
printf 'occuscope:1; name=All%%3B; gpu=9.0; block=256; registers=41; static_smem=100; opt_in=true; carveout_percent=50; barriers=2; cluster_size=2; launch_bounds=256,2; grid=100x2' >corpus/codes/whole
