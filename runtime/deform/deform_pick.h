/// deform_pick.h: the numbers of lanes among those of their group, and loops that must not stay loops. Private to
/// runtime/deform.
#ifndef MPAK_DEFORM_PICK_H
#define MPAK_DEFORM_PICK_H

#include <stdint.h>

/// Before a loop over registers: at -O2 compilers would keep it, and the registers in memory.
#ifdef __clang__
#define DEFORM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define DEFORM_UNROLL _Pragma("GCC unroll 16")
#endif

#define DEFORM_RANK(group, lane) (uint8_t) __builtin_popcount((group) & ((1u << (lane)) - 1))
#define DEFORM_RANKS(group)                                                                                            \
  {                                                                                                                    \
    DEFORM_RANK(group, 0), DEFORM_RANK(group, 1), DEFORM_RANK(group, 2), DEFORM_RANK(group, 3), DEFORM_RANK(group, 4), \
        DEFORM_RANK(group, 5), DEFORM_RANK(group, 6), DEFORM_RANK(group, 7)                                            \
  }
#define DEFORM_RANKS_4(group)                                                                                          \
  DEFORM_RANKS(group), DEFORM_RANKS((group) + 1), DEFORM_RANKS((group) + 2), DEFORM_RANKS((group) + 3)
#define DEFORM_RANKS_16(group)                                                                                         \
  DEFORM_RANKS_4(group), DEFORM_RANKS_4((group) + 4), DEFORM_RANKS_4((group) + 8), DEFORM_RANKS_4((group) + 12)
#define DEFORM_RANKS_64(group)                                                                                         \
  DEFORM_RANKS_16(group), DEFORM_RANKS_16((group) + 16), DEFORM_RANKS_16((group) + 32), DEFORM_RANKS_16((group) + 48)

#endif
