mpak explain MPAK-M012 >long
mpak explain M012 >short
mpak explain mpak-m012 >lower
cmp long short && cmp long lower && head -n 1 long
