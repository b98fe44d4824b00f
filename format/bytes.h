/// bytes.h: checked sizes, alignment and unaligned loads. The only place where raw bytes become numbers by hand.
#ifndef MPAK_BYTES_H
#define MPAK_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "mpak reads packs in place and therefore needs a little-endian machine"
#endif

/// a + b, or false when 64 bits do not hold it.
static inline bool bytes_add(uint64_t a, uint64_t b, uint64_t *sum) { return !__builtin_add_overflow(a, b, sum); }

/// a * b, or false when 64 bits do not hold it.
static inline bool bytes_mul(uint64_t a, uint64_t b, uint64_t *product) {
  return !__builtin_mul_overflow(a, b, product);
}

/// Is [offset, offset + length) inside [0, size)?
static inline bool bytes_range_fits(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// value rounded up to a multiple of alignment, a power of two. The caller knows that it does not overflow.
static inline uint64_t bytes_align(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

static inline bool bytes_is_aligned(const void *pointer, uintptr_t alignment) {
  return ((uintptr_t)pointer & (alignment - 1)) == 0;
}

static inline uint16_t bytes_load_u16(const void *at) {
  uint16_t v;
  memcpy(&v, at, sizeof v);
  return v;
}
static inline uint32_t bytes_load_u32(const void *at) {
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return v;
}
static inline uint64_t bytes_load_u64(const void *at) {
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return v;
}
static inline void bytes_store_u32(void *at, uint32_t v) { memcpy(at, &v, sizeof v); }

/// The bits of a float, and back.
static inline uint32_t bytes_bits_of_float(float f) {
  uint32_t v;
  memcpy(&v, &f, sizeof v);
  return v;
}
static inline float bytes_float_of_bits(uint32_t v) {
  float f;
  memcpy(&f, &v, sizeof f);
  return f;
}

/// Neither infinite nor NaN; by bits, so that no compiler flag can change the answer.
static inline bool bytes_float_is_finite(float f) { return (bytes_bits_of_float(f) & 0x7F800000u) != 0x7F800000u; }

#endif
