mpak info "$SMALL/quad.gltf"; echo "exit $?"
mpak info missing.mpak; echo "exit $?"
