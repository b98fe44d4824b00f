# Vertices are found again however they are numbered: by source vertex, or by place where the numbers do not agree.
cp "$SMALL/quad.gltf" .
mpak cook -q --quality lossless quad.gltf -o welded.mpak
mpak cook -q --quality lossless quad.gltf -o unwelded.mpak --weld none --vertex-order source
mpak diff welded.mpak unwelded.mpak | grep -v '^bytes\|^  '
mpak cook -q --quality lossless quad.gltf -o mapped.mpak --source-map
mpak cook -q --quality lossless quad.gltf -o mapped_too.mpak --source-map --weld none --vertex-order source --layout csr64
mpak diff mapped.mpak mapped_too.mpak | grep -v '^bytes\|^  '
# What a lower quality costs is no more than its promise: 1e-4 of a card of 1.4 m.
mpak cook -q --quality default quad.gltf -o default.mpak
mpak diff welded.mpak default.mpak --tolerance 0.14 | grep -v '^bytes\|^  '
