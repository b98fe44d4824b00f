mpak explain MPAK-U012
