#!/bin/sh
# Prints one C array that holds files, one after the other, and a zero byte: how shaders get into programs.
#
#   sh tools/embed.sh NAME FILE…    const char NAME[] = {…, 0}; to standard output
#
# The same files give the same text on every machine.
set -eu

if [ $# -lt 2 ]; then
  sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
name=$1
shift
for file in "$@"; do
  [ -r "$file" ] || {
    echo "embed: $file cannot be read" >&2
    exit 3
  }
done
printf '// Made by tools/embed.sh.\nextern const char %s[];\nconst char %s[] = {\n' "$name" "$name"
cat -- "$@" | LC_ALL=C od -An -v -td1 | LC_ALL=C sed 's/^ *//; s/ *$//; s/  */, /g; s/$/,/'
printf '0};\n'
