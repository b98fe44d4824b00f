# What this version does not do is not offered.
{ mpak --help; for verb in cook validate info eval export bake diff explain version help; do mpak $verb --help; done; } >pages || exit 1
for word in --cache sarif; do
  grep -n -w -e "$word" pages
done
[ "$(wc -l <pages)" -gt 80 ] && echo "pages are there"
