# A machine without a driver: EGL's loader is told that there is none. Nothing is written.
mpak help sheet >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" .
export __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null
mpak eval head_parts.glb --backend gl -o out.json; echo "exit $?"
mpak eval head_parts.glb --backend cpu -o cpu.json; echo "exit $?"
ls
