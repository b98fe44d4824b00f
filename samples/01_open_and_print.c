/// 01_open_and_print: opens a pack, which verifies it, and prints what is inside. Decodes nothing, and allocates
/// nothing but the memory of a wrapped pack.
///
/// usage: 01_open_and_print PACK
#include <stdio.h>

#include "samples/sample_file.h"

static void print_mesh(const mpak_pack *pack, const mpak_mesh *mesh) {
  printf("mesh %s: %u parts, %u controls\n", mpak_string(pack, mesh->key), mesh->part_count, mesh->control_count);
  for (uint32_t p = 0; p < mesh->part_count; ++p) {
    const mpak_part *part = &pack->parts[mesh->first_part + p];
    printf("  part %u: %u vertices, %u triangles, %u shapes with %u deltas, %u influences, %u sections\n", p,
           part->vertex_count, part->index_count / 3, part->shape_count, part->delta_count, part->influence_count,
           part->section_count);
  }
  for (uint32_t c = 0; c < mesh->control_count; ++c) {
    const mpak_control *control = &pack->controls[mesh->first_control + c];
    printf("  control %s: %g in [%g, %g]\n", mpak_string(pack, control->key), control->default_weight,
           control->range_min, control->range_max);
  }
}

static void print_scene(const mpak_pack *pack) {
  for (uint32_t i = 0; i < pack->instance_count; ++i) {
    const mpak_instance *instance = &pack->instances[i];
    printf("node %s draws mesh %s\n", mpak_string(pack, pack->nodes[instance->node].key),
           mpak_string(pack, pack->meshes[instance->mesh].key));
  }
  for (uint32_t s = 0; s < pack->skin_count; ++s) {
    printf("skin %s: %u joints\n", mpak_string(pack, pack->skins[s].key), pack->skins[s].joint_count);
  }
  for (uint32_t c = 0; c < pack->clip_count; ++c) {
    const mpak_clip *clip = &pack->clips[c];
    printf("clip %s: %g s to %g s, %u tracks\n", mpak_string(pack, clip->key), clip->start_s, clip->end_s,
           clip->track_count);
  }
}

int main(int argc, char **argv) {
  const mpak_open_options options = {.decoder = mpak_zstd_decoder()};
  sample_file file;
  mpak_pack pack;
  mpak_fault fault = {0};
  if (argc != 2) {
    fprintf(stderr, "usage: 01_open_and_print PACK\n");
    return 2;
  }
  mpak_result result = sample_file_open(argv[1], &options, &file, &fault);
  if (result == MPAK_OK) result = mpak_open(file.bytes, file.byte_count, &options, &pack, &fault);
  if (result != MPAK_OK) {
    fprintf(stderr, "%s: %s%s%s\n", argv[1], mpak_result_name(result), fault.rule ? ": " : "",
            fault.rule ? fault.rule : "");
    sample_file_close(&file);
    return 1;
  }
  printf("%s: %llu bytes, %u chunks, %u nodes\n", argv[1], (unsigned long long)pack.byte_count, pack.chunk_count,
         pack.node_count);
  for (uint32_t m = 0; m < pack.mesh_count; ++m) print_mesh(&pack, &pack.meshes[m]);
  print_scene(&pack);
  sample_file_close(&file);
  return 0;
}
