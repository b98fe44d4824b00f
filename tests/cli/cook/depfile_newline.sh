name='two
lines.gltf'
cp "$SMALL/quad.gltf" "$name"
mpak cook -q "$name" -o q.mpak -MD
code=$?
ls *.mpak *.d 2>/dev/null
exit $code
