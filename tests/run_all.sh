#!/bin/sh
# Every test, in one go. Called by `make test`. The last two lines are
#   shared: N files            (or: shared: absent, M checks not run)
#   N passed, N failed
#
# Unit tests run with AddressSanitizer and UBSan, and so does mpak itself wherever it meets broken or hostile input.
set -u
cd "$(dirname "$0")/.." || exit 1

export MPAK_ROOT="$PWD"
export MPAK_SHARED="${MPAK_SHARED:-$PWD/../shared}"
export ASAN_OPTIONS="abort_on_error=0:detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"
MAKE="make --no-print-directory -j$(nproc) werror=1"
BUILD=build
LOG="$BUILD/test-logs"
mkdir -p "$LOG"
passed=0
failed=0
not_run=0

say() { printf '== %s (%s s)\n' "$1" "$(($(date +%s) - started))"; }
started=$(date +%s)

fail() {
  failed=$((failed + 1))
  echo "FAIL $1"
}

# A step that either works or not.
step() {
  name=$1
  shift
  if "$@" >"$LOG/$name.log" 2>&1; then
    passed=$((passed + 1))
  else
    fail "$name (see $LOG/$name.log)"
    tail -n 25 "$LOG/$name.log"
  fi
}

# A cmocka program: its closing lines count.
unit() {
  name=$(basename "$1")
  CMOCKA_MESSAGE_OUTPUT=stdout "$1" >"$LOG/$name.log" 2>&1
  status=$?
  ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$LOG/$name.log" | awk '{n += $1} END {print n + 0}')
  bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$LOG/$name.log" | awk '{n += $1} END {print n + 0}')
  away=$(sed -n 's/^not run: \([0-9]*\) .*/\1/p' "$LOG/$name.log" | awk '{n += $1} END {print n + 0}')
  [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  [ "$ok" -gt 0 ] || [ "$bad" -gt 0 ] || [ "$away" -gt 0 ] || bad=1
  passed=$((passed + ok))
  failed=$((failed + bad))
  not_run=$((not_run + away))
  grep '^print: ' "$LOG/$name.log" | sed "s/^print: /$name: /"
  if [ "$bad" -gt 0 ]; then
    echo "FAIL $name (exit $status, see $LOG/$name.log)"
    grep -v '^\[ *\(RUN\|OK\)' "$LOG/$name.log" | tail -n 25
  fi
}

# A script whose last line is "title: N passed, N failed, N not run".
script() {
  # $1 is the interpreter, $2 the script
  name=$(basename "$2" .py)
  "$@" >"$LOG/$name.log" 2>&1
  status=$?
  counts=$(sed -n 's/^.*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) not run$/\1 \2 \3/p' "$LOG/$name.log" | tail -n 1)
  if [ -z "$counts" ]; then
    fail "$name gave no count (exit $status)"
    tail -n 25 "$LOG/$name.log"
    return
  fi
  # shellcheck disable=SC2086
  set -- $counts
  passed=$((passed + $1))
  failed=$((failed + $2))
  not_run=$((not_run + $3))
  grep -v '^FAIL' "$LOG/$name.log" | tail -n 12
  grep '^FAIL' "$LOG/$name.log" | head -n 25
}

say "building: release with gcc and clang, sanitizers, warnings are errors"
step build_release $MAKE BUILD=$BUILD all tools
step build_clang $MAKE CC=clang BUILD=$BUILD/clang all
step build_sanitize $MAKE config=sanitize BUILD=$BUILD "$BUILD/sanitize/mpak" unit_tests

step build_threads $MAKE config=thread BUILD=$BUILD "$BUILD/thread/tests/unit/test_threads"

say "layers, formatting, static analysis"
step layers sh tools/check_layers.sh
step lint sh tools/lint.sh
step lint_shaders sh tools/lint_shaders.sh

say "unit tests with ASan and UBSan"
export MPAK_BIN="$PWD/$BUILD/sanitize/mpak"
for test in "$BUILD"/sanitize/tests/unit/test_*; do
  case "$test" in *.o | *.d) continue ;; esac
  [ -f "tests/unit/$(basename "$test").c" ] && unit "$test"
done

say "importers that crash, hang, eat memory: in a normal build, where the limits are the kernel's"
step build_worker $MAKE BUILD=$BUILD "$BUILD/release/tests/unit/test_worker"
unit "$BUILD/release/tests/unit/test_worker"

say "threads with TSan, the core in 32 bits without zstd, valgrind"
unit "$BUILD/thread/tests/unit/test_threads"
step core32 sh tests/run_core32.sh
step valgrind sh tests/run_valgrind.sh

say "broken files and the command line, with ASan and UBSan"
for test in tests/run_bad.py tests/run_fixtures.py tests/run_mutations.py tests/run_cli.py; do
  [ -f "$test" ] && script python3 "$test"
done

say "packs against independent programs"
# What needs node's programs counts as not run where there is no npm.
if command -v npm >/dev/null && ! [ -d tests/node/node_modules/three ]; then step npm_ci npm ci --prefix tests/node --no-audit --no-fund; fi
export MPAK_BIN="$PWD/$BUILD/mpak"
# Limits of address space, which the sanitized mpak above cannot live with.
script python3 tests/run_cli.py out_of_memory
for test in noassimp gpu_case truth eval eval_gl quality fbx fbx_traps fbx_clips pairs formats reader sections lods rules \
  export golden pictures docs determinism; do
  script python3 "tests/run_$test.py"
done

say "the GPU benchmark, small: its results are checked against the CPU"
bench_gpu_small() {
  python3 tools/bench_gpu.py --small --work "$BUILD/bench_gpu_small" --only face,crowd,many,fused,real samples/assets/face60.glb
  status=$?
  [ "$status" -eq 77 ] || return "$status"
  not_run=$((not_run + 1)) # no OpenGL 4.3 here
}
step bench_gpu_small bench_gpu_small

say "done"
[ "$not_run" -eq 0 ] || echo "not run here, and not counted: $not_run checks"
if [ -d "$MPAK_SHARED/assets" ]; then
  echo "shared: $(find "$MPAK_SHARED/assets" -type f | wc -l) files"
else
  echo "shared: absent, $not_run checks not run"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
