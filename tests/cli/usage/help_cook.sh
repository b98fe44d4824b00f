mpak help cook
