#include "cooker/import/gltf_reader.h"

#include <string.h>

#include "format/bytes.h"

// Accessors (glTF 2.0, section 3.6.2): opening checks type, ranges and sparse part once; reading then needs no checks.

// -- Types -----------------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  uint32_t component_count;
  bool is_matrix;
} accessor_types[] = {{"SCALAR", 1, false}, {"VEC2", 2, false}, {"VEC3", 3, false}, {"VEC4", 4, false},
                      {"MAT2", 4, true},    {"MAT3", 9, true},  {"MAT4", 16, true}};

static const struct {
  gltf_component component;
  uint32_t bytes;
  uint32_t plain_bit, normalized_bit;
  const char *name;
} accessor_components[] = {{GLTF_I8, 1, GLTF_USE_I8, GLTF_USE_I8N, "5120 (byte)"},
                           {GLTF_U8, 1, GLTF_USE_U8, GLTF_USE_U8N, "5121 (unsigned byte)"},
                           {GLTF_I16, 2, GLTF_USE_I16, GLTF_USE_I16N, "5122 (short)"},
                           {GLTF_U16, 2, GLTF_USE_U16, GLTF_USE_U16N, "5123 (unsigned short)"},
                           {GLTF_U32, 4, GLTF_USE_U32, 0, "5125 (unsigned int)"},
                           {GLTF_F32, 4, GLTF_USE_F32, GLTF_USE_F32, "5126 (float)"}};

#define ACCESSOR_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/// The row of accessor_components of a member that holds a component type.
static size_t accessor_component_row(gltf_reader *reader, const cook_json *member) {
  gltf_require(reader, member);
  const uint64_t number = gltf_whole(reader, member, UINT32_MAX, 0);
  for (size_t i = 0; i < ACCESSOR_COUNT_OF(accessor_components); i++)
    if ((uint64_t)accessor_components[i].component == number) return i;
  gltf_fail(reader, MPAK_G010, member, job_format(reader->job, "%llu", (unsigned long long)number),
            "5120, 5121, 5122, 5123, 5125 or 5126");
}

static void accessor_read_type(gltf_reader *reader, const cook_json *object, gltf_accessor *accessor) {
  const cook_json member = json_member(object, "type");
  gltf_require(reader, &member);
  const char *type = gltf_text(reader, &member);
  for (size_t i = 0; i < ACCESSOR_COUNT_OF(accessor_types); i++) {
    if (strcmp(type, accessor_types[i].name) != 0) continue;
    accessor->component_count = accessor_types[i].component_count;
    accessor->is_matrix = accessor_types[i].is_matrix;
    return;
  }
  gltf_fail(reader, MPAK_G010, &member, type, "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
}

static const char *accessor_shape_text(gltf_reader *reader, uint32_t component_count, bool is_matrix) {
  for (size_t i = 0; i < ACCESSOR_COUNT_OF(accessor_types); i++)
    if (accessor_types[i].component_count == component_count && accessor_types[i].is_matrix == is_matrix)
      return accessor_types[i].name;
  return job_format(reader->job, "%u components", component_count);
}

/// Fails with G008 (VEC3 and so on) or G009 (component type) when the accessor cannot serve the use.
static void accessor_check_use(gltf_reader *reader, const cook_json *object, const gltf_accessor *accessor, size_t row,
                               const gltf_use *use) {
  const bool is_matrix = use->least_components == 16;
  if (accessor->component_count < use->least_components || accessor->component_count > use->most_components ||
      accessor->is_matrix != is_matrix)
    gltf_fail(
        reader, MPAK_G008, object, accessor_shape_text(reader, accessor->component_count, accessor->is_matrix),
        job_format(reader->job, "%s for %s", accessor_shape_text(reader, use->least_components, is_matrix), use->what));
  const uint32_t bit =
      accessor->is_normalized ? accessor_components[row].normalized_bit : accessor_components[row].plain_bit;
  const char *found =
      job_format(reader->job, "%s%s", accessor->is_normalized ? "normalized " : "", accessor_components[row].name);
  if ((bit & (use->types | use->quantized_types | use->odd_types)) == 0)
    gltf_fail(reader, MPAK_G009, object, found, use->what);
  if ((bit & use->odd_types) != 0)
    gltf_report(reader, MPAK_G065, object, found, use->what);
  else if ((bit & use->types) == 0 && !reader->is_quantized)
    gltf_report(reader, MPAK_G059, object, found, use->what);
}

// -- Ranges ----------------------------------------------------------------------------------------------------------

/// `count` elements of element_bytes from a view; the stride goes into *byte_stride.
static const uint8_t *accessor_range(gltf_reader *reader, const cook_json *holder, uint64_t count,
                                     uint64_t element_bytes, uint64_t *byte_stride) {
  const cook_json view_member = json_member(holder, "bufferView"), offset_member = json_member(holder, "byteOffset");
  const uint32_t view_index = gltf_index(reader, &view_member, &reader->view_array);
  const uint64_t byte_offset = gltf_whole(reader, &offset_member, (uint64_t)1 << 53, 0);
  const gltf_view *known = &reader->views[view_index];
  const uint64_t stride = known->byte_stride != 0 ? known->byte_stride : element_bytes;
  if (stride < element_bytes)
    gltf_fail(reader, MPAK_G014, holder, job_format(reader->job, "byteStride %llu", (unsigned long long)stride),
              job_format(reader->job, "%llu bytes", (unsigned long long)element_bytes));
  // 2^32 elements of 2^31 bytes and an offset of 2^53: 64 bits hold the sum.
  const uint64_t span = (count - 1) * stride + element_bytes;
  if (!bytes_range_fits(byte_offset, span, known->byte_count))
    gltf_fail(reader, MPAK_G006, holder,
              job_format(reader->job, "%llu elements from byte %llu need %llu bytes", (unsigned long long)count,
                         (unsigned long long)byte_offset, (unsigned long long)span),
              job_format(reader->job, "%llu bytes", (unsigned long long)known->byte_count));
  *byte_stride = stride;
  return gltf_use_view(reader, view_index)->bytes + byte_offset;
}

static uint32_t accessor_whole_of(const uint8_t *at, uint32_t byte_count) {
  return byte_count == 1 ? *at : byte_count == 2 ? bytes_load_u16(at) : bytes_load_u32(at);
}

/// Every sparse index is inside; an order that is not ascending is a warning.
static void accessor_check_sparse(gltf_reader *reader, const cook_json *sparse, const gltf_accessor *accessor) {
  uint32_t previous = 0;
  bool is_ascending = true;
  for (uint32_t i = 0; i < accessor->sparse_count; i++) {
    const uint32_t index = accessor_whole_of(accessor->sparse_indices + (uint64_t)i * accessor->sparse_index_bytes,
                                             accessor->sparse_index_bytes);
    if (index >= accessor->count) {
      reader->here.element = "sparse index";
      reader->here.index = i;
      gltf_fail(reader, MPAK_G013, sparse, job_format(reader->job, "%u", index),
                job_format(reader->job, "%u elements", accessor->count));
    }
    is_ascending = is_ascending && (i == 0 || index > previous);
    previous = index;
  }
  if (!is_ascending) gltf_report(reader, MPAK_G012, sparse, NULL, NULL);
}

/// How many elements are replaced; none is a warning.
static uint32_t accessor_sparse_count(gltf_reader *reader, const cook_json *sparse, const gltf_accessor *accessor) {
  const cook_json count = json_member(sparse, "count");
  gltf_require(reader, &count);
  const uint64_t sparse_count = gltf_whole(reader, &count, (uint64_t)1 << 53, 0);
  if (sparse_count > accessor->count)
    gltf_fail(reader, MPAK_G011, &count, job_format(reader->job, "%llu", (unsigned long long)sparse_count),
              job_format(reader->job, "1 to %u", accessor->count));
  if (sparse_count == 0) gltf_report(reader, MPAK_G066, &count, NULL, NULL);
  return (uint32_t)sparse_count;
}

static void accessor_open_sparse(gltf_reader *reader, const cook_json *object, gltf_accessor *accessor) {
  const cook_json sparse = gltf_object(reader, object, "sparse");
  if (!json_exists(&sparse)) return;
  accessor->sparse_count = accessor_sparse_count(reader, &sparse, accessor);
  if (accessor->sparse_count == 0) return;
  const cook_json indices = gltf_object(reader, &sparse, "indices"), values = gltf_object(reader, &sparse, "values");
  gltf_require(reader, &indices);
  gltf_require(reader, &values);
  const cook_json component = json_member(&indices, "componentType");
  const size_t row = accessor_component_row(reader, &component);
  if ((accessor_components[row].plain_bit & (GLTF_USE_U8 | GLTF_USE_U16 | GLTF_USE_U32)) == 0)
    gltf_fail(reader, MPAK_G009, &indices, accessor_components[row].name, "sparse indices");
  const cook_json index_view = json_member(&indices, "bufferView"), value_view = json_member(&values, "bufferView");
  gltf_require(reader, &index_view);
  gltf_require(reader, &value_view);
  uint64_t stride = 0;
  accessor->sparse_index_bytes = accessor_components[row].bytes;
  accessor->sparse_indices =
      accessor_range(reader, &indices, accessor->sparse_count, accessor->sparse_index_bytes, &stride);
  const uint64_t element_bytes = (uint64_t)accessor->component_bytes * accessor->component_count;
  accessor->sparse_values = accessor_range(reader, &values, accessor->sparse_count, element_bytes, &stride);
  accessor_check_sparse(reader, &sparse, accessor);
}

gltf_accessor gltf_open_accessor(gltf_reader *reader, const cook_json *member, const gltf_use *use) {
  gltf_accessor accessor = {.index = gltf_index(reader, member, &reader->accessor_array)};
  const cook_json object = gltf_object_at(reader, &reader->accessor_array, accessor.index);
  const cook_json component = json_member(&object, "componentType"), count = json_member(&object, "count");
  const cook_json view = json_member(&object, "bufferView");
  const size_t row = accessor_component_row(reader, &component);
  accessor.component = accessor_components[row].component;
  accessor.component_bytes = accessor_components[row].bytes;
  accessor.is_normalized = gltf_truth(reader, &object, "normalized");
  accessor_read_type(reader, &object, &accessor);
  accessor_check_use(reader, &object, &accessor, row, use);
  gltf_require(reader, &count);
  accessor.count = (uint32_t)gltf_whole(reader, &count, UINT32_MAX - 1, 0);
  if (accessor.count == 0) gltf_fail(reader, MPAK_G007, &object, use->what, NULL);
  const uint64_t element_bytes = (uint64_t)accessor.component_bytes * accessor.component_count;
  if (json_exists(&view))
    accessor.base = accessor_range(reader, &object, accessor.count, element_bytes, &accessor.byte_stride);
  accessor_open_sparse(reader, &object, &accessor);
  return accessor;
}

bool gltf_accessor_is_zero(const gltf_accessor *accessor) {
  return accessor->base == NULL && accessor->sparse_count == 0;
}

// -- Values ----------------------------------------------------------------------------------------------------------

/// One component as a float, by the formulas of section 3.6.2.2.
static float accessor_float(const gltf_accessor *accessor, const uint8_t *at) {
  float value = 0;
  switch (accessor->component) {
  case GLTF_F32: return bytes_float_of_bits(bytes_load_u32(at));
  case GLTF_U32: return (float)bytes_load_u32(at);
  case GLTF_I8: value = accessor->is_normalized ? (float)(int8_t)*at / 127.0f : (float)(int8_t)*at; break;
  case GLTF_U8: return accessor->is_normalized ? (float)*at / 255.0f : (float)*at;
  case GLTF_U16: return accessor->is_normalized ? (float)bytes_load_u16(at) / 65535.0f : (float)bytes_load_u16(at);
  case GLTF_I16:
    value = (float)(int16_t)bytes_load_u16(at);
    if (accessor->is_normalized) value /= 32767.0f;
    break;
  }
  return accessor->is_normalized && value < -1.0f ? -1.0f : value;
}

/// What to make of the components.
typedef enum accessor_output { ACCESSOR_FLOATS, ACCESSOR_U32, ACCESSOR_U16, ACCESSOR_RAW } accessor_output;

static void accessor_put_element(const gltf_accessor *accessor, const uint8_t *from, void *to, accessor_output output) {
  const uint32_t size = accessor->component_bytes;
  for (uint32_t c = 0; c < accessor->component_count; c++) {
    const uint8_t *at = from + (uint64_t)c * size;
    switch (output) {
    case ACCESSOR_FLOATS: ((float *)to)[c] = accessor_float(accessor, at); break;
    case ACCESSOR_U32: ((uint32_t *)to)[c] = accessor_whole_of(at, size); break;
    case ACCESSOR_U16: ((uint16_t *)to)[c] = (uint16_t)accessor_whole_of(at, size); break;
    case ACCESSOR_RAW: memcpy((uint8_t *)to + (uint64_t)c * size, at, size); break;
    }
  }
}

/// All elements, element i to out + i * out_bytes. A missing base leaves out as it is: zeros.
static void accessor_put_all(const gltf_accessor *accessor, uint8_t *out, uint64_t out_bytes, accessor_output output) {
  const uint64_t element_bytes = (uint64_t)accessor->component_bytes * accessor->component_count;
  const bool is_copy = accessor->component == GLTF_F32 && output == ACCESSOR_FLOATS && out_bytes == element_bytes;
  if (accessor->base != NULL && is_copy && accessor->byte_stride == element_bytes)
    memcpy(out, accessor->base, (size_t)(accessor->count * element_bytes));
  else if (accessor->base != NULL)
    for (uint64_t i = 0; i < accessor->count; i++)
      accessor_put_element(accessor, accessor->base + i * accessor->byte_stride, out + i * out_bytes, output);
  for (uint64_t i = 0; i < accessor->sparse_count; i++) {
    const uint64_t element =
        accessor_whole_of(accessor->sparse_indices + i * accessor->sparse_index_bytes, accessor->sparse_index_bytes);
    accessor_put_element(accessor, accessor->sparse_values + i * element_bytes, out + element * out_bytes, output);
  }
}

// -- Reading ---------------------------------------------------------------------------------------------------------

/// Memory for all components, counted against the limit.
static void *accessor_room(gltf_reader *reader, const gltf_accessor *accessor, size_t component_bytes) {
  const cook_json at = json_element(&reader->accessor_array, accessor->index);
  const uint64_t component_count = (uint64_t)accessor->count * accessor->component_count;
  gltf_count_dense(reader, &at, component_count, component_bytes);
  return job_alloc(reader->job, component_count, component_bytes);
}

float *gltf_read_floats(gltf_reader *reader, const gltf_accessor *accessor) {
  float *out = accessor_room(reader, accessor, sizeof *out);
  accessor_put_all(accessor, (uint8_t *)out, sizeof *out * accessor->component_count, ACCESSOR_FLOATS);
  return out;
}

uint32_t *gltf_read_u32(gltf_reader *reader, const gltf_accessor *accessor) {
  uint32_t *out = accessor_room(reader, accessor, sizeof *out);
  accessor_put_all(accessor, (uint8_t *)out, sizeof *out * accessor->component_count, ACCESSOR_U32);
  return out;
}

void gltf_read_floats_into(const gltf_accessor *accessor, float *out, uint64_t out_stride) {
  accessor_put_all(accessor, (uint8_t *)out, sizeof *out * out_stride, ACCESSOR_FLOATS);
}

void gltf_read_u16_into(const gltf_accessor *accessor, uint16_t *out, uint64_t out_stride) {
  accessor_put_all(accessor, (uint8_t *)out, sizeof *out * out_stride, ACCESSOR_U16);
}

void gltf_read_raw_into(const gltf_accessor *accessor, uint8_t *out, uint64_t out_bytes) {
  accessor_put_all(accessor, out, out_bytes, ACCESSOR_RAW);
}
