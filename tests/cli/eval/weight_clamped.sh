mpak cook -q --quality lossless "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --weight Smile=2 --format ply | sed -n 14p
mpak eval q.mpak --weight Smile=-0.25 -o r.json; echo "exit $?"
mpak eval q.mpak --weight Smile=2 --werror -o werror.json; echo "exit $?"
ls
