#include "cooker/build/weld_group.h"

#include <math.h>

#include "format/bytes.h"

// Each vertex gets a 64-bit hash over all streams; the first vertex of a hash leads its group. Then every member is
// compared with its leader, stream by stream, so that memory is read in order. A member that differs (two hashes
// collided) becomes a group of its own: never wrong, and never quadratic however a file was made.

#define WELD_EMPTY     0xFFFFFFFFu
#define WELD_CELL      (4 * WELD_ANGLE_RAD)
#define WELD_HASH_STEP 0x9E3779B97F4A7C15u

// -- Hashes -----------------------------------------------------------------------------------------------------------

static uint64_t weld_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * WELD_HASH_STEP;
  return hash ^ hash >> 29;
}

static uint32_t weld_word(const uint8_t *at, weld_compare compare) {
  const uint32_t word = bytes_load_u32(at);
  return compare != WELD_BITS && word == 0x80000000u ? 0 : word;
}

/// Zero words are skipped: most deltas are zero, and the position of the others is part of what is mixed in.
static void weld_hash_stream(const weld_stream *stream, uint32_t number, uint32_t vertex_count, uint64_t *hashes) {
  const uint8_t *at = stream->data;
  for (uint32_t v = 0; v < vertex_count; v++, at += stream->element_bytes) {
    for (uint32_t offset = 0; offset < stream->element_bytes; offset += 4) {
      const uint32_t word = weld_word(at + offset, stream->compare);
      if (word != 0) hashes[v] = weld_mix(hashes[v] ^ number * 0x100000001B3u, (uint64_t)offset << 32 | word);
    }
  }
}

// -- Directions -------------------------------------------------------------------------------------------------------

typedef struct weld_vector {
  double x, y, z;
} weld_vector;

static weld_vector weld_direction(const weld_stream *stream, uint32_t vertex) {
  const float *v = (const float *)stream->data + 3 * (size_t)vertex;
  return (weld_vector){v[0], v[1], v[2]};
}

static bool weld_is_unit(weld_vector v) {
  const double square = v.x * v.x + v.y * v.y + v.z * v.z;
  return square > 0.998 && square < 1.002;
}

static double weld_distance(weld_vector a, weld_vector b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return sqrt(x * x + y * y + z * z);
}

static bool weld_elements_equal(const weld_stream *stream, uint32_t a, uint32_t b) {
  const uint8_t *data = stream->data;
  const size_t bytes = stream->element_bytes;
  for (size_t offset = 0; offset < bytes; offset += 4)
    if (weld_word(data + a * bytes + offset, stream->compare) != weld_word(data + b * bytes + offset, stream->compare))
      return false;
  return true;
}

static bool weld_agree(const weld_stream *stream, uint32_t a, uint32_t b) {
  if (weld_elements_equal(stream, a, b)) return true;
  if (stream->compare != WELD_DIRECTION) return false;
  const weld_vector va = weld_direction(stream, a), vb = weld_direction(stream, b);
  return weld_is_unit(va) && weld_is_unit(vb) &&
         weld_distance(va, vb) <= WELD_ANGLE_RAD * 0.998; // room for their lengths
}

/// The key of a cell of directions, neighbour by neighbour; vectors that are not of unit length stand by their bits.
static uint64_t weld_cell_key(uint64_t hash, weld_vector v, int neighbour) {
  const int64_t x = (int64_t)floor(v.x / WELD_CELL) + neighbour % 3 - 1;
  const int64_t y = (int64_t)floor(v.y / WELD_CELL) + neighbour / 3 % 3 - 1;
  const int64_t z = (int64_t)floor(v.z / WELD_CELL) + neighbour / 9 - 1;
  return weld_mix(weld_mix(weld_mix(hash, (uint64_t)x), (uint64_t)y), (uint64_t)z);
}

// -- Table ------------------------------------------------------------------------------------------------------------

/// Open addressing; with directions several leaders may have one key, they stand in one probe sequence.
typedef struct weld_table {
  uint64_t mask;
  uint32_t *leaders; ///< WELD_EMPTY: free
  uint64_t *keys;
} weld_table;

static weld_table weld_table_make(cook_job *job, uint32_t vertex_count) {
  uint64_t slots = 16;
  while (slots < (uint64_t)vertex_count * 2) slots *= 2;
  weld_table table = {slots - 1, JOB_ARRAY(job, uint32_t, slots), JOB_ARRAY(job, uint64_t, slots)};
  memset(table.leaders, 0xFF, slots * sizeof *table.leaders);
  return table;
}

static void weld_table_add(weld_table *table, uint64_t key, uint32_t leader) {
  uint64_t slot = key & table->mask;
  while (table->leaders[slot] != WELD_EMPTY) slot = (slot + 1) & table->mask;
  table->leaders[slot] = leader;
  table->keys[slot] = key;
}

/// The lowest leader with this key that agrees with vertex in stream (NULL: any), or WELD_EMPTY.
static uint32_t weld_table_find(const weld_table *table, uint64_t key, const weld_stream *stream, uint32_t vertex) {
  uint32_t lowest = WELD_EMPTY;
  for (uint64_t slot = key & table->mask; table->leaders[slot] != WELD_EMPTY; slot = (slot + 1) & table->mask) {
    const uint32_t leader = table->leaders[slot];
    if (table->keys[slot] == key && leader < lowest && (stream == NULL || weld_agree(stream, vertex, leader)))
      lowest = leader;
  }
  return lowest;
}

// -- Grouping ---------------------------------------------------------------------------------------------------------

static void weld_lead_by_hash(weld_table *table, const uint64_t *hashes, uint32_t vertex_count, uint32_t *lowest) {
  for (uint32_t v = 0; v < vertex_count; v++) {
    lowest[v] = weld_table_find(table, hashes[v], NULL, v);
    if (lowest[v] != WELD_EMPTY) continue;
    weld_table_add(table, hashes[v], v);
    lowest[v] = v;
  }
}

#define WELD_NEIGHBOURS 27
#define WELD_OWN_CELL   13

static uint32_t weld_find_direction(const weld_table *table, uint64_t hash, const weld_stream *stream,
                                    uint32_t vertex) {
  const weld_vector direction = weld_direction(stream, vertex);
  uint32_t lowest = WELD_EMPTY;
  for (int n = 0; n < WELD_NEIGHBOURS; n++) {
    const uint32_t leader = weld_table_find(table, weld_cell_key(hash, direction, n), stream, vertex);
    if (leader < lowest) lowest = leader;
  }
  return lowest;
}

static void weld_lead_by_direction(weld_table *table, const uint64_t *hashes, const weld_stream *stream,
                                   uint32_t vertex_count, uint32_t *lowest) {
  for (uint32_t v = 0; v < vertex_count; v++) {
    const weld_vector direction = weld_direction(stream, v);
    uint64_t key = hashes[v];
    if (weld_is_unit(direction)) {
      lowest[v] = weld_find_direction(table, hashes[v], stream, v);
      key = weld_cell_key(hashes[v], direction, WELD_OWN_CELL);
    } else {
      weld_hash_stream(&(weld_stream){(const float *)stream->data + 3 * (size_t)v, 12, WELD_FLOATS}, 0, 1, &key);
      lowest[v] = weld_table_find(table, key, NULL, v);
    }
    if (lowest[v] != WELD_EMPTY) continue;
    weld_table_add(table, key, v);
    lowest[v] = v;
  }
}

static void weld_verify(const weld_stream *streams, uint32_t stream_count, uint32_t vertex_count, uint32_t *lowest) {
  for (uint32_t s = 0; s < stream_count; s++)
    for (uint32_t v = 0; v < vertex_count; v++)
      if (lowest[v] != v && !weld_agree(&streams[s], v, lowest[v])) lowest[v] = v;
}

static double weld_largest_change(const weld_stream *stream, uint32_t vertex_count, const uint32_t *lowest) {
  double largest = 0;
  for (uint32_t v = 0; v < vertex_count; v++) {
    if (lowest[v] == v) continue;
    const double change = weld_distance(weld_direction(stream, v), weld_direction(stream, lowest[v]));
    if (change > largest) largest = change;
  }
  return largest;
}

void weld_group(cook_job *job, const weld_stream *streams, uint32_t stream_count, uint32_t vertex_count,
                uint32_t *lowest_of_vertex, double *largest_change) {
  const cook_mark mark = job_mark(job);
  uint64_t *hashes = JOB_ARRAY(job, uint64_t, vertex_count);
  const weld_stream *direction = NULL;
  for (uint32_t s = 0; s < stream_count; s++) {
    if (streams[s].compare == WELD_DIRECTION)
      direction = &streams[s];
    else
      weld_hash_stream(&streams[s], s, vertex_count, hashes);
  }
  weld_table table = weld_table_make(job, vertex_count);
  if (direction != NULL)
    weld_lead_by_direction(&table, hashes, direction, vertex_count, lowest_of_vertex);
  else
    weld_lead_by_hash(&table, hashes, vertex_count, lowest_of_vertex);
  weld_verify(streams, stream_count, vertex_count, lowest_of_vertex);
  if (largest_change != NULL)
    *largest_change = direction == NULL ? 0 : weld_largest_change(direction, vertex_count, lowest_of_vertex);
  job_release(job, mark);
}
