mpak cook; echo "exit $?"
mpak validate -q; echo "exit $?"
mpak info; echo "exit $?"
mpak eval --time 1; echo "exit $?"
mpak cook --
