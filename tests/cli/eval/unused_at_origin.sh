mpak eval "$SMALL/quad.gltf" --order source --format obj
