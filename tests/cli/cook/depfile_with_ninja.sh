command -v ninja >/dev/null || { echo "there is no ninja" >&2; exit 77; }
for name in one two; do mkdir $name; cp "$SMALL/external.gltf" "$SMALL/external data.bin" $name/; done
cat >build.ninja <<'END'
rule cook
  command = mpak cook -q $in -o $out -MD -MF $out.d
  depfile = $out.d
  deps = gcc
build one.mpak: cook one/external.gltf
build two.mpak: cook two/external.gltf
END
touch -d '2001-01-01' one/* two/*
echo "first $(ninja -v | grep -c 'mpak cook')"
echo "second $(ninja -v | grep -c 'mpak cook')"
sleep 1; printf '' >>"two/external data.bin"; touch "two/external data.bin"
echo "third $(ninja -v | grep -c 'mpak cook')"
