mpak validate -v "$SMALL/quad.gltf"
