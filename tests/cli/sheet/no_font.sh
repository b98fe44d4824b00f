# Names in Japanese without a font for them: boxes, and a warning. Latin names need none.
mpak help sheet >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" "$SAMPLES/japanese_names.glb" .
export MPAK_FONT=
mpak sheet -q japanese_names.glb -o out.png; echo "exit $?"
mpak sheet -q japanese_names.glb -o strict.png --werror; echo "exit $?"
mpak sheet -q head_parts.glb -o latin.png --werror; echo "exit $?"
ls
