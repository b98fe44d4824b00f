for verb in cook validate info eval explain version help; do
  mpak help --man $verb >mpak-$verb.1 || echo "no page for $verb"
  grep -q '^.SH EXIT STATUS' mpak-$verb.1 || echo "$verb: no exit status"
done
mpak help --man | grep -c '^.BR mpak'
grep -c -e '-MF' -e 'MF FILE' mpak-cook.1
