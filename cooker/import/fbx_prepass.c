// fbx_prepass.c: repairs, in an order in which each finds what those before it made.
#include "cooker/import/fbx_prepass.h"

#include <stdlib.h>
#include <string.h>

#include "cooker/import/fbx_clusters.h"
#include "cooker/import/fbx_editor.h"

static bool prepass_is_same_text(const fbx_value *left, const fbx_value *right) {
  return left->byte_count == right->byte_count && memcmp(left->bytes, right->bytes, left->byte_count) == 0;
}

// -- Shapes inside their mesh (7.1) -----------------------------------------------------------------------------------

/// What the mesh's own property of the shape's name says: its weight in percent.
static double embedded_percent(const fbx_records *records, uint32_t mesh, const fbx_value *name) {
  const uint32_t table = fbx_child(records, mesh, "Properties70", FBX_NONE);
  if (table == FBX_NONE) return 0.0;
  for (uint32_t p = fbx_child(records, table, "P", FBX_NONE); p != FBX_NONE; p = fbx_child(records, table, "P", p)) {
    const fbx_value property = fbx_value_at(records, p, 0), percent = fbx_value_at(records, p, 4);
    if (property.kind != FBX_VALUE_TEXT || !prepass_is_same_text(&property, name)) continue;
    return percent.kind == FBX_VALUE_INTEGER || percent.kind == FBX_VALUE_NUMBER ? percent.number : 0.0;
  }
  return 0.0;
}

/// Is this a link "OP" to the parent of this id, and to the property prefix + name?
static bool is_property_link(const fbx_records *records, uint32_t link, int64_t parent, const char *prefix,
                             const fbx_value *name) {
  const fbx_value child = fbx_value_at(records, link, 1), to = fbx_value_at(records, link, 2),
                  property = fbx_value_at(records, link, 3);
  const size_t prefix_bytes = strlen(prefix);
  return fbx_is_text(fbx_value_at(records, link, 0), "OP") && child.kind == FBX_VALUE_INTEGER &&
         to.kind == FBX_VALUE_INTEGER && to.integer == parent && property.kind == FBX_VALUE_TEXT &&
         property.byte_count == prefix_bytes + name->byte_count && memcmp(property.bytes, prefix, prefix_bytes) == 0 &&
         memcmp(property.bytes + prefix_bytes, name->bytes, name->byte_count) == 0;
}

static void set_link(fbx_editor *editor, uint32_t link, int64_t parent, const char *property) {
  fbx_value *values = fbx_edit_values(editor->records, link);
  values[2] = fbx_id(parent);
  values[3] = fbx_word(editor->job, property);
}

/// Curves of the mesh's property become curves of the channel's weight.
static void move_curves(fbx_editor *editor, int64_t mesh_id, int64_t channel_id, const fbx_value *name) {
  const fbx_records *records = editor->records;
  for (uint32_t c = fbx_child(records, editor->connections, "C", FBX_NONE); c != FBX_NONE;
       c = fbx_child(records, editor->connections, "C", c)) {
    if (!is_property_link(records, c, mesh_id, "", name)) continue;
    const int64_t curve_node = fbx_value_at(records, c, 1).integer;
    set_link(editor, c, channel_id, "DeformPercent");
    for (uint32_t d = fbx_child(records, editor->connections, "C", FBX_NONE); d != FBX_NONE;
         d = fbx_child(records, editor->connections, "C", d))
      if (is_property_link(records, d, curve_node, "d|", name)) set_link(editor, d, curve_node, "d|DeformPercent");
  }
}

/// One shape: a channel of the deformer, and a geometry of its own that takes over the shape's records.
static void lift_shape(fbx_editor *editor, uint32_t mesh, int64_t mesh_id, uint32_t shape, int64_t deformer_id) {
  int64_t channel_id, geometry_id;
  const fbx_value name = fbx_value_at(editor->records, shape, 0);
  const double percent = embedded_percent(editor->records, mesh, &name);
  const uint32_t channel = fbx_editor_add_object(editor, "Deformer", &name, "BlendShapeChannel", &channel_id);
  fbx_editor_add_child(editor, channel, "DeformPercent");
  fbx_add_value(editor->records, (fbx_value){.kind = FBX_VALUE_NUMBER, .letter = 'D', .number = percent});
  const uint32_t geometry = fbx_editor_add_object(editor, "Geometry", &name, "Shape", &geometry_id);
  fbx_record *all = editor->records->records;
  all[geometry].first_child = all[shape].first_child;
  all[shape].first_child = FBX_NONE;
  for (uint32_t r = all[geometry].first_child; r != FBX_NONE; r = all[r].next_sibling) all[r].parent = geometry;
  fbx_editor_connect(editor, channel_id, deformer_id);
  fbx_editor_connect(editor, geometry_id, channel_id);
  move_curves(editor, mesh_id, channel_id, &name);
}

static bool is_embedded_shape(const fbx_records *records, uint32_t record) {
  return fbx_is_named(&records->records[record], "Shape") && fbx_value_at(records, record, 0).kind == FBX_VALUE_TEXT;
}

/// All shapes inside one mesh.
static void lift_shapes_of(fbx_editor *editor, uint32_t mesh, const uint32_t *shapes, uint32_t count) {
  int64_t deformer_id;
  const int64_t mesh_id = fbx_value_at(editor->records, mesh, 0).integer;
  const uint32_t marked_count = editor->records->record_count;
  bool *is_lifted = JOB_ARRAY(editor->job, bool, marked_count);
  const fbx_value no_name = fbx_word(editor->job, "");
  fbx_editor_add_object(editor, "Deformer", &no_name, "BlendShape", &deformer_id);
  fbx_editor_connect(editor, deformer_id, mesh_id);
  for (uint32_t i = 0; i < count; i++) {
    is_lifted[shapes[i]] = true;
    lift_shape(editor, mesh, mesh_id, shapes[i], deformer_id);
  }
  fbx_unlink(editor->records, mesh, is_lifted, marked_count);
}

static void lift_shapes(fbx_editor *editor) {
  const fbx_records *records = editor->records;
  const uint32_t last = editor->last_object; // those that are added have none
  if (last == FBX_NONE) return;
  for (uint32_t o = records->records[editor->objects].first_child;; o = records->records[o].next_sibling) {
    uint32_t count = 0, capacity = 0;
    for (uint32_t r = records->records[o].first_child; r != FBX_NONE; r = records->records[r].next_sibling)
      capacity += is_embedded_shape(records, r);
    if (capacity != 0 && fbx_is_named(&records->records[o], "Geometry") &&
        fbx_value_at(records, o, 0).kind == FBX_VALUE_INTEGER && fbx_is_text(fbx_value_at(records, o, 2), "Mesh")) {
      uint32_t *shapes = JOB_ARRAY(editor->job, uint32_t, capacity);
      for (uint32_t r = records->records[o].first_child; r != FBX_NONE; r = records->records[r].next_sibling)
        if (is_embedded_shape(records, r)) shapes[count++] = r;
      lift_shapes_of(editor, o, shapes, count);
    }
    if (o == last) return;
  }
}

// -- Normals of shapes ------------------------------------------------------------------------------------------------

static void prepass_rename(fbx_record *record, const char *name) {
  record->name = (const uint8_t *)name;
  record->name_bytes = (uint8_t)strlen(name);
}

/// Zeros where a shape has no normals, or another number of them than of vertices.
static void fill_normals(fbx_editor *editor, uint32_t shape) {
  fbx_records *records = editor->records;
  const uint32_t present = fbx_child(records, shape, "Normals", FBX_NONE);
  const fbx_value vertices = fbx_value_at(records, fbx_child(records, shape, "Vertices", FBX_NONE), 0),
                  normals = fbx_value_at(records, present, 0);
  const bool has_normals = normals.kind == FBX_VALUE_ARRAY && normals.element_count == vertices.element_count;
  if (vertices.kind != FBX_VALUE_ARRAY || has_normals) return;
  if (vertices.element_type == 't' && vertices.element_count > vertices.byte_count) return; // refused later
  fbx_value zeros = {.kind = FBX_VALUE_ARRAY, .letter = 'f', .element_type = 'f'};
  zeros.element_count = vertices.element_count;
  zeros.byte_count = (uint64_t)zeros.element_count * 4;
  zeros.bytes = job_alloc(editor->job, zeros.byte_count, 1);
  if (normals.kind != FBX_VALUE_NONE) {
    fbx_edit_values(records, present)[0] = zeros;
    return;
  }
  if (present != FBX_NONE) prepass_rename(&records->records[present], "NoNormals");
  fbx_editor_add_child(editor, shape, "Normals");
  fbx_add_value(records, zeros);
}

// -- Deformers --------------------------------------------------------------------------------------------------------

static bool is_deforming(fbx_kind kind) {
  return kind == FBX_SHAPE || kind == FBX_BLEND_SHAPE || kind == FBX_BLEND_CHANNEL || kind == FBX_SKIN ||
         kind == FBX_CLUSTER;
}

static int compare_pairs(const void *a, const void *b) {
  const fbx_link *left = a, *right = b;
  if (left->parent != right->parent) return left->parent < right->parent ? -1 : 1;
  if (left->child != right->child) return left->child < right->child ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

/// ZBrush connects deformers twice, and Assimp then gives each shape twice. Returns whether any such link was there.
static bool drop_repeated_links(fbx_editor *editor, const fbx_facts *facts) {
  uint32_t count = 0;
  fbx_link *links = JOB_ARRAY(editor->job, fbx_link, facts->link_count);
  for (uint32_t i = 0; i < facts->link_count; i++)
    if (facts->links[i].property[0] == 0 && is_deforming(facts->objects[facts->links[i].child].kind))
      links[count++] = facts->links[i];
  qsort(links, count, sizeof *links, compare_pairs);
  const uint32_t marked_count = editor->records->record_count;
  bool *is_repeat = JOB_ARRAY(editor->job, bool, marked_count);
  bool has_any = false;
  for (uint32_t i = 1; i < count; i++) {
    if (links[i].parent != links[i - 1].parent || links[i].child != links[i - 1].child) continue;
    is_repeat[links[i].order] = has_any = true;
  }
  if (!has_any) return false;
  fbx_editor_disconnect(editor, is_repeat, marked_count);
  return true;
}

/// A deformer for all channels of a mesh that has several: Assimp counts channels by deformer.
static void merge_deformers(fbx_editor *editor, const fbx_facts *facts, uint32_t mesh) {
  uint32_t link_count;
  int64_t merged_id;
  const fbx_link *links = fbx_links_of(facts, mesh, &link_count);
  const uint32_t marked_count = editor->records->record_count;
  bool *is_replaced = JOB_ARRAY(editor->job, bool, marked_count);
  const fbx_value no_name = fbx_word(editor->job, "");
  fbx_editor_add_object(editor, "Deformer", &no_name, "BlendShape", &merged_id);
  fbx_editor_connect(editor, merged_id, facts->objects[mesh].id);
  for (uint32_t i = 0; i < link_count; i++) {
    if (facts->objects[links[i].child].kind != FBX_BLEND_SHAPE || links[i].property[0] != 0) continue;
    is_replaced[links[i].order] = true;
    for (uint32_t c = 0;; c++) {
      const uint32_t channel = fbx_child_of_kind(facts, links[i].child, FBX_BLEND_CHANNEL, c);
      if (channel == FBX_NONE) break;
      fbx_editor_connect(editor, facts->objects[channel].id, merged_id);
    }
  }
  fbx_editor_disconnect(editor, is_replaced, marked_count);
}

// -- Names ------------------------------------------------------------------------------------------------------------

/// "100\0\1Model": the id where the name stood.
static void name_after_id(fbx_records *records, const fbx_object *object) {
  static const char *const named[] = {"Model", "Geometry", "Deformer", "Material"};
  const fbx_record *record = &records->records[object->record];
  const char *class_name = NULL;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (fbx_is_named(record, named[i])) class_name = named[i];
  if (class_name == NULL || record->value_count < 2) return;
  if (object->kind == FBX_BLEND_CHANNEL || object->kind == FBX_CLUSTER) class_name = "SubDeformer";
  const char *id = job_format(records->job, "%lld", (long long)object->id);
  fbx_edit_values(records, object->record)[1] = fbx_class_name(records->job, id, strlen(id), class_name);
}

uint32_t fbx_object_of_name(const fbx_facts *facts, const char *name) {
  char *end;
  if (facts == NULL || (name[0] != '-' && (name[0] < '0' || name[0] > '9'))) return FBX_NONE;
  const long long id = strtoll(name, &end, 10);
  return *end == 0 || *end == '*' || *end == '_' ? fbx_find_object(facts, id) : FBX_NONE;
}

// -- All --------------------------------------------------------------------------------------------------------------

/// Facts are made anew after each change of objects or connections, which most files do not need.
static fbx_facts *repair(fbx_editor *editor) {
  lift_shapes(editor);
  fbx_facts *facts = fbx_facts_make(editor->records);
  if (drop_repeated_links(editor, facts)) facts = fbx_facts_make(editor->records);
  if (fbx_repair_clusters(editor, facts)) facts = fbx_facts_make(editor->records);
  bool is_merged = false;
  for (uint32_t i = 0; i < facts->object_count; i++) {
    if (facts->objects[i].kind == FBX_SHAPE) fill_normals(editor, facts->objects[i].record);
    if (facts->objects[i].kind != FBX_MESH || fbx_child_of_kind(facts, i, FBX_BLEND_SHAPE, 1) == FBX_NONE) continue;
    merge_deformers(editor, facts, i);
    is_merged = true;
  }
  return is_merged ? fbx_facts_make(editor->records) : facts;
}

fbx_facts *fbx_prepass(fbx_records *records) {
  fbx_editor editor;
  fbx_facts *facts = fbx_editor_begin(&editor, records) ? repair(&editor) : fbx_facts_make(records);
  for (uint32_t i = 0; i < facts->object_count; i++) name_after_id(records, &facts->objects[i]);
  return facts;
}
