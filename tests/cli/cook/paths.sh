# Blanks, quotes, hiragana, line breaks, leading dashes: in, out, and beside.
newline='two
lines.gltf'
for name in "a b.gltf" "say \"hi\" it's.gltf" "あ.gltf" "$newline" "-dash.gltf" "back\\slash.gltf" "@at.gltf" "#hash\$.gltf"; do
  cp "$SMALL/quad.gltf" "./$name"
  mpak cook -q -- "$name"; echo "exit $?"
done
ls ./*.mpak
mpak cook -q -o "ou t/あ.mpak" "a b.gltf"; echo "exit $?"
mkdir "ou t" && mpak cook -q -o "ou t/あ.mpak" "a b.gltf"; echo "exit $?"
cmp "ou t/あ.mpak" ./-dash.mpak && echo same
