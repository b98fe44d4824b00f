mkdir in; cp "$SMALL/quad.gltf" in; chmod 555 in
mpak validate in/quad.gltf && ls in
chmod 755 in
