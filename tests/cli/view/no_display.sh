# A window needs a display; the message says how to do without.
mpak help view >/dev/null 2>&1 || { echo "built with GL=0" >&2; exit 77; }
cp "$SAMPLES/head_parts.glb" .
unset DISPLAY WAYLAND_DISPLAY 2>/dev/null
mpak view -q head_parts.glb 2>err; echo "exit $?"
sed 's/in: .* \[/in: (why) [/' err
