mpak cook a.glb -MF a.d; echo "exit $?"
mpak cook a.glb -MT a; echo "exit $?"
mpak cook a.glb -MP; echo "exit $?"
mpak cook a.glb -MD -o -; echo "exit $?"
mpak cook a.glb -MD -o - -MF a.d; echo "exit $?"
mpak eval a.glb --attributes all --format ply
