for verb in cook validate info eval explain version help; do
  mpak $verb --help >one; mpak help $verb >two; mpak $verb -h >three; echo "$verb $?"
  cmp one two; cmp one three; grep -q "^usage: mpak $verb" one || echo "no usage line"
  [ "$(wc -l <one)" -le 45 ] || echo "$verb: more than a screen"
done
mpak --help >one; mpak help >two; mpak -h >three; cmp one two && cmp one three
mpak version >one; mpak --version >two; cmp one two
