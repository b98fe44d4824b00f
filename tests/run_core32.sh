#!/bin/sh
# The runtime core as 32-bit code and without zstd: it opens a stored pack and moves the same vertices as the 64-bit build.
set -eu
cd "$(dirname "$0")/.."
folder=build/core32
mkdir -p "$folder"
sources=$(ls format/*.c runtime/pack/*.c runtime/pose/*.c runtime/deform/*.c | grep -v zstd_decoder.c)
# A decoder that refuses stands where zstd would.
cat >"$folder/no_zstd.c" <<'C'
#include "runtime/mpak.h"
const mpak_decoder *mpak_zstd_decoder(void) { static const mpak_decoder none = {0}; return &none; }
C
flags="-std=c17 -D_GNU_SOURCE -O2 -ffp-contract=off -Wall -Wextra -Werror -I."
# SSE2 arithmetic: the x87 unit would round differently.
# shellcheck disable=SC2086
gcc -m32 -msse2 -mfpmath=sse $flags -o "$folder/pose32" samples/02_cpu_pose.c "$folder/no_zstd.c" $sources -lm
# shellcheck disable=SC2086
gcc $flags -o "$folder/pose64" samples/02_cpu_pose.c "$folder/no_zstd.c" $sources -lm
for layout in blk64 csr64; do
  build/mpak cook -q --quality lossless --compress load --layout $layout -o "$folder/face.mpak" samples/assets/face_anim.glb
  "$folder/pose32" "$folder/face.mpak" >"$folder/out32.txt"
  "$folder/pose64" "$folder/face.mpak" >"$folder/out64.txt"
  grep -q 'vertices in' "$folder/out32.txt"
  cmp "$folder/out32.txt" "$folder/out64.txt"
done
# A compressed pack is refused with a reason, not read wrongly.
build/mpak cook -q --quality lossless -o "$folder/face.mpak" samples/assets/face_anim.glb
if "$folder/pose32" "$folder/face.mpak" 2>"$folder/err.txt"; then exit 1; fi
grep -q NO_DECODER "$folder/err.txt"
echo "32-bit core: same vertices"
