# What belongs together, and words that do not exist.
mpak help view >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" .
try() { mpak view -q head_parts.glb "$@"; echo "exit $?"; }
try --frames 1
try --out x.png
try --pass shadow
try --frames 1 --out x.png --show wirefame
try --frames 1 --out x.png --hide everything
try --frames 1 --out x.png --size 10x10
try --frames 1 --out x.png --size 100,100
try --frames 1 --out x.png --clip nothing
try --frames 1 --out x.png --weight nothing=1
try --frames 1 --out x.png --lod 2
ls
