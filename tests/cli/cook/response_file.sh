cp "$SMALL/quad.gltf" "a b.gltf"
printf '%s\n' '--layout' 'csr64 -q' '"a b.gltf"' >words
mpak cook @words -o q.mpak && mpak info q.mpak | grep -c 'layout csr64'
printf '@words --source-map' >outer
mpak cook @outer -o r.mpak && mpak info r.mpak | grep -c '^PKOS'
mpak cook @missing
