mpak eval "$SMALL/quad.gltf" --weight Smile=0.5 --format ply
