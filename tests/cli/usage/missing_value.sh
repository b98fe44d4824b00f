mpak cook x.glb -o; echo "exit $?"
mpak cook x.glb --layout --source-map; echo "exit $?"
mpak cook x.glb --report=; echo "exit $?"
mpak eval x.glb --time
