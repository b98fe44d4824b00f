# Whatever is written must not replace what is read, nor another result; whichever option names it.
cp "$SMALL/external.gltf" a.gltf; cp "$SMALL/external data.bin" .
mpak cook -q a.gltf -o a.mpak; mkdir kept; cp a.gltf "external data.bin" a.mpak kept/
try() { "$@"; echo "exit $?"; }
try mpak cook -q a.gltf -MD -MF a.gltf
try mpak cook -q a.gltf -o "external data.bin"
try mpak cook -q a.gltf -MD -MF "./external data.bin"
try mpak cook -q a.gltf -o both.json --report ./both.json
try mpak cook -q a.gltf -MD -MF both.json --report both.json
try mpak cook -q a.gltf -o - --report -
try mpak info a.mpak -o kept/../a.mpak
try mpak eval a.mpak -o a.mpak
try mpak eval a.gltf -o a.gltf
try mpak eval a.gltf -o "external data.bin"
ln -s "external data.bin" linked.json
try mpak cook -q a.gltf -o other.mpak --report linked.json
try mpak validate a.gltf --report linked.json
for file in a.gltf "external data.bin" a.mpak; do cmp "$file" "kept/$file"; done
ls
