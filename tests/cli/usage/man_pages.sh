sh "$MPAK_ROOT/tools/make_man.sh" "$(command -v mpak)" man
ls man
for page in man/*; do
  grep -q '^.SH EXIT STATUS' "$page" || echo "$page: no exit status"
done
grep -c 'MF FILE' man/mpak-cook.1
