// Every issue that the glTF reader gives for files, JSON text, extensions and buffers, each by a file with one fault.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

// -- Ways to spoil a finished file ------------------------------------------------------------------------------------

static void spoil_cut_half(uint8_t **bytes, uint64_t *byte_count) {
  (void)bytes;
  *byte_count = 1500;
}

/// The JSON chunk, which is the first, claims more than the file has.
static void spoil_chunk_length(uint8_t **bytes, uint64_t *byte_count) {
  (void)byte_count;
  (*bytes)[15] = 0x7F;
}

static void spoil_chunk_kind(uint8_t **bytes, uint64_t *byte_count) {
  (void)byte_count;
  (*bytes)[16] = 'X';
}

static void spoil_append(uint8_t **bytes, uint64_t *byte_count) {
  *bytes = realloc(*bytes, *byte_count + 7);
  assert_non_null(*bytes);
  memset(*bytes + *byte_count, 'x', 7);
  *byte_count += 7;
}

static void spoil_byte_order_mark(uint8_t **bytes, uint64_t *byte_count) {
  uint8_t *marked = malloc(*byte_count + 3);
  assert_non_null(marked);
  memcpy(marked, "\xEF\xBB\xBF", 3);
  memcpy(marked + 3, *bytes, *byte_count);
  free(*bytes);
  *bytes = marked;
  *byte_count += 3;
}

// -- Ways to build a wrong one ----------------------------------------------------------------------------------------

static void build_required_unknown(mt_gltf *gltf) { mt_gltf_add(gltf, "extensionsRequired", "'ACME_bent_space'"); }
static void build_required_draco(mt_gltf *gltf) {
  mt_gltf_add(gltf, "extensionsRequired", "'KHR_draco_mesh_compression'");
}
static void build_required_khr_meshopt(mt_gltf *gltf) {
  mt_gltf_add(gltf, "extensionsRequired", "'KHR_meshopt_compression'");
}

/// A second buffer of a GLB has no chunk, and a used accessor needs it.
static void build_buffer_without_data(mt_gltf *gltf) {
  mt_gltf_add(gltf, "bufferViews", "{'buffer':1,'byteLength':48}");
  mt_gltf_patch(gltf, "}],'bufferViews'", "},{'byteLength':48}],'bufferViews'");
  mt_gltf_patch(gltf, "{'bufferView':0,", "{'bufferView':15,");
}

/// View 15 says that the plain positions are a compressed stream.
static void build_meshopt_garbage(mt_gltf *gltf) {
  mt_gltf_add(gltf, "bufferViews",
              "{'buffer':0,'byteLength':48,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
              "'byteLength':48,'byteStride':12,'count':4,'mode':'ATTRIBUTES'}}}");
}

static void build_meshopt_stride(mt_gltf *gltf) {
  mt_gltf_add(gltf, "bufferViews",
              "{'buffer':0,'byteLength':24,'extensions':{'EXT_meshopt_compression':{'buffer':0,"
              "'byteLength':48,'byteStride':6,'count':4,'mode':'ATTRIBUTES'}}}");
}

static const mt_gltf_case cases[] = {
    {.name = "json_syntax",
     .id = MPAK_F010,
     .line = "error: the JSON text cannot be read: line 1, column 38: string or '}' expected near ','",
     .patches = {{"'scene':0,", "'scene':0,,"}}},
    {.name = "json_not_utf8",
     .id = MPAK_F011,
     .line = "error: the JSON text is not UTF-8: line 1, column 1763: unable to decode byte 0xff near '\"R'",
     .patches = {{"'name':'Root'", "'name':'R\xFF"
                                   "'"}}},
    {.name = "json_too_deep",
     .id = MPAK_F012,
     .line = "error: the JSON text is nested more than 10 levels deep",
     .patches = {{"'asset':{'version':'2.0'}", "'asset':{'version':'2.0'},'extras':[[[[[[[[[[]]]]]]]]]]"}},
     .limits = {.json_depth = 10}},
    {.name = "json_name_twice",
     .id = MPAK_F013,
     .line = "warning: an object in the JSON has the same name twice, the last one counts: line 1, column 35: "
             "duplicate object key near '\"version\"'",
     .patches = {{"'asset':{'version':'2.0'}", "'asset':{'version':'2.0','version':'2.0'}"}}},
    {.name = "glb_cut_off",
     .id = MPAK_F014,
     .line = "error: the file is cut off: 1500 bytes, and 3428 bytes are announced",
     .spoil = spoil_cut_half},
    {.name = "glb_chunk_past_end",
     .id = MPAK_F015,
     .line = "error: a chunk of 2130709176 bytes does not fit into the 3408 bytes that are left of the file",
     .spoil = spoil_chunk_length},
    {.name = "gltf_version",
     .id = MPAK_F016,
     .line = "error: /asset/version: glTF version 1.0 is not supported, only 2.0 is",
     .patches = {{"'asset':{'version':'2.0'}", "'asset':{'version':'1.0'}"}}},
    {.name = "glb_bytes_behind",
     .id = MPAK_F017,
     .line = "warning: 7 bytes stand behind the end that the header announces; they are ignored",
     .spoil = spoil_append},
    {.name = "glb_no_json",
     .id = MPAK_F018,
     .line = "error: the GLB does not begin with a JSON chunk",
     .spoil = spoil_chunk_kind},
    {.name = "json_byte_order_mark",
     .id = MPAK_F019,
     .line = "info: the file begins with a byte order mark, which glTF does not allow; it is skipped",
     .form = MT_EMBEDDED,
     .spoil = spoil_byte_order_mark},
    {.name = "json_not_gltf",
     .id = MPAK_F020,
     .line = "error: /asset/version: this is JSON, but no glTF 2.0: asset.version is missing (nothing found)",
     .patches = {{"'asset':{'version':'2.0'}", "'asset':{}"}}},
    {.name = "extension_unknown",
     .id = MPAK_F021,
     .line = "error: /extensionsRequired/0: the file requires the extension ACME_bent_space, which this version does "
             "not know",
     .build = build_required_unknown},
    {.name = "extension_draco",
     .id = MPAK_F022,
     .line = "error: /extensionsRequired/0: the geometry is compressed with Draco (KHR_draco_mesh_compression), which "
             "the exact reader does not decode",
     .build = build_required_draco},
    {.name = "extension_khr_meshopt",
     .id = MPAK_F023,
     .line = "error: /extensionsRequired/0: the file needs the extension KHR_meshopt_compression, whose codec this "
             "version does not decode",
     .build = build_required_khr_meshopt},
    {.name = "buffer_short",
     .id = MPAK_F024,
     .line = "error: mesh \"Face\" primitive 0 /buffers/0: the buffer has 656 bytes, and 1656 bytes are announced",
     .patches = {{"'buffers':[{'byteLength':", "'buffers':[{'byteLength':1"}}},
    {.name = "data_uri_broken",
     .id = MPAK_F025,
     .line = "error: mesh \"Face\" primitive 0 /buffers/0/uri: the embedded data (data: URI) cannot be decoded: the "
             "base64 text is broken",
     .form = MT_EMBEDDED,
     .patches = {{";base64,", ";base64,!"}}},
    {.name = "uri_outside",
     .id = MPAK_F026,
     .line = "error: mesh \"Face\" primitive 0 /buffers/0/uri: the file name \"../other.bin\" leads out of the model's "
             "folder",
     .patches = {{"'buffers':[{", "'buffers':[{'uri':'../other.bin',"}}},
    {.name = "buffer_file_missing",
     .id = MPAK_F027,
     .line = "error: mesh \"Face\" primitive 0 /buffers/0/uri: the file not_there.bin that belongs to the model is not "
             "there",
     .patches = {{"'buffers':[{", "'buffers':[{'uri':'not_there.bin',"}}},
    {.name = "text_with_zero",
     .id = MPAK_F028,
     .line = "error: node \"node_1\" /nodes/1/name: the text \"Hips\" goes on behind a zero character",
     .patches = {{"'name':'Hips'", "'name':'Hips\\u0000x'"}}},
    {.name = "buffer_without_data",
     .id = MPAK_F029,
     .line = "error: mesh \"Face\" primitive 0 /buffers/1: the buffer has no data: no uri, and no binary chunk belongs "
             "to it",
     .build = build_buffer_without_data},
    {.name = "meshopt_broken",
     .id = MPAK_F030,
     .line = "error: mesh \"Face\" primitive 0 /bufferViews/15/extensions/EXT_meshopt_compression: the compressed data "
             "(ATTRIBUTES) cannot be decoded; expected: codec version 0",
     .patches = {{"{'bufferView':0,", "{'bufferView':15,"}},
     .build = build_meshopt_garbage},
    {.name = "meshopt_description",
     .id = MPAK_F031,
     .line = "error: /bufferViews/15/extensions/EXT_meshopt_compression: the description of the compressed data is "
             "wrong: byteStride 6, count 4, filter NONE; expected: a byteStride of 4, 8, … 256",
     .build = build_meshopt_stride},
};

/// F001 to F009 belong to reading files as such.
static bool is_gltf_file_issue(const char *code) { return code[5] == 'F' && atoi(code + 6) >= 10; }

#define CASE_COUNT (sizeof cases / sizeof cases[0])

static void test_gltf_file_faults_give_exactly_their_issue(void **state) {
  (void)state;
  for (size_t i = 0; i < CASE_COUNT; i++) mt_gltf_case_check(&cases[i]);
}

static void test_gltf_file_issues_all_have_a_case(void **state) {
  (void)state;
  mt_gltf_cases_cover(cases, CASE_COUNT, is_gltf_file_issue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_file_faults_give_exactly_their_issue),
      cmocka_unit_test(test_gltf_file_issues_all_have_a_case),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
