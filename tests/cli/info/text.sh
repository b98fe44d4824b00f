mpak cook -q --quality lossless "$SMALL/names.gltf" -o n.mpak
mpak info n.mpak
