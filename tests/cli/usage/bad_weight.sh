mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --weight Smile; echo "exit $?"
mpak eval q.mpak --weight =1; echo "exit $?"
mpak eval q.mpak --weight Smile=; echo "exit $?"
mpak eval q.mpak --weight Smile=0,5; echo "exit $?"
mpak eval q.mpak --weight Smile=nan
