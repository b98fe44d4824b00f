#include "cooker/import/gltf_reader.h"
#include "cooker/import/import.h"
#include "format/checksum.h"

/// One hash over the hashes of all files read, in the order of reading.
static uint64_t import_source_hash(const gltf_reader *reader) {
  return checksum_of(reader->file_hashes, sizeof *reader->file_hashes * reader->scene->dependency_count);
}

static void import_note_source(gltf_reader *reader, const uint8_t *bytes, uint64_t byte_count) {
  reader->file_hashes[0] = checksum_of(bytes, (size_t)byte_count);
  reader->scene->dependencies[0] = reader->path;
  reader->scene->dependency_count = 1;
}

cook_scene *gltf_import(cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                        const cook_options *options) {
  (void)options; // glTF says everything itself: metres, +Y up
  gltf_reader *reader = JOB_ARRAY(job, gltf_reader, 1);
  reader->job = job;
  reader->path = path;
  gltf_leave(reader);
  reader->scene = JOB_ARRAY(job, cook_scene, 1);
  reader->scene->source_kind = COOK_SOURCE_GLTF;
  gltf_open(reader, bytes, byte_count);
  gltf_read_buffer_tables(reader);
  import_note_source(reader, bytes, byte_count);
  gltf_read_materials(reader);
  gltf_read_nodes(reader);
  gltf_read_meshes(reader);
  gltf_read_node_weights(reader);
  gltf_read_skins(reader);
  gltf_read_animations(reader);
  gltf_mark_cooked_nodes(reader);
  reader->scene->source_hash = import_source_hash(reader);
  return reader->scene;
}
