// glb_accessor.c: bytes, views of them, and accessors (glTF 2.0, section 3.6).
#include "cooker/export/glb.h"

uint32_t glb_put_view(glb_file *glb, const void *bytes, uint64_t byte_count, glb_use use, uint32_t stride) {
  while (glb->bytes.used % 4 != 0) text_put_char(&glb->bytes, 0);
  json_out *json = glb_element(glb, GLB_VIEWS);
  write_json_member_count(json, "buffer", 0);
  if (glb->bytes.used != 0) write_json_member_count(json, "byteOffset", glb->bytes.used);
  write_json_member_count(json, "byteLength", byte_count);
  if (stride != 0) write_json_member_count(json, "byteStride", stride);
  if (use != GLB_USE_ANY) write_json_member_count(json, "target", use);
  write_json_close(json);
  text_put_bytes(&glb->bytes, bytes, byte_count);
  return glb->tables[GLB_VIEWS].count - 1;
}

static void accessor_put_sparse(json_out *json, const glb_sparse *sparse) {
  write_json_key(json, "sparse");
  write_json_object(json);
  write_json_member_count(json, "count", sparse->count);
  write_json_key(json, "indices");
  write_json_object(json);
  write_json_member_count(json, "bufferView", sparse->index_view);
  write_json_member_count(json, "componentType", sparse->index_type);
  write_json_close(json);
  write_json_key(json, "values");
  write_json_object(json);
  write_json_member_count(json, "bufferView", sparse->value_view);
  write_json_close(json);
  write_json_close(json);
}

uint32_t glb_put_accessor(glb_file *glb, const glb_accessor *accessor) {
  json_out *json = glb_element(glb, GLB_ACCESSORS);
  if (accessor->view != MPAK_NONE) write_json_member_count(json, "bufferView", accessor->view);
  write_json_member_count(json, "componentType", accessor->component_type);
  if (accessor->is_normalized) {
    write_json_key(json, "normalized");
    write_json_bool(json, true);
  }
  write_json_member_count(json, "count", accessor->count);
  write_json_member_string(json, "type", accessor->type);
  if (accessor->bound_count != 0) {
    write_json_key(json, "min");
    write_json_floats(json, accessor->min, accessor->bound_count);
    write_json_key(json, "max");
    write_json_floats(json, accessor->max, accessor->bound_count);
  }
  if (accessor->sparse != NULL) accessor_put_sparse(json, accessor->sparse);
  write_json_close(json);
  return glb->tables[GLB_ACCESSORS].count - 1;
}

void glb_bounds(const float *values, uint64_t count, uint32_t width, float min[4], float max[4]) {
  for (uint32_t c = 0; c < width; c++) min[c] = max[c] = count == 0 ? 0 : values[c];
  for (uint64_t i = 0; i < count * width; i++) {
    const float value = values[i];
    if (value < min[i % width]) min[i % width] = value;
    if (value > max[i % width]) max[i % width] = value;
  }
}

uint32_t glb_put_floats(glb_file *glb, const float *values, uint32_t count, uint32_t width, glb_use use,
                        bool has_bounds) {
  static const char *const types[] = {[1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};
  float min[4], max[4];
  const uint64_t byte_count = (uint64_t)count * width * sizeof *values;
  glb_accessor accessor = {.component_type = GLB_FLOAT, .type = types[width], .count = count, .min = min, .max = max};
  accessor.view = glb_put_view(glb, values, byte_count, use, 0);
  if (has_bounds) {
    glb_bounds(values, count, width, min, max);
    accessor.bound_count = width;
  }
  return glb_put_accessor(glb, &accessor);
}
