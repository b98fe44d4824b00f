#!/bin/sh
# Writes the manual pages, made from the program's own tables: tools/make_man.sh [MPAK [FOLDER]]
set -eu
mpak=${1:-build/mpak}
folder=${2:-build/man}
mkdir -p "$folder"
"$mpak" help --man >"$folder/mpak.1"
for verb in $(sed -n 's/^\.BR mpak\\-\([a-z]*\) .*/\1/p' "$folder/mpak.1"); do
  "$mpak" help --man "$verb" >"$folder/mpak-$verb.1"
done
