# The baked file shows at rest what the model shows at that moment, with no target, skin or clip left; as eval's glb does.
cp "$SMALL/quad.gltf" .
mpak bake quad.gltf --clip Slide --time 2 --weight Smile=0.5 && mv quad.baked.glb q.glb || exit 1
mpak eval "$SMALL/quad.gltf" --clip Slide --time 2 --weight Smile=0.5 --format glb -o e.glb && cmp q.glb e.glb && echo same
mpak eval q.glb --format obj
mpak cook -q q.glb -o q.mpak; mpak info q.mpak | grep -E '^mesh|^  prim|target|skin|clip|^nodes'
mpak bake "$SMALL/mirror.gltf" -W N013=off -o m.glb; mpak eval m.glb --format obj
mpak eval q.glb --order source --format glb; echo "exit $?"
