mpak cook -q "$SMALL/quad.gltf" -o q.mpak
cp q.mpak without_suffix
cp "$SMALL/quad.gltf" q.gltf
cp "$SMALL/broken.gltf" b.gltf
cp "$SMALL/mirror.gltf" m.gltf
mpak validate q.gltf q.mpak without_suffix b.gltf m.gltf
code=$?
ls
exit $code
