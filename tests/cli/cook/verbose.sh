mpak cook -v "$SMALL/quad.gltf" -o q.mpak
