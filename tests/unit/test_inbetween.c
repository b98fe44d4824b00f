// In-between shapes: from full weights to rules. Expected weights are reckoned by hand from the rule as DCCs state it:
// a shape alone at its full weight, straight lines from one to the next, the first and last line without an end.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cooker/scene/inbetween.h"
#include "tests/support/mt_build.h"
#include "tests/support/mt_scene.h"

#define MOST_SHAPES 4

typedef struct inbetween_case {
  uint32_t shape_count;
  double full_weights[MOST_SHAPES];
  double control;               ///< weight of the control
  double expected[MOST_SHAPES]; ///< weights of the shapes
} inbetween_case;

static const inbetween_case cases[] = {
    // one in-between half way
    {2, {0.5, 1}, 0, {0, 0}},
    {2, {0.5, 1}, 0.25, {0.5, 0}},
    {2, {0.5, 1}, 0.5, {1, 0}},
    {2, {0.5, 1}, 0.75, {0.5, 0.5}},
    {2, {0.5, 1}, 1, {0, 1}},
    {2, {0.5, 1}, 1.5, {-1, 2}},
    {2, {0.5, 1}, -0.5, {-1, 0}},
    // the order of the shapes is the file's, whatever it is
    {2, {1, 0.5}, 0.75, {0.5, 0.5}},
    {2, {1, 0.5}, 1.5, {2, -1}},
    // four shapes: inner ones are on only between their neighbours
    {4, {0.25, 0.5, 0.75, 1}, 0.375, {0.5, 0.5, 0, 0}},
    {4, {0.25, 0.5, 0.75, 1}, 0.625, {0, 0.5, 0.5, 0}},
    {4, {0.25, 0.5, 0.75, 1}, 2, {0, 0, -4, 5}},
    {4, {0.25, 0.5, 0.75, 1}, -1, {-4, 0, 0, 0}},
    // past the usual end of the way
    {3, {0.5, 1, 2}, 1.5, {0, 0.5, 0.5}},
    {3, {0.5, 1, 2}, 3, {0, -1, 2}},
    // a shape for the way back: the origin is then between the two
    {2, {-1, 1}, 0.5, {0, 0.5}},
    {2, {-1, 1}, -0.5, {0.5, 0}},
    {2, {-1, 1}, -2, {2, 0}},
    {3, {-1, 0.5, 1}, 0.25, {0, 0.5, 0}},
    {3, {-1, 0.5, 1}, -3, {3, 0, 0}},
    {3, {-1, 0.5, 1}, 2, {0, -2, 3}},
    {2, {-1, -0.5}, 1, {0, -2}},
    // a single shape that is complete at half, at twice the way, and the plain one
    {1, {0.5}, 0.25, {0.5}},
    {1, {2}, -1, {-0.5}},
    {1, {1}, 0.75, {0.75}},
};

/// Any line of text books: find the segment, go along it.
static double weight_of_shape(const cook_shape_rule *rule, double x) {
  if (rule->point_count == 0) return x;
  uint32_t i = 0;
  while (i + 2 < rule->point_count && x > (double)rule->points[i + 1][0]) i++;
  const double x0 = rule->points[i][0], y0 = rule->points[i][1];
  const double x1 = rule->points[i + 1][0], y1 = rule->points[i + 1][1];
  return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

static void step_case(cook_job *job, void *user) {
  const inbetween_case *given = user;
  cook_shape_rule rules[MOST_SHAPES] = {{.name = "kept"}};
  scene_make_inbetweens(job, COOK_WHERE, 7, given->full_weights, given->shape_count, rules);
  assert_string_equal(rules[0].name, "kept");
  for (uint32_t s = 0; s < given->shape_count; s++) {
    assert_int_equal(rules[s].control, 7);
    assert_true(rules[s].point_count != 1 && rules[s].point_count <= 5);
    for (uint32_t p = 1; p < rules[s].point_count; p++) assert_true(rules[s].points[p - 1][0] < rules[s].points[p][0]);
    const double found = weight_of_shape(&rules[s], given->control);
    if (fabs(found - given->expected[s]) > 1e-12)
      fail_msg("control %g shape %u: %g, expected %g", given->control, s, found, given->expected[s]);
  }
}

static void test_inbetween_weights_by_hand(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    inbetween_case one = cases[i];
    mt_in_job(step_case, &one, 0);
  }
}

static void step_plain(cook_job *job, void *user) {
  (void)user;
  cook_shape_rule rule = {.point_count = 3};
  const double whole = 1, half = 0.5;
  scene_make_inbetweens(job, COOK_WHERE, 0, &whole, 1, &rule);
  assert_true(rule.point_count == 0 && rule.points == NULL); // the pack needs no rule, and the weight is exact
  scene_make_inbetweens(job, COOK_WHERE, 0, &half, 1, &rule);
  assert_int_equal(rule.point_count, 2);
  scene_make_inbetweens(job, COOK_WHERE, 0, NULL, 0, NULL);
}

static void test_inbetween_plain_shape_follows_its_control(void **state) {
  (void)state;
  mt_in_job(step_plain, NULL, 0);
}

static void step_refused(cook_job *job, void *user) {
  cook_shape_rule rules[3];
  cook_where where = COOK_WHERE;
  where.target = "Smile";
  scene_make_inbetweens(job, where, 0, user, 3, rules);
  fail_msg("not refused");
}

static void test_inbetween_impossible_full_weights_are_refused(void **state) {
  (void)state;
  static const double in_between_weights[][3] = {
      {0.5, 1, 0.5}, {0.5, 0, 1},     {0.5, -0.0, 1},        {0.5, 1, NAN},  {0.5, 1, INFINITY}, {-INFINITY, 1, 2},
      {1e300, 1, 2}, {0.5, 1, 1e-60}, {0.5, 0.5 + 1e-12, 1}, {1e-7, 0.5, 1}, {0.5, 1, -2e6}};
  for (size_t i = 0; i < sizeof in_between_weights / sizeof in_between_weights[0]; i++) {
    cook_job *job = mt_job(NULL);
    double given[3] = {in_between_weights[i][0], in_between_weights[i][1], in_between_weights[i][2]};
    assert_false(job_run(job, step_refused, given));
    assert_int_equal(mt_count_issues(job, "MPAK-I029"), 1);
    assert_string_equal(job_issue_at(job, 0)->where.target, "Smile");
    assert_int_equal(job_exit_code(job), 1);
    job_end(job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inbetween_weights_by_hand),
      cmocka_unit_test(test_inbetween_plain_shape_follows_its_control),
      cmocka_unit_test(test_inbetween_impossible_full_weights_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
