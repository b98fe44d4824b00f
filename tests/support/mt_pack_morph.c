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
    uint32_t size = entry->lane_count * frames->components * 4;
    if (e == 0 || bytes + size > 524288) {
      frames->count++;
      bytes = 0;
    }
    bytes += size;
    entry->frame = frames->count - 1;
    entry->payload_word = payload;
    payload += entry->lane_count * frames->components;
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
  frames->components = record->components;
  mt_morph_entries_make(pack, part, record->vertex_count, frames);
  mt_morph_cut(frames);
}

void mt_morph_frames_free(mt_morph_frames *frames) {
  free(frames->entries);
  free(frames->frame_deltas);
}

size_t mt_morph_frame_bytes(const mt_morph_frames *frames, uint32_t frame) {
  return frame < frames->count ? 4 * (size_t)frames->frame_deltas[frame] * frames->components : 0;
}

static uint32_t mt_zigzag(uint32_t difference) { return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0); }
static uint32_t mt_unzigzag(uint32_t coded) { return coded >> 1 ^ (coded & 1 ? UINT32_MAX : 0); }

/// Stream s between words and four byte planes.
static void mt_morph_code_stream(uint32_t *words, uint32_t count, bool is_difference, uint8_t *planes,
                                 bool is_encoding) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t coded = is_difference ? mt_zigzag(words[i] - last) : words[i];
    for (uint32_t b = 0; b < 4 && is_encoding; b++) planes[b * count + i] = (uint8_t)(coded >> (8 * b));
    if (!is_encoding) {
      coded = 0;
      for (uint32_t b = 0; b < 4; b++) coded |= (uint32_t)planes[b * count + i] << (8 * b);
      words[i] = is_difference ? last + mt_unzigzag(coded) : coded;
    }
    last = words[i];
  }
}

/// Words of stream s of a frame between payload and the stream.
static void mt_morph_move(const mt_morph_frames *frames, uint32_t frame, uint32_t stream, uint32_t *payload,
                          uint32_t *words, bool to_stream) {
  for (uint32_t e = 0; e < frames->entry_count; e++) {
    const mt_morph_entry *entry = &frames->entries[e];
    if (entry->frame != frame) continue;
    uint32_t *plane = payload + entry->payload_word + stream * entry->lane_count;
    if (to_stream) memcpy(words + entry->stream_word, plane, 4 * (size_t)entry->lane_count);
    if (!to_stream) memcpy(plane, words + entry->stream_word, 4 * (size_t)entry->lane_count);
  }
}

void mt_morph_frame_code(const mt_morph_frames *frames, uint32_t frame, uint32_t lane_modes, uint32_t *payload,
                         uint8_t *coded, bool is_encoding) {
  uint32_t count = frames->frame_deltas[frame];
  uint32_t *words = calloc(count + 1, 4);
  for (uint32_t s = 0; s < frames->components; s++) {
    uint8_t *planes = coded + 4 * (size_t)count * s;
    if (is_encoding) mt_morph_move(frames, frame, s, payload, words, true);
    mt_morph_code_stream(words, count, (lane_modes >> (2 * s) & 3) == 3, planes, is_encoding);
    if (!is_encoding) mt_morph_move(frames, frame, s, payload, words, false);
  }
  free(words);
}
