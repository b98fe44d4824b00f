printf 'a.glb "b' >open
printf '@self' >self
mpak cook @open; echo "exit $?"
mpak cook @self; echo "exit $?"
printf 'a\0b' >zero
mpak cook @zero
