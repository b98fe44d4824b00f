# A technique says something of a GPU alone; another word is none.
mpak help sheet >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
mpak eval "$SMALL/quad.gltf" --technique cache; echo "exit $?"
mpak eval "$SMALL/quad.gltf" --backend cpu --technique inline; echo "exit $?"
mpak eval "$SMALL/quad.gltf" --backend gl --technique vertex; echo "exit $?"
