mpak cook -q "$SMALL/mirror.gltf" -o m.mpak --werror; echo "exit $?"
mpak cook -q "$SMALL/mirror.gltf" -o m.mpak -W N013=error; echo "exit $?"
ls
mpak cook -q "$SMALL/mirror.gltf" -o m.mpak --werror -W N013=info; echo "exit $?"
mpak cook -q "$SMALL/mirror.gltf" -o m.mpak -W MPAK-N013=off; echo "exit $?"
ls
