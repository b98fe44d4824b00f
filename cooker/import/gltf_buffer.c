#include "cooker/import/gltf_reader.h"

#include <string.h>

#include "cooker/base/io.h"
#include "format/bytes.h"
#include "format/checksum.h"

// Buffers and bufferViews (glTF 2.0, section 3.6.1). Their ranges are checked for all, their bytes are read only where
// something needs them: a buffer that holds nothing but images may be absent.

#define BUFFER_BYTES_MOST  ((uint64_t)1 << 53)
#define BUFFER_STRIDE_MOST ((uint64_t)1 << 31)

static const char *buffer_bytes_text(gltf_reader *reader, uint64_t byte_count) {
  return job_format(reader->job, "%llu bytes", (unsigned long long)byte_count);
}

// -- Tables ----------------------------------------------------------------------------------------------------------

static void buffer_check_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->buffer_array, index);
  const cook_json length = json_member(&object, "byteLength");
  gltf_require(reader, &length);
  reader->buffers[index].byte_count = gltf_whole(reader, &length, BUFFER_BYTES_MOST, 0);
}

/// extensions is the caller's, since the cursor that comes back points to it.
static cook_json view_compression(gltf_reader *reader, const cook_json *view, cook_json *extensions) {
  *extensions = gltf_object(reader, view, "extensions");
  return gltf_meshopt_of(reader, extensions);
}

/// KHR_meshopt_compression without a plain copy: nothing that this version could read.
static void view_refuse_other_compression(gltf_reader *reader, const cook_json *view, uint32_t buffer) {
  const cook_json extensions = gltf_object(reader, view, "extensions");
  const cook_json other = json_member(&extensions, "KHR_meshopt_compression");
  const cook_json buffer_object = gltf_object_at(reader, &reader->buffer_array, buffer);
  const cook_json uri = json_member(&buffer_object, "uri");
  const bool has_plain_copy = json_exists(&uri) || (buffer == 0 && reader->has_bin);
  if (json_exists(&other) && !has_plain_copy) gltf_fail(reader, MPAK_F023, &other, "KHR_meshopt_compression", NULL);
}

static void view_check_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->view_array, index);
  gltf_view *view = &reader->views[index];
  const cook_json buffer_member = json_member(&object, "buffer"), length = json_member(&object, "byteLength");
  const cook_json offset = json_member(&object, "byteOffset"), stride = json_member(&object, "byteStride");
  gltf_require(reader, &buffer_member);
  gltf_require(reader, &length);
  const uint32_t buffer = gltf_index(reader, &buffer_member, &reader->buffer_array);
  view->byte_count = gltf_whole(reader, &length, BUFFER_BYTES_MOST, 0);
  view->byte_stride = gltf_whole(reader, &stride, BUFFER_STRIDE_MOST, 0);
  const uint64_t byte_offset = gltf_whole(reader, &offset, BUFFER_BYTES_MOST, 0);
  cook_json extensions;
  const cook_json compression = view_compression(reader, &object, &extensions);
  if (json_exists(&compression)) {
    gltf_meshopt_check(reader, &compression, view->byte_count);
    return;
  }
  view_refuse_other_compression(reader, &object, buffer);
  if (!bytes_range_fits(byte_offset, view->byte_count, reader->buffers[buffer].byte_count))
    gltf_fail(reader, MPAK_G005, &object,
              job_format(reader->job, "bytes %llu to %llu", (unsigned long long)byte_offset,
                         (unsigned long long)byte_offset + view->byte_count),
              buffer_bytes_text(reader, reader->buffers[buffer].byte_count));
}

void gltf_read_buffer_tables(gltf_reader *reader) {
  const uint64_t buffer_count = json_count(&reader->buffer_array), view_count = json_count(&reader->view_array);
  reader->buffers = JOB_ARRAY(reader->job, gltf_buffer, buffer_count);
  reader->views = JOB_ARRAY(reader->job, gltf_view, view_count);
  reader->scene->dependencies = JOB_ARRAY(reader->job, const char *, buffer_count + 1);
  reader->file_hashes = JOB_ARRAY(reader->job, uint64_t, buffer_count + 1);
  for (uint64_t i = 0; i < buffer_count; i++) buffer_check_one(reader, (uint32_t)i);
  for (uint64_t i = 0; i < view_count; i++) view_check_one(reader, (uint32_t)i);
}

// -- Reading ---------------------------------------------------------------------------------------------------------

static const uint8_t *buffer_read_file(gltf_reader *reader, const cook_json *at, const char *uri,
                                       uint64_t *byte_count) {
  const char *path = gltf_uri_to_path(reader, at, uri);
  const uint8_t *bytes = io_read_file(reader->job, path, byte_count);
  cook_scene *scene = reader->scene;
  reader->file_hashes[scene->dependency_count] = checksum_of(bytes, (size_t)*byte_count);
  scene->dependencies[scene->dependency_count++] = path;
  return bytes;
}

static void buffer_load(gltf_reader *reader, uint32_t index) {
  gltf_buffer *buffer = &reader->buffers[index];
  const cook_json object = gltf_object_at(reader, &reader->buffer_array, index);
  const cook_json member = json_member(&object, "uri");
  const char *uri = gltf_text(reader, &member);
  uint64_t byte_count = 0;
  if (uri != NULL && gltf_uri_is_data(uri)) {
    buffer->bytes = gltf_uri_decode(reader, &member, uri, &byte_count);
  } else if (uri != NULL) {
    buffer->bytes = buffer_read_file(reader, &member, uri, &byte_count);
  } else if (index == 0 && reader->has_bin) {
    buffer->bytes = reader->bin;
    byte_count = reader->bin_byte_count;
  } else {
    gltf_fail(reader, MPAK_F029, &object, NULL, NULL);
  }
  if (byte_count < buffer->byte_count)
    gltf_fail(reader, MPAK_F024, &object, buffer_bytes_text(reader, byte_count),
              buffer_bytes_text(reader, buffer->byte_count));
}

const uint8_t *gltf_buffer_bytes(gltf_reader *reader, uint32_t index, uint64_t byte_offset) {
  if (reader->buffers[index].bytes == NULL) buffer_load(reader, index);
  return reader->buffers[index].bytes + byte_offset;
}

const gltf_view *gltf_use_view(gltf_reader *reader, uint32_t index) {
  gltf_view *view = &reader->views[index];
  if (view->bytes != NULL) return view;
  const cook_json object = gltf_object_at(reader, &reader->view_array, index);
  cook_json extensions;
  const cook_json compression = view_compression(reader, &object, &extensions);
  if (json_exists(&compression)) {
    view->bytes = gltf_meshopt_decode(reader, &compression);
    return view;
  }
  const cook_json buffer = json_member(&object, "buffer"), offset = json_member(&object, "byteOffset");
  view->bytes = gltf_buffer_bytes(reader, gltf_index(reader, &buffer, &reader->buffer_array),
                                  gltf_whole(reader, &offset, BUFFER_BYTES_MOST, 0));
  return view;
}

void gltf_count_dense(gltf_reader *reader, const cook_json *at, uint64_t count, uint64_t element_bytes) {
  uint64_t byte_count = 0;
  const bool fits = bytes_mul(count, element_bytes, &byte_count) &&
                    bytes_add(reader->dense_bytes, byte_count, &reader->dense_bytes) &&
                    reader->dense_bytes <= job_limits(reader->job)->dense_bytes;
  if (!fits) gltf_fail(reader, MPAK_G062, at, NULL, buffer_bytes_text(reader, job_limits(reader->job)->dense_bytes));
}
