[ -c /dev/full ] || { echo "there is no /dev/full" >&2; exit 77; }
mpak cook -q "$SMALL/quad.gltf" -o q.mpak
for verb in "info q.mpak" "eval q.mpak" "version" "explain" "--help" "cook -o r.mpak $SMALL/quad.gltf"; do
  mpak $verb >/dev/full; echo "exit $?"
done
