mpak cook -q "$SMALL/quad.gltf" -o q.mpak && ls
