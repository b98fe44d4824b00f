for jobs in 1 2 3; do mpak cook -q -j $jobs "$SAMPLES/face60.glb" -o $jobs.mpak; done
cmp 1.mpak 2.mpak && cmp 1.mpak 3.mpak && echo same
