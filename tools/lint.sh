#!/bin/sh
# clang-format, cppcheck and clang-tidy over the project's own C. Prints what they find and fails on anything.
set -u
cd "$(dirname "$0")/.." || exit 1
files=$(git ls-files '*.c' '*.h')
sources=$(git ls-files 'format/*.c' 'runtime/*.c' 'cooker/*.c' 'samples/*.c')
status=0

# shellcheck disable=SC2086
clang-format --dry-run --Werror $files || status=1

# shellcheck disable=SC2086
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
  --library=tools/cppcheck.cfg --suppress=missingIncludeSystem -D__BYTE_ORDER__=1234 -D__ORDER_LITTLE_ENDIAN__=1234 -I. -j "$(nproc)" $sources || status=1

# shellcheck disable=SC2086
printf '%s\n' $sources | xargs -P "$(nproc)" -n 4 sh -c \
  'clang-tidy --quiet --warnings-as-errors="*" "$@" -- -std=c17 -D_GNU_SOURCE -I. 2>/dev/null' tidy || status=1
exit $status
