#!/bin/sh
# make soak: what takes too long for every run. The whole determinism matrix, every mutation, minutes of fuzzing.
set -u
cd "$(dirname "$0")/.." || exit 1
export MPAK_ROOT="$PWD" MPAK_SHARED="${MPAK_SHARED:-$PWD/../shared}" MPAK_BIN="$PWD/build/mpak"
status=0
make --no-print-directory -j"$(nproc)" all || exit 1
python3 tests/run_determinism.py --all || status=1
make --no-print-directory -j"$(nproc)" fuzz || exit 1
for target in build/fuzz/tests/fuzz/fuzz_*; do
  case "$target" in *.o | *.d) continue ;; esac
  echo "== $target, ${MPAK_FUZZ_SECONDS:-600} s"
  mkdir -p "build/fuzz/found/$(basename "$target")"
  "$target" -max_total_time="${MPAK_FUZZ_SECONDS:-600}" -rss_limit_mb=4096 "build/fuzz/found/$(basename "$target")" tests/fuzz/corpus || status=1
done
exit $status
