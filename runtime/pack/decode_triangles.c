// decode_triangles.c: the triangle codec back to indices (format/triangles.h, SPEC.md). It works on hostile bytes:
// reading past the stream gives zeros and is noted, all positions in its memory are taken modulo 16, and what it writes
// is one triangle for each code.
#include "format/triangles.h"
#include "runtime/pack/pack_internal.h"

typedef struct triangle_reader {
  const uint8_t *at, *end;
  bool is_past;        ///< more was read than there is
  bool is_long;        ///< a number had more than 32 bits
  uint32_t index_bits; ///< all indices, or'ed
} triangle_reader;

static uint32_t triangle_read_byte(triangle_reader *reader) {
  if (reader->at < reader->end) return *reader->at++;
  reader->is_past = true;
  return 0;
}

static uint32_t triangle_read_number(triangle_reader *reader) {
  uint32_t number = 0;
  for (uint32_t shift = 0; shift < 35; shift += 7) {
    const uint32_t byte = triangle_read_byte(reader);
    number |= (byte & 127) << shift;
    if (byte < 128) {
      reader->is_long |= shift == 28 && byte > 15;
      return number;
    }
  }
  reader->is_long = true;
  return number;
}

static uint32_t triangle_read_vertex(triangle_reader *reader, mpak_triangle_state *state) {
  const uint32_t coded = triangle_read_number(reader);
  state->last += (coded >> 1) ^ (0u - (coded & 1));
  return state->last;
}

/// The third corner of a triangle on a known edge.
static inline uint32_t triangle_read_third(triangle_reader *reader, mpak_triangle_state *state, uint32_t found) {
  uint32_t vertex;
  if (found == 0)
    vertex = state->next++;
  else if (found < 13)
    return mpak_triangle_vertex(state, found);
  else if (found < 15)
    vertex = state->last = state->last + (found == 13 ? UINT32_MAX : 1);
  else
    vertex = triangle_read_vertex(reader, state);
  mpak_triangle_push_vertex(state, vertex);
  return vertex;
}

/// b or c of a triangle that shares no known edge, but for those that are written.
static uint32_t triangle_find(mpak_triangle_state *state, uint32_t found) {
  return found == 0 ? state->next++ : mpak_triangle_vertex(state, found - 1);
}

static void triangle_read_free(triangle_reader *reader, mpak_triangle_state *state, uint32_t code, uint32_t t[3]) {
  const uint32_t pair = code < 0xFE ? mpak_triangle_pairs[code & 15] : triangle_read_byte(reader);
  const uint32_t b = pair >> 4, c = pair & 15;
  if (code < 0xFF) t[0] = state->next++;
  t[1] = triangle_find(state, b);
  t[2] = triangle_find(state, c);
  if (code == 0xFF) t[0] = triangle_read_vertex(reader, state);
  if (b == 15) t[1] = triangle_read_vertex(reader, state);
  if (c == 15) t[2] = triangle_read_vertex(reader, state);
  mpak_triangle_push_vertex(state, t[0]);
  if (b == 0 || b == 15) mpak_triangle_push_vertex(state, t[1]);
  if (c == 0 || c == 15) mpak_triangle_push_vertex(state, t[2]);
  mpak_triangle_push_edge(state, t[1], t[0]);
}

static inline void triangle_read(triangle_reader *reader, mpak_triangle_state *state, uint32_t code, uint32_t t[3]) {
  if (code < 0xF0) {
    const uint32_t *edge = mpak_triangle_edge(state, code >> 4);
    t[0] = edge[0];
    t[1] = edge[1];
    t[2] = triangle_read_third(reader, state, code & 15);
  } else {
    triangle_read_free(reader, state, code, t);
  }
  mpak_triangle_push_edge(state, t[2], t[1]);
  mpak_triangle_push_edge(state, t[0], t[2]);
  reader->index_bits |= t[0] | t[1] | t[2];
}

static inline void triangle_store(void *indices, uint32_t stride, uint32_t number, const uint32_t t[3]) {
  if (stride == 4) {
    memcpy((uint32_t *)indices + 3 * (size_t)number, t, 12);
    return;
  }
  uint16_t *to = (uint16_t *)indices + 3 * (size_t)number;
  for (int i = 0; i < 3; i++) to[i] = (uint16_t)t[i];
}

const char *pack_decode_triangles(void *indices, uint32_t stride, uint32_t triangle_count, const uint8_t *stream,
                                  uint32_t byte_count) {
  triangle_reader reader = {.at = stream, .end = stream + byte_count};
  mpak_triangle_state state = {.next = triangle_read_number(&reader)};
  const uint8_t *codes = reader.at;
  if ((size_t)(reader.end - codes) < triangle_count) return "INDX: its stream ends early";
  reader.at += triangle_count;
  for (uint32_t i = 0; i < triangle_count; i++) {
    uint32_t triangle[3];
    triangle_read(&reader, &state, codes[i], triangle);
    triangle_store(indices, stride, i, triangle);
  }
  if (reader.is_past) return "INDX: its stream ends early";
  if (reader.is_long) return "INDX: a number has more than 32 bits";
  if (reader.at != reader.end) return "INDX: bytes behind the last triangle";
  if (stride == 2 && reader.index_bits > 0xFFFF) return "INDX: an index does not fit its width";
  return NULL;
}
