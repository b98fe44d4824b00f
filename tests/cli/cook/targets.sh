# --targets: what the others are for is as before; the patterns are part of the pack's identity. --drop-unused likewise.
cp "$SMALL/quad.gltf" .
cook() { mpak cook -q quad.gltf "$@" || echo "failed: $*"; }
cook -o all.mpak
cook -o some.mpak --targets 'Sm*'
mpak info some.mpak | grep -E 'target|weight|^(targets|drop-unused) ='
cook -o two.mpak --targets 'Sm*' --targets '?rown'
mpak info two.mpak | grep -E '^ *target #' | wc -l
cmp -s all.mpak two.mpak || echo another identity
for clip in Slide Pulse; do
  mpak eval all.mpak --clip $clip --time 1.5 --weight Frown=0 --format obj >a.obj
  mpak eval some.mpak --clip $clip --time 1.5 --format obj | cmp - a.obj && echo same vertices
done
mpak eval some.mpak --weight Frown=1; echo "exit $?"
mpak cook quad.gltf -o none.mpak --targets smile --werror >/dev/null; echo "exit $?"
mpak cook quad.gltf -o smile.mpak --targets Smile --drop-unused >/dev/null
mpak info smile.mpak | grep -E '^(targets|drop-unused) ='
