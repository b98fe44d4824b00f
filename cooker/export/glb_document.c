// glb_document.c: the JSON's arrays, and the container around JSON and bytes (glTF 2.0, sections 3.1 and 4).
#include <string.h>

#include "cooker/export/glb.h"
#include "cooker/report/version.h"
#include "format/bytes.h"

static const char *const glb_array_keys[GLB_ARRAY_COUNT] = {
    [GLB_NODES] = "nodes",           [GLB_MESHES] = "meshes",       [GLB_SKINS] = "skins",
    [GLB_ANIMATIONS] = "animations", [GLB_MATERIALS] = "materials", [GLB_TEXTURES] = "textures",
    [GLB_IMAGES] = "images",         [GLB_ACCESSORS] = "accessors", [GLB_VIEWS] = "bufferViews"};

void glb_begin(glb_file *glb, cook_job *job, const export_model *model) {
  *glb = (glb_file){.job = job, .model = model, .pack = model->pack};
  text_begin(&glb->bytes, job);
  for (int a = 0; a < GLB_ARRAY_COUNT; a++) {
    text_begin(&glb->tables[a].text, job);
    write_json_begin(&glb->tables[a].json, &glb->tables[a].text);
    write_json_array_inline(&glb->tables[a].json);
  }
  for (int c = 0; c < GLB_CHOICE_COUNT; c++) {
    glb->mesh_of[c] = JOB_ARRAY(job, uint32_t, glb->pack->mesh_count);
    for (uint32_t m = 0; m < glb->pack->mesh_count; m++) glb->mesh_of[c][m] = MPAK_NONE;
  }
}

json_out *glb_element(glb_file *glb, glb_array array) {
  glb->tables[array].count++;
  write_json_object(&glb->tables[array].json);
  return &glb->tables[array].json;
}

void glb_note(const glb_file *glb, const char *what, const char *instead, cook_where where) {
  where.value = what;
  where.limit = instead;
  job_issue(glb->job, MPAK_O014, where);
}

static void document_put_scene(glb_file *glb, json_out *json) {
  bool has_root = false;
  write_json_member_count(json, "scene", 0);
  write_json_key(json, "scenes");
  write_json_array(json);
  write_json_object(json);
  for (uint32_t n = 0; n < glb->node_count; n++) {
    if (glb->nodes[n].parent != MPAK_NONE || glb->nodes[n].is_level) continue;
    if (!has_root) {
      write_json_key(json, "nodes");
      write_json_array(json);
    }
    has_root = true;
    write_json_count(json, n);
  }
  if (has_root) write_json_close(json);
  write_json_close(json);
  write_json_close(json);
}

/// Everything but the arrays of the tables, without the closing brace.
static void document_put_head(glb_file *glb, text_out *text) {
  json_out json;
  write_json_begin(&json, text);
  write_json_object_inline(&json);
  write_json_key(&json, "asset");
  write_json_object(&json);
  write_json_member_string(&json, "version", "2.0");
  write_json_member_string(&json, "generator", "mpak " MPAK_VERSION);
  write_json_close(&json);
  if (glb->has_levels) {
    write_json_key(&json, "extensionsUsed");
    write_json_array(&json);
    write_json_string(&json, "MSFT_lod");
    write_json_close(&json);
  }
  document_put_scene(glb, &json);
  if (glb->bytes.used == 0) return;
  write_json_key(&json, "buffers");
  write_json_array(&json);
  write_json_object(&json);
  write_json_member_count(&json, "byteLength", glb->bytes.used);
  write_json_close(&json);
  write_json_close(&json);
}

static text_out document_make(glb_file *glb) {
  text_out text;
  text_begin(&text, glb->job);
  document_put_head(glb, &text);
  for (int a = 0; a < GLB_ARRAY_COUNT; a++) {
    if (glb->tables[a].count == 0) continue;
    write_json_close(&glb->tables[a].json);
    text_printf(&text, ", \"%s\": ", glb_array_keys[a]);
    text_put_bytes(&text, glb->tables[a].text.bytes, glb->tables[a].text.used);
  }
  text_put_char(&text, '}');
  while (text.used % 4 != 0) text_put_char(&text, ' ');
  return text;
}

static void document_put_words(text_out *file, const uint32_t *words, uint32_t count) {
  text_put_bytes(file, words, (uint64_t)count * sizeof *words);
}

export_file glb_finish(glb_file *glb) {
  while (glb->bytes.used % 4 != 0) text_put_char(&glb->bytes, 0);
  const text_out json = document_make(glb);
  const uint64_t bin_bytes = glb->bytes.used == 0 ? 0 : 8 + glb->bytes.used;
  const uint64_t byte_count = 12 + 8 + json.used + bin_bytes;
  if (byte_count > UINT32_MAX) job_fail(glb->job, MPAK_O010, COOK_WHERE); // a GLB says its length in 32 bits
  text_out file;
  text_begin(&file, glb->job);
  document_put_words(&file, (const uint32_t[]){MPAK_FOURCC('g', 'l', 'T', 'F'), 2, (uint32_t)byte_count}, 3);
  document_put_words(&file, (const uint32_t[]){(uint32_t)json.used, MPAK_FOURCC('J', 'S', 'O', 'N')}, 2);
  text_put_bytes(&file, json.bytes, json.used);
  if (bin_bytes != 0) {
    document_put_words(&file, (const uint32_t[]){(uint32_t)glb->bytes.used, MPAK_FOURCC('B', 'I', 'N', 0)}, 2);
    text_put_bytes(&file, glb->bytes.bytes, glb->bytes.used);
  }
  return (export_file){file.bytes, file.used};
}
