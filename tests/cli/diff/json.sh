# The same as JSON; a result that replaces an input, and a file that is not there, are refused.
cp "$SMALL/quad.gltf" .; sed 's/"Smile"/"Laugh"/' quad.gltf >laugh.gltf
mpak diff quad.gltf laugh.gltf --json -o d.json; echo "exit $?"
cat d.json
mpak diff quad.gltf laugh.gltf -o quad.gltf; echo "exit $?"
mpak diff quad.gltf absent.gltf; echo "exit $?"
mpak diff quad.gltf; echo "exit $?"
