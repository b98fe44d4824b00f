# The output is refused before the (broken) model is even read.
mkdir folder
mpak cook "$SMALL/broken.gltf" -o nowhere/q.mpak; echo "exit $?"
mpak cook "$SMALL/broken.gltf" -o folder; echo "exit $?"
mpak cook "$SMALL/broken.gltf" -o q.mpak --report nowhere/r.json; echo "exit $?"
mpak cook "$SMALL/broken.gltf" -o q.mpak -MD -MF nowhere/q.d; echo "exit $?"
mpak eval "$SMALL/broken.gltf" -o nowhere/r.json; echo "exit $?"
ls
