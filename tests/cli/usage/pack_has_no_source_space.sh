mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --unit source; echo "exit $?"
mpak eval q.mpak --name-encoding cp932; echo "exit $?"
mpak eval q.mpak --up source
