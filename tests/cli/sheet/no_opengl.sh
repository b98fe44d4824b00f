# A machine without a driver: EGL's loader is told that there is none.
mpak help sheet >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" .
export __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
mpak sheet -q head_parts.glb -o out.png; echo "exit $?"
mpak view -q head_parts.glb --frames 1 --out out.png; echo "exit $?"
ls
