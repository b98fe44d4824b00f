/// deform_level.c: which vector code the processor can run.
#include "runtime/deform/deform_private.h"

deform_level deform_best_level(void) {
#if DEFORM_HAS_VECTORS
  // The compiler's support library asked the processor once, when the program started.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
    return DEFORM_AVX2;
  return DEFORM_SSE2;
#else
  return DEFORM_PLAIN;
#endif
}

const deform_kernels *deform_kernels_of(deform_level level) {
#if DEFORM_HAS_VECTORS
  if (level == DEFORM_AVX2) return &deform_kernels_avx2;
  if (level == DEFORM_SSE2) return &deform_kernels_sse2;
#else
  (void)level;
#endif
  return &deform_kernels_plain;
}
