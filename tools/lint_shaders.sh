#!/bin/sh
# lint_shaders.sh: every variant of the shaders compiles: as OpenGL 4.3, and into SPIR-V for OpenGL and for Vulkan, which
# spirv-val then accepts. Needs glslangValidator and spirv-val. Prints one line, and what does not compile.
set -u
cd "$(dirname "$0")/.." || exit 1
for program in glslangValidator spirv-val; do
  command -v $program >/dev/null || {
    echo "lint_shaders: $program is missing (apt-get install glslang-tools spirv-tools)" >&2
    exit 1
  }
done
make --no-print-directory shader_texts >/dev/null || exit 1
texts=build/release/shaders
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

# write STAGE VERSION TEXT DEFINE=VALUE…: one variant, its number is its name.
write() {
  count=$((count + 1))
  file="$work/$count.$1"
  version=$2
  text=$3
  shift 3
  {
    echo "#version $version"
    for define in "$@"; do echo "#define $define" | tr '=' ' '; done
    cat "$texts/$text.glsl"
    for define in "$@"; do
      case $define in
        MPAK_HOOK_*)
          name=$(echo "$define" | tr '[:upper:]' '[:lower:]')
          echo "void $name(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual) {"
          echo "  position += uHook[vertex % 8u].xyz * float(individual);"
          echo "}"
          ;;
      esac
    done
  } >"$file"
}

layouts="LAYOUT=0 LAYOUT=1"
for lane in 8:3 8:6 12:3 12:6 12:9 16:3 16:6 16:9 36:3 36:6 36:9; do
  layouts="$layouts LAYOUT=2,PAYLOAD=${lane%:*},COMPONENTS=${lane#*:}"
done
skins="INFLUENCES=0,SKIN_PACKED=0"
for influences in 4 8 12; do
  skins="$skins INFLUENCES=$influences,SKIN_PACKED=0 INFLUENCES=$influences,SKIN_PACKED=1"
done

# defines LIST…: MPAK_A=1 for each A=1 of the comma lists.
defines() { echo "$*" | tr -s ', ' '\n' | sed 's/^/MPAK_/'; }

# All layouts with one skin and one output; then all skins with one layout; then outputs; then hooks.
usual=INFLUENCES=4,SKIN_PACKED=1,OUTPUT=48
for tile in 1 4; do
  for layout in $layouts; do
    # shellcheck disable=SC2046
    write comp 430 deform $(defines "$layout,$usual,TILE=$tile,REORTHOGONALISE=0")
    # shellcheck disable=SC2046
    case $layout in *=3 | *=6) write comp 430 deform $(defines "$layout,$usual,TILE=$tile,REORTHOGONALISE=1") ;; esac
  done
  for skin in $skins; do
    # shellcheck disable=SC2046
    write comp 430 deform $(defines "LAYOUT=2,PAYLOAD=12,COMPONENTS=6,$skin,OUTPUT=48,TILE=$tile,REORTHOGONALISE=1")
  done
  for output in 24 0; do
    for layout in LAYOUT=0 LAYOUT=1 LAYOUT=2,PAYLOAD=12,COMPONENTS=6; do
      # shellcheck disable=SC2046
      write comp 430 deform $(defines "$layout,INFLUENCES=0,OUTPUT=$output,TILE=$tile,REORTHOGONALISE=0")
    done
  done
  for hook in HOOK_AFTER_MORPH HOOK_SKIN HOOK_AFTER_SKIN HOOK_AFTER_MORPH,HOOK_SKIN,HOOK_AFTER_SKIN; do
    for skin in INFLUENCES=0,SKIN_PACKED=0 INFLUENCES=8,SKIN_PACKED=1; do
      # shellcheck disable=SC2046
      write comp 430 deform $(defines "LAYOUT=0,$skin,OUTPUT=48,TILE=$tile,REORTHOGONALISE=0,$hook")
    done
  done
done
write comp 430 morph_csr64
for influences in 4 8 12; do
  for text in skin_$influences skin_texture_$influences; do
    write vert 430 "$text"
    {
      printf '\n%s\n' 'layout(location = 0) in vec3 position; layout(location = 1) in vec2 normal;'
      printf '%s\n' 'layout(location = 2) in vec2 tangent; layout(location = 0) out vec4 colour;' 'void main() {'
      printf '%s\n' 'vec3 p = position, n = mpak_decode_octahedral(normal); vec4 t = mpak_decode_tangent(tangent);'
      printf '%s\n' 'mpak_skin(p, n, t); colour = vec4(n, 1.0) + t; gl_Position = vec4(p, 1.0); }'
    } >>"$file"
  done
  sed '1s/430/330/; s/layout(location = 0) out/out/' "$file" >"$work/gl_330_$influences.vert"
done

# check NAME: prints nothing when all is well.
cat >"$work/check" <<'SCRIPT'
file=$1
glslangValidator "$file" >"$file.log" 2>&1 || { echo "FAIL OpenGL $file"; cat "$file.log"; }
case $file in */gl_330_*) exit 0 ;; esac
for target in -G -V; do
  environment=$([ $target = -V ] && echo vulkan1.1 || echo opengl4.5)
  glslangValidator $target -o "$file.spv" "$file" >"$file.log" 2>&1 && spirv-val --target-env $environment "$file.spv" \
    >"$file.log" 2>&1 || { echo "FAIL SPIR-V $target $file"; cat "$file.log"; }
done
SCRIPT
faults=$(find "$work" -name '*.comp' -o -name '*.vert' | sort | xargs -P "$(nproc)" -n 1 sh "$work/check")
if [ -n "$faults" ]; then
  echo "$faults" | head -n 100
  exit 1
fi
echo "shaders: $count variants compile, also into SPIR-V"
