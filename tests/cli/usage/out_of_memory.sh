# Whatever the limit, an allocation that fails is named; 127 is the loader's own failure, and "terminate called" that of
# the C++ library (Assimp's) before main.
(ulimit -v 1000000; mpak version >/dev/null 2>&1) || { echo "this build needs more address space" >&2; exit 77; }
mpak cook -q "$SAMPLES/face60.glb" -o f.mpak
found=0
for kilobytes in $(seq 12000 500 40000); do
  code=$( (ulimit -v $kilobytes; mpak info --json f.mpak >out 2>err; echo $?) 2>subshell)
  case $code in
    0 | 127) ;;
    134) grep -q '^terminate called' err || echo "$kilobytes: aborted" ;;
    6) grep -q 'MPAK-O010' err && found=$((found + 1)) ;;
    *) echo "$kilobytes: exit $code"; cat err ;;
  esac
done
[ $found -gt 0 ] && echo "named"
