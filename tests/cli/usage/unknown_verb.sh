mpak cok x.glb; echo "exit $?"
mpak validat x.glb; echo "exit $?"
mpak help cok; echo "exit $?"
mpak zzzzzzzzzz
