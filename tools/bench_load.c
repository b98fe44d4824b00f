// bench_load: how long a file takes until its data is ready for upload. For `make bench` and `make bench-load`.
//
//   bench_load FILE…     one line each: "SECONDS OPEN_SECONDS BYTES", the least of fifteen rounds, taken in turns
//
// A pack: open + verify + decode of everything. A .glb: JSON parse by jansson + a copy of every accessor to floats
// (indices to 32 bits), without any check of the data; OPEN_SECONDS is the parse. Images are left alone. All memory was
// touched before, as an upload arena would be.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/mpak.h"

#define BENCH_ROUNDS 15

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t round_up(uint64_t bytes) { return (bytes + 4095) & ~UINT64_C(4095); }

static void *bench_memory(uint64_t bytes) {
  void *memory = aligned_alloc(4096, round_up(bytes + 1));
  if (memory == NULL) exit(6);
  memset(memory, 0, bytes);
  return memory;
}

/// A file and its best times.
typedef struct bench_file {
  mpak_mapping mapping;
  bool is_glb;
  uint8_t *memory; ///< for everything; parts and accessors follow each other
  void *scratch;
  uint8_t *unwrapped; ///< the pack of a wrapped file
  void *unwrap_scratch;
  double seconds, open_seconds;
  uint64_t bytes;
} bench_file;

// -- Packs -----------------------------------------------------------------------------------------------------------

static void prepare_pack(bench_file *file, const mpak_pack *pack) {
  uint64_t total = round_up(mpak_clips_bytes(pack));
  for (uint32_t part = 0; part < pack->part_count; part++) total += round_up(mpak_part_bytes(pack, part));
  file->memory = bench_memory(total);
  file->scratch = bench_memory(mpak_scratch_bytes(pack));
  file->bytes = pack->header->decoded_bytes;
}

static void load_all(const bench_file *file, const mpak_pack *pack) {
  const uint64_t scratch_bytes = mpak_scratch_bytes(pack), clip_bytes = mpak_clips_bytes(pack);
  uint8_t *memory = file->memory;
  mpak_clips clips;
  if (mpak_load_clips(pack, memory, clip_bytes, file->scratch, scratch_bytes, &clips, NULL) != MPAK_OK) exit(5);
  memory += round_up(clip_bytes);
  for (uint32_t part = 0; part < pack->part_count; part++) {
    mpak_part_data data;
    const uint64_t bytes = mpak_part_bytes(pack, part);
    if (mpak_load_part(pack, part, memory, bytes, file->scratch, scratch_bytes, &data, NULL) != MPAK_OK) exit(5);
    memory += round_up(bytes);
  }
}

/// The pack in the file; unwrapped where it is wrapped.
static mpak_mapping pack_of_file(bench_file *file, const mpak_open_options *options) {
  const mpak_mapping from = file->mapping;
  mpak_unwrapped_sizes sizes;
  if (!mpak_is_wrapped(from.bytes, from.byte_count)) return from;
  if (mpak_unwrap_sizes(from.bytes, from.byte_count, options, &sizes, NULL) != MPAK_OK) exit(5);
  if (file->unwrapped == NULL) {
    file->unwrapped = bench_memory(sizes.pack_bytes);
    file->unwrap_scratch = bench_memory(sizes.scratch_bytes);
  }
  if (mpak_unwrap(from.bytes, from.byte_count, options, file->unwrapped, sizes.pack_bytes, file->unwrap_scratch,
                  sizes.scratch_bytes, NULL) != MPAK_OK)
    exit(5);
  return (mpak_mapping){file->unwrapped, sizes.pack_bytes};
}

/// Returns when it was open.
static double load_pack(bench_file *file) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder(), .max_decoded_bytes = UINT64_C(1) << 34};
  const mpak_mapping from = pack_of_file(file, &options);
  mpak_pack pack;
  if (mpak_open(from.bytes, from.byte_count, &options, &pack, NULL) != MPAK_OK) exit(5);
  const double opened = seconds_now();
  if (file->memory == NULL) prepare_pack(file, &pack);
  load_all(file, &pack);
  return opened;
}

// -- Raw glb ---------------------------------------------------------------------------------------------------------

/// Where an accessor's elements stand. bytes NULL: they are all zero.
typedef struct bench_elements {
  const uint8_t *bytes;
  uint64_t stride, count, width; ///< width: components of an element
  uint32_t component_type;
  bool is_normalised;
} bench_elements;

static uint64_t json_size(const json_t *object, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(object, key));
}

static uint64_t component_bytes(uint32_t type) { return type <= 5121 ? 1 : type <= 5123 ? 2 : 4; }

static uint64_t type_width(const char *type) {
  static const char *const names[7] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
  static const uint64_t widths[7] = {1, 2, 3, 4, 4, 9, 16};
  for (int i = 0; type && i < 7; i++)
    if (strcmp(type, names[i]) == 0) return widths[i];
  exit(5);
}

static bench_elements view_elements(const json_t *root, const json_t *place, const uint8_t *binary, uint32_t type,
                                    uint64_t width, uint64_t count) {
  bench_elements elements = {.count = count, .width = width, .component_type = type};
  elements.stride = width * component_bytes(type);
  const json_t *index = json_object_get(place, "bufferView");
  if (!index) return elements;
  const json_t *view = json_array_get(json_object_get(root, "bufferViews"), (size_t)json_integer_value(index));
  const uint64_t stride = json_size(view, "byteStride");
  if (stride) elements.stride = stride;
  elements.bytes = binary + json_size(view, "byteOffset") + json_size(place, "byteOffset");
  return elements;
}

static float component_value(const uint8_t *at, uint32_t type, bool is_normalised) {
  int16_t i16;
  uint16_t u16;
  memcpy(&i16, at, component_bytes(type) == 2 ? 2 : 1);
  memcpy(&u16, at, component_bytes(type) == 2 ? 2 : 1);
  switch (type) {
  case 5120: return is_normalised ? (float)(int8_t)*at / 127 : (float)(int8_t)*at;
  case 5121: return is_normalised ? (float)*at / 255 : (float)*at;
  case 5122: return is_normalised ? (float)i16 / 32767 : (float)i16;
  default: return is_normalised ? (float)u16 / 65535 : (float)u16;
  }
}

static void copy_element(const bench_elements *from, uint64_t element, float *to) {
  const uint8_t *at = from->bytes + element * from->stride;
  const uint64_t step = component_bytes(from->component_type);
  if (step == 4) {
    memcpy(to, at, from->width * 4);
    return;
  }
  for (uint64_t c = 0; c < from->width; c++)
    to[c] = component_value(at + c * step, from->component_type, from->is_normalised);
}

static void copy_elements(const bench_elements *from, float *to) {
  if (!from->bytes) {
    memset(to, 0, from->count * from->width * 4);
  } else if (component_bytes(from->component_type) == 4 && from->stride == from->width * 4) {
    memcpy(to, from->bytes, from->count * from->stride);
  } else {
    for (uint64_t e = 0; e < from->count; e++) copy_element(from, e, to + e * from->width);
  }
}

static void copy_sparse(const json_t *root, const json_t *sparse, const uint8_t *binary, const bench_elements *base,
                        float *to) {
  const json_t *indices = json_object_get(sparse, "indices");
  const uint64_t count = json_size(sparse, "count");
  const bench_elements places =
      view_elements(root, indices, binary, (uint32_t)json_size(indices, "componentType"), 1, count);
  bench_elements values =
      view_elements(root, json_object_get(sparse, "values"), binary, base->component_type, base->width, count);
  values.is_normalised = base->is_normalised;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t place = 0;
    memcpy(&place, places.bytes + i * places.stride, component_bytes(places.component_type));
    copy_element(&values, i, to + place * base->width);
  }
}

/// Copies all accessors; without memory, only counts. Returns the bytes.
static uint64_t read_accessors(const json_t *root, const uint8_t *binary, uint8_t *memory) {
  const json_t *accessors = json_object_get(root, "accessors");
  uint64_t bytes = 0;
  for (size_t a = 0; a < json_array_size(accessors); a++) {
    const json_t *accessor = json_array_get(accessors, a);
    const uint64_t width = type_width(json_string_value(json_object_get(accessor, "type")));
    bench_elements elements = view_elements(root, accessor, binary, (uint32_t)json_size(accessor, "componentType"),
                                            width, json_size(accessor, "count"));
    elements.is_normalised = json_is_true(json_object_get(accessor, "normalized"));
    if (memory) {
      float *to = (float *)(void *)(memory + bytes);
      const json_t *sparse = json_object_get(accessor, "sparse");
      copy_elements(&elements, to);
      if (sparse) copy_sparse(root, sparse, binary, &elements, to);
    }
    bytes += (elements.count * width * 4 + 63) & ~UINT64_C(63);
  }
  return bytes;
}

/// Returns when the JSON was parsed.
static double load_glb(bench_file *file) {
  const uint8_t *bytes = file->mapping.bytes;
  uint32_t json_bytes;
  memcpy(&json_bytes, bytes + 12, sizeof json_bytes);
  json_error_t error;
  json_t *root = json_loadb((const char *)bytes + 20, json_bytes, 0, &error);
  if (!root) exit(5);
  const double opened = seconds_now();
  const uint8_t *binary = bytes + 20 + json_bytes + 8;
  if (file->memory == NULL) {
    file->bytes = read_accessors(root, binary, NULL);
    file->memory = bench_memory(file->bytes);
  }
  read_accessors(root, binary, file->memory);
  json_decref(root);
  return opened;
}

// -- Both ------------------------------------------------------------------------------------------------------------

static bool is_glb(const mpak_mapping *mapping) {
  return mapping->byte_count > 28 && memcmp(mapping->bytes, "glTF", 4) == 0;
}

static void bench_turn(bench_file *file, bool counts) {
  const double start = seconds_now();
  const double opened = file->is_glb ? load_glb(file) : load_pack(file);
  const double spent = seconds_now() - start;
  if (!counts) return;
  if (spent < file->seconds) file->seconds = spent;
  if (opened - start < file->open_seconds) file->open_seconds = opened - start;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: bench_load FILE…\n");
    return 2;
  }
  bench_file *files = bench_memory((uint64_t)argc * sizeof *files);
  for (int f = 1; f < argc; f++) {
    if (mpak_map_file(argv[f], &files[f].mapping) != MPAK_OK) return 3;
    files[f].is_glb = is_glb(&files[f].mapping);
    files[f].seconds = files[f].open_seconds = 1e30;
  }
  for (int round = 0; round <= BENCH_ROUNDS; round++)
    for (int f = 1; f < argc; f++) bench_turn(&files[f], round > 0);
  for (int f = 1; f < argc; f++) {
    printf("%.6f %.6f %llu\n", files[f].seconds, files[f].open_seconds, (unsigned long long)files[f].bytes);
    free(files[f].memory);
    free(files[f].scratch);
    mpak_unmap_file(&files[f].mapping);
  }
  free(files);
  return 0;
}
