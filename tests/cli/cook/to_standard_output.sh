mpak cook "$SMALL/quad.gltf" -o - >out.mpak && mpak cook -q "$SMALL/quad.gltf" -o q.mpak && cmp out.mpak q.mpak && echo same
