# What glTF says in another way is told, and --werror or -W decide about it as about any other issue.
mpak cook -q "$SMALL/coat.gltf" -o coat.mpak -W S015=off -W M015=off -W C016=off
mpak export coat.mpak && ls
mpak export coat.mpak -o quiet.glb -W O014=off && cmp coat.glb quiet.glb && echo same
mpak export coat.mpak -o refused.glb -W O014=error -q; echo "exit $?"
ls
mpak cook -q "$SMALL/early.gltf" -o early.mpak -W A007=off
mpak export early.mpak
