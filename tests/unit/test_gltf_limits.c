// Limits of the glTF reader at one below, at and one above what a file has, and small files that ask for much memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_gltf_case.h"

/// A limit of the job, what the character has of it, and the issue above it.
typedef struct limit_case {
  const char *what;
  size_t offset; ///< of the member in cook_limits
  bool is_u64;
  uint64_t amount;
  mpak_issue_id id;
} limit_case;

/// The character's dense data: POSITION, NORMAL 48 each, TANGENT 64, TEXCOORD 32, COLOR 16, JOINTS as u16 32, WEIGHTS
/// 64, indices as u32 24, three delta streams 48 each, inverse binds 128, times twice 12, rotations 48, weight keys 24.
#define LIMIT_DENSE (48 + 48 + 64 + 32 + 16 + 32 + 64 + 24 + 3 * 48 + 128 + 2 * 12 + 48 + 24)

static const limit_case limit_cases[] = {
    {"json depth", offsetof(cook_limits, json_depth), false, 7, MPAK_F012}, // {meshes[{primitives[{targets[{
    {"nodes", offsetof(cook_limits, nodes), false, 4, MPAK_G041},
    {"depth", offsetof(cook_limits, depth), false, 3, MPAK_G040},
    {"targets", offsetof(cook_limits, targets), false, 2, MPAK_G041},
    {"joints", offsetof(cook_limits, joints), false, 2, MPAK_G041},
    {"clips", offsetof(cook_limits, clips), false, 2, MPAK_G041},
    {"name", offsetof(cook_limits, name_bytes), false, 5, MPAK_G042},
    {"vertices", offsetof(cook_limits, vertices), true, 4, MPAK_G063},
    {"dense bytes", offsetof(cook_limits, dense_bytes), true, LIMIT_DENSE, MPAK_G062},
};

static void limits_check(const limit_case *checked, int step) {
  cook_limits limits = {0};
  const uint64_t limit = checked->amount + (uint64_t)(int64_t)step;
  if (checked->is_u64)
    memcpy((uint8_t *)&limits + checked->offset, &limit, sizeof limit);
  else
    memcpy((uint8_t *)&limits + checked->offset, &(uint32_t){(uint32_t)limit}, sizeof(uint32_t));
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_character(gltf);
  if (checked->id == MPAK_G041) mt_gltf_add(gltf, "animations", "{'channels':[],'samplers':[]}"); // a second clip
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_gltf_to_glb(gltf, &byte_count);
  mt_gltf_free(gltf);
  cook_job *job = job_begin(NULL, &limits);
  const cook_scene *scene = mt_gltf_import(job, "limits.glb", bytes, byte_count);
  free(bytes);
  if ((scene != NULL) != (step >= 0)) fail_msg("%s, limit %llu", checked->what, (unsigned long long)limit);
  if (step < 0) assert_int_equal(job_issue_at(job, 0)->id, checked->id);
  assert_int_equal(job_exit_code(job), step < 0 ? 6 : 0);
  job_end(job);
}

static void test_gltf_limits_hold_below_at_and_above(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof limit_cases / sizeof limit_cases[0]; i++)
    for (int step = -1; step <= 1; step++) limits_check(&limit_cases[i], step);
}

// -- Much from little ------------------------------------------------------------------------------------------------

/// JSON text of a file of less than 1 kB, and the issue that must come before any memory is taken.
typedef struct greedy_case {
  const char *accessor; ///< what POSITION names
  const char *view;
  mpak_issue_id id;
  int exit_code;
} greedy_case;

static const greedy_case greedy_cases[] = {
    // zeros without a view
    {"{'componentType':5126,'count':4294967294,'type':'VEC3'}", "{'buffer':0,'byteLength':8}", MPAK_G063, 6},
    // one sparse element
    {"{'componentType':5126,'count':2000000000,'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':0,"
     "'componentType':5121},'values':{'bufferView':0}}}",
     "{'buffer':0,'byteLength':16}", MPAK_G063, 6},
    // the same, within the limit of vertices
    {"{'componentType':5126,'count':200000000,'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':0,"
     "'componentType':5121},'values':{'bufferView':0}}}",
     "{'buffer':0,'byteLength':16}", MPAK_G062, 6},
    // a view that lies about its length
    {"{'bufferView':0,'componentType':5126,'count':4294967294,'type':'VEC3'}",
     "{'buffer':0,'byteLength':9007199254740992}", MPAK_G005, 1},
    // a stride that makes one product of 64 bits
    {"{'bufferView':0,'componentType':5126,'count':4294967294,'type':'VEC3'}",
     "{'buffer':0,'byteLength':16,'byteStride':2147483648}", MPAK_G006, 1},
    // a compressed view that says it decodes to a terabyte
    {"{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}",
     "{'buffer':0,'byteLength':1030792151040,'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteLength':16,"
     "'byteStride':12,'count':85899345920,'mode':'ATTRIBUTES'}}}",
     MPAK_F030, 1},
};

static void limits_check_greedy(const greedy_case *greedy) {
  mt_gltf *gltf = mt_gltf_new();
  mt_gltf_view(gltf, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "");
  mt_gltf_patch(gltf, "{'buffer':0,'byteOffset':0,'byteLength':16}", greedy->view);
  mt_gltf_add(gltf, "accessors", "%s", greedy->accessor);
  mt_gltf_add(gltf, "meshes", "{'primitives':[{'attributes':{'POSITION':0}}]}");
  uint64_t byte_count = 0;
  uint8_t *bytes = mt_gltf_to_glb(gltf, &byte_count);
  mt_gltf_free(gltf);
  assert_true(byte_count < 1000);
  cook_job *job = job_begin(NULL, &(cook_limits){.dense_bytes = (uint64_t)1 << 30});
  assert_null(mt_gltf_import(job, "greedy.glb", bytes, byte_count));
  free(bytes);
  if (job_issue_at(job, 0)->id != greedy->id) fail_msg("%s: %s", greedy->accessor, job_issue_at(job, 0)->message);
  assert_int_equal(job_exit_code(job), greedy->exit_code);
  assert_true(job_bytes_peak(job) < 2000000);
  job_end(job);
}

static void test_gltf_limits_stop_greedy_files_early(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof greedy_cases / sizeof greedy_cases[0]; i++) limits_check_greedy(&greedy_cases[i]);
}

/// A chain of 30,000 nodes, and one ring of them: neither a recursion nor a walk without end.
static void test_gltf_limits_long_chains_and_rings(void **state) {
  (void)state;
  for (int is_ring = 0; is_ring < 2; is_ring++) {
    mt_gltf *gltf = mt_gltf_new();
    const int count = 30000;
    for (int i = 0; i + 1 < count; i++) mt_gltf_add(gltf, "nodes", "{'children':[%d]}", i + 1);
    mt_gltf_add(gltf, "nodes", is_ring ? "{'children':[0]}" : "{'name':'end'}");
    uint64_t byte_count = 0;
    uint8_t *bytes = mt_gltf_to_glb(gltf, &byte_count);
    mt_gltf_free(gltf);
    cook_job *job = job_begin(NULL, NULL);
    assert_null(mt_gltf_import(job, "chain.glb", bytes, byte_count));
    free(bytes);
    assert_int_equal(job_issue_count(job), 1);
    assert_int_equal(job_issue_at(job, 0)->id, is_ring ? MPAK_G038 : MPAK_G040);
    assert_true(strlen(job_issue_at(job, 0)->where.node) < 1000);
    job_end(job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gltf_limits_hold_below_at_and_above),
      cmocka_unit_test(test_gltf_limits_stop_greedy_files_early),
      cmocka_unit_test(test_gltf_limits_long_chains_and_rings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
