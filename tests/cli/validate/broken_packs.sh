mpak cook -q "$SMALL/quad.gltf" -o q.mpak
head -c 200 q.mpak >short.mpak
{ cat q.mpak; printf x; } >long.mpak
{ printf 'PACK'; tail -c +5 q.mpak; } >magic.mpak
: >empty.mpak
{ head -c 20 q.mpak; printf '\377'; tail -c +22 q.mpak; } >header.mpak
mpak validate -q short.mpak; echo "exit $?"
mpak validate -q long.mpak; echo "exit $?"
mpak validate -q magic.mpak; echo "exit $?"
mpak validate -q empty.mpak; echo "exit $?"
mpak validate -q header.mpak; echo "exit $?"
mpak info short.mpak; echo "exit $?"
mpak eval magic.mpak; echo "exit $?"
mpak validate -q q.mpak missing.mpak short.mpak; echo "exit $?"
mkdir folder.mpak; mpak validate folder.mpak; echo "exit $?"
