// Animation layers of FBX files, added up; expected values are reckoned by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cooker/import/fbx_take.h"
#include "tests/support/mt_import.h"

#define LONGEST_FILE 8192
#define SECOND       FBX_TICKS_PER_SECOND

/// Two layers, each with one straight curve of one second for one property of a node.
typedef struct take_text {
  const char *property;
  const char *base_layer, *second_layer; ///< P lines of the layers
  const char *base_component, *second_component;
  const char *base_values, *second_values; ///< two each
  const char *more;                        ///< further connections
} take_text;

static const char curve_text[] =
    " AnimationCurve: %d, \"AnimCurve::\", \"\" {\n  KeyTime: *2 { a: 0,46186158000 }\n  KeyValueFloat: *2 { a: %s }\n"
    "  KeyAttrFlags: *1 { a: 4 }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0 }\n  KeyAttrRefCount: *1 { a: 2 }\n }\n";

static int add_curve(char *file, int length, int id, const char *values) {
  return length + snprintf(file + length, (size_t)(LONGEST_FILE - length), curve_text, id, values);
}

static fbx_take *read_take(cook_job *job, const take_text *text) {
  static char file[LONGEST_FILE];
  int length = snprintf(file, sizeof file,
                        "; FBX 7\nFBXHeaderExtension: {\n FBXVersion: 7700\n}\nObjects: {\n"
                        " Model: 1, \"Model::Bone\", \"LimbNode\" {\n }\n"
                        " AnimationStack: 2, \"AnimStack::Act\", \"\" {\n }\n"
                        " AnimationLayer: 3, \"AnimLayer::Base\", \"\" {\n  Properties70: {\n%s\n  }\n }\n"
                        " AnimationLayer: 4, \"AnimLayer::Over\", \"\" {\n  Properties70: {\n%s\n  }\n }\n"
                        " AnimationCurveNode: 5, \"AnimCurveNode::A\", \"\" {\n }\n AnimationCurveNode: 6, "
                        "\"AnimCurveNode::B\", \"\" {\n }\n"
                        " AnimationCurveNode: 7, \"AnimCurveNode::W\", \"\" {\n }\n",
                        text->base_layer, text->second_layer);
  length = add_curve(file, length, 8, text->base_values);
  length = add_curve(file, length, 9, text->second_values);
  length = add_curve(file, length, 10, "0,100");
  length += snprintf(file + length, (size_t)(LONGEST_FILE - length),
                     "}\nConnections: {\n C: \"OO\",3,2\n C: \"OO\",4,2\n C: \"OO\",5,3\n C: \"OO\",6,4\n"
                     " C: \"OP\",5,1,\"%s\"\n C: \"OP\",6,1,\"%s\"\n C: \"OP\",8,5,\"d|%s\"\n C: \"OP\",9,6,\"d|%s\"\n"
                     " C: \"OP\",10,7,\"d|Weight\"\n%s}\n",
                     text->property, text->property, text->base_component, text->second_component,
                     text->more == NULL ? "" : text->more);
  assert_true(length > 0 && length < LONGEST_FILE);
  const fbx_facts *facts = fbx_facts_make(fbx_text_read(job, (const uint8_t *)file, (uint64_t)length));
  assert_int_equal(facts->objects[1].kind, FBX_STACK);
  return fbx_take_read(facts, 1);
}

#define N(name, value) "P: \"" name "\", \"Number\", \"\", \"A\"," #value "\n"
#define MOVE           "Lcl Translation"
#define SCALE          "Lcl Scaling"
#define ANIMATED       " C: \"OP\",7,4,\"Weight\"\n"

typedef struct take_case {
  take_text text;
  double seconds;
  double expected; ///< of x; base: 1
} take_case;

static const take_case cases[] = {
    // additive, the default
    {{MOVE, "", "", "X", "X", "0,10", "0,4", NULL}, 1, 14},
    {{MOVE, "", N("Weight", 50), "X", "X", "0,10", "0,4", NULL}, 1, 12},
    {{MOVE, "", N("Weight", 50), "X", "X", "0,10", "0,4", NULL}, 0.5, 6},
    {{MOVE, "", "", "X", "X", "0,10", "0,4", ANIMATED}, 0.5, 6},         // the weight is half way up: 5 + 2 / 2
    {{MOVE, "", "", "X", "Y", "0,10", "0,4", NULL}, 1, 10},              // another component
    {{MOVE, N("Weight", 50), "", "X", "Y", "0,10", "0,4", NULL}, 1, 10}, // the first layer is whole whatever it says
    // override
    {{MOVE, "", N("BlendMode", 1), "X", "X", "0,10", "0,4", NULL}, 1, 4},
    {{MOVE, "", N("BlendMode", 2), "X", "X", "0,10", "0,4", NULL}, 1, 4},
    {{MOVE, "", N("BlendMode", 1) N("Weight", 25), "X", "X", "0,10", "0,4", NULL}, 1, 8.5},
    {{MOVE, "", N("BlendMode", 1), "X", "Y", "0,10", "0,4", NULL}, 1, 1}, // without a curve: as without animation
    {{MOVE, "", N("BlendMode", 1), "X", "X", "0,10", "0,4", ANIMATED}, 0.5, 3.5},             // half of 5, half of 2
    {{MOVE, "", N("BlendMode", 1) N("Weight", 50), "X", "X", "0,10", "0,4", ANIMATED}, 1, 4}, // the curve counts
    // layers that do not play
    {{MOVE, "", N("Mute", 1), "X", "X", "0,10", "0,4", NULL}, 1, 10},
    {{MOVE, "", N("Solo", 1), "X", "X", "0,10", "0,4", NULL}, 1, 4},
    {{MOVE, N("Mute", 1), "", "X", "X", "0,10", "0,4", NULL}, 1, 4},
    {{MOVE, N("Solo", 1), N("Solo", 1), "X", "X", "0,10", "0,4", NULL}, 1, 14},
    {{MOVE, N("Solo", 1), "", "X", "X", "0,10", "0,4", NULL}, 1, 10},
    {{MOVE, N("Solo", 1) N("Mute", 1), "", "X", "X", "0,10", "0,4", NULL}, 1, 1}, // nothing plays: at rest
    // scales are multiplied, or added where the layer says so
    {{SCALE, "", "", "X", "X", "0,10", "0,4", NULL}, 1, 40},
    {{SCALE, "", "", "X", "Y", "0,10", "0,4", NULL}, 1, 10},
    {{SCALE, "", N("ScaleAccumulationMode", 1), "X", "X", "0,10", "0,4", NULL}, 1, 14},
    {{SCALE, "", N("ScaleAccumulationMode", 1) N("Weight", 50), "X", "X", "0,10", "0,4", NULL}, 1, 12},
};

static void test_fbx_take_layers_add_up(void **state) {
  (void)state;
  const double base[3] = {1, 1, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cook_job *job = job_begin(NULL, NULL);
    const fbx_take *take = read_take(job, &cases[i].text);
    assert_string_equal(mt_codes(job, true), "");
    double value[3];
    fbx_take_vector(take, fbx_take_find(take, 0, cases[i].text.property), base, cases[i].seconds * SECOND, false,
                    value);
    if (!(fabs(value[0] - cases[i].expected) < 1e-12))
      print_error("case %zu: %g, not %g\n", i, value[0], cases[i].expected);
    assert_true(fabs(value[0] - cases[i].expected) < 1e-12);
    job_end(job);
  }
}

#define TURN "Lcl Rotation"

static void check_turn(const take_text *text, const double expected[3][3]) {
  cook_job *job = job_begin(NULL, NULL);
  const fbx_take *take = read_take(job, text);
  assert_string_equal(mt_codes(job, true), "");
  const fbx_transform rest = {.parts[FBX_SCALING] = {1, 1, 1}};
  const fbx_take_parts parts = fbx_take_find_parts(take, 0);
  const fbx_transform moved = fbx_take_transform(take, &parts, &rest, SECOND, false);
  const affine local = fbx_transform_local(&moved, NULL);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) assert_true(fabs(local.m[row][column] - expected[row][column]) < 1e-12);
  job_end(job);
}

static void test_fbx_take_rotations_by_turns_and_by_angles(void **state) {
  (void)state;
  // base: a quarter about z; layer: a quarter about x
  const take_text by_turns = {TURN, "", "", "Z", "X", "0,90", "0,90", NULL};
  const take_text by_angles = {TURN, "", N("RotationAccumulationMode", 1), "Z", "X", "0,90", "0,90", NULL};
  const take_text replaced = {TURN, "", N("BlendMode", 1), "Z", "X", "0,90", "0,90", NULL};
  // by turns, the layer's turn comes first: x, x, y; y, z, z; z, -y, x
  const double turns[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  // by angles (90, 0, 90): x first as well, since z alone and x alone keep their order XYZ
  const double angles[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  const double over[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
  check_turn(&by_turns, turns);
  check_turn(&by_angles, angles);
  check_turn(&replaced, over);
  // base about x, layer about z: by turns z, then x; by angles x, then z
  const take_text other_turns = {TURN, "", "", "X", "Z", "0,90", "0,90", NULL};
  const take_text other_angles = {TURN, "", N("RotationAccumulationMode", 1), "X", "Z", "0,90", "0,90", NULL};
  const double z_then_x[3][3] = {{0, -1, 0}, {0, 0, -1}, {1, 0, 0}}; // x, y, z; y, -x, -x; z, z, -y
  check_turn(&other_turns, z_then_x);
  check_turn(&other_angles, angles);
}

static void test_fbx_take_parts_of_turns_and_products_are_refused(void **state) {
  (void)state;
  static const take_text refused[] = {
      {TURN, "", N("Weight", 50), "X", "Z", "0,90", "0,90", NULL},
      {TURN, "", "", "X", "Z", "0,90", "0,90", ANIMATED},
      {TURN, "", N("BlendMode", 1) N("Weight", 50), "X", "Z", "0,90", "0,90", NULL},
      {SCALE, "", N("Weight", 50), "X", "X", "0,10", "0,4", NULL},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    cook_job *job = job_begin(NULL, NULL);
    read_take(job, &refused[i]);
    assert_string_equal(mt_codes(job, true), "I025");
    assert_non_null(strstr(mt_issue(job, MPAK_I025)->message, "Over"));
    job_end(job);
  }
  const take_text by_angles = {TURN,   "",  N("RotationAccumulationMode", 1) N("Weight", 50), "X", "X", "0,90",
                               "0,90", NULL};
  cook_job *job = job_begin(NULL, NULL);
  read_take(job, &by_angles);
  assert_string_equal(mt_codes(job, true), "");
  job_end(job);
}

static void read_damaged(cook_job *job, void *user) { read_take(job, user); }

static void test_fbx_take_damaged_curves_are_refused(void **state) {
  (void)state;
  take_text damaged = {MOVE, "", "", "X", "X", "0,10", "0", NULL};
  cook_job *job = job_begin(NULL, NULL);
  assert_false(job_run(job, read_damaged, &damaged));
  assert_string_equal(mt_codes(job, true), "I040");
  job_end(job);
}

static void test_fbx_take_finds_only_what_is_animated(void **state) {
  (void)state;
  const take_text text = {MOVE, "", "", "X", "X", "0,10", "0,4", NULL};
  cook_job *job = job_begin(NULL, NULL);
  const fbx_take *take = read_take(job, &text);
  assert_int_equal(take->property_count, 1);
  assert_non_null(fbx_take_find(take, 0, MOVE));
  assert_null(fbx_take_find(take, 0, TURN));
  assert_null(fbx_take_find(take, 1, MOVE));
  const double base[3] = {5, 6, 7};
  double value[3];
  fbx_take_vector(take, NULL, base, 0, false, value);
  assert_true(value[0] == 5 && value[1] == 6 && value[2] == 7);
  fbx_take_vector(take, fbx_take_find(take, 0, MOVE), base, 0, false, value);
  assert_true(value[0] == 0 && value[1] == 6 && value[2] == 7);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_take_layers_add_up),
      cmocka_unit_test(test_fbx_take_rotations_by_turns_and_by_angles),
      cmocka_unit_test(test_fbx_take_parts_of_turns_and_products_are_refused),
      cmocka_unit_test(test_fbx_take_damaged_curves_are_refused),
      cmocka_unit_test(test_fbx_take_finds_only_what_is_animated),
  };
  return cmocka_run_group_tests_name("fbx_take", tests, NULL, NULL);
}
