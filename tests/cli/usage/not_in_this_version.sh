for option in --normals --cache; do mpak cook x.glb $option x; echo "exit $?"; done
for suffix in sarif xml html; do mpak cook x.glb --report r.$suffix; echo "exit $?"; done
for option in "--backend gl" "--technique inline"; do
  mpak eval x.glb $option; echo "exit $?"
done
