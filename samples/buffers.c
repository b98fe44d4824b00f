/// buffers: lists every buffer that a renderer of its own (Vulkan, D3D12, WebGPU, Metal) makes of a pack: bytes,
/// stride, what it is used for, and its binding in the shaders of this project (shaders/mpak_gpu_layout.h).
///
/// usage: buffers PACK
///
/// Usage words: vertex, index: input of a draw. storage: read in a compute or vertex shader (Vulkan: STORAGE_BUFFER;
/// D3D12: a root or raw SRV; WebGPU: read-only-storage). storage-write: written by one (UAV; storage). Buffers of a
/// part are made once and shared by all individuals; those of an individual are made for each. Decode with
/// mpak_load_part.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/mpak.h"
#include "shaders/mpak_gpu_layout.h"

/// One line of the list. binding below 0: none.
static uint64_t put(const char *name, uint64_t count, uint32_t stride, const char *usage, int binding,
                    const char *format) {
  char at[16] = "-";
  if (binding >= 0) snprintf(at, sizeof at, "%d", binding);
  if (count == 0) return 0;
  printf("  %-18s %12" PRIu64 " B  stride %2u  x %-9" PRIu64 " binding %-2s %-24s %s\n", name, count * stride, stride,
         count, at, usage, format);
  return count * stride;
}

static uint32_t colour_stride(mpak_element_format format) {
  if (format == MPAK_FORMAT_F32X3) return 12;
  if (format == MPAK_FORMAT_F32X4) return 16;
  return format == MPAK_FORMAT_UNORM16X3 || format == MPAK_FORMAT_UNORM16X4 ? 8 : 4;
}

static uint64_t put_morph(const mpak_morph *morph) {
  if (morph->payload == MPAK_PAYLOAD_NONE) return 0;
  if (morph->payload == MPAK_PAYLOAD_CSR64)
    return put("morph offsets", (uint64_t)morph->vertex_count + 1, 4, "storage", MPAK_BIND_OFFSETS, "u32") +
           put("morph deltas", morph->delta_count, sizeof(mpak_csr_delta), "storage", MPAK_BIND_DELTAS,
               "3 vec4 f32, uvec4: shape");
  return put("morph blocks", (uint64_t)morph->block_count + 1, 16, "storage", MPAK_BIND_OFFSETS,
             "uvec4: vertex, entry, vertices, bone") +
         put("morph entries", morph->entry_count, sizeof(mpak_morph_entry), "storage", MPAK_BIND_ENTRIES,
             "shape, offset, 2 lane masks, 3 scales") +
         put("morph payload", morph->payload_word_count, 4, "storage", MPAK_BIND_DELTAS, "u32 words, bit-packed");
}

static uint64_t put_static(const mpak_part *part, const mpak_part_data *data) {
  uint64_t sum = 0;
  for (int set = 0; set < 4; set++)
    if (data->texcoords[set] != NULL) {
      char name[32];
      snprintf(name, sizeof name, "texcoord %d", set);
      sum += put(name, part->vertex_count, 8, "vertex", -1, "f32 x 2");
    }
  if (data->colours != NULL)
    sum += put("colour 0", part->vertex_count, colour_stride(data->colour_format), "vertex", -1,
               data->colour_format == MPAK_FORMAT_F32X3 || data->colour_format == MPAK_FORMAT_F32X4 ? "f32" : "unorm");
  if (part->influence_count == 0) return sum;
  const uint32_t quads = part->influence_count / 4;
  sum += put("joints", part->vertex_count, quads * 8, "vertex", -1, "u16 x 4 a quad, section-local");
  sum += put("weights", part->vertex_count, quads * 16, "vertex", -1, "f32 x 4 a quad");
  // joints and weights of a vertex side by side, for skinning in compute: mpak_gpu_layout.h, "Skin"
  return sum + put("skin (compute)", part->vertex_count, quads * 4 * MPAK_SKIN_FULL_WORDS, "storage", MPAK_BIND_SKIN,
                   "u16 x 4, f32 x 4 a quad");
}

/// What each individual has of its own.
static uint64_t put_individual(const mpak_pack *pack, const mpak_part *part) {
  uint64_t bones = 0;
  for (uint32_t s = 0; s < part->section_count; s++) bones += pack->sections[part->first_section + s].bone_count;
  return put("morph weights", part->shape_count, 4, "storage", MPAK_BIND_WEIGHTS, "f32 by shape") +
         put("palette", bones, 48, "storage", MPAK_BIND_PALETTE, "3 rows of vec4, by section and bone") +
         put("output vertices", part->vertex_count, sizeof(mpak_base_vertex), "storage-write, vertex", MPAK_BIND_OUTPUT,
             "vec4 position, normal, tangent");
}

static mpak_result list_part(const mpak_pack *pack, uint32_t number, void *scratch) {
  const mpak_part *part = &pack->parts[number];
  const uint64_t byte_count = mpak_part_bytes(pack, number);
  mpak_part_data data;
  void *memory = aligned_alloc(64, (size_t)(byte_count / 64 + 1) * 64);
  if (memory == NULL) return MPAK_ERROR_OUT_OF_MEMORY;
  mpak_result result = mpak_load_part(pack, number, memory, byte_count, scratch, mpak_scratch_bytes(pack), &data, NULL);
  if (result == MPAK_OK) {
    printf("mesh %s, primitive %u, level %u\n", mpak_string(pack, pack->meshes[part->mesh].key), part->source_primitive,
           part->lod);
    uint64_t shared = put("base vertices", part->vertex_count, sizeof(mpak_base_vertex), "storage, vertex",
                          MPAK_BIND_BASE, "vec4 position, normal, tangent");
    shared += put("indices", part->index_count, data.index_bytes, "index", -1, data.index_bytes == 2 ? "u16" : "u32");
    shared += put_static(part, &data) + put_morph(&data.morph);
    printf(" each individual:\n");
    const uint64_t own = put_individual(pack, part);
    printf(" in all %" PRIu64 " B, and %" PRIu64 " B for each individual\n", shared, own);
  }
  free(memory);
  return result;
}

static mpak_result list(const mpak_pack *pack) {
  void *scratch = aligned_alloc(64, (size_t)(mpak_scratch_bytes(pack) / 64 + 1) * 64);
  mpak_result result = scratch == NULL ? MPAK_ERROR_OUT_OF_MEMORY : MPAK_OK;
  for (uint32_t p = 0; result == MPAK_OK && p < pack->part_count; p++) result = list_part(pack, p, scratch);
  free(scratch);
  return result;
}

int main(int argc, char **argv) {
  mpak_mapping file;
  mpak_pack pack;
  if (argc != 2) {
    fprintf(stderr, "usage: buffers PACK\n");
    return 2;
  }
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  mpak_result result = mpak_map_file(argv[1], &file);
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &pack, NULL);
  if (result == MPAK_OK) result = list(&pack);
  if (result != MPAK_OK) fprintf(stderr, "%s: %s\n", argv[1], mpak_result_name(result));
  mpak_unmap_file(&file);
  return result == MPAK_OK ? 0 : 1;
}
