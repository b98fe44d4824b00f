mpak explain M01; echo "exit $?"
mpak explain ''; echo "exit $?"
mpak cook x.glb -W M999=off
