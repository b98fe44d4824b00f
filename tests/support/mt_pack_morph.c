// mt_pack_morph.c: see mt_pack_morph.h.
#include "tests/support/mt_pack_morph.h"

#include <stdlib.h>
#include <string.h>

static const mt_chunk *mt_morph_chunk(const mt_pack *pack, uint32_t kind, uint32_t owner) {
  for (uint32_t i = 0; i < pack->chunk_count; i++)
    if (pack->chunks[i].entry.kind == kind && pack->chunks[i].entry.owner == owner) return &pack->chunks[i];
  return NULL;
}

/// Block and lane of each vertex of the part.
typedef struct mt_morph_place {
  uint32_t block, lane;
} mt_morph_place;

static mt_morph_place *mt_morph_places(const mt_pack *pack, uint32_t part, uint32_t vertex_count,
                                       uint32_t *block_count) {
  const mt_chunk *sections = mt_morph_chunk(pack, MPAK_KIND_SECT, MPAK_NONE);
  mt_morph_place *places = calloc(vertex_count + 1, sizeof *places);
  uint32_t block = 0, vertex = 0;
  for (uint32_t s = 0; sections && s < sections->entry.count; s++) {
    const mpak_section *section = &((const mpak_section *)sections->bytes)[s];
    if (section->part != part) continue;
    for (uint32_t i = 0; i < section->vertex_count && vertex < vertex_count; i++)
      places[vertex++] = (mt_morph_place){block + i / 64, i % 64};
    block += (section->vertex_count + 63) / 64;
  }
  *block_count = block;
  return places;
}

static void mt_morph_add_lane(mt_morph_frames *frames, mt_morph_place place, uint32_t shape, uint32_t first_of_group) {
  for (uint32_t e = first_of_group; e < frames->entry_count; e++) {
    if (frames->entries[e].block != place.block) continue;
    frames->entries[e].lanes |= UINT64_C(1) << place.lane;
    frames->entries[e].lane_count++;
    return;
  }
  frames->entries = realloc(frames->entries, (frames->entry_count + 1) * sizeof *frames->entries);
  frames->entries[frames->entry_count++] =
      (mt_morph_entry){.block = place.block, .shape = shape, .lanes = UINT64_C(1) << place.lane, .lane_count = 1};
}

/// Entries group by group; a stable sort by block then gives memory order.
static void mt_morph_entries_make(const mt_pack *pack, uint32_t part, uint32_t vertex_count, mt_morph_frames *frames) {
  const mt_chunk *groups = mt_morph_chunk(pack, MPAK_KIND_MGRP, part),
                 *runs = mt_morph_chunk(pack, MPAK_KIND_MRUN, part);
  mt_morph_place *places = mt_morph_places(pack, part, vertex_count, &frames->block_count);
  uint32_t run = 0;
  for (uint32_t g = 0; groups && runs && g < groups->entry.count; g++) {
    const mpak_morph_group *group = &((const mpak_morph_group *)groups->bytes)[g];
    uint64_t vertex = 0;
    uint32_t first = frames->entry_count;
    for (uint32_t r = 0; r < group->run_count && run < runs->entry.count; r++, run++) {
      const mpak_morph_run *at = &((const mpak_morph_run *)runs->bytes)[run];
      vertex += at->skip;
      for (uint32_t i = 0; i < at->length && vertex < vertex_count; i++, vertex++)
        mt_morph_add_lane(frames, places[vertex], group->shape, first);
    }
  }
  free(places);
  for (uint32_t i = 1; i < frames->entry_count; i++)
    for (uint32_t k = i; k > 0 && frames->entries[k - 1].block > frames->entries[k].block; k--) {
      mt_morph_entry swapped = frames->entries[k];
      frames->entries[k] = frames->entries[k - 1];
      frames->entries[k - 1] = swapped;
    }
}

/// Frames by walking, and places in the streams by asking for each entry what comes before it.
static void mt_morph_cut(mt_morph_frames *frames) {
  uint32_t bytes = 0, payload = 0;
  frames->frame_deltas = calloc(frames->entry_count + 1, sizeof *frames->frame_deltas);
  for (uint32_t e = 0; e < frames->entry_count; e++) {
    mt_morph_entry *entry = &frames->entries[e];
    uint32_t size = entry->lane_count * frames->words * 4;
    if (e == 0 || bytes + size > 524288) {
      frames->count++;
      bytes = 0;
    }
    bytes += size;
    entry->frame = frames->count - 1;
    entry->payload_word = payload;
    payload += entry->lane_count * frames->words;
    frames->frame_deltas[entry->frame] += entry->lane_count;
  }
  for (uint32_t e = 0; e < frames->entry_count; e++)
    for (uint32_t o = 0; o < frames->entry_count; o++) {
      const mt_morph_entry *entry = &frames->entries[e], *other = &frames->entries[o];
      bool is_before = other->shape < entry->shape || (other->shape == entry->shape && o < e);
      if (other->frame == entry->frame && is_before) frames->entries[e].stream_word += other->lane_count;
    }
}

void mt_morph_frames_make(const mt_pack *pack, uint32_t part, mt_morph_frames *frames) {
  const mt_chunk *parts = mt_morph_chunk(pack, MPAK_KIND_PART, MPAK_NONE);
  const mpak_part *record = &((const mpak_part *)parts->bytes)[part];
  memset(frames, 0, sizeof *frames);
  frames->payload = record->payload;
  frames->components = record->components;
  frames->words = mt_lane_words(record->payload, record->components);
  mt_morph_entries_make(pack, part, record->vertex_count, frames);
  mt_morph_cut(frames);
}

void mt_morph_frames_free(mt_morph_frames *frames) {
  free(frames->entries);
  free(frames->frame_deltas);
}

// -- Lanes -----------------------------------------------------------------------------------------------------------

uint32_t mt_lane_words(uint32_t payload, uint32_t components) {
  if (payload == MPAK_PAYLOAD_P36) return components;
  if (payload == MPAK_PAYLOAD_P16) return 1 + components / 3;
  return payload == MPAK_PAYLOAD_P12 && components > 3 ? 3 : 2;
}

/// Where a number of P8, P12, P16 stands: word, first bit, bits. nz of P8 is in two places and not here.
typedef struct mt_lane_place {
  uint8_t word, first, bits;
} mt_lane_place;

static mt_lane_place mt_lane_place_of(uint32_t payload, uint32_t k) {
  static const mt_lane_place p8[] = {{0, 0, 12}, {0, 12, 12}, {1, 0, 12}, {1, 12, 9}, {1, 21, 9}};
  static const mt_lane_place p12[] = {{0, 0, 16}, {0, 16, 16}, {1, 0, 16}, {1, 16, 8}, {1, 24, 8},
                                      {2, 0, 8},  {2, 8, 8},   {2, 16, 8}, {2, 24, 8}};
  static const mt_lane_place p16[] = {{0, 0, 16},  {0, 16, 16}, {1, 0, 16},  {2, 0, 10}, {2, 10, 10},
                                      {2, 20, 10}, {3, 0, 10},  {3, 10, 10}, {3, 20, 10}};
  return payload == MPAK_PAYLOAD_P8 ? p8[k] : payload == MPAK_PAYLOAD_P12 ? p12[k] : p16[k];
}

uint32_t mt_lane_get(uint32_t payload, const uint32_t *lane, uint32_t stride, uint32_t k) {
  if (payload == MPAK_PAYLOAD_P36) return lane[k * (size_t)stride];
  uint32_t bits = 9, number = lane[0] >> 24 << 1 | lane[stride] >> 31;
  if (payload != MPAK_PAYLOAD_P8 || k != 5) {
    mt_lane_place place = mt_lane_place_of(payload, k);
    bits = place.bits;
    number = lane[place.word * (size_t)stride] >> place.first & ((1u << bits) - 1);
  }
  return number >> (bits - 1) ? number | ~((1u << bits) - 1) : number;
}

void mt_lane_put(uint32_t payload, uint32_t *lane, uint32_t stride, uint32_t k, uint32_t number) {
  if (payload == MPAK_PAYLOAD_P36) {
    lane[k * (size_t)stride] = number;
  } else if (payload == MPAK_PAYLOAD_P8 && k == 5) {
    lane[0] = (lane[0] & 0x00FFFFFF) | (number & 0x1FE) << 23;
    lane[stride] = (lane[stride] & 0x7FFFFFFF) | (number & 1) << 31;
  } else {
    mt_lane_place place = mt_lane_place_of(payload, k);
    uint32_t mask = ((1u << place.bits) - 1) << place.first, *word = &lane[place.word * (size_t)stride];
    *word = (*word & ~mask) | (number << place.first & mask);
  }
}

// -- Frames ----------------------------------------------------------------------------------------------------------

/// Bits of number k in a frame.
static uint32_t mt_stream_bits(uint32_t payload, uint32_t k) {
  return payload == MPAK_PAYLOAD_P36 ? 32 : payload == MPAK_PAYLOAD_P12 && k >= 3 ? 8 : 16;
}

size_t mt_morph_frame_bytes(const mt_morph_frames *frames, uint32_t frame) {
  size_t bits = 0;
  for (uint32_t k = 0; k < frames->components; k++) bits += mt_stream_bits(frames->payload, k);
  return frame < frames->count ? frames->frame_deltas[frame] * bits / 8 : 0;
}

/// A code from a number and the one before it, and the way back. Everything modulo 2^bits.
static uint32_t mt_code(uint32_t number, uint32_t last, uint32_t bits, bool is_encoding) {
  uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  if (is_encoding) {
    uint32_t difference = (number - last) & mask;
    if (bits == 8) return difference;
    return (difference << 1 ^ (difference >> (bits - 1) ? UINT32_MAX : 0)) & mask;
  }
  uint32_t difference = bits == 8 ? number : number >> 1 ^ (number & 1 ? UINT32_MAX : 0);
  return (last + difference) & mask;
}

/// One stream between numbers and byte planes.
static void mt_morph_code_stream(uint32_t *numbers, uint32_t count, uint32_t bits, bool is_difference, uint8_t *planes,
                                 bool is_encoding) {
  uint32_t last = 0, mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t coded = is_difference ? mt_code(numbers[i], last, bits, true) : numbers[i] & mask;
    for (uint32_t b = 0; b < bits / 8 && is_encoding; b++) planes[b * count + i] = (uint8_t)(coded >> (8 * b));
    if (!is_encoding) {
      coded = 0;
      for (uint32_t b = 0; b < bits / 8; b++) coded |= (uint32_t)planes[b * count + i] << (8 * b);
      numbers[i] = is_difference ? mt_code(coded, last, bits, false) : coded;
    }
    last = numbers[i];
  }
}

/// Number k of all lanes of a frame between payload and stream.
static void mt_morph_move(const mt_morph_frames *frames, uint32_t frame, uint32_t k, uint32_t *payload,
                          uint32_t *numbers, bool to_stream) {
  for (uint32_t e = 0; e < frames->entry_count; e++) {
    const mt_morph_entry *entry = &frames->entries[e];
    if (entry->frame != frame) continue;
    for (uint32_t i = 0; i < entry->lane_count; i++) {
      uint32_t *lane = payload + entry->payload_word + i, *number = &numbers[entry->stream_word + i];
      if (to_stream) *number = mt_lane_get(frames->payload, lane, entry->lane_count, k);
      if (!to_stream) mt_lane_put(frames->payload, lane, entry->lane_count, k, *number);
    }
  }
}

void mt_morph_frame_code(const mt_morph_frames *frames, uint32_t frame, uint32_t lane_modes, uint32_t *payload,
                         uint8_t *coded, bool is_encoding) {
  uint32_t count = frames->frame_deltas[frame];
  uint32_t *numbers = calloc(count + 1, 4);
  for (uint32_t k = 0; k < frames->components; k++) {
    uint32_t bits = mt_stream_bits(frames->payload, k);
    bool is_difference = bits < 32 || (lane_modes >> (2 * k) & 3) == 3;
    if (is_encoding) mt_morph_move(frames, frame, k, payload, numbers, true);
    mt_morph_code_stream(numbers, count, bits, is_difference, coded, is_encoding);
    if (!is_encoding) mt_morph_move(frames, frame, k, payload, numbers, false);
    coded += (size_t)count * (bits / 8);
  }
  free(numbers);
}
