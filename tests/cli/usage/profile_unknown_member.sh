# A profile with a member that means nothing is refused, with the nearest name.
try() { printf '%s' "$1" >p.json; mpak cook x.glb --profile p.json; echo "exit $?"; }
try '{"profile": 1, "maxbones": 75}'
try '{"profile": 1, "lods": [{"screen_size": 1}, {"screen_size": 0.5, "error": 1}]}'
try '{"profile": 1, "colour": "red"}'
