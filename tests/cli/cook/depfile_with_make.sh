# Touching the buffer recooks exactly one pack; nothing touched, nothing cooked.
for name in one two; do mkdir $name; cp "$SMALL/external.gltf" "$SMALL/external data.bin" $name/; done
cat >Makefile <<'END'
all: one.mpak two.mpak
%.mpak: %/external.gltf
	mpak cook -q $< -o $@ -MD -MF $*.d
-include one.d two.d
END
touch -d '2001-01-01' one/* two/*
make | grep -c '^mpak'
make | grep -c '^mpak'
sleep 1; touch "two/external data.bin" one.d two.d
touch one.mpak; make | grep '^mpak'
