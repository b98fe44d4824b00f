#!/bin/sh
# Sets up a fresh Debian 12 and shows mpak at work.
#
#   sh tools/bootstrap.sh demo    installs what building needs, builds, cooks a character, validates and evaluates it
#   sh tools/bootstrap.sh viewer  installs what `mpak view` and `mpak sheet` need too, and draws a contact sheet
#   sh tools/bootstrap.sh test    installs what testing needs too, and runs all tests
#
# Says what it installs; uses sudo only when not root; installs nothing that is already there.
set -eu

cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

BUILD_PACKAGES="gcc libc6-dev make pkg-config libassimp-dev libzstd-dev libxxhash-dev libmeshoptimizer-dev
libjansson-dev zlib1g-dev libseccomp-dev libstdc++-12-dev"
VIEWER_PACKAGES="g++ libpng-dev libglfw3-dev libegl-dev libgl-dev libegl1 libgl1-mesa-dri libimgui-dev python3-glad
fonts-wqy-microhei"
TEST_PACKAGES="git python3 clang libclang-rt-14-dev llvm clang-format clang-tidy cppcheck valgrind libcmocka-dev locales
zstd gcc-multilib ninja-build glslang-tools spirv-tools xvfb xauth"

say() { printf '\n== %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else
    echo "bootstrap: not root, and there is no sudo. Run as root: $*" >&2
    exit 1
  fi
}

# Installs those of the named packages that are missing.
install_missing() {
  missing=
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $package"
  done
  if [ -z "$missing" ]; then
    say "all packages are installed"
    return
  fi
  say "installing:$missing"
  as_root apt-get update -qq
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# German and C locales: the tests prove that a decimal comma changes no byte.
install_locale() {
  locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$' && return
  say "making the locale de_DE.UTF-8"
  as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
}

build() {
  say "building (make)"
  make -j"$(nproc)"
}

# Are the packages of `mpak view` and `mpak sheet` here? As the Makefile asks.
has_viewer() { command -v glad >/dev/null && pkg-config --exists imgui libpng glfw3 egl; }

viewer() {
  # shellcheck disable=SC2086
  install_missing $BUILD_PACKAGES $VIEWER_PACKAGES
  build
  mkdir -p build/demo
  say "a contact sheet: build/mpak sheet samples/assets/face60.glb"
  build/mpak sheet samples/assets/face60.glb -o build/demo/face60.png
  ls -l build/demo/face60.png
  say "and a window, on a desktop: build/mpak view samples/assets/face60.glb"
}

demo() {
  # shellcheck disable=SC2086
  install_missing $BUILD_PACKAGES
  build
  out=build/demo
  mkdir -p "$out"
  say "cooking a face of 60 morph targets: build/mpak cook samples/assets/face60.glb"
  build/mpak cook -o "$out/face60.mpak" samples/assets/face60.glb
  say "the same character from FBX: build/mpak cook samples/assets/face60.fbx"
  build/mpak cook -o "$out/face60_fbx.mpak" samples/assets/face60.fbx
  say "validating the pack: build/mpak validate"
  build/mpak validate "$out/face60.mpak"
  say "what is inside: build/mpak info"
  build/mpak info "$out/face60.mpak" | head -n 24
  say "evaluating all clips at 0.5 s: build/mpak eval"
  build/mpak eval "$out/face60.mpak" --clip all --time 0.5 --format obj -o "$out/face60_at_0.5s.obj"
  build/mpak eval "$out/face60.mpak" --clip all --time 0.5 -o "$out/face60_at_0.5s.json"
  say "the runtime moves the same vertices: build/release/samples/02_cpu_pose"
  build/release/samples/02_cpu_pose "$out/face60.mpak"
  if has_viewer; then
    say "every morph target and clip as pictures: build/mpak sheet"
    build/mpak sheet samples/assets/face60.glb -o "$out/face60.png" || echo "no OpenGL here"
  else
    say "built without mpak view and mpak sheet; for these: sh tools/bootstrap.sh viewer"
  fi
  say "done. The results are in $(pwd)/$out:"
  ls -l "$out"
}

run_tests() {
  # shellcheck disable=SC2086
  install_missing $BUILD_PACKAGES $VIEWER_PACKAGES $TEST_PACKAGES
  # gltf-validator and three.js run in node; a node that did not come from Debian brings its own npm
  command -v npm >/dev/null 2>&1 || install_missing nodejs npm
  install_locale
  make test
}

case "${1:-}" in
  demo) demo ;;
  viewer) viewer ;;
  test) run_tests ;;
  *)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
