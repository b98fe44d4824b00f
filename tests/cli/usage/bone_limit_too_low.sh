mpak cook x.glb --max-bones 11; echo "exit $?"
mpak cook x.glb --max-bones 23 --max-influences 8; echo "exit $?"
mpak eval x.glb --max-bones 35 --max-influences 12; echo "exit $?"
mpak cook x.glb --max-bones 65537; echo "exit $?"
printf '{"profile": 1, "max_bones": 20, "max_influences": 8}' >low.json
mpak validate x.glb --profile low.json; echo "exit $?"
