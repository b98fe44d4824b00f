// dump_buffers: every decoded stream of a pack as a file, through the runtime; tests compare them with mpak_read.py's.
//
// usage: dump_buffers PACK FOLDER
//
// Writes part0.base, part0.indices (u32), part0.joints, part0.weights, part0.texcoord0 … 3, part0.colours,
// part0.pack_of_source, part0.source_of_pack, part0.shape0 … (9 floats a vertex, from either layout), clips.times,
// clips.values and clips.words, as far as they are there. The folder must exist. Exit codes: 0, 2 usage, 3 files, 5 the
// pack is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/morph_payload.h"
#include "runtime/mpak.h"
#include "tests/support/mt_wrapped.h"

typedef struct dump {
  mpak_pack pack;
  mpak_fault fault;
  const char *folder;
  void *scratch;
  uint64_t scratch_bytes;
  bool has_failed; ///< a file could not be written
} dump;

static void dump_write(dump *d, const char *name, const void *bytes, uint64_t byte_count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", d->folder, name);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, (size_t)byte_count, file) != byte_count) d->has_failed = true;
  if (file && fclose(file) != 0) d->has_failed = true;
}

static void dump_part_stream(dump *d, uint32_t part, const char *name, const void *bytes, uint64_t byte_count) {
  char text[64];
  snprintf(text, sizeof text, "part%u.%s", part, name);
  if (bytes) dump_write(d, text, bytes, byte_count);
}

static void *dump_memory(uint64_t byte_count) {
  void *memory = calloc(1, (size_t)byte_count + 1);
  if (!memory) abort();
  return memory;
}

// -- Shapes ----------------------------------------------------------------------------------------------------------

/// Dense deltas of one shape out of csr64.
static void dump_csr_shape(const mpak_morph *morph, uint32_t shape, float *dense) {
  for (uint32_t v = 0; v < morph->vertex_count; v++) {
    for (uint32_t i = morph->vertex_offsets[v]; i < morph->vertex_offsets[v + 1]; i++) {
      const mpak_csr_delta *delta = &morph->deltas[i];
      if (delta->metadata[0] != shape) continue;
      memcpy(dense + 9 * (size_t)v, delta->position, 12);
      memcpy(dense + 9 * (size_t)v + 3, delta->normal, 12);
      memcpy(dense + 9 * (size_t)v + 6, delta->tangent, 12);
    }
  }
}

/// Dense deltas of one shape out of blk64.
static void dump_block_shape(const mpak_morph *morph, uint32_t shape, float *dense) {
  for (uint32_t b = 0; b < morph->block_count; b++) {
    for (uint32_t e = morph->blocks[b].first_entry; e < morph->blocks[b + 1].first_entry; e++) {
      const mpak_morph_entry *entry = &morph->entries[e];
      uint64_t lanes = entry->lanes_low | (uint64_t)entry->lanes_high << 32;
      uint32_t count = (uint32_t)__builtin_popcountll(lanes);
      if (entry->shape != shape) continue;
      for (uint32_t i = 0; i < count; i++, lanes &= lanes - 1) {
        uint32_t vertex = morph->blocks[b].first_vertex + (uint32_t)__builtin_ctzll(lanes);
        mpak_lane_delta(morph->payload, morph->components, entry, morph->payload_words + entry->payload_offset, count,
                        i, dense + 9 * (size_t)vertex);
      }
    }
  }
}

static void dump_shapes(dump *d, uint32_t number, const mpak_morph *morph) {
  for (uint32_t s = 0; s < morph->shape_count; s++) {
    char name[32];
    float *dense = dump_memory(36 * (uint64_t)morph->vertex_count);
    if (morph->payload == MPAK_PAYLOAD_CSR64) dump_csr_shape(morph, s, dense);
    if (mpak_payload_is_blk64(morph->payload)) dump_block_shape(morph, s, dense);
    snprintf(name, sizeof name, "shape%u", s);
    dump_part_stream(d, number, name, dense, 36 * (uint64_t)morph->vertex_count);
    free(dense);
  }
}

// -- Parts and clips -------------------------------------------------------------------------------------------------

static void dump_indices(dump *d, uint32_t number, const mpak_part_data *data) {
  uint32_t count = d->pack.parts[number].index_count;
  uint32_t *indices = dump_memory(4 * (uint64_t)count);
  for (uint32_t i = 0; i < count; i++) indices[i] = mpak_index(data, i);
  dump_part_stream(d, number, "indices", indices, 4 * (uint64_t)count);
  free(indices);
}

static mpak_result dump_chunk(dump *d, uint32_t number, const char *name, uint32_t chunk) {
  if (chunk == MPAK_NONE) return MPAK_OK;
  uint64_t byte_count = d->pack.chunks[chunk].decoded_bytes;
  void *memory = dump_memory(byte_count);
  mpak_result result = mpak_decode(&d->pack, chunk, memory, byte_count, d->scratch, d->scratch_bytes, NULL, &d->fault);
  if (result == MPAK_OK) dump_part_stream(d, number, name, memory, byte_count);
  free(memory);
  return result;
}

static void dump_streams(dump *d, uint32_t number, const mpak_part_data *data) {
  const mpak_part *part = &d->pack.parts[number];
  uint64_t vertices = part->vertex_count, influences = part->influence_count;
  dump_part_stream(d, number, "base", data->base, 48 * vertices);
  dump_part_stream(d, number, "joints", data->joints, 2 * vertices * influences);
  dump_part_stream(d, number, "weights", data->weights, 4 * vertices * influences);
  for (int slot = 0; slot < 4; slot++) {
    char name[] = "texcoord0";
    name[8] = (char)('0' + slot);
    dump_part_stream(d, number, name, data->texcoords[slot], 8 * vertices);
  }
  if (data->colours)
    dump_part_stream(d, number, "colours", data->colours, d->pack.chunks[part->colour_chunk].decoded_bytes);
  dump_indices(d, number, data);
  dump_shapes(d, number, &data->morph);
}

static mpak_result dump_part(dump *d, uint32_t number) {
  uint64_t byte_count = mpak_part_bytes(&d->pack, number);
  void *memory = dump_memory(byte_count);
  mpak_part_data data;
  mpak_result result =
      mpak_load_part(&d->pack, number, memory, byte_count, d->scratch, d->scratch_bytes, &data, &d->fault);
  if (result == MPAK_OK) dump_streams(d, number, &data);
  free(memory);
  if (result == MPAK_OK) result = dump_chunk(d, number, "pack_of_source", d->pack.parts[number].pack_of_source_chunk);
  if (result == MPAK_OK) result = dump_chunk(d, number, "source_of_pack", d->pack.parts[number].source_of_pack_chunk);
  return result;
}

static mpak_result dump_clips(dump *d) {
  uint64_t byte_count = mpak_clips_bytes(&d->pack);
  void *memory = dump_memory(byte_count);
  mpak_clips clips;
  mpak_result result = mpak_load_clips(&d->pack, memory, byte_count, d->scratch, d->scratch_bytes, &clips, &d->fault);
  if (result == MPAK_OK && clips.times) {
    dump_write(d, "clips.times", clips.times, d->pack.chunks[d->pack.key_time_chunk].decoded_bytes);
    dump_write(d, "clips.values", clips.values, d->pack.chunks[d->pack.key_value_chunk].decoded_bytes);
  }
  if (result == MPAK_OK && clips.words) {
    const mpak_clip *last = &d->pack.clips[d->pack.clip_count - 1];
    dump_write(d, "clips.words", clips.words, 4 * ((uint64_t)last->first_word + last->word_count));
  }
  free(memory);
  return result;
}

static mpak_result dump_pack(dump *d, const mpak_mapping *file) {
  mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_result result = mpak_open(file->bytes, file->byte_count, &options, &d->pack, &d->fault);
  if (result != MPAK_OK) return result;
  d->scratch_bytes = mpak_scratch_bytes(&d->pack);
  d->scratch = dump_memory(d->scratch_bytes);
  for (uint32_t i = 0; i < d->pack.part_count && result == MPAK_OK; i++) result = dump_part(d, i);
  if (result == MPAK_OK) result = dump_clips(d);
  free(d->scratch);
  return result;
}

int main(int argc, char **argv) {
  dump d = {.folder = argc == 3 ? argv[2] : NULL};
  mpak_mapping file;
  if (argc != 3) {
    fprintf(stderr, "usage: dump_buffers PACK FOLDER\n");
    return 2;
  }
  if (mpak_map_file(argv[1], &file) != MPAK_OK) {
    perror(argv[1]);
    return 3;
  }
  mpak_result result = mt_unwrap_mapping(&file, &d.fault);
  if (result == MPAK_OK) result = dump_pack(&d, &file);
  if (result != MPAK_OK) {
    fprintf(stderr, "%s: %s: %s\n", argv[1], mpak_result_name(result), d.fault.rule ? d.fault.rule : "");
    return 5;
  }
  return d.has_failed ? 3 : 0;
}
