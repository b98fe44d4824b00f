# Beside the input by itself; to a named file or standard output; from a pack the same picture as from its model.
mpak help sheet >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" a.glb
mpak cook -q --quality lossless a.glb -o a.mpak
mpak sheet -q a.glb && mpak sheet -q a.glb -o - | cmp - a.png && mpak sheet -q a.mpak -o pack.png && echo written
mpak sheet -q a.glb -o a.glb; echo "exit $?"
mpak sheet -q a.glb --lod 3; echo "exit $?"
mpak sheet -q "$SMALL/quad.gltf" -o nowhere/a.png; echo "exit $?"
head -c 400 a.mpak >cut.mpak
mpak sheet -q cut.mpak; echo "exit $?"
ls
