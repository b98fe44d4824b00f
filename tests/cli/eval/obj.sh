mpak eval "$SMALL/mirror.gltf" -W N013=off --format obj
