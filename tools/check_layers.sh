#!/bin/sh
# Dependencies point one way. For each module: the folders whose headers it may include; and each outside library
# stays behind the files named here.
set -u
cd "$(dirname "$0")/.." || exit 1
status=0

# layer FOLDER ALLOWED…: no file below FOLDER includes a project header from anywhere else.
layer() {
  folder=$1
  shift
  pattern=
  for allowed in "$@"; do
    case $allowed in
      *.h) pattern="$pattern|$allowed\"" ;;
      *) pattern="$pattern|$allowed/" ;;
    esac
  done
  found=$(git ls-files "$folder" | grep '\.[ch]$' | xargs grep -nH '^#include "' 2>/dev/null |
    grep -vE "#include \"(${pattern#|})")
  [ -z "$found" ] && return
  echo "layer $folder may include only: $*"
  echo "$found"
  status=1
}

# behind HEADER FILE…: only these files include an outside header.
behind() {
  header=$1
  shift
  found=$(git ls-files 'format/*' 'runtime/*' 'cooker/*' 'samples/*' | grep '\.[ch]$' | xargs grep -lE "#include <$header" 2>/dev/null)
  for file in $found; do
    case " $* " in
      *" $file "*) ;;
      *)
        echo "$file includes <$header>, which belongs behind: $*"
        status=1
        ;;
    esac
  done
}

layer format format
layer runtime/pack format runtime/mpak.h runtime/pack
layer runtime/pose format runtime/mpak.h runtime/mpak_pose.h runtime/pose runtime/deform
layer runtime/deform format runtime/mpak.h runtime/mpak_pose.h runtime/deform
layer runtime/reference format runtime/mpak.h runtime/pose/carve.h runtime/reference
layer runtime/gl format runtime/mpak.h runtime/mpak_pose.h runtime/gl shaders/mpak_gpu_layout.h
layer cooker/base format cooker/base
layer cooker/scene format cooker/base cooker/scene
layer cooker/import format cooker/base cooker/scene cooker/cook.h cooker/import
layer cooker/check format cooker/base cooker/scene cooker/cook.h cooker/check
layer cooker/build format cooker/base cooker/scene cooker/cook.h cooker/quality.h cooker/build
layer cooker/pack format cooker/base cooker/scene cooker/cook.h cooker/profile.h cooker/build/build.h cooker/build/quantise_base.h cooker/quality.h cooker/pack runtime/mpak.h cooker/report/number.h cooker/report/version.h
layer cooker/measure format cooker/base cooker/scene cooker/cook.h cooker/quality.h cooker/pack/pack.h cooker/measure runtime/mpak.h runtime/mpak_pose.h
layer cooker/report format cooker/base cooker/cook.h cooker/scene cooker/report runtime/mpak.h
layer cooker/export format cooker/base cooker/report cooker/export runtime/mpak.h runtime/mpak_pose.h
layer cooker/cli format cooker runtime samples/viewer/viewer.h samples/viewer/vertex_capture.h
layer samples runtime/mpak.h runtime/mpak_pose.h runtime/gl/mpak_gl.h shaders/mpak_gpu_layout.h format samples

behind xxhash.h format/checksum.h
behind zstd.h runtime/pack/zstd_decoder.c cooker/pack/compress.c cooker/cli/libraries.c
behind assimp cooker/import/assimp_private.h cooker/import/assimp.c
behind jansson.h cooker/import/json.c cooker/import/json.h cooker/cli/libraries.c
behind meshoptimizer.h cooker/import/gltf_meshopt.c cooker/build/order.c cooker/build/optimiser_memory.c cooker/build/lods_simplify.c cooker/cli/libraries.c
behind EGL samples/viewer/offscreen.c
behind GLFW samples/viewer/window.c samples/minimal.c
behind png.h samples/viewer/png_file.c
behind seccomp.h cooker/import/sandbox.c cooker/cli/libraries.c
behind iconv.h cooker/import/name_encoding.c
behind sys/mman.h runtime/pack/map_file.c

[ $status -eq 0 ] && echo "layers: sound"
exit $status
