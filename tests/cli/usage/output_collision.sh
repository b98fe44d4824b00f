cp "$SMALL/quad.gltf" a.gltf
cp a.gltf a.glb
mpak cook a.gltf -o a.gltf; echo "exit $?"
mpak cook a.gltf -o ./a.gltf; echo "exit $?"
ln -s a.gltf link; mpak cook a.gltf -o link; echo "exit $?"
mpak cook a.gltf a.glb; echo "exit $?"
cmp a.gltf "$SMALL/quad.gltf" && ls
