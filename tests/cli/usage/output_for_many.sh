mpak cook a.glb b.glb -o c.mpak; echo "exit $?"
mpak cook a.glb b.glb -MD -MF c.d; echo "exit $?"
mpak cook a.glb b.glb -MD -MT c
