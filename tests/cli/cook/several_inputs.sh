# One that fails does not stop the others; the largest code wins.
cp "$SMALL/quad.gltf" a.gltf
cp "$SMALL/broken.gltf" b.gltf
cp "$SMALL/skin.gltf" d.gltf
mpak cook -q a.gltf b.gltf missing.gltf d.gltf
code=$?
ls
exit $code
