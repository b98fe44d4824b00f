# Every listed code has a page of its own.
mpak explain >list
while read -r code rest; do
  mpak explain "$code" >page || echo "$code: no page"
  grep -q "^$code (" page && grep -q '^How to repair it:' page || echo "$code: page is incomplete"
done <list
[ "$(wc -l <list)" -ge 60 ] && echo "all explained"
