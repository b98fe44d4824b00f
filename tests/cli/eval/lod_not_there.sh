mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --lod 0 -o q.json; echo "exit $?"
mpak eval q.mpak --lod 1; echo "exit $?"
mpak eval q.mpak --lod -1; echo "exit $?"
mpak cook -q "$SMALL/quad.gltf" --lods 1 -o r.mpak; echo "exit $?"
mpak cook -q "$SMALL/quad.gltf" --lods all -o r.mpak; echo "exit $?"
mpak cook -q "$SMALL/quad.gltf" --lods none -o r.mpak; echo "exit $?"
