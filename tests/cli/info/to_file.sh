mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak info q.mpak --json >a.json && mpak info q.mpak --json -o b.json && mpak info --json -o - q.mpak | cmp - a.json && cmp a.json b.json && echo same
