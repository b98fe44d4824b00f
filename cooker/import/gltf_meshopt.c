#include "cooker/import/gltf_reader.h"

#include <meshoptimizer.h>
#include <string.h>

#include "format/bytes.h"

// EXT_meshopt_compression. The library's decoders are safe on any bytes as long as its assertions about sizes hold, so
// those are checked here first.

typedef enum meshopt_mode { MESHOPT_ATTRIBUTES, MESHOPT_TRIANGLES, MESHOPT_INDICES, MESHOPT_MODES } meshopt_mode;
typedef enum meshopt_filter { MESHOPT_NONE, MESHOPT_OCT, MESHOPT_QUAT, MESHOPT_EXP, MESHOPT_FILTERS } meshopt_filter;

static const char *const meshopt_mode_names[MESHOPT_MODES] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
static const char *const meshopt_filter_names[MESHOPT_FILTERS] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};

typedef struct meshopt_stream {
  uint32_t buffer;
  uint64_t byte_offset, byte_count;
  uint64_t stride, count;
  meshopt_mode mode;
  meshopt_filter filter;
} meshopt_stream;

cook_json gltf_meshopt_of(gltf_reader *reader, const cook_json *extensions) {
  return gltf_object(reader, extensions, "EXT_meshopt_compression");
}

// -- Reading the description -----------------------------------------------------------------------------------------

/// Which of the names a member holds; fails with F031 for others.
static int meshopt_choice(gltf_reader *reader, const cook_json *object, const char *key, const char *const *names,
                          int count, const char *otherwise) {
  const cook_json member = json_member(object, key);
  const char *text = gltf_text(reader, &member);
  if (text == NULL) text = otherwise;
  for (int i = 0; i < count; i++)
    if (text != NULL && strcmp(text, names[i]) == 0) return i;
  gltf_fail(reader, MPAK_F031, &member, text != NULL ? text : "nothing", "a mode or filter that the extension has");
}

static uint64_t meshopt_number(gltf_reader *reader, const cook_json *object, const char *key, bool is_required) {
  const cook_json member = json_member(object, key);
  if (is_required) gltf_require(reader, &member);
  return gltf_whole(reader, &member, (uint64_t)1 << 53, 0);
}

static meshopt_stream meshopt_describe(gltf_reader *reader, const cook_json *object) {
  meshopt_stream stream = {0};
  const cook_json buffer = json_member(object, "buffer");
  gltf_require(reader, &buffer);
  stream.buffer = gltf_index(reader, &buffer, &reader->buffer_array);
  stream.byte_offset = meshopt_number(reader, object, "byteOffset", false);
  stream.byte_count = meshopt_number(reader, object, "byteLength", true);
  stream.stride = meshopt_number(reader, object, "byteStride", true);
  stream.count = meshopt_number(reader, object, "count", true);
  stream.mode = (meshopt_mode)meshopt_choice(reader, object, "mode", meshopt_mode_names, MESHOPT_MODES, NULL);
  stream.filter =
      (meshopt_filter)meshopt_choice(reader, object, "filter", meshopt_filter_names, MESHOPT_FILTERS, "NONE");
  return stream;
}

/// The sizes that the extension's text allows; NULL when these are, else what is wrong.
static const char *meshopt_fault(const meshopt_stream *stream) {
  if (stream->mode != MESHOPT_ATTRIBUTES) {
    if (stream->stride != 2 && stream->stride != 4) return "byteStride 2 or 4 for indices";
    if (stream->filter != MESHOPT_NONE) return "no filter for indices";
    return stream->mode == MESHOPT_TRIANGLES && stream->count % 3 != 0 ? "a count that is a multiple of 3" : NULL;
  }
  if (stream->stride == 0 || stream->stride > 256 || stream->stride % 4 != 0) return "a byteStride of 4, 8, … 256";
  if (stream->filter == MESHOPT_OCT && stream->stride != 4 && stream->stride != 8)
    return "byteStride 4 or 8 for OCTAHEDRAL";
  if (stream->filter == MESHOPT_QUAT && stream->stride != 8) return "byteStride 8 for QUATERNION";
  return NULL;
}

void gltf_meshopt_check(gltf_reader *reader, const cook_json *extension, uint64_t view_bytes) {
  const meshopt_stream stream = meshopt_describe(reader, extension);
  const char *fault = meshopt_fault(&stream);
  if (fault != NULL)
    gltf_fail(reader, MPAK_F031, extension,
              job_format(reader->job, "byteStride %llu, count %llu, filter %s", (unsigned long long)stream.stride,
                         (unsigned long long)stream.count, meshopt_filter_names[stream.filter]),
              fault);
  uint64_t decoded_bytes = 0;
  if (!bytes_mul(stream.stride, stream.count, &decoded_bytes) || decoded_bytes != view_bytes)
    gltf_fail(reader, MPAK_F031, extension,
              job_format(reader->job, "count %llu of %llu bytes", (unsigned long long)stream.count,
                         (unsigned long long)stream.stride),
              job_format(reader->job, "the view's %llu bytes", (unsigned long long)view_bytes));
  const uint64_t buffer_bytes = reader->buffers[stream.buffer].byte_count;
  if (!bytes_range_fits(stream.byte_offset, stream.byte_count, buffer_bytes))
    gltf_fail(reader, MPAK_G005, extension,
              job_format(reader->job, "bytes %llu to %llu", (unsigned long long)stream.byte_offset,
                         (unsigned long long)stream.byte_offset + stream.byte_count),
              job_format(reader->job, "%llu bytes", (unsigned long long)buffer_bytes));
}

// -- Decoding --------------------------------------------------------------------------------------------------------

/// No byte of the codecs stands for more than this many decoded ones: a bound that keeps a small file from asking for
/// much memory before the decoder finds that it lied.
#define MESHOPT_MOST_RATIO 64u

static void meshopt_apply_filter(const meshopt_stream *stream, uint8_t *bytes) {
  const size_t count = (size_t)stream->count, stride = (size_t)stream->stride;
  if (stream->filter == MESHOPT_OCT)
    meshopt_decodeFilterOct(bytes, count, stride);
  else if (stream->filter == MESHOPT_QUAT)
    meshopt_decodeFilterQuat(bytes, count, stride);
  else if (stream->filter == MESHOPT_EXP)
    meshopt_decodeFilterExp(bytes, count, stride);
}

static int meshopt_decode(const meshopt_stream *stream, const uint8_t *from, uint8_t *to) {
  const size_t count = (size_t)stream->count, stride = (size_t)stream->stride, size = (size_t)stream->byte_count;
  switch (stream->mode) {
  case MESHOPT_ATTRIBUTES: return meshopt_decodeVertexBuffer(to, count, stride, from, size);
  case MESHOPT_TRIANGLES: return meshopt_decodeIndexBuffer(to, count, stride, from, size);
  default: return meshopt_decodeIndexSequence(to, count, stride, from, size);
  }
}

const uint8_t *gltf_meshopt_decode(gltf_reader *reader, const cook_json *extension) {
  const meshopt_stream stream = meshopt_describe(reader, extension);
  const uint8_t *from = gltf_buffer_bytes(reader, stream.buffer, stream.byte_offset);
  const bool is_plausible = stream.count * stream.stride / MESHOPT_MOST_RATIO <= stream.byte_count;
  if (is_plausible) gltf_count_dense(reader, extension, stream.count, stream.stride);
  uint8_t *to = job_alloc(reader->job, is_plausible ? stream.count : 0, (size_t)stream.stride);
  const int result = is_plausible ? meshopt_decode(&stream, from, to) : -2;
  if (result != 0)
    gltf_fail(reader, MPAK_F030, extension, meshopt_mode_names[stream.mode],
              result == -1 ? "codec version 0" : "as many bytes as its count needs");
  meshopt_apply_filter(&stream, to);
  return to;
}
