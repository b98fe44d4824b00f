#include "cooker/import/gltf_reader.h"

// Indices, and strips and fans as triangle lists (glTF 2.0, section 3.7.2.1).

#define INDEX_MODE_TRIANGLES 4u
#define INDEX_MODE_STRIP     5u

static const gltf_use use_indices = {"indices", 1, 1, GLTF_USE_U8 | GLTF_USE_U16 | GLTF_USE_U32, 0, 0};

/// A triangle list of the source's indices as they stand.
static void index_check_count(gltf_reader *reader, const cook_json *at, uint32_t count, uint32_t mode) {
  if (mode == INDEX_MODE_TRIANGLES && count % 3 != 0)
    gltf_fail(reader, MPAK_G028, at, job_format(reader->job, "%u", count), NULL);
  if (count < 3) gltf_fail(reader, MPAK_G029, at, job_format(reader->job, "%u", count), NULL);
}

/// Fails with G030 at the first index past the vertices, and says how many more there are.
static void index_check_range(gltf_reader *reader, const cook_json *at, const uint32_t *indices, uint32_t count,
                              uint32_t vertex_count) {
  uint64_t bad_count = 0;
  uint32_t first = 0;
  for (uint32_t i = count; i-- > 0;) {
    if (indices[i] < vertex_count) continue;
    bad_count++;
    first = i;
  }
  if (bad_count == 0) return;
  reader->here.element = "index";
  reader->here.index = first;
  reader->here.more = bad_count - 1;
  gltf_fail(reader, MPAK_G030, at, job_format(reader->job, "%u", indices[first]),
            job_format(reader->job, "%u vertices", vertex_count));
}

static uint32_t *index_make_sequence(gltf_reader *reader, const cook_json *at, uint32_t count) {
  gltf_count_dense(reader, at, count, sizeof(uint32_t));
  uint32_t *indices = JOB_ARRAY(reader->job, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) indices[i] = i;
  return indices;
}

/// Triangle i of a strip is (i, i + 1 + i % 2, i + 2 - i % 2), of a fan (i + 1, i + 2, 0).
static void index_unroll(gltf_reader *reader, const cook_json *at, cook_primitive *primitive, const uint32_t *from,
                         uint32_t count, bool is_strip) {
  const uint32_t triangle_count = count - 2;
  if (triangle_count > UINT32_MAX / 3) gltf_fail(reader, MPAK_G062, at, NULL, "4294967295 indices");
  gltf_count_dense(reader, at, triangle_count, 3 * sizeof(uint32_t));
  uint32_t *to = JOB_ARRAY(reader->job, uint32_t, (uint64_t)triangle_count * 3);
  for (uint32_t i = 0; i < triangle_count; i++) {
    to[3 * i + 0] = from[is_strip ? i : i + 1];
    to[3 * i + 1] = from[is_strip ? i + 1 + i % 2 : i + 2];
    to[3 * i + 2] = from[is_strip ? i + 2 - i % 2 : 0];
  }
  primitive->indices = to;
  primitive->index_count = triangle_count * 3;
}

void gltf_read_triangles(gltf_reader *reader, const cook_json *object, cook_primitive *primitive, uint32_t mode) {
  const cook_json member = json_member(object, "indices");
  uint32_t count = primitive->vertex_count;
  uint32_t *indices = NULL;
  if (json_exists(&member)) {
    const gltf_accessor accessor = gltf_open_accessor(reader, &member, &use_indices);
    count = accessor.count;
    index_check_count(reader, &member, count, mode);
    indices = gltf_read_u32(reader, &accessor);
    index_check_range(reader, &member, indices, count, primitive->vertex_count);
  } else {
    index_check_count(reader, object, count, mode);
    indices = index_make_sequence(reader, object, count);
  }
  primitive->source_index_count = count;
  primitive->indices = indices;
  primitive->index_count = count;
  if (mode != INDEX_MODE_TRIANGLES) index_unroll(reader, &member, primitive, indices, count, mode == INDEX_MODE_STRIP);
}
