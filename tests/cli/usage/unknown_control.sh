mpak cook -q "$SMALL/quad.gltf" -o q.mpak
mpak eval q.mpak --weight Smlie=1; echo "exit $?"
mpak eval q.mpak --weight '#2=1'; echo "exit $?"
mpak eval q.mpak --weight 0=1; echo "exit $?"
mpak eval q.mpak --weight Card/Smile=1; echo "exit $?"
mpak cook -q "$SMALL/skin.gltf" -o s.mpak
mpak eval s.mpak --weight Smile=1
