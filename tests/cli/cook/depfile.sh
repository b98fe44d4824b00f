cp "$SMALL/external.gltf" "$SMALL/external data.bin" .
mpak cook -q external.gltf -o "out put.mpak" -MD && cat "out put.d"
mpak cook -q external.gltf -o x.mpak -MD -MF deps.d -MT 'a target' -MT second -MP && cat deps.d
mpak cook -q external.gltf -MD && ls
