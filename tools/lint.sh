#!/bin/sh
# lint.sh: static analysis of the project's own C, two cores, under four minutes. Prints what the tools find, and fails
# on anything.
#
#   clang-format  all C files
#   cppcheck      format, runtime, cooker, samples
#   gcc           the same: -fanalyzer, and no function with more than 16 KiB of stack
#   clang-tidy    the same: the checks of .clang-tidy
set -u
cd "$(dirname "$0")/.." || exit 1
files=$(git ls-files '*.c' '*.h')
sources=$(git ls-files 'format/*.c' 'runtime/*.c' 'cooker/*.c' 'samples/*.c')
jobs=$(nproc)
dialect='-std=c17 -D_GNU_SOURCE -I. -isystem build/glad/include'
# Without the packages of GL=1 there is no header for these.
# shellcheck disable=SC2086
[ -d build/glad ] || sources=$(grep -L '<glad/gl.h>\|<png.h>\|<GLFW/' $sources)
status=0

# each COMMAND…: runs it with one source file at its end, for all of them; fails when one does.
each() {
  # shellcheck disable=SC2086
  printf '%s\n' $sources | xargs -P "$jobs" -n 1 "$@"
}

# shellcheck disable=SC2086
clang-format --dry-run --Werror $files || status=1

# cppcheck 2.10 knows noreturn, but not by its name in C11.
# shellcheck disable=SC2086
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
  --suppress=missingIncludeSystem '-D_Noreturn=__attribute__((noreturn))' -D__BYTE_ORDER__=1234 \
  -D__ORDER_LITTLE_ENDIAN__=1234 -I. -j "$jobs" $sources || status=1

# The analyser of gcc 12 forgets what short loops have written and then calls it uninitialised; clang-tidy looks for
# the same without that flaw. -S: no assembler, nothing is kept.
# shellcheck disable=SC2086
each gcc $dialect -ffp-contract=off -O1 -Wall -Wextra -Werror -fanalyzer -Wno-analyzer-use-of-uninitialized-value \
  -Wstack-usage=16384 -S -o /dev/null || status=1

# max-nodes: two thirds of what the analyser would spend on one function, for half of the time. stderr holds only the
# number of warnings in system headers.
# shellcheck disable=SC2016
each sh -c 'clang-tidy --quiet --warnings-as-errors="*" "$1" -- $0 2>/dev/null' \
  "$dialect -Xclang -analyzer-config -Xclang max-nodes=150000" || status=1
exit $status
