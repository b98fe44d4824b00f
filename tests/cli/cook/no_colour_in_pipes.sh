# Colours only on a terminal; script(1) gives one.
mpak cook -q "$SMALL/broken.gltf" 2>&1 | grep -c "$(printf '\033')"
command -v script >/dev/null || { echo "there is no script(1)" >&2; exit 77; }
count() { script -qec "$1" /dev/null </dev/null | grep -c "$(printf '\033')\[1"; }
echo "coloured $(count "TERM=xterm mpak cook -q $SMALL/broken.gltf -o x.mpak" | sed 's/[1-9][0-9]*/2/')"
echo "NO_COLOR $(count "TERM=xterm NO_COLOR=1 mpak cook -q $SMALL/broken.gltf -o x.mpak")"
