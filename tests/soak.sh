#!/bin/sh
# make soak: what takes too long for every run. The whole determinism matrix, every mutation, minutes of fuzzing.
set -u
cd "$(dirname "$0")/.." || exit 1
export MPAK_ROOT="$PWD" MPAK_SHARED="${MPAK_SHARED:-$PWD/../shared}" MPAK_BIN="$PWD/build/mpak"
export ASAN_OPTIONS="allocator_may_return_null=1:detect_stack_use_after_return=1" UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
status=0
make --no-print-directory -j"$(nproc)" all || exit 1
python3 tests/run_determinism.py --all || status=1

# Every unit test in the plain build under valgrind, but those that measure memory, threads or processes themselves, and
# those whose time is a GPU driver's.
make --no-print-directory -j"$(nproc)" unit_tests || exit 1
for test in build/release/tests/unit/test_*; do
  case "$test" in *.o | *.d | *test_worker | *test_threads | *out_of_memory | *test_gl_*) continue ;; esac
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible "$test" >/dev/null 2>build/valgrind.log ||
    { echo "FAIL valgrind $test"; tail -n 20 build/valgrind.log; status=1; }
done

# Damaged files: the FBX reader and pre-pass alone, then the whole cook, with sanitizers and as it is shipped.
make --no-print-directory -j"$(nproc)" config=sanitize build/sanitize/mpak build/sanitize/tests/unit/test_fbx_damage || exit 1
MPAK_SOAK=1 build/sanitize/tests/unit/test_fbx_damage || status=1
for program in build/sanitize/mpak build/mpak; do
  MPAK_SOAK=1 MPAK_BIN="$PWD/$program" python3 tests/run_mutations.py || status=1
done

# A game of 100,000 frames.
make --no-print-directory -j"$(nproc)" config=sanitize build/sanitize/tests/unit/test_gl_soak || exit 1
MPAK_GL_FRAMES=100000 build/sanitize/tests/unit/test_gl_soak || status=1

make --no-print-directory -j"$(nproc)" fuzz || exit 1
for target in build/fuzz/tests/fuzz/fuzz_*; do
  case "$target" in *.o | *.d) continue ;; esac
  echo "== $target, ${MPAK_FUZZ_SECONDS:-600} s"
  mkdir -p "build/fuzz/found/$(basename "$target")"
  "$target" -max_total_time="${MPAK_FUZZ_SECONDS:-600}" -rss_limit_mb=4096 "build/fuzz/found/$(basename "$target")" tests/fuzz/corpus || status=1
done
exit $status
