#!/bin/sh
# make bench: one run, all figures side by side. Needs ../shared for the real characters; the generated face always runs.
set -eu
cd "$(dirname "$0")/.."
make --no-print-directory -j"$(nproc)" all tools >/dev/null
exec python3 tools/bench_cook.py "$@"
