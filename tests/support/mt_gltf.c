#include "tests/support/mt_gltf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLTF_ARRAYS_MOST  16
#define GLTF_PATCHES_MOST 16

/// Bytes that grow.
typedef struct gltf_bytes {
  uint8_t *bytes;
  size_t count, capacity;
} gltf_bytes;

typedef struct gltf_list {
  const char *name;
  gltf_bytes text;
  uint32_t count;
} gltf_list;

struct mt_gltf {
  gltf_list lists[GLTF_ARRAYS_MOST];
  int list_count;
  gltf_bytes members;
  gltf_bytes buffer;
  uint32_t view_offsets[256];
  uint32_t view_count;
  const char *patches[GLTF_PATCHES_MOST][2];
  int patch_count;
};

_Noreturn static void gltf_mistake(const char *what, const char *detail) {
  fprintf(stderr, "mt_gltf: %s: %s\n", what, detail);
  abort();
}

static void bytes_put(gltf_bytes *to, const void *bytes, size_t count) {
  while (to->count + count + 1 > to->capacity) {
    to->capacity = to->capacity == 0 ? 1024 : to->capacity * 2;
    to->bytes = realloc(to->bytes, to->capacity);
    if (to->bytes == NULL) gltf_mistake("out of memory", "");
  }
  if (count != 0) memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
  to->bytes[to->count] = 0;
}

/// A text in which ' stands for ".
static void bytes_put_text(gltf_bytes *to, const char *text) {
  const size_t begin = to->count;
  bytes_put(to, text, strlen(text));
  for (size_t i = begin; i < to->count; i++)
    if (to->bytes[i] == '\'') to->bytes[i] = '"';
}

mt_gltf *mt_gltf_new(void) {
  mt_gltf *gltf = calloc(1, sizeof *gltf);
  if (gltf == NULL) gltf_mistake("out of memory", "");
  bytes_put_text(&gltf->members, "{'asset':{'version':'2.0'}");
  return gltf;
}

void mt_gltf_free(mt_gltf *gltf) {
  for (int i = 0; i < gltf->list_count; i++) free(gltf->lists[i].text.bytes);
  free(gltf->members.bytes);
  free(gltf->buffer.bytes);
  free(gltf);
}

// -- Building --------------------------------------------------------------------------------------------------------

static gltf_list *gltf_list_of(mt_gltf *gltf, const char *name) {
  for (int i = 0; i < gltf->list_count; i++)
    if (strcmp(gltf->lists[i].name, name) == 0) return &gltf->lists[i];
  if (gltf->list_count == GLTF_ARRAYS_MOST) gltf_mistake("too many arrays", name);
  gltf->lists[gltf->list_count].name = name;
  return &gltf->lists[gltf->list_count++];
}

uint32_t mt_gltf_add(mt_gltf *gltf, const char *array, const char *format, ...) {
  gltf_list *list = gltf_list_of(gltf, array);
  if (list->count != 0) bytes_put_text(&list->text, ",");
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = malloc((size_t)length + 1);
  if (text == NULL) gltf_mistake("out of memory", format);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  bytes_put_text(&list->text, text);
  free(text);
  return list->count++;
}

void mt_gltf_member(mt_gltf *gltf, const char *text) {
  bytes_put_text(&gltf->members, ",");
  bytes_put_text(&gltf->members, text);
}

uint32_t mt_gltf_view(mt_gltf *gltf, const void *bytes, uint32_t byte_count, const char *more) {
  while (gltf->buffer.count % 4 != 0) bytes_put(&gltf->buffer, "", 1);
  if (gltf->view_count == 256) gltf_mistake("too many views", more);
  gltf->view_offsets[gltf->view_count++] = (uint32_t)gltf->buffer.count;
  mt_gltf_add(gltf, "bufferViews", "{'buffer':0,'byteOffset':%zu,'byteLength':%u%s}", gltf->buffer.count, byte_count,
              more);
  bytes_put(&gltf->buffer, bytes, byte_count);
  return gltf->view_count - 1;
}

uint32_t mt_gltf_accessor(mt_gltf *gltf, const void *bytes, uint32_t byte_count, int component, const char *type,
                          uint32_t count, const char *more) {
  const uint32_t view = mt_gltf_view(gltf, bytes, byte_count, "");
  return mt_gltf_add(gltf, "accessors", "{'bufferView':%u,'componentType':%d,'count':%u,'type':'%s'%s}", view,
                     component, count, type, more);
}

static uint32_t gltf_components(const char *type) {
  if (strcmp(type, "SCALAR") == 0) return 1;
  return type[0] == 'M' ? 16 : (uint32_t)(type[3] - '0');
}

uint32_t mt_gltf_floats(mt_gltf *gltf, const char *type, const float *values, uint32_t count) {
  return mt_gltf_accessor(gltf, values, count * gltf_components(type) * 4, 5126, type, count, "");
}

uint32_t mt_gltf_shorts(mt_gltf *gltf, const char *type, const uint16_t *values, uint32_t count) {
  return mt_gltf_accessor(gltf, values, count * gltf_components(type) * 2, 5123, type, count, "");
}

uint8_t *mt_gltf_view_bytes(mt_gltf *gltf, uint32_t view) { return gltf->buffer.bytes + gltf->view_offsets[view]; }

void mt_gltf_patch(mt_gltf *gltf, const char *from, const char *to) {
  if (gltf->patch_count == GLTF_PATCHES_MOST) gltf_mistake("too many patches", from);
  gltf->patches[gltf->patch_count][0] = from;
  gltf->patches[gltf->patch_count++][1] = to;
}

// -- The character ---------------------------------------------------------------------------------------------------

static void character_streams(mt_gltf *gltf) {
  static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0};
  static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  static const float tangents[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  static const float texcoords[] = {0, 1, 1, 1, 0, 0, 1, 0};
  static const uint8_t colours[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6};
  static const uint8_t joints[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
  static const float weights[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0};
  static const uint16_t indices[] = {0, 1, 2, 2, 1, 3};
  mt_gltf_floats(gltf, "VEC3", positions, 4);
  mt_gltf_floats(gltf, "VEC3", normals, 4);
  mt_gltf_floats(gltf, "VEC4", tangents, 4);
  mt_gltf_floats(gltf, "VEC2", texcoords, 4);
  mt_gltf_accessor(gltf, colours, sizeof colours, 5121, "VEC4", 4, ",'normalized':true");
  mt_gltf_accessor(gltf, joints, sizeof joints, 5121, "VEC4", 4, "");
  mt_gltf_floats(gltf, "VEC4", weights, 4);
  mt_gltf_shorts(gltf, "SCALAR", indices, 6);
}

static void character_movement(mt_gltf *gltf) {
  static const float smile[] = {0, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0, -0.25f};
  static const float smile_normals[] = {0, 0.5f, -0.25f, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const float blink[] = {0, 0, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0};
  static const float binds[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1};
  static const float times[] = {0.5f, 1, 2};
  static const float rotations[] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0, 0, 0, 1};
  static const float weights[] = {0, 0, 1, -0.5f, 0.5f, 2};
  mt_gltf_floats(gltf, "VEC3", smile, 4);
  mt_gltf_floats(gltf, "VEC3", smile_normals, 4);
  mt_gltf_floats(gltf, "VEC3", blink, 4);
  mt_gltf_floats(gltf, "MAT4", binds, 2);
  mt_gltf_floats(gltf, "SCALAR", times, 3);
  mt_gltf_floats(gltf, "VEC4", rotations, 3);
  mt_gltf_floats(gltf, "SCALAR", weights, 6);
}

void mt_gltf_character(mt_gltf *gltf) {
  character_streams(gltf);
  character_movement(gltf);
  mt_gltf_add(gltf, "nodes", "{'name':'Root','children':[1,3]}");
  mt_gltf_add(gltf, "nodes", "{'name':'Hips','children':[2],'translation':[0,1,0]}");
  mt_gltf_add(gltf, "nodes", "{'name':'Spine','translation':[0,1,0]}");
  mt_gltf_add(gltf, "nodes", "{'name':'Body','mesh':0,'skin':0}");
  mt_gltf_add(gltf, "meshes",
              "{'name':'Face','primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TANGENT':2,"
              "'TEXCOORD_0':3,'COLOR_0':4,'JOINTS_0':5,'WEIGHTS_0':6},'indices':7,'material':0,"
              "'targets':[{'POSITION':8,'NORMAL':9},{'POSITION':10}]}],'weights':[0.25,0],"
              "'extras':{'targetNames':['Smile','Blink']}}");
  mt_gltf_add(gltf, "skins", "{'name':'Rig','joints':[1,2],'inverseBindMatrices':11}");
  mt_gltf_add(gltf, "materials",
              "{'name':'Skin','doubleSided':true,'alphaMode':'MASK','pbrMetallicRoughness':"
              "{'baseColorFactor':[1,0.5,0.25,1],'baseColorTexture':{'index':0}}}");
  mt_gltf_add(gltf, "textures", "{'source':0}");
  mt_gltf_add(gltf, "images", "{'uri':'skin%%20a.png'}");
  mt_gltf_add(gltf, "animations",
              "{'name':'Idle','channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}},"
              "{'sampler':1,'target':{'node':3,'path':'weights'}}],"
              "'samplers':[{'input':12,'output':13},{'input':12,'output':14,'interpolation':'STEP'}]}");
  mt_gltf_add(gltf, "scenes", "{'nodes':[0]}");
  mt_gltf_member(gltf, "'scene':0");
}

// -- Writing ---------------------------------------------------------------------------------------------------------

static void gltf_apply_patch(gltf_bytes *json, const char *from, const char *to) {
  gltf_bytes wanted = {0}, patched = {0};
  bytes_put_text(&wanted, from);
  const char *text = (const char *)json->bytes, *at = strstr(text, (const char *)wanted.bytes);
  if (at == NULL) gltf_mistake("nothing to patch", from);
  if (strstr(at + 1, (const char *)wanted.bytes) != NULL) gltf_mistake("more than one place to patch", from);
  bytes_put(&patched, text, (size_t)(at - text));
  bytes_put_text(&patched, to);
  bytes_put_text(&patched, at + wanted.count);
  free(wanted.bytes);
  free(json->bytes);
  *json = patched;
}

/// The JSON text; uri is the buffer's, or NULL.
static gltf_bytes gltf_json(const mt_gltf *gltf, const char *uri) {
  gltf_bytes json = {0};
  bytes_put(&json, gltf->members.bytes, gltf->members.count);
  char number[64];
  snprintf(number, sizeof number, ",'buffers':[{'byteLength':%zu", gltf->buffer.count);
  if (gltf->buffer.count != 0) {
    bytes_put_text(&json, number);
    if (uri != NULL) bytes_put_text(&json, ",'uri':'");
    if (uri != NULL) bytes_put_text(&json, uri);
    bytes_put_text(&json, uri != NULL ? "'}]" : "}]");
  }
  for (int i = 0; i < gltf->list_count; i++) {
    bytes_put_text(&json, ",'");
    bytes_put_text(&json, gltf->lists[i].name);
    bytes_put_text(&json, "':[");
    bytes_put(&json, gltf->lists[i].text.bytes, gltf->lists[i].text.count);
    bytes_put_text(&json, "]");
  }
  bytes_put_text(&json, "}");
  for (int i = 0; i < gltf->patch_count; i++) gltf_apply_patch(&json, gltf->patches[i][0], gltf->patches[i][1]);
  return json;
}

static void gltf_put_u32(gltf_bytes *to, uint32_t value) {
  const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  bytes_put(to, bytes, 4);
}

uint8_t *mt_gltf_to_glb(const mt_gltf *gltf, uint64_t *byte_count) {
  gltf_bytes json = gltf_json(gltf, NULL), glb = {0};
  while (json.count % 4 != 0) bytes_put_text(&json, " ");
  const uint32_t bin_bytes = (uint32_t)(gltf->buffer.count + 3) & ~3u;
  gltf_put_u32(&glb, 0x46546C67);
  gltf_put_u32(&glb, 2);
  gltf_put_u32(&glb, 12 + 8 + (uint32_t)json.count + (bin_bytes != 0 ? 8 + bin_bytes : 0));
  gltf_put_u32(&glb, (uint32_t)json.count);
  gltf_put_u32(&glb, 0x4E4F534A);
  bytes_put(&glb, json.bytes, json.count);
  free(json.bytes);
  if (bin_bytes != 0) {
    gltf_put_u32(&glb, bin_bytes);
    gltf_put_u32(&glb, 0x004E4942);
    bytes_put(&glb, gltf->buffer.bytes, gltf->buffer.count);
    bytes_put(&glb, "\0\0\0", bin_bytes - gltf->buffer.count);
  }
  *byte_count = glb.count;
  return glb.bytes;
}

uint8_t *mt_gltf_to_text(const mt_gltf *gltf, const char *uri, uint64_t *byte_count) {
  const gltf_bytes json = gltf_json(gltf, uri);
  *byte_count = json.count;
  return json.bytes;
}

uint8_t *mt_gltf_to_embedded(const mt_gltf *gltf, uint64_t *byte_count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  gltf_bytes uri = {0};
  bytes_put_text(&uri, "data:application/octet-stream;base64,");
  for (size_t i = 0; i < gltf->buffer.count; i += 3) {
    const size_t left = gltf->buffer.count - i;
    const uint32_t bits = (uint32_t)gltf->buffer.bytes[i] << 16 |
                          (left > 1 ? (uint32_t)gltf->buffer.bytes[i + 1] << 8 : 0) |
                          (left > 2 ? gltf->buffer.bytes[i + 2] : 0u);
    const char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], left > 1 ? letters[bits >> 6 & 63] : '=',
                          left > 2 ? letters[bits & 63] : '='};
    bytes_put(&uri, four, 4);
  }
  uint8_t *text = mt_gltf_to_text(gltf, (const char *)uri.bytes, byte_count);
  free(uri.bytes);
  return text;
}

const uint8_t *mt_gltf_buffer(const mt_gltf *gltf, uint64_t *byte_count) {
  *byte_count = gltf->buffer.count;
  return gltf->buffer.bytes;
}
