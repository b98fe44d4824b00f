name=$(printf 'two\nlines\033[31m.gltf')
cp "$SMALL/broken.gltf" "$name"
mpak cook -q "$name"
