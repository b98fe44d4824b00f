mpak cook -q "$SMALL/names.gltf" -o n.mpak
mpak info n.mpak
