sh "$MPAK_ROOT/tools/make_man.sh" "$(command -v mpak)" man
ls man | grep -v -e sheet -e view # GL=0 has none
for page in man/*; do
  grep -q '^.SH EXIT STATUS' "$page" || echo "$page: no exit status"
done
grep -c 'MF FILE' man/mpak-cook.1
