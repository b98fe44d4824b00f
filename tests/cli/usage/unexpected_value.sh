mpak cook x.glb --werror=yes; echo "exit $?"
mpak info x.mpak --json=1
