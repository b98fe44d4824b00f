// decode_filters.c: byte planes back to records. Both functions write the destination front to back, once.
#include "runtime/pack/pack_internal.h"

/// Records whose stride is a multiple of 4: four planes make one dword of each record.
static void unplane_dwords(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  for (size_t lane = 0; lane < stride; lane += 4) {
    const uint8_t *p0 = planes + lane * count, *p1 = p0 + count, *p2 = p1 + count, *p3 = p2 + count;
    uint8_t *at = records + lane;
    for (size_t i = 0; i < count; i++, at += stride) {
      bytes_store_u32(at, p0[i] | (uint32_t)p1[i] << 8 | (uint32_t)p2[i] << 16 | (uint32_t)p3[i] << 24);
    }
  }
}

static void unplane_bytes(uint8_t *records, const uint8_t *planes, size_t count, size_t stride) {
  for (size_t i = 0; i < count; i++)
    for (size_t byte = 0; byte < stride; byte++) records[i * stride + byte] = planes[byte * count + i];
}

void pack_unplane(uint8_t *records, const uint8_t *planes, uint64_t byte_count, uint32_t stride) {
  size_t left = (size_t)byte_count / stride, block = layout_block_records(stride);
  while (left > 0) {
    size_t count = left < block ? left : block;
    if (stride % 4 == 0)
      unplane_dwords(records, planes, count, stride);
    else
      unplane_bytes(records, planes, count, stride);
    records += count * stride;
    planes += count * stride;
    left -= count;
  }
}

void pack_unplane_words(uint32_t *words, const uint8_t *planes, uint32_t count, bool is_difference) {
  const uint8_t *p0 = planes, *p1 = p0 + count, *p2 = p1 + count, *p3 = p2 + count;
  for (size_t i = 0; i < count; i++)
    words[i] = p0[i] | (uint32_t)p1[i] << 8 | (uint32_t)p2[i] << 16 | (uint32_t)p3[i] << 24;
  if (!is_difference) return;
  uint32_t last = 0;
  for (size_t i = 0; i < count; i++) {
    last += (words[i] >> 1) ^ (0u - (words[i] & 1)); // zigzag
    words[i] = last;
  }
}
