// FBX node transforms against matrices multiplied by hand: turns by quarters, where all numbers are whole.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cooker/import/fbx_transform.h"

#define LONGEST_FILE 4096

static const fbx_facts *read_model(cook_job *job, const char *template_properties, const char *properties) {
  static char file[LONGEST_FILE];
  const int length =
      snprintf(file, sizeof file,
               "; FBX 7\nFBXHeaderExtension: {\n FBXVersion: 7700\n}\nDefinitions: {\n ObjectType: \"Model\" {\n"
               "  PropertyTemplate: \"FbxNode\" {\n   Properties70: {\n%s\n}\n}\n}\n}\n"
               "Objects: {\n Model: 7, \"Model::Bone\", \"LimbNode\" {\n  Properties70: {\n%s\n  }\n }\n}\n",
               template_properties, properties);
  assert_true(length > 0 && length < LONGEST_FILE);
  const fbx_facts *facts = fbx_facts_make(fbx_text_read(job, (const uint8_t *)file, (uint64_t)length));
  assert_int_equal(facts->object_count, 1);
  return facts;
}

static void check_affine(const affine *found, const double expected[3][4]) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      if (!(fabs(found->m[row][column] - expected[row][column]) < 1e-12))
        print_error("row %d column %d: %.17g, not %.17g\n", row, column, found->m[row][column], expected[row][column]);
      assert_true(fabs(found->m[row][column] - expected[row][column]) < 1e-12);
    }
}

#define P(name, x, y, z) "P: \"" name "\", \"Vector3D\", \"Vector\", \"\"," #x "," #y "," #z "\n"
#define E(name, value)   "P: \"" name "\", \"enum\", \"\", \"\"," #value "\n"

typedef struct transform_case {
  const char *template_properties, *properties;
  double expected[3][4];
} transform_case;

static const transform_case cases[] = {
    {"", "", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    {"", P("Lcl Translation", 1, 2, 3), {{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}},
    // the template says what the object does not
    {P("Lcl Scaling", 2, 3, 4), P("Lcl Translation", 1, 2, 3), {{2, 0, 0, 1}, {0, 3, 0, 2}, {0, 0, 4, 3}}},
    {P("Lcl Scaling", 2, 3, 4), P("Lcl Scaling", 5, 6, 7), {{5, 0, 0, 0}, {0, 6, 0, 0}, {0, 0, 7, 0}}},
    // 90 degrees about x, then 90 about z: x goes to y; y to z and stays; z to -y, then to x
    {"", P("Lcl Rotation", 90, 0, 90), {{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
    // z first, then x: x to y to z; y to -x; z to -y
    {"", P("Lcl Rotation", 90, 0, 90) E("RotationOrder", 5), {{0, -1, 0, 0}, {0, 0, -1, 0}, {1, 0, 0, 0}}},
    // all three, XYZ: x, x, -z, -z; y, z, x, y; z, -y, -y, x
    {"", P("Lcl Rotation", 90, 90, 90), {{0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}},
    // XZY: x, x, y, y; y, z, z, x; z, -y, x, -z
    {"", P("Lcl Rotation", 90, 90, 90) E("RotationOrder", 1), {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, -1, 0}}},
    // YZX: x, -z, -z, y; y, y, -x, -x; z, x, y, z
    {"", P("Lcl Rotation", 90, 90, 90) E("RotationOrder", 2), {{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
    // YXZ: x, -z, y, -x; y, y, z, z; z, x, x, y
    {"", P("Lcl Rotation", 90, 90, 90) E("RotationOrder", 3), {{-1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}}},
    // ZXY: x, y, z, x; y, -x, -x, z; z, z, -y, -y
    {"", P("Lcl Rotation", 90, 90, 90) E("RotationOrder", 4), {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}},
    // ZYX: x, y, y, z; y, -x, z, -y; z, z, x, x
    {"", P("Lcl Rotation", 90, 90, 90) E("RotationOrder", 5), {{0, 0, 1, 0}, {0, -1, 0, 0}, {1, 0, 0, 0}}},
    // the pre-rotation comes behind the rotation, in its own order, and moves no translation
    {"",
     P("Lcl Rotation", 0, 0, 90) P("PreRotation", 90, 0, 0) P("Lcl Translation", 1, 2, 3) E("RotationOrder", 5),
     {{0, -1, 0, 1}, {0, 0, -1, 2}, {1, 0, 0, 3}}},
    // the post-rotation is undone before it
    {"", P("Lcl Rotation", 0, 0, 90) P("PostRotation", 0, 0, 90), {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    {"", P("Lcl Rotation", 90, 0, 0) P("PostRotation", 0, 0, -90), {{0, -1, 0, 0}, {0, 0, -1, 0}, {1, 0, 0, 0}}},
    // a quarter about z around (1, 0, 0): the origin goes to (1, -1, 0)
    {"", P("Lcl Rotation", 0, 0, 90) P("RotationPivot", 1, 0, 0), {{0, -1, 0, 1}, {1, 0, 0, -1}, {0, 0, 1, 0}}},
    {"",
     P("Lcl Rotation", 0, 0, 90) P("RotationPivot", 1, 0, 0) P("RotationOffset", 0, 0, 5),
     {{0, -1, 0, 1}, {1, 0, 0, -1}, {0, 0, 1, 5}}},
    // twice as large around (1, 1, 1), then moved by (0, 0, 2)
    {"",
     P("Lcl Scaling", 2, 2, 2) P("ScalingPivot", 1, 1, 1) P("ScalingOffset", 0, 0, 2),
     {{2, 0, 0, -1}, {0, 2, 0, -1}, {0, 0, 2, 1}}},
    // both: scaled to (-1, -1, -1) + 2 v, then a quarter about z around (1, 0, 0)
    {"",
     P("Lcl Scaling", 2, 2, 2) P("ScalingPivot", 1, 1, 1) P("Lcl Rotation", 0, 0, 90) P("RotationPivot", 1, 0, 0),
     {{0, -2, 0, 2}, {2, 0, 0, -2}, {0, 0, 2, -1}}},
};

static void test_fbx_transform_is_the_product_of_its_parts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cook_job *job = job_begin(NULL, NULL);
    const fbx_transform transform =
        fbx_transform_read(read_model(job, cases[i].template_properties, cases[i].properties), 0);
    const affine local = fbx_transform_local(&transform, NULL);
    check_affine(&local, cases[i].expected);
    job_end(job);
  }
}

static void test_fbx_transform_takes_back_the_parents_scale(void **state) {
  (void)state;
  const double parent_scale[3] = {2, 4, 5};
  const char *properties = P("Lcl Translation", 1, 2, 3) P("Lcl Rotation", 0, 0, 90) P("Lcl Scaling", 1, 3, 1);
  // the turned and scaled axes, divided by the parent's scale; the translation as it is
  const double compensated[3][4] = {{0, -1.5, 0, 1}, {0.25, 0, 0, 2}, {0, 0, 0.2, 3}};
  const double scaled_first[3][4] = {{0, -6, 0, 1}, {0.5, 0, 0, 2}, {0, 0, 1, 3}}; // and what comes from above kept
  const double plain[3][4] = {{0, -3, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}};
  for (int inherit = 0; inherit < 3; inherit++) {
    cook_job *job = job_begin(NULL, NULL);
    fbx_transform transform = fbx_transform_read(read_model(job, E("InheritType", 2), properties), 0);
    assert_int_equal(transform.inherit, FBX_INHERIT_RRS);
    transform.inherit = (fbx_inherit)inherit;
    const affine local = fbx_transform_local(&transform, parent_scale);
    check_affine(&local, inherit == FBX_INHERIT_RRS ? compensated : inherit == FBX_INHERIT_RRSS ? scaled_first : plain);
    job_end(job);
  }
}

static void test_fbx_transform_geometric(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  const fbx_facts *facts = read_model(
      job, "", P("GeometricTranslation", 1, 2, 3) P("GeometricRotation", 0, 0, 90) P("GeometricScaling", 2, 1, 1));
  const affine geometric = fbx_geometric_transform(facts, 0);
  const double expected[3][4] = {{0, -1, 0, 1}, {2, 0, 0, 2}, {0, 0, 1, 3}};
  check_affine(&geometric, expected);
  const fbx_transform transform = fbx_transform_read(facts, 0);
  const affine local = fbx_transform_local(&transform, NULL);
  assert_true(affine_is_identity(&local));
  job_end(job);
}

static void test_fbx_transform_odd_values(void **state) {
  (void)state;
  cook_job *job = job_begin(NULL, NULL);
  const fbx_transform transform = fbx_transform_read(
      read_model(job, "", E("RotationOrder", 6) E("InheritType", 9) "P: \"Lcl Scaling\", \"Vector\", \"\", \"\",2\n"),
      0);
  assert_int_equal(transform.rotation_order, 0);
  assert_int_equal(transform.inherit, FBX_INHERIT_RRSS);
  for (int i = 0; i < 3; i++) assert_true(transform.parts[FBX_SCALING][i] == 1); // one number is no vector
  const fbx_transform plain = fbx_transform_read(read_model(job, "", E("InheritType", 1)), 0);
  assert_int_equal(plain.inherit, FBX_INHERIT_RSRS);
  job_end(job);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fbx_transform_is_the_product_of_its_parts),
      cmocka_unit_test(test_fbx_transform_takes_back_the_parents_scale),
      cmocka_unit_test(test_fbx_transform_geometric),
      cmocka_unit_test(test_fbx_transform_odd_values),
  };
  return cmocka_run_group_tests_name("fbx_transform", tests, NULL, NULL);
}
