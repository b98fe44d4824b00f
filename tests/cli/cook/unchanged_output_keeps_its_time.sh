mpak cook -q "$SMALL/quad.gltf" -o q.mpak
touch -d '2001-02-03 04:05:06 UTC' q.mpak
mpak cook "$SMALL/quad.gltf" -o q.mpak
date -u -r q.mpak +%Y
mpak cook "$SMALL/quad.gltf" -o q.mpak --layout csr64 >/dev/null
[ "$(date -u -r q.mpak +%Y)" -gt 2001 ] && echo "replaced"
