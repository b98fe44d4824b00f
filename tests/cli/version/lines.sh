mpak version
