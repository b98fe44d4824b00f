#include "cooker/import/gltf_reader.h"

#include <math.h>

// Skins (glTF 2.0, section 3.7.3).

/// The last row of an inverse bind matrix must be 0 0 0 1; rounding noise of exporters is let pass.
#define SKIN_LAST_ROW_TOLERANCE 1e-5

static const gltf_use use_inverse_bind = {"inverseBindMatrices", 16, 16, GLTF_USE_F32, 0, 0};

static void skin_fill_identity(cook_skin *skin) {
  for (uint32_t j = 0; j < skin->joint_count; j++)
    for (int i = 0; i < 3; i++) skin->inverse_binds[j][5 * i] = 1;
}

/// Does the last row make the matrix something else than an affine one?
static bool skin_is_projective(const float columns[16]) {
  const double off = fabs(columns[3]) + fabs(columns[7]) + fabs(columns[11]) + fabs(columns[15] - 1.0);
  return !(off <= SKIN_LAST_ROW_TOLERANCE);
}

static void skin_read_inverse_binds(gltf_reader *reader, const cook_json *member, cook_skin *skin) {
  const gltf_accessor accessor = gltf_open_accessor(reader, member, &use_inverse_bind);
  if (accessor.count < skin->joint_count)
    gltf_fail(reader, MPAK_G050, member, job_format(reader->job, "%u", accessor.count),
              job_format(reader->job, "%u joints", skin->joint_count));
  const float *columns = gltf_read_floats(reader, &accessor);
  uint32_t projective_count = 0;
  for (uint32_t j = skin->joint_count; j-- > 0;) {
    const float *from = columns + (uint64_t)16 * j;
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) skin->inverse_binds[j][4 * row + column] = from[4 * column + row];
    if (!skin_is_projective(from)) continue;
    projective_count++;
    reader->here.index = j;
  }
  if (projective_count == 0) return;
  reader->here.element = "joint";
  reader->here.more = projective_count - 1;
  gltf_report(reader, MPAK_G051, member, NULL, NULL);
}

static void skin_read_joints(gltf_reader *reader, const cook_json *object, cook_skin *skin) {
  const cook_json joints = gltf_array(reader, object, "joints");
  const uint64_t count = json_count(&joints);
  if (count == 0) gltf_fail(reader, MPAK_G049, object, NULL, NULL);
  gltf_limit_count(reader, &joints, count, job_limits(reader->job)->joints, "joints");
  skin->joint_count = (uint32_t)count;
  skin->joints = JOB_ARRAY(reader->job, uint32_t, count);
  skin->inverse_binds = job_alloc(reader->job, count, sizeof *skin->inverse_binds);
  for (uint32_t j = 0; j < skin->joint_count; j++) {
    const cook_json element = json_element(&joints, j);
    skin->joints[j] = gltf_index(reader, &element, &reader->node_array);
  }
}

static void skin_read_one(gltf_reader *reader, uint32_t index) {
  const cook_json object = gltf_object_at(reader, &reader->skin_array, index);
  cook_skin *skin = &reader->scene->skins[index];
  skin->source_index = index;
  skin->name = gltf_name(reader, &object);
  reader->here.skin = skin->name != NULL ? skin->name : job_format(reader->job, "skin_%u", index);
  skin_read_joints(reader, &object, skin);
  const cook_json skeleton = json_member(&object, "skeleton"), matrices = json_member(&object, "inverseBindMatrices");
  gltf_index(reader, &skeleton, &reader->node_array); // only a hint, but it must not point to nowhere
  if (json_exists(&matrices))
    skin_read_inverse_binds(reader, &matrices, skin);
  else
    skin_fill_identity(skin);
}

void gltf_read_skins(gltf_reader *reader) {
  const uint64_t count = json_count(&reader->skin_array);
  gltf_limit_count(reader, &reader->skin_array, count, MPAK_NONE - 1, "skins");
  reader->scene->skin_count = (uint32_t)count;
  reader->scene->skins = JOB_ARRAY(reader->job, cook_skin, count);
  for (uint32_t i = 0; i < reader->scene->skin_count; i++) {
    skin_read_one(reader, i);
    gltf_leave(reader);
  }
}
