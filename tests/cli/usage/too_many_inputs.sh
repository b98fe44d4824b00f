mpak info a.mpak b.mpak; echo "exit $?"
mpak eval a.mpak b.mpak; echo "exit $?"
mpak explain M001 M002; echo "exit $?"
mpak version x
