for option in --normals --cache; do mpak cook x.glb $option x; echo "exit $?"; done
for suffix in sarif xml html; do mpak cook x.glb --report r.$suffix; echo "exit $?"; done
