mpak cook "$SMALL/broken.gltf" -W M012=off; echo "exit $?"
mpak cook "$SMALL/broken.gltf" -W MPAK-M012=warning
