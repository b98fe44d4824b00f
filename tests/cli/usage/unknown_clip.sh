mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --clip Slid; echo "exit $?"
mpak eval q.mpak --clip '#2'; echo "exit $?"
mpak eval q.mpak --clip 2; echo "exit $?"
mpak eval q.mpak --clip ''; echo "exit $?"
mpak cook -q "$SMALL/mirror.gltf" -o m.mpak -W N013=off
mpak eval m.mpak --clip Walk
