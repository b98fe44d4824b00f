mkdir "in"
cp "$SMALL/quad.gltf" in/hero.v2.gltf
mpak cook in/hero.v2.gltf --quality lossless
ls in
