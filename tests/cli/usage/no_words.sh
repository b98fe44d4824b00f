mpak
