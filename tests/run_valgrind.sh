#!/bin/sh
# Valgrind finds no error and no leak in the plain build: importing and cooking (in one process, by the unit tests), and
# validate, info, eval and the runtime on finished packs.
set -eu
cd "$(dirname "$0")/.."
folder=build/valgrind
mkdir -p "$folder"
export MPAK_ROOT="$PWD" CMOCKA_MESSAGE_OUTPUT=stdout
grind="valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible"
make --no-print-directory -j"$(nproc)" build/release/tests/unit/test_gltf_scene build/release/tests/unit/test_pack_scene >/dev/null
for test in test_gltf_scene test_pack_scene; do $grind "build/release/tests/unit/$test" >/dev/null; done
build/mpak cook -q --quality lossless --source-map -o "$folder/face.mpak" samples/assets/face_anim.glb
$grind build/mpak validate "$folder/face.mpak"
$grind build/mpak info --json "$folder/face.mpak" >/dev/null
$grind build/mpak eval "$folder/face.mpak" --clip all --time 0.5 --order source -o "$folder/face.json"
$grind build/release/samples/02_cpu_pose "$folder/face.mpak" >/dev/null
echo "valgrind: clean"
