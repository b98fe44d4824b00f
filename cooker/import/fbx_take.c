#include "cooker/import/fbx_take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLEND_ADDITIVE 0.0

// -- Layers -----------------------------------------------------------------------------------------------------------

static fbx_curve read_take_curve(const fbx_take *take, uint32_t object, uint32_t curve_node) {
  fbx_curve curve;
  if (fbx_curve_read(take->facts, object, &curve)) return curve;
  cook_where where = COOK_WHERE;
  where.value = take->facts->objects[curve_node].name;
  job_fail(take->facts->records->job, MPAK_I040, where);
}

/// The first curve of a curve node that is connected to this object's property; empty when there is none.
static fbx_curve curve_of_property(const fbx_take *take, uint32_t object, const char *name) {
  uint32_t count, curve_count;
  const fbx_link *links = fbx_links_of(take->facts, object, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (take->facts->objects[links[i].child].kind != FBX_CURVE_NODE || strcmp(links[i].property, name) != 0) continue;
    const fbx_link *curves = fbx_links_of(take->facts, links[i].child, &curve_count);
    for (uint32_t c = 0; c < curve_count; c++)
      if (take->facts->objects[curves[c].child].kind == FBX_CURVE)
        return read_take_curve(take, curves[c].child, links[i].child);
  }
  return (fbx_curve){0};
}

static fbx_layer read_layer(const fbx_take *take, uint32_t object) {
  const fbx_facts *facts = take->facts;
  fbx_layer layer = {.object = object};
  layer.is_override = fbx_property_number(facts, object, "BlendMode", BLEND_ADDITIVE) != BLEND_ADDITIVE;
  layer.turns = fbx_property_number(facts, object, "RotationAccumulationMode", 0) == 0;
  layer.multiplies = fbx_property_number(facts, object, "ScaleAccumulationMode", 0) == 0;
  layer.weight = fbx_property_number(facts, object, "Weight", 100) / 100;
  layer.weight_curve = curve_of_property(take, object, "Weight");
  return layer;
}

/// The layers of a stack that play: where one says that it plays alone, the others do not.
static void read_layers(fbx_take *take, uint32_t stack) {
  const fbx_facts *facts = take->facts;
  uint32_t count = 0;
  bool has_solo = false;
  for (uint32_t layer; (layer = fbx_child_of_kind(facts, stack, FBX_LAYER, count)) != FBX_NONE; count++)
    has_solo = has_solo || fbx_property_number(facts, layer, "Solo", 0) != 0;
  take->layers = JOB_ARRAY(facts->records->job, fbx_layer, count);
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t layer = fbx_child_of_kind(facts, stack, FBX_LAYER, n);
    if (fbx_property_number(facts, layer, "Mute", 0) != 0) continue;
    if (has_solo && fbx_property_number(facts, layer, "Solo", 0) == 0) continue;
    take->layers[take->layer_count++] = read_layer(take, layer);
  }
}

// -- Properties -------------------------------------------------------------------------------------------------------

/// One curve node of one layer, before those of one property are put together.
typedef struct take_item {
  uint32_t object;
  const char *name;
  uint32_t layer;
  uint32_t order;
  uint32_t curve_node;
} take_item;

static int compare_items(const void *a, const void *b) {
  const take_item *left = a, *right = b;
  if (left->object != right->object) return left->object < right->object ? -1 : 1;
  const int names = strcmp(left->name, right->name);
  if (names != 0) return names;
  if (left->layer != right->layer) return left->layer < right->layer ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

/// What the curve nodes of one layer move; items NULL only counts.
static uint32_t list_items(const fbx_take *take, uint32_t layer, take_item *items) {
  const fbx_facts *facts = take->facts;
  uint32_t count = 0, node_count, target_count;
  const fbx_link *nodes = fbx_links_of(facts, take->layers[layer].object, &node_count);
  for (uint32_t n = 0; n < node_count; n++) {
    if (facts->objects[nodes[n].child].kind != FBX_CURVE_NODE) continue;
    const fbx_link *targets = fbx_links_to(facts, nodes[n].child, &target_count);
    for (uint32_t t = 0; t < target_count; t++) {
      if (targets[t].parent == FBX_NONE || targets[t].property[0] == 0) continue;
      const fbx_kind kind = facts->objects[targets[t].parent].kind;
      if (kind != FBX_MODEL && kind != FBX_BLEND_CHANNEL) continue;
      if (items != NULL)
        items[count] = (take_item){targets[t].parent, targets[t].property, layer, nodes[n].order, nodes[n].child};
      count++;
    }
  }
  return count;
}

/// Which component a curve is connected to: "d|Y" is 1. Properties of one component have other names.
static uint32_t component_of(const char *property) {
  const size_t length = strlen(property);
  if (length < 2 || property[length - 2] != '|') return 0;
  return property[length - 1] == 'Y' ? 1 : property[length - 1] == 'Z' ? 2 : 0;
}

/// Does the curve node have any keys? Empty curve nodes animate nothing.
static bool read_take_value(const fbx_take *take, const take_item *item, fbx_take_value *value) {
  static const char *const defaults[FBX_COMPONENTS] = {"d|X", "d|Y", "d|Z"};
  const fbx_facts *facts = take->facts;
  *value = (fbx_take_value){.layer = item->layer};
  for (int i = 0; i < FBX_COMPONENTS; i++)
    value->defaults[i] = fbx_property_number(facts, item->curve_node, defaults[i], (double)NAN);
  uint32_t count;
  bool has_keys = false;
  const fbx_link *links = fbx_links_of(facts, item->curve_node, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (facts->objects[links[i].child].kind != FBX_CURVE) continue;
    fbx_curve *curve = &value->curves[component_of(links[i].property)];
    if (curve->key_count != 0) continue; // the first one counts
    *curve = read_take_curve(take, links[i].child, item->curve_node);
    has_keys = has_keys || curve->key_count != 0;
  }
  return has_keys;
}

static bool is_same_property(const fbx_take_property *property, const take_item *item) {
  return property->object == item->object && strcmp(property->name, item->name) == 0;
}

/// Puts the curve nodes of each property together. Of two on one layer the first one counts.
static void collect_properties(fbx_take *take, const take_item *items, uint32_t count) {
  cook_job *job = take->facts->records->job;
  take->properties = JOB_ARRAY(job, fbx_take_property, count);
  fbx_take_value *values = JOB_ARRAY(job, fbx_take_value, count);
  fbx_take_property *property = NULL;
  for (uint32_t i = 0; i < count; i++, values++) {
    const bool is_known = property != NULL && is_same_property(property, &items[i]);
    if (is_known && values[-1].layer == items[i].layer && property->value_count != 0) {
      values--;
      continue;
    }
    if (!read_take_value(take, &items[i], values)) {
      values--;
      continue;
    }
    if (!is_known) {
      property = &take->properties[take->property_count++];
      *property = (fbx_take_property){items[i].object, items[i].name, 0, values};
    }
    property->value_count++;
  }
}

// -- What is refused --------------------------------------------------------------------------------------------------

static bool is_rotation(const fbx_take_property *property) {
  return strcmp(property->name, fbx_part_name(FBX_ROTATION)) == 0;
}

static bool is_scaling(const fbx_take_property *property) {
  return strcmp(property->name, fbx_part_name(FBX_SCALING)) == 0;
}

/// Can the value of a property on a layer be reckoned? has_turned: a layer below has put turns together.
static bool is_reckoned(const fbx_take *take, const fbx_take_property *property, const fbx_take_value *value,
                        bool *has_turned) {
  const fbx_layer *layer = &take->layers[value->layer];
  const bool is_full = layer->weight == 1.0 && layer->weight_curve.key_count == 0;
  if (value->layer == 0) return true;
  if (is_rotation(property)) {
    if (layer->is_override && is_full) *has_turned = false;
    if (layer->is_override) return is_full || (!layer->turns && !*has_turned);
    if (!layer->turns) return !*has_turned;
    *has_turned = true;
    return is_full;
  }
  return !is_scaling(property) || !layer->multiplies || is_full;
}

static void check_take(const fbx_take *take, uint32_t stack) {
  bool *refused = JOB_ARRAY(take->facts->records->job, bool, take->layer_count);
  for (uint32_t p = 0; p < take->property_count; p++) {
    bool has_turned = false;
    for (uint32_t v = 0; v < take->properties[p].value_count; v++) {
      const fbx_take_value *value = &take->properties[p].values[v];
      if (!is_reckoned(take, &take->properties[p], value, &has_turned)) refused[value->layer] = true;
    }
  }
  for (uint32_t l = 0; l < take->layer_count; l++) {
    if (!refused[l]) continue;
    cook_where where = COOK_WHERE;
    where.clip = take->facts->objects[stack].name;
    where.value = take->facts->objects[take->layers[l].object].name;
    job_issue(take->facts->records->job, MPAK_I025, where);
  }
}

/// Says how many curves have keys that say more than is followed.
static void report_guesses(const fbx_take *take, uint32_t stack) {
  uint32_t count = 0;
  for (uint32_t l = 0; l < take->layer_count; l++) count += take->layers[l].weight_curve.is_guessed;
  for (uint32_t p = 0; p < take->property_count; p++)
    for (uint32_t v = 0; v < take->properties[p].value_count; v++)
      for (int i = 0; i < FBX_COMPONENTS; i++) count += take->properties[p].values[v].curves[i].is_guessed;
  if (count == 0) return;
  cook_where where = COOK_WHERE;
  where.clip = take->facts->objects[stack].name;
  where.value = job_format(take->facts->records->job, "%u", count);
  job_issue(take->facts->records->job, MPAK_I050, where);
}

fbx_take *fbx_take_read(const fbx_facts *facts, uint32_t stack) {
  cook_job *job = facts->records->job;
  fbx_take *take = JOB_ARRAY(job, fbx_take, 1);
  take->facts = facts;
  read_layers(take, stack);
  uint32_t count = 0;
  for (uint32_t l = 0; l < take->layer_count; l++) count += list_items(take, l, NULL);
  take_item *items = JOB_ARRAY(job, take_item, count);
  count = 0;
  for (uint32_t l = 0; l < take->layer_count; l++) count += list_items(take, l, items + count);
  qsort(items, count, sizeof *items, compare_items);
  collect_properties(take, items, count);
  check_take(take, stack);
  report_guesses(take, stack);
  return take;
}

// -- Values -----------------------------------------------------------------------------------------------------------

const fbx_take_property *fbx_take_find(const fbx_take *take, uint32_t object, const char *name) {
  uint32_t low = 0, high = take->property_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const fbx_take_property *property = &take->properties[middle];
    if (property->object < object || (property->object == object && strcmp(property->name, name) < 0))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == take->property_count) return NULL;
  const fbx_take_property *found = &take->properties[low];
  return found->object == object && strcmp(found->name, name) == 0 ? found : NULL;
}

/// A moment: where curves are read.
typedef struct take_moment {
  double ticks;
  bool is_before;
} take_moment;

static double layer_weight(const fbx_layer *layer, take_moment at) {
  return layer->weight_curve.key_count == 0 ? layer->weight
                                            : fbx_curve_at(&layer->weight_curve, at.ticks, at.is_before) / 100;
}

/// What the curves of one layer say. A component without a curve has the curve node's value, or else otherwise's.
static void layer_vector(const fbx_take_value *value, const double otherwise[FBX_COMPONENTS], take_moment at,
                         double found[FBX_COMPONENTS]) {
  for (int i = 0; i < FBX_COMPONENTS; i++) {
    found[i] = isfinite(value->defaults[i]) ? value->defaults[i] : otherwise[i];
    if (value->curves[i].key_count != 0) found[i] = fbx_curve_at(&value->curves[i], at.ticks, at.is_before);
  }
}

/// One layer's effect on a value, by numbers: sums, products of scales, means.
static void mix_layer(const fbx_layer *layer, bool multiplies, double weight, const double found[FBX_COMPONENTS],
                      double value[FBX_COMPONENTS]) {
  for (int i = 0; i < FBX_COMPONENTS; i++) {
    if (layer->is_override)
      value[i] = weight == 1.0 ? found[i] : value[i] + weight * (found[i] - value[i]);
    else if (multiplies)
      value[i] *= found[i];
    else
      value[i] += weight * found[i];
  }
}

void fbx_take_vector(const fbx_take *take, const fbx_take_property *property, const double base[FBX_COMPONENTS],
                     double ticks, bool is_before, double value[FBX_COMPONENTS]) {
  static const double nothing[FBX_COMPONENTS] = {0, 0, 0}, one[FBX_COMPONENTS] = {1, 1, 1};
  const take_moment at = {ticks, is_before};
  memcpy(value, base, FBX_COMPONENTS * sizeof *value);
  for (uint32_t v = 0; property != NULL && v < property->value_count; v++) {
    const fbx_layer *layer = &take->layers[property->values[v].layer];
    const bool is_first = property->values[v].layer == 0;
    const bool multiplies = is_scaling(property) && layer->multiplies;
    double found[FBX_COMPONENTS];
    layer_vector(&property->values[v], is_first || layer->is_override ? base : multiplies ? one : nothing, at, found);
    if (is_first)
      memcpy(value, found, sizeof found);
    else
      mix_layer(layer, multiplies, layer_weight(layer, at), found, value);
  }
}

/// Rotations, where layers may put turns together: then the turn takes the place of the angles.
static void take_rotation(const fbx_take *take, const fbx_take_property *property, take_moment at,
                          fbx_transform *transform) {
  static const double nothing[FBX_COMPONENTS] = {0, 0, 0};
  double base[FBX_COMPONENTS], *value = transform->parts[FBX_ROTATION];
  memcpy(base, value, sizeof base);
  for (uint32_t v = 0; v < property->value_count; v++) {
    const fbx_layer *layer = &take->layers[property->values[v].layer];
    const bool is_first = property->values[v].layer == 0;
    double found[FBX_COMPONENTS];
    layer_vector(&property->values[v], is_first || layer->is_override ? base : nothing, at, found);
    if (is_first || !layer->turns || layer->is_override) {
      if (is_first || layer->is_override) transform->has_turn = false;
      if (is_first)
        memcpy(value, found, sizeof found);
      else
        mix_layer(layer, false, layer_weight(layer, at), found, value);
      continue;
    }
    if (!transform->has_turn) fbx_turn_of_angles(value, transform->rotation_order, transform->turn);
    double turn[3][3], product[3][3] = {{0}};
    fbx_turn_of_angles(found, transform->rotation_order, turn);
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 3; column++)
        for (int k = 0; k < 3; k++) product[row][column] += transform->turn[row][k] * turn[k][column];
    memcpy(transform->turn, product, sizeof product);
    transform->has_turn = true;
  }
}

fbx_take_parts fbx_take_find_parts(const fbx_take *take, uint32_t model) {
  fbx_take_parts parts;
  for (int part = 0; part < FBX_PART_COUNT; part++)
    parts.properties[part] = fbx_take_find(take, model, fbx_part_name((fbx_part)part));
  return parts;
}

fbx_transform fbx_take_transform(const fbx_take *take, const fbx_take_parts *parts, const fbx_transform *rest,
                                 double ticks, bool is_before) {
  fbx_transform transform = *rest;
  for (int part = 0; part < FBX_PART_COUNT; part++) {
    const fbx_take_property *property = parts->properties[part];
    if (property == NULL) continue;
    if (part == FBX_ROTATION)
      take_rotation(take, property, (take_moment){ticks, is_before}, &transform);
    else
      fbx_take_vector(take, property, rest->parts[part], ticks, is_before, transform.parts[part]);
  }
  return transform;
}
