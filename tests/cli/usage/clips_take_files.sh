# --clips takes all words up to the next option; "--" ends it; --clips=FILE takes one. Packs are no models.
cp "$SMALL/quad.gltf" mesh.gltf
cp "$SMALL/quad.gltf" run.gltf
cp "$SMALL/quad.gltf" jog.gltf
clips() { mpak info "$1" --json | sed -n 's/.*"name": "\([A-Za-z~0-9]*\)", "start_s".*/\1/p' | tr '\n' ' '; echo; }
mpak cook -q mesh.gltf --clips run.gltf jog.gltf -o a.mpak && clips a.mpak
mpak cook -q --clips run.gltf -- mesh.gltf && clips mesh.mpak
mpak cook -q --clips=run.gltf mesh.gltf --clips jog.gltf && clips mesh.mpak
mpak cook -q --clips run.gltf mesh.gltf; echo "exit $?"
mpak cook -q mesh.gltf --clips -q; echo "exit $?"
mpak cook -q mesh.gltf --clips ''; echo "exit $?"
mpak cook -q mesh.gltf --clips a.mpak; echo "exit $?"
mpak cook -q mesh.gltf --clips run.gltf -o run.gltf; echo "exit $?"
mpak validate -q mesh.mpak --clips run.gltf; echo "exit $?"
mpak validate -q mesh.gltf --clips run.gltf jog.gltf; echo "exit $?"
