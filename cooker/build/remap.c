#include "cooker/build/remap.h"

#include <string.h>

#include "format/bytes.h"

#define REMAP_PIECE_BYTES ((size_t)4096) ///< a page of most machines

// -- Streams by number ------------------------------------------------------------------------------------------------

uint32_t remap_stream_count(const cook_primitive *primitive) {
  return REMAP_TARGETS + 3 * (primitive->targets == NULL ? 0 : primitive->target_count);
}

static void *remap_target_get(const cook_target *target, uint32_t which) {
  if (which == 0) return target->position_deltas;
  return which == 1 ? target->normal_deltas : target->tangent_deltas;
}

void *remap_stream_get(const cook_primitive *primitive, uint32_t stream) {
  switch (stream) {
  case REMAP_POSITIONS: return primitive->positions;
  case REMAP_NORMALS: return primitive->normals;
  case REMAP_TANGENTS: return primitive->tangents;
  case REMAP_TEXCOORDS + 0:
  case REMAP_TEXCOORDS + 1:
  case REMAP_TEXCOORDS + 2:
  case REMAP_TEXCOORDS + 3: return primitive->texcoords[stream - REMAP_TEXCOORDS];
  case REMAP_COLOURS: return primitive->colours;
  case REMAP_JOINTS: return primitive->influence_count == 0 ? NULL : primitive->joints;
  case REMAP_WEIGHTS: return primitive->influence_count == 0 ? NULL : primitive->weights;
  default: return remap_target_get(&primitive->targets[(stream - REMAP_TARGETS) / 3], (stream - REMAP_TARGETS) % 3);
  }
}

static void remap_target_set(cook_target *target, uint32_t which, void *data) {
  if (which == 0)
    target->position_deltas = data;
  else if (which == 1)
    target->normal_deltas = data;
  else
    target->tangent_deltas = data;
}

void remap_stream_set(cook_primitive *primitive, uint32_t stream, void *data) {
  switch (stream) {
  case REMAP_POSITIONS: primitive->positions = data; return;
  case REMAP_NORMALS: primitive->normals = data; return;
  case REMAP_TANGENTS: primitive->tangents = data; return;
  case REMAP_TEXCOORDS + 0:
  case REMAP_TEXCOORDS + 1:
  case REMAP_TEXCOORDS + 2:
  case REMAP_TEXCOORDS + 3: primitive->texcoords[stream - REMAP_TEXCOORDS] = data; return;
  case REMAP_COLOURS: primitive->colours = data; return;
  case REMAP_JOINTS: primitive->joints = data; return;
  case REMAP_WEIGHTS: primitive->weights = data; return;
  default: remap_target_set(&primitive->targets[(stream - REMAP_TARGETS) / 3], (stream - REMAP_TARGETS) % 3, data);
  }
}

static uint32_t remap_colour_bytes(uint8_t format) {
  if (format == MPAK_FORMAT_F32X4) return 16;
  if (format == MPAK_FORMAT_F32X3) return 12;
  return format == MPAK_FORMAT_UNORM16X3 || format == MPAK_FORMAT_UNORM16X4 ? 8 : 4;
}

uint32_t remap_stream_bytes(const cook_primitive *primitive, uint32_t stream) {
  switch (stream) {
  case REMAP_TANGENTS: return 16;
  case REMAP_TEXCOORDS + 0:
  case REMAP_TEXCOORDS + 1:
  case REMAP_TEXCOORDS + 2:
  case REMAP_TEXCOORDS + 3: return 8;
  case REMAP_COLOURS: return remap_colour_bytes(primitive->colour_format);
  case REMAP_JOINTS: return 2 * primitive->influence_count;
  case REMAP_WEIGHTS: return 4 * primitive->influence_count;
  default: return 12;
  }
}

bool remap_stream_is_float(const cook_primitive *primitive, uint32_t stream) {
  if (stream == REMAP_JOINTS) return false;
  if (stream != REMAP_COLOURS) return true;
  return primitive->colour_format == MPAK_FORMAT_F32X3 || primitive->colour_format == MPAK_FORMAT_F32X4;
}

// -- New vertices -----------------------------------------------------------------------------------------------------

/// Writes only what differs: deltas are zero nearly everywhere, and memory that was never written costs none.
static inline void remap_put(uint8_t *to, const uint8_t *from, size_t bytes) {
  if (memcmp(to, from, bytes) != 0) memmove(to, from, bytes);
}

static void remap_gather(uint8_t *to, const uint8_t *from, size_t bytes, const uint32_t *old_of_new, uint32_t count) {
  if (bytes == 12) // nearly all of them: a constant makes no calls
    for (uint32_t v = 0; v < count; v++) remap_put(to + (size_t)v * 12, from + (size_t)old_of_new[v] * 12, 12);
  else
    for (uint32_t v = 0; v < count; v++) remap_put(to + v * bytes, from + old_of_new[v] * bytes, bytes);
}

/// Brings an array over another, piece by piece where they differ.
static void remap_replace(uint8_t *to, const uint8_t *from, size_t byte_count) {
  for (size_t at = 0; at < byte_count; at += REMAP_PIECE_BYTES)
    remap_put(to + at, from + at, byte_count - at < REMAP_PIECE_BYTES ? byte_count - at : REMAP_PIECE_BYTES);
}

/// Does every vertex come from its own place or one behind it, so that a copy in place never reads what it has written?
static bool remap_only_moves_down(const uint32_t *old_of_new, uint32_t count) {
  for (uint32_t v = 0; v < count; v++)
    if (old_of_new[v] < v) return false;
  return true;
}

static void remap_stream(cook_job *job, cook_primitive *primitive, uint32_t stream, const uint32_t *old_of_new,
                         uint32_t count, bool only_moves_down) {
  uint8_t *data = remap_stream_get(primitive, stream);
  const size_t bytes = remap_stream_bytes(primitive, stream);
  if (data == NULL || bytes == 0) return;
  if (only_moves_down) {
    remap_gather(data, data, bytes, old_of_new, count);
  } else if (count <= primitive->vertex_count) {
    const cook_mark mark = job_mark(job);
    uint8_t *scratch = job_alloc(job, count, bytes);
    remap_gather(scratch, data, bytes, old_of_new, count);
    remap_replace(data, scratch, count * bytes);
    job_release(job, mark);
  } else {
    uint8_t *grown = job_alloc(job, count, bytes);
    remap_gather(grown, data, bytes, old_of_new, count);
    remap_stream_set(primitive, stream, grown);
  }
}

static void remap_source_lists(cook_job *job, cook_primitive *primitive, const uint32_t *old_of_new, uint32_t count) {
  if (primitive->source_starts == NULL) return;
  uint32_t *starts = JOB_ARRAY(job, uint32_t, (uint64_t)count + 1);
  for (uint32_t v = 0; v < count; v++) {
    const uint32_t *old = &primitive->source_starts[old_of_new[v]];
    starts[v + 1] = starts[v] + old[1] - old[0];
  }
  uint32_t *sources = JOB_ARRAY(job, uint32_t, starts[count]);
  for (uint32_t v = 0; v < count; v++)
    for (uint32_t i = starts[v]; i < starts[v + 1]; i++)
      sources[i] = primitive->sources[primitive->source_starts[old_of_new[v]] + (i - starts[v])];
  primitive->source_starts = starts;
  primitive->sources = sources;
}

void remap_vertices(cook_job *job, cook_primitive *primitive, const uint32_t *old_of_new, uint32_t new_count) {
  uint32_t *source_of_vertex = JOB_ARRAY(job, uint32_t, new_count);
  for (uint32_t v = 0; v < new_count; v++)
    source_of_vertex[v] =
        primitive->source_of_vertex == NULL ? old_of_new[v] : primitive->source_of_vertex[old_of_new[v]];
  primitive->source_of_vertex = source_of_vertex;
  remap_source_lists(job, primitive, old_of_new, new_count);
  const bool only_moves_down = remap_only_moves_down(old_of_new, new_count);
  const uint32_t stream_count = remap_stream_count(primitive);
  for (uint32_t s = 0; s < stream_count; s++) remap_stream(job, primitive, s, old_of_new, new_count, only_moves_down);
  primitive->vertex_count = new_count;
}

// -- Source map -------------------------------------------------------------------------------------------------------

static void remap_link(cook_primitive *primitive, uint32_t source, uint32_t vertex) {
  if (source >= primitive->source_vertex_count) return;
  if (vertex < primitive->vertex_of_source[source]) primitive->vertex_of_source[source] = vertex;
}

/// Vertices that triangles use; a vertex that none uses is no vertex of its source (design: source map).
static bool *remap_used_vertices(cook_job *job, const cook_primitive *primitive) {
  bool *is_used = JOB_ARRAY(job, bool, primitive->vertex_count);
  for (uint32_t i = 0; i < primitive->index_count; i++) is_used[primitive->indices[i]] = true;
  return is_used;
}

void remap_finish_source_map(cook_job *job, cook_primitive *primitive) {
  const uint32_t vertex_count = primitive->vertex_count;
  const bool is_new_map = primitive->source_of_vertex == NULL;
  if (is_new_map) primitive->source_of_vertex = JOB_ARRAY(job, uint32_t, vertex_count);
  if (primitive->vertex_of_source == NULL)
    primitive->vertex_of_source = JOB_ARRAY(job, uint32_t, primitive->source_vertex_count);
  const cook_mark mark = job_mark(job);
  const bool *is_used = remap_used_vertices(job, primitive);
  memset(primitive->vertex_of_source, 0xFF, sizeof(uint32_t) * primitive->source_vertex_count);
  for (uint32_t v = 0; v < vertex_count; v++) {
    if (is_new_map) primitive->source_of_vertex[v] = v;
    const uint32_t *starts = primitive->source_starts;
    if (starts != NULL && starts[v] < starts[v + 1]) primitive->source_of_vertex[v] = primitive->sources[starts[v]];
    if (!is_used[v]) continue;
    if (starts == NULL) remap_link(primitive, primitive->source_of_vertex[v], v);
    for (uint32_t i = starts == NULL ? 0 : starts[v]; starts != NULL && i < starts[v + 1]; i++)
      remap_link(primitive, primitive->sources[i], v);
  }
  job_release(job, mark);
}

// -- Splitting corners ------------------------------------------------------------------------------------------------

/// An open-addressed table from (vertex, class) to the new vertex.
typedef struct split_table {
  uint64_t mask;
  uint64_t *keys; ///< (vertex << 32 | class) + 1; 0: free
  uint32_t *vertices;
} split_table;

static split_table split_table_make(cook_job *job, uint64_t entry_count) {
  uint64_t slots = 16;
  while (slots < entry_count * 2) slots *= 2;
  return (split_table){slots - 1, JOB_ARRAY(job, uint64_t, slots), JOB_ARRAY(job, uint32_t, slots)};
}

/// The slot of a key; a free one if it is new.
static uint64_t split_table_find(const split_table *table, uint64_t key) {
  uint64_t slot = (key * 0x9E3779B97F4A7C15u >> 20) & table->mask;
  while (table->keys[slot] != 0 && table->keys[slot] != key) slot = (slot + 1) & table->mask;
  return slot;
}

/// What a split does: the vertex each corner gets, and where appended vertices come from.
typedef struct split_plan {
  uint32_t *old_of_new; ///< vertex_count + index_count
  uint64_t new_count;
  bool *is_taken; ///< by vertex: a class has kept its number
} split_plan;

static uint32_t split_new_vertex(split_plan *plan, uint32_t vertex) {
  if (!plan->is_taken[vertex]) {
    plan->is_taken[vertex] = true;
    return vertex;
  }
  plan->old_of_new[plan->new_count] = vertex;
  return (uint32_t)plan->new_count++;
}

static void split_corner(split_plan *plan, split_table *table, uint32_t *index, const uint32_t *class_of_corner,
                         uint32_t corner) {
  if (class_of_corner == NULL) {
    *index = split_new_vertex(plan, *index);
    return;
  }
  const uint64_t key = ((uint64_t)*index << 32 | class_of_corner[corner]) + 1;
  const uint64_t slot = split_table_find(table, key);
  if (table->keys[slot] == 0) {
    table->keys[slot] = key;
    table->vertices[slot] = split_new_vertex(plan, *index);
  }
  *index = table->vertices[slot];
}

void remap_split_corners(cook_job *job, cook_primitive *primitive, const uint32_t *class_of_corner) {
  const uint64_t most = (uint64_t)primitive->vertex_count + primitive->index_count;
  if (most > UINT32_MAX) job_fail(job, MPAK_C015, COOK_WHERE);
  split_plan plan = {JOB_ARRAY(job, uint32_t, most), primitive->vertex_count, NULL};
  const cook_mark mark = job_mark(job);
  plan.is_taken = JOB_ARRAY(job, bool, primitive->vertex_count);
  split_table table = split_table_make(job, class_of_corner == NULL ? 0 : primitive->index_count);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) plan.old_of_new[v] = v;
  for (uint32_t c = 0; c < primitive->index_count; c++)
    split_corner(&plan, &table, &primitive->indices[c], class_of_corner, c);
  job_release(job, mark);
  if (plan.new_count > MPAK_MAX_VERTICES) job_fail(job, MPAK_C015, COOK_WHERE);
  if (plan.new_count != primitive->vertex_count)
    remap_vertices(job, primitive, plan.old_of_new, (uint32_t)plan.new_count);
}
