#include "cooker/import/gltf_reader.h"

#include <stdio.h>
#include <string.h>

#include "format/bytes.h"

// The file around the model: GLB chunks, the JSON's version, and the extensions it requires (glTF 2.0, sections 3.2,
// 3.12 and 4).

#define GLB_MAGIC              0x46546C67u
#define GLB_CHUNK_JSON         0x4E4F534Au
#define GLB_CHUNK_BIN          0x004E4942u
#define GLB_HEADER_BYTES       12u
#define GLB_CHUNK_HEADER_BYTES 8u

// -- GLB -------------------------------------------------------------------------------------------------------------

/// A stretch of the file.
typedef struct container_span {
  const uint8_t *bytes;
  uint64_t byte_count;
} container_span;

static const char *container_bytes_text(gltf_reader *reader, uint64_t byte_count) {
  return job_format(reader->job, "%llu bytes", (unsigned long long)byte_count);
}

static void glb_check_header(gltf_reader *reader, const container_span *file) {
  if (file->byte_count < GLB_HEADER_BYTES)
    gltf_fail(reader, MPAK_F014, NULL, container_bytes_text(reader, file->byte_count), "a header of 12 bytes");
  const uint32_t version = bytes_load_u32(file->bytes + 4);
  if (version != 2) gltf_fail(reader, MPAK_F016, NULL, job_format(reader->job, "%u (GLB container)", version), NULL);
  const uint32_t length = bytes_load_u32(file->bytes + 8);
  if (length > file->byte_count)
    gltf_fail(reader, MPAK_F014, NULL, container_bytes_text(reader, file->byte_count),
              container_bytes_text(reader, length));
  if (length < file->byte_count)
    gltf_report(reader, MPAK_F017, NULL, container_bytes_text(reader, file->byte_count - length), NULL);
}

/// The chunk at `at`, which moves past it. False at the end of the file.
static bool glb_next_chunk(gltf_reader *reader, const container_span *file, uint64_t *at, uint32_t *kind,
                           container_span *chunk) {
  if (*at == file->byte_count) return false;
  if (!bytes_range_fits(*at, GLB_CHUNK_HEADER_BYTES, file->byte_count))
    gltf_fail(reader, MPAK_F015, NULL, "a chunk header", container_bytes_text(reader, file->byte_count - *at));
  const uint32_t length = bytes_load_u32(file->bytes + *at);
  *kind = bytes_load_u32(file->bytes + *at + 4);
  *at += GLB_CHUNK_HEADER_BYTES;
  if (!bytes_range_fits(*at, length, file->byte_count))
    gltf_fail(reader, MPAK_F015, NULL, job_format(reader->job, "a chunk of %u bytes", length),
              container_bytes_text(reader, file->byte_count - *at));
  *chunk = (container_span){file->bytes + *at, length};
  *at += length;
  return true;
}

/// The JSON chunk; the BIN chunk goes into the reader. Chunks of other kinds are for others.
static container_span glb_take_apart(gltf_reader *reader, const container_span *whole) {
  glb_check_header(reader, whole);
  const container_span file = {whole->bytes, bytes_load_u32(whole->bytes + 8)};
  uint64_t at = GLB_HEADER_BYTES;
  uint32_t kind = 0;
  container_span json = {0}, chunk = {0};
  if (file.byte_count < at || !glb_next_chunk(reader, &file, &at, &kind, &json) || kind != GLB_CHUNK_JSON)
    gltf_fail(reader, MPAK_F018, NULL, NULL, NULL);
  while (glb_next_chunk(reader, &file, &at, &kind, &chunk)) {
    if (kind != GLB_CHUNK_BIN || reader->has_bin) continue;
    reader->has_bin = true;
    reader->bin = chunk.bytes;
    reader->bin_byte_count = chunk.byte_count;
  }
  // Old exporters fill the chunk up with zero bytes instead of blanks.
  while (json.byte_count > 0 && json.bytes[json.byte_count - 1] == 0) json.byte_count--;
  return json;
}

static container_span container_json(gltf_reader *reader, const uint8_t *bytes, uint64_t byte_count) {
  container_span json = {bytes, byte_count};
  if (byte_count >= 4 && bytes_load_u32(bytes) == GLB_MAGIC) return glb_take_apart(reader, &json);
  if (byte_count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
    gltf_report(reader, MPAK_F019, NULL, NULL, NULL);
    json = (container_span){bytes + 3, byte_count - 3};
  }
  return json;
}

// -- Version ---------------------------------------------------------------------------------------------------------

/// "2.0" -> 2, 0. False when the text is no version.
static bool container_parse_version(const char *text, unsigned *major, unsigned *minor) {
  char rest = 0;
  return text != NULL && text[0] >= '0' && text[0] <= '9' && strlen(text) < 12 &&
         sscanf(text, "%u.%u%c", major, minor, &rest) == 2;
}

static void container_check_version(gltf_reader *reader) {
  if (!json_is_an_object(&reader->root)) gltf_fail(reader, MPAK_F020, NULL, json_kind(&reader->root), NULL);
  const cook_json asset = gltf_object(reader, &reader->root, "asset");
  const cook_json version_member = json_member(&asset, "version");
  if (!json_is_a_text(&version_member)) gltf_fail(reader, MPAK_F020, &version_member, json_kind(&version_member), NULL);
  const char *version = gltf_text(reader, &version_member);
  unsigned major = 0, minor = 0;
  if (!container_parse_version(version, &major, &minor) || major != 2)
    gltf_fail(reader, MPAK_F016, &version_member, version, NULL);
  const cook_json least_member = json_member(&asset, "minVersion");
  const char *least = gltf_text(reader, &least_member);
  if (least != NULL && (!container_parse_version(least, &major, &minor) || major != 2 || minor > 0))
    gltf_fail(reader, MPAK_F016, &least_member, least, NULL);
  const cook_json generator = json_member(&asset, "generator");
  reader->scene->generator = gltf_name_at(reader, &generator);
}

// -- Extensions ------------------------------------------------------------------------------------------------------

/// Extensions that the reader carries out.
static const char *const container_understood[] = {"KHR_mesh_quantization", "EXT_meshopt_compression", "MSFT_lod"};

/// Extensions that change no vertex, joint, target or key: ignoring them cannot make the pack's content wrong. An entry
/// ending in '*' stands for all names that begin so.
static const char *const container_harmless[] = {"KHR_materials_*",
                                                 "KHR_texture_*",
                                                 "KHR_lights_punctual",
                                                 "KHR_xmp*",
                                                 "KHR_animation_pointer",
                                                 "KHR_audio*",
                                                 "KHR_techniques_webgl",
                                                 "KHR_node_hoverability",
                                                 "KHR_node_selectability",
                                                 "KHR_interactivity",
                                                 "EXT_texture_*",
                                                 "EXT_materials_*",
                                                 "EXT_lights_*",
                                                 "MSFT_texture_*",
                                                 "MSFT_packing_*",
                                                 "VRM",
                                                 "VRMC_*",
                                                 "FB_materials_*",
                                                 "ADOBE_materials_*",
                                                 "AGI_articulations",
                                                 "AGI_stk_metadata",
                                                 "EXT_mesh_features",
                                                 "EXT_structural_metadata",
                                                 "CESIUM_primitive_outline"};

static bool container_matches(const char *pattern, const char *name) {
  const size_t length = strlen(pattern);
  if (pattern[length - 1] == '*') return strncmp(pattern, name, length - 1) == 0;
  return strcmp(pattern, name) == 0;
}

static bool container_is_listed(const char *const *list, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (container_matches(list[i], name)) return true;
  return false;
}

#define CONTAINER_LISTED(list, name) container_is_listed(list, sizeof(list) / sizeof(list)[0], name)

static void container_check_required(gltf_reader *reader, const cook_json *at, const char *name) {
  if (strcmp(name, "KHR_draco_mesh_compression") == 0) gltf_fail(reader, MPAK_F022, at, name, NULL);
  if (strcmp(name, "KHR_meshopt_compression") == 0) gltf_fail(reader, MPAK_F023, at, name, NULL);
  if (!CONTAINER_LISTED(container_understood, name) && !CONTAINER_LISTED(container_harmless, name))
    gltf_fail(reader, MPAK_F021, at, name, NULL);
}

static void container_check_extensions(gltf_reader *reader) {
  const cook_json required = gltf_array(reader, &reader->root, "extensionsRequired");
  for (uint64_t i = 0; i < json_count(&required); i++) {
    const cook_json element = json_element(&required, i);
    const char *name = gltf_text(reader, &element);
    container_check_required(reader, &element, name);
    if (strcmp(name, "KHR_mesh_quantization") == 0) reader->is_quantized = true;
  }
  const cook_json used = gltf_array(reader, &reader->root, "extensionsUsed");
  for (uint64_t i = 0; i < json_count(&used); i++) {
    const cook_json element = json_element(&used, i);
    const char *name = gltf_text(reader, &element);
    if (strcmp(name, "KHR_mesh_quantization") == 0) reader->is_quantized = true;
    // Compression that is only used and not required leaves the plain data beside it.
    const bool is_known = CONTAINER_LISTED(container_understood, name) || CONTAINER_LISTED(container_harmless, name) ||
                          strcmp(name, "KHR_draco_mesh_compression") == 0 ||
                          strcmp(name, "KHR_meshopt_compression") == 0;
    if (!is_known) gltf_report(reader, MPAK_G061, &element, name, NULL);
  }
}

// -- Opening ---------------------------------------------------------------------------------------------------------

void gltf_open(gltf_reader *reader, const uint8_t *bytes, uint64_t byte_count) {
  const container_span json = container_json(reader, bytes, byte_count);
  reader->root = json_parse(reader->job, json.bytes, json.byte_count);
  container_check_version(reader);
  container_check_extensions(reader);
  const struct {
    cook_json *array;
    const char *key;
  } arrays[] = {{&reader->buffer_array, "buffers"},     {&reader->view_array, "bufferViews"},
                {&reader->accessor_array, "accessors"}, {&reader->node_array, "nodes"},
                {&reader->mesh_array, "meshes"},        {&reader->skin_array, "skins"},
                {&reader->material_array, "materials"}, {&reader->texture_array, "textures"},
                {&reader->image_array, "images"},       {&reader->animation_array, "animations"},
                {&reader->scene_array, "scenes"}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    *arrays[i].array = gltf_array(reader, &reader->root, arrays[i].key);
}
