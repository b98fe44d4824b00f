# Options win over the profile, the profile over the defaults; its bytes are part of the pack's identity and it is a
# file that the pack depends on.
cook() { mpak cook -q "$SMALL/quad.gltf" "$@" || echo "failed: $*"; }
options() { mpak info "$1" | grep -E '^(quality|layout|compress|max-influences|max-bones|profile) ='; }
printf '{"profile": 1, "max_bones": 75, "legacy_max_bones": 30, "max_influences": 4, "layout": "csr64", "compress": "load",
 "quality": "lossless", "lods": [{"screen_size": 1}, {"screen_size": 0.25, "error_mm": 2, "pixel_mm": 1,
 "drop_bones": ["*finger*"], "max_bone_depth": 6}]}' >platform.json
cook --profile platform.json -o a.mpak -MD -MF a.d; options a.mpak
grep -c platform.json a.d
cook --profile platform.json -o b.mpak --max-bones 100 --max-influences 8 --layout blk64 --compress=size; options b.mpak
cook --profile mobile -o c.mpak --max-bones 1000; options c.mpak
cook --profile platform.json -o again.mpak; cmp a.mpak again.mpak && echo same bytes
sed 's/: 75/: 76/' platform.json >other.json
cook --profile other.json -o other.mpak; cmp -s a.mpak other.mpak || echo another identity
cp platform.json renamed.json
cook --profile renamed.json -o renamed.mpak; cmp a.mpak renamed.mpak && echo no path in it
mpak cook -q "$SMALL/quad.gltf" --profile platform.json -o platform.json 2>/dev/null; echo "exit $?"
