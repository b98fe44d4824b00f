# Numbers by hand: small_gltf.py says what is in the files. Smile moves vertex 1 by 1 m, Frown vertex 2 by 2 m; clip Pulse
# ends with Smile at 1 and Frown at 0.5, so without Frown vertex 2 is 1 m away at most; Slide moves the node by 2 m.
cp "$SMALL/quad.gltf" .
mpak cook -q --quality lossless quad.gltf -o a.mpak
diff() { mpak diff --quality lossless "$@" >found; echo "exit $?"; grep -v '^bytes\|^  ' found; }
diff a.mpak a.mpak
sed -e 's/"Frown"/"Grimace"/' -e 's/"Paper"/"Card"/' -e 's/"translation": \[10, 0, 0\]/"translation": [10, 0.25, 0]/' quad.gltf >renamed.gltf
diff quad.gltf renamed.gltf
diff quad.gltf renamed.gltf --tolerance 251
mpak cook -q --quality lossless quad.gltf --targets Smile -o smile.mpak
diff a.mpak smile.mpak
diff smile.mpak a.mpak
