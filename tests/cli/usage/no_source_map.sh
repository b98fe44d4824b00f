mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --order source
