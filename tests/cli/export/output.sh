# Beside the pack, to a named file, or to standard output: the same bytes, and no file that is read is replaced.
mpak cook -q "$SMALL/quad.gltf" -o n.mpak
mpak export n.mpak && mpak export n.mpak -o other.glb && mpak export -o - n.mpak | cmp - n.glb && cmp n.glb other.glb && echo same
head -c 4 n.glb; echo
mpak export n.mpak -o ./n.mpak; echo "exit $?"
mpak export n.glb -o m.glb; echo "exit $?"
