printf 'a.glb "b' >open
printf '@self' >self
mpak cook @open; echo "exit $?"
mpak cook @self; echo "exit $?"
mkfifo pipe; mpak cook @pipe; echo "exit $?"
printf 'a\0b' >zero
mpak cook @zero
