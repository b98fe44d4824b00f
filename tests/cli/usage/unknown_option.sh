mpak cook x.glb --lyout csr64; echo "exit $?"
mpak cook x.glb --layuot=csr64; echo "exit $?"
mpak info x.mpak --jsn; echo "exit $?"
mpak eval x.mpak --spcae mesh; echo "exit $?"
mpak cook x.glb -X
