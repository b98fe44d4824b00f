# A file of ours must not land on the number of a closed standard stream.
mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak cook -q "$SMALL/quad.gltf" -o closed.mpak <&- >&- 2>&-
echo "exit $?"
cmp q.mpak closed.mpak
