# Touching the buffer recooks exactly one pack, once; nothing touched, nothing cooked. The pack's bytes stay the same and
# so would its time stamp: make needs the touch.
for name in one two; do mkdir $name; cp "$SMALL/external.gltf" "$SMALL/external data.bin" $name/; done
cat >Makefile <<'END'
all: one.mpak two.mpak
%.mpak: %/external.gltf
	mpak cook -q $< -o $@ -MD -MF $*.d
	@touch $@
-include one.d two.d
END
touch -d '2001-01-01' one/* two/*
make | grep -c '^mpak'
make | grep -c '^mpak'
sleep 1; touch "two/external data.bin"
make | grep '^mpak'
make | grep -c '^mpak' || true
