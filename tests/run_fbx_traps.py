#!/usr/bin/env python3
"""Traps of FBX files and of the library that reads them: meshes, skins, nodes, names, units, axes. Small files are made
on the spot (tests/support/fbx_maker.py), and every position is worked out by hand.

What can go wrong, and which test would see it. Below: here, by the function's name. C: tests/unit, by the test's name.

nodes
  helper chains move a joint twice              below node_rotation_orders (animated); C assimp_pre_rotation_is_one_node_…
  pivots                                        C assimp_pivots_are_baked_…, fbx_transform_is_the_product_of_its_parts
  post-rotation                                 below node_post_rotation; C fbx_transform_is_the_product_of_its_parts
  rotation orders; the seventh is refused       below node_rotation_orders; C fixture fbx_rotation_order
  InheritType RrSs, RSrs, Rrs                   below inherit_types, inherit_rrss_sheared, inherit_rrss_animated
  geometric transforms leak into children       C assimp_geometric_transform_goes_into_the_mesh
  nodes in a circle or outside of the scene     below mesh_outside; C fixture fbx_mesh_outside
  deep trees overflow the stack                 below deep_tree
  LOD groups change at shares or at distances   below lod_group_percentages, lod_group_distances
names
  two joints of one name share weights          below names_of_two_rigs; C fbx_prepass_bones_of_one_name_are_told_apart
  mesh node and joint of one name               below names_of_two_rigs; C assimp_mesh_and_bone_of_one_name_are_told_apart
  names that look like the pre-pass's ids       C fbx_prepass_names_that_look_like_ids_are_names
  empty names ("SubDeformer::")                 C fbx_prepass_empty_names_stay_empty
skins
  geometric transform missing in the bind       below skin_with_geometric_transform; run_fbx max_transformed_skin
  two clusters of a joint                       below skin_two_clusters_of_a_joint, skin_two_binds_of_a_joint
  clusters without a bone vanish                below skin_cluster_without_bone; C fixture fbx_cluster_without_bone
  clusters without a matrix vanish              below bind_pose_instead_of_cluster, bind_of_the_rest_pose
  bind poses, and clusters that disagree        below bind_pose_*, bind_of_the_cluster_wins
  points past the mesh abort the process        below skin_point_past_the_mesh; C fixture fbx_cluster_point
  weights that do not sum to 1, or are missing  below skin_cluster_without_bone; C assimp_loose_vertices_follow_…
  one mesh under two nodes                      below skin_instanced; run_fbx maya_instanced_skin
  several skins of a mesh                       below skin_second; C fixture fbx_second_skin
  dual quaternions                              below skin_dual_quaternion; C fixture fbx_dual_quaternion
units and axes
  unit of the file, scale of the nodes          below units; C assimp_centimetres_become_metres_everywhere
  up axis, mirrored right axis                  below axes; C assimp_z_up_is_turned_…
meshes
  a mesh for each material, corners not shared  C fbx_prepass_a_channel_drives_all_materials; below polygons
  polygons of five corners                      below polygons
morph targets
  absolute positions, renormalised normals      C assimp_shapes_are_deltas_…, assimp_real_shape_normals_are_kept
  names by number of materials                  C fbx_prepass_a_channel_drives_all_materials, …in_betweens_on_two_materials
  default weight 1 for all                      C assimp_shapes_are_deltas_…, fbx_prepass_weights_outside_the_range_…
  in-betweens lose their full weights           C fbx_prepass_in_betweens_*, test_inbetween
  shapes without normals, or too few, vanish    C fbx_prepass_shapes_without_normals_…, …with_too_few_normals_…
  shapes inside the mesh (7.1) vanish           C fbx_prepass_shapes_inside_the_mesh_are_lifted
  a repeated connection doubles shapes          C fbx_prepass_repeated_connections_count_once
  channels of two deformers collide             C fbx_prepass_two_deformers_become_one
  full weights of vertices (Blender)            C assimp_vertex_groups_of_shapes_are_followed; run_fbx blender440_…
  points past the mesh are skipped              below shape_point_past_the_mesh; C fixture fbx_shape_point
  channel index is no shape index               C assimp_sparse_keys_of_channels_are_gathered
files
  versions before 7.1                           C fixture fbx_version_unsupported
  aborts, hangs, memory                         C test_fbx_damage, test_worker
"""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import fbx_maker
import harness
from fbx_maker import moved

SQUARE = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]
ALL = {0: 1, 1: 1, 2: 1, 3: 1}
ROOT_HALF = math.sqrt(0.5)
TRAPS = []


def trap(function):
    TRAPS.append(function)
    return function


class Bench:
    """Writes scenes and looks at what becomes of them."""

    def __init__(self, checks, folder):
        self.checks, self.folder, self.where, self.count = checks, folder, '', 0

    def write(self, scene):
        self.count += 1
        path = os.path.join(self.folder, 'trap%d.fbx' % self.count)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(scene.text())
        return path

    def positions(self, scene, time=None):
        """Of each corner, in the file's order, by the node's key; and the codes of what was said."""
        clip = [] if time is None else ['--clip', '#0', '--time', repr(time)]
        code, out, err = harness.run(['eval', self.write(scene), '--order', 'source', *clip])
        if not self.checks.equal(code, 0, '%s is evaluated (%s)' % (self.where, err[:300])):
            return {}, err
        return {mesh['node']: mesh['positions'] for mesh in json.loads(out)['meshes']}, err

    def expect(self, scene, expected, time=None, codes=()):
        """Corners by key of the node, within 1e-6 of the square's size."""
        found, err = self.positions(scene, time)
        for key, corners in expected.items():
            rows = found.get(key, [])
            far = max((abs(a - b) for row, corner in zip(rows, corners) for a, b in zip(row, corner)), default=9.0)
            self.checks.check(len(rows) == len(corners) and far <= 2e-6, '%s: %s at %s' % (self.where, key, time),
                              'found %r, expected %r' % (rows, corners))
        for code in codes:
            self.checks.check('[MPAK-%s]' % code in err, '%s says %s' % (self.where, code), err)
        self.checks.check(codes != () or 'warning' not in err, self.where + ' gives no warning', err)

    def refuse(self, scene, exit_code, code):
        """By this code alone: no crash, no word about a crash."""
        found, err = harness.cook(self.write(scene), os.path.join(self.folder, 'refused.mpak'))
        self.checks.equal(found, exit_code, self.where + ' exit code (' + err[:200] + ')')
        self.checks.check(err.count('error:') == 1 and '[MPAK-%s]' % code in err, '%s is %s' % (self.where, code), err)


def shifted(x, y, z, corners=None):
    return [(a + x, b + y, c + z) for a, b, c in (corners or SQUARE)]


def two_bones(spine=(0, 1, 0), **body):
    """A square; Hips at the origin, Spine beside it. No clusters yet."""
    scene = fbx_maker.Scene()
    scene.mesh(100, 'Square', SQUARE)
    scene.model(1, 'Body', subtype='Mesh', geometry=100, **body)
    scene.model(2, 'Hips')
    scene.model(3, 'Spine', Lcl_Translation=spine)
    scene.skin(120, 100)
    return scene


def move_hips(scene, node=2, component='X', far=4):
    layer = scene.clip(60, 'Move')
    scene.curve(62, layer, node, 'Lcl Translation', {component: {0: 0, 1: far}})
    return scene


# -- Clusters ----------------------------------------------------------------------------------------------------------

@trap
def skin_two_clusters_of_a_joint(bench):
    """The same bind: one joint, whose weights are summed."""
    scene = move_hips(two_bones())
    scene.cluster(121, 120, 2, {0: 1, 1: 0.5})
    scene.cluster(122, 120, 2, {1: 0.25, 2: 1, 3: 0.75}, moved(1e-7, 0, 0), moved(-1e-7, 0, 0))
    scene.cluster(123, 120, 3, {1: 0.25, 3: 0.25}, moved(0, -1, 0), moved(0, 1, 0))
    bench.expect(scene, {'Body': [(4, 0, 0), (5, 0, 0), (6, 2, 0), (3, 2, 0)]}, 1.0)
    check_joints(bench, scene, ['Hips', 'Spine'])


@trap
def skin_two_binds_of_a_joint(bench):
    """A joint bound in two places is two joints of the skin; the second cluster says 3 further along z."""
    scene = move_hips(two_bones())
    scene.cluster(121, 120, 2, {0: 1, 1: 1})
    scene.cluster(122, 120, 2, {2: 1, 3: 1}, moved(0, 0, -3), moved(0, 0, 3))
    bench.expect(scene, {'Body': [(4, 0, 0), (6, 0, 0), (6, 2, -3), (4, 2, -3)]}, 1.0)
    check_joints(bench, scene, ['Hips', 'Hips'])


def check_joints(bench, scene, names):
    """And that no stand-in became a node."""
    pack = os.path.join(bench.folder, 'joints.mpak')
    harness.cook(bench.write(scene), pack)
    info = harness.run_json(['info', '--json', pack])
    keys = [node['key'] for node in info['nodes']]
    joints = [key if isinstance(key, str) else keys[key] for key in info['skins'][0]['joints']]
    bench.checks.equal(joints, names, bench.where + ' joints')
    bench.checks.equal(keys, ['Body', 'Hips', 'Spine'], bench.where + ' nodes')


@trap
def skin_cluster_without_bone(bench):
    """Its weights go to the other bones; a point that has no other follows the mesh's node, which stands at z = 7."""
    scene = move_hips(two_bones(Lcl_Translation=(0, 0, 7)))
    scene.cluster(121, 120, 2, {0: 1, 1: 1, 2: 0.5}, moved(0, 0, 7))
    scene.cluster(122, 120, None, {2: 0.5, 3: 1}, name='Lost')
    bench.expect(scene, {'Body': [(4, 0, 7), (6, 0, 7), (6, 2, 7), (0, 2, 7)]}, 1.0, ['I043', 'S011', 'I022'])
    empty = two_bones()
    empty.cluster(121, 120, 2, ALL)
    empty.cluster(122, 120, None, {})
    bench.expect(empty, {'Body': SQUARE})
    alone = two_bones(Lcl_Translation=(0, 0, 7))
    alone.cluster(121, 120, None, ALL)
    bench.expect(alone, {'Body': shifted(0, 0, 7)}, None, ['I043'])


@trap
def skin_point_past_the_mesh(bench):
    scene = two_bones()
    scene.cluster(121, 120, 2, {0: 1, 4: 1})
    bench.refuse(scene, 1, 'I021')
    scene = two_bones()
    scene.cluster(121, 120, 2, {0: 1, -1: 1})
    bench.refuse(scene, 1, 'I021')


@trap
def skin_second(bench):
    """A second skin that holds nothing is no second skin, wherever it stands."""
    scene = two_bones()
    scene.cluster(121, 120, 2, ALL)
    scene.skin(130, 100)
    bench.expect(move_hips(scene), {'Body': shifted(4, 0, 0)}, 1.0)
    scene = two_bones()
    scene.skin(130, 100)
    scene.cluster(131, 130, 2, ALL)
    bench.expect(move_hips(scene), {'Body': shifted(4, 0, 0)}, 1.0)
    scene.cluster(121, 120, 3, ALL)
    bench.refuse(scene, 1, 'I044')


@trap
def skin_dual_quaternion(bench):
    for kind, codes in (('Linear', ()), ('DualQuaternion', ['I047'])):
        scene = two_bones()
        scene.objects[-1] = scene.objects[-1].replace('Version: 101\n', 'Version: 101\nSkinningType: "%s"\n' % kind)
        scene.cluster(121, 120, 2, ALL)
        bench.expect(move_hips(scene), {'Body': shifted(4, 0, 0)}, 1.0, codes)
    for weights, codes in (([0, 0], ()), ([0, 0.5], ['I047'])):
        scene = two_bones()
        scene.objects[-1] = scene.objects[-1].replace('Version: 101\n', 'Version: 101\nSkinningType: "Blend"\n'
                                                      + fbx_maker.numbers('BlendWeights', weights))
        scene.cluster(121, 120, 2, ALL)
        bench.expect(scene, {'Body': SQUARE}, None, codes)


@trap
def skin_instanced(bench):
    """One geometry and skin under two nodes: both are where the joints put them. Point 3 has no weight and goes with
    either node."""
    scene = two_bones()
    scene.model(4, 'Twin', subtype='Mesh', geometry=100, Lcl_Translation=(10, 0, 0))
    scene.cluster(121, 120, 2, {0: 1, 1: 1, 2: 1})
    skinned = [(4, 0, 0), (6, 0, 0), (6, 2, 0)]
    bench.expect(move_hips(scene), {'Body': skinned + [(0, 2, 0)], 'Twin': skinned + [(10, 2, 0)]}, 1.0, ['I022'])


@trap
def skin_with_geometric_transform(bench):
    """3ds Max: the mesh is moved and stretched before it is skinned, and the cluster's matrix does not say so."""
    scene = two_bones(GeometricTranslation=(0, 0, 5), GeometricScaling=(1, 3, 1))
    scene.cluster(121, 120, 2, {0: 1, 1: 1})
    scene.cluster(122, 120, 3, {2: 1, 3: 1}, moved(0, -1, 0), moved(0, 1, 0))
    bench.expect(move_hips(scene), {'Body': [(4, 0, 5), (6, 0, 5), (2, 6, 5), (0, 6, 5)]}, 1.0)


# -- Binds -------------------------------------------------------------------------------------------------------------

@trap
def bind_pose_instead_of_cluster(bench):
    """Spine was bound at y = 1 and rests at y = 3: what it holds is 2 higher than in the file. The cluster says nothing,
    or zeros."""
    for transform, link in ((None, None), (fbx_maker.IDENTITY, None), (fbx_maker.IDENTITY, (0,) * 16)):
        scene = two_bones(spine=(0, 3, 0))
        scene.cluster(121, 120, 2, {0: 1, 1: 1})
        scene.cluster(122, 120, 3, {2: 1, 3: 1}, transform, link)
        scene.bind_pose(140, {1: moved(0, 0, 0), 3: moved(0, 1, 0)})
        bench.expect(scene, {'Body': [(0, 0, 0), (2, 0, 0), (2, 4, 0), (0, 4, 0)]})


@trap
def bind_pose_of_the_mesh(bench):
    """The cluster says where the bone was, the bind pose where the mesh was: 1 to the right of where it rests."""
    scene = two_bones(spine=(0, 3, 0))
    scene.cluster(122, 120, 3, ALL, None, moved(0, 1, 0))
    scene.bind_pose(140, {1: moved(1, 0, 0)})
    bench.expect(scene, {'Body': shifted(1, 2, 0)})


@trap
def bind_of_the_cluster_wins(bench):
    """Against a bind pose that says y = 9."""
    scene = two_bones(spine=(0, 3, 0))
    scene.cluster(122, 120, 3, ALL, moved(0, -1, 0), moved(0, 1, 0))
    scene.bind_pose(140, {1: moved(5, 0, 0), 3: moved(0, 9, 0)})
    bench.expect(scene, {'Body': shifted(0, 2, 0)})


@trap
def bind_of_the_rest_pose(bench):
    """Neither cluster nor bind pose say anything: bound as it rests. With half of the cluster, that half counts."""
    scene = two_bones(spine=(0, 3, 0))
    scene.cluster(122, 120, 3, ALL, None, None)
    bench.expect(scene, {'Body': SQUARE})
    scene = two_bones(spine=(0, 3, 0))
    scene.cluster(122, 120, 3, ALL, moved(0, -1, 0), None)
    bench.expect(scene, {'Body': shifted(0, 2, 0)})


# -- Names -------------------------------------------------------------------------------------------------------------

@trap
def names_of_two_rigs(bench):
    """Two rigs with the same names in one file, a mesh node that is called like their joints, and a clip for both."""
    scene = fbx_maker.Scene()
    for rig, x in ((0, 0), (1000, 10)):
        scene.mesh(rig + 100, 'Square', SQUARE)
        scene.model(rig + 1, 'Body', subtype='Mesh', geometry=rig + 100, Lcl_Translation=(x, 0, 0))
        scene.model(rig + 2, 'Hips', Lcl_Translation=(x, 0, 0))
        scene.skin(rig + 120, rig + 100)
        scene.cluster(rig + 121, rig + 120, rig + 2, ALL, moved(0, 0, 0), moved(x, 0, 0))
    scene.mesh(2100, 'Square', SQUARE)
    scene.model(2001, 'Hips', subtype='Mesh', geometry=2100, Lcl_Translation=(0, 0, 20))
    layer = scene.clip(60, 'Move')
    scene.curve(62, layer, 2, 'Lcl Translation', {'X': {0: 0, 1: 4}})
    scene.curve(64, layer, 1002, 'Lcl Translation', {'Y': {0: 0, 1: 3}})
    scene.curve(66, layer, 2001, 'Lcl Translation', {'Z': {0: 20, 1: 30}})
    found, _ = bench.positions(scene)
    bench.checks.equal(sorted(found), ['Body', 'Body~2', 'Hips~3'], bench.where + ' keys')
    bench.expect(scene, {'Body': SQUARE, 'Body~2': shifted(10, 0, 0), 'Hips~3': shifted(0, 0, 20)}, None, ['N004'])
    bench.expect(scene, {'Body': shifted(4, 0, 0), 'Body~2': shifted(10, 3, 0), 'Hips~3': shifted(0, 0, 30)}, 1.0,
                 ['N004'])


# -- Nodes -------------------------------------------------------------------------------------------------------------

def one_node(**values):
    scene = fbx_maker.Scene()
    scene.mesh(100, 'Square', SQUARE)
    scene.model(1, 'Body', subtype='Mesh', geometry=100, **values)
    return scene


def turned_square(x, y):
    """The square's corners where its x and y axes go."""
    return [tuple(a * i + b * j for i, j in zip(x, y)) for a, b, _ in SQUARE]


@trap
def node_rotation_orders(bench):
    """A quarter turn about each axis, in each order: where x and y go. At rest, and as the end of a clip, where the
    library's helper chain would turn twice."""
    orders = [((0, 0, -1), (0, 1, 0)), ((0, 1, 0), (1, 0, 0)), ((0, 1, 0), (-1, 0, 0)),
              ((-1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, -1, 0))]
    for order, (x, y) in enumerate(orders):
        bench.expect(one_node(RotationOrder=order, Lcl_Rotation=(90, 90, 90)), {'Body': turned_square(x, y)})
        scene = one_node(RotationOrder=order)
        layer = scene.clip(60, 'Turn')
        scene.curve(62, layer, 1, 'Lcl Rotation', {axis: {0: 0, 1: 90} for axis in 'XYZ'})
        bench.expect(scene, {'Body': turned_square(x, y)}, 1.0)
    bench.refuse(one_node(RotationOrder=6), 1, 'I049')


@trap
def node_post_rotation(bench):
    """Is undone: a post-rotation of a quarter about z turns back by it. With a pre-rotation about x, x goes to -y,
    then to -z; y goes to x."""
    bench.expect(one_node(PostRotation=(0, 0, 90), RotationActive=1), {'Body': turned_square((0, -1, 0), (1, 0, 0))})
    bench.expect(one_node(PostRotation=(0, 0, 90), PreRotation=(90, 0, 0), RotationActive=1),
                 {'Body': turned_square((0, 0, -1), (1, 0, 0))})


def below_scaled(inherit, angle, scale=(2, 1, 1), **values):
    """A square 1 to the right of a scaled node, turned about z."""
    scene = fbx_maker.Scene()
    scene.mesh(100, 'Square', SQUARE)
    scene.model(1, 'Scaled', Lcl_Scaling=scale)
    scene.model(2, 'Body', 1, 'Mesh', 100, InheritType=inherit, Lcl_Translation=(1, 0, 0),
                Lcl_Rotation=(0, 0, angle), **values)
    return scene


@trap
def inherit_types(bench):
    """Below a node that is twice as long in x, turned by a quarter. RSrs turns, then stretches: x goes to y, y to -2 x.
    RrSs stretches, then turns: x goes to 2 y, y to -x. Rrs leaves the parent's scale out. All stand at x = 2."""
    for inherit, x, y in ((1, (0, 1, 0), (-2, 0, 0)), (0, (0, 2, 0), (-1, 0, 0)), (2, (0, 1, 0), (-1, 0, 0))):
        bench.expect(below_scaled(inherit, 90), {'Body': shifted(2, 0, 0, turned_square(x, y))})
    for inherit, factor in ((1, 2), (0, 2), (2, 1)):
        x, y = (ROOT_HALF * factor, ROOT_HALF * factor, 0), (-ROOT_HALF * factor, ROOT_HALF * factor, 0)
        bench.expect(below_scaled(inherit, 45, (2, 2, 2)), {'Body': shifted(2, 0, 0, turned_square(x, y))})


@trap
def inherit_rrss_sheared(bench):
    """Turned by an eighth: R S is no turn and scale to the parent, but kept as it is, at rest. Moved, it is the nearest,
    with a word. What is below it is turned once more: x by R R S, which is (0, 2) and (-1, 0)."""
    x, y = (2 * ROOT_HALF, 2 * ROOT_HALF, 0), (-ROOT_HALF, ROOT_HALF, 0)
    scene = below_scaled(0, 45)
    scene.mesh(101, 'Lower', SQUARE)
    scene.model(3, 'Child', 2, 'Mesh', 101, InheritType=0, Lcl_Rotation=(0, 0, 45))
    bench.expect(scene, {'Body': shifted(2, 0, 0, turned_square(x, y)),
                         'Child': shifted(2, 0, 0, turned_square((0, 2, 0), (-1, 0, 0)))})
    moving = below_scaled(0, 90)
    moving.curve(62, moving.clip(60, 'Move'), 2, 'Lcl Translation', {'X': {0: 1, 1: 3}})
    bench.expect(moving, {'Body': shifted(6, 0, 0, turned_square((0, 2, 0), (-1, 0, 0)))}, 1.0)
    turning = below_scaled(0, 0)
    turning.curve(62, turning.clip(60, 'Turn'), 2, 'Lcl Rotation', {'Z': {0: 0, 1: 90}})
    bench.expect(turning, {'Body': shifted(2, 0, 0, turned_square((0, 2, 0), (-1, 0, 0)))}, 1.0, ['I041'])


@trap
def inherit_rrss_animated(bench):
    """A clip that makes the parent's scale uneven is not followed, and said so; one that keeps it even is."""
    for components, codes in (('X', ['I042']), ('XYZ', ())):
        scene = below_scaled(0, 90, (1, 1, 1))
        scene.curve(62, scene.clip(60, 'Grow'), 1, 'Lcl Scaling', {axis: {0: 1, 1: 3} for axis in components})
        corners = shifted(1, 0, 0, turned_square((0, 1, 0), (-1, 0, 0)))
        y = 3 if components == 'XYZ' else 1
        bench.expect(scene, {'Body': [(3 * a, y * b, c) for a, b, c in corners]}, 1.0, codes)


@trap
def deep_tree(bench):
    """Deeper than packs go is refused by number; as deep as they go is read."""
    for depth, is_refused in ((1000, False), (1100, True), (10000, True)):
        scene = fbx_maker.Scene()
        scene.mesh(100000, 'Square', SQUARE)
        for i in range(1, depth):
            scene.model(i, 'Link', i - 1)
        scene.model(depth, 'Body', depth - 1, 'Mesh', 100000, Lcl_Translation=(1, 0, 0))
        if is_refused:
            bench.refuse(scene, 6, 'I008')
        else:
            bench.expect(scene, {'Body': shifted(1, 0, 0)}, None, ['N003'])


@trap
def mesh_outside(bench):
    """Two nodes that are each other's parent."""
    scene = one_node()
    scene.mesh(101, 'Square', SQUARE)
    scene.model(4, 'Hen', 5)
    scene.model(5, 'Egg', 4, 'Mesh', 101)
    bench.refuse(scene, 1, 'I048')


# -- Units and axes ----------------------------------------------------------------------------------------------------

def in_space(**settings):
    scene = fbx_maker.Scene(**settings)
    scene.mesh(100, 'Square', SQUARE)
    scene.model(1, 'Body', subtype='Mesh', geometry=100, Lcl_Translation=(0, 0, 1))
    return scene


@trap
def units(bench):
    """Metres come out: of centimetres, of metres, of inches. Blender writes centimetres and a scale of 100."""
    for unit_cm in (1, 100, 2.54):
        metres = unit_cm / 100
        corners = [(x * metres, y * metres, z * metres) for x, y, z in shifted(0, 0, 1)]
        bench.expect(in_space(unit_cm=unit_cm), {'Body': corners})
    scene = fbx_maker.Scene(unit_cm=1)
    scene.mesh(100, 'Square', SQUARE)
    scene.model(1, 'Body', subtype='Mesh', geometry=100, Lcl_Translation=(0, 0, 100), Lcl_Scaling=(100, 100, 100))
    bench.expect(scene, {'Body': shifted(0, 0, 1)})


@trap
def axes(bench):
    """Z up: y of the file goes away from the viewer, -z of ours. X up with y to the right. -Y up. x to the left."""
    bench.expect(in_space(up=2, front=1, signs=(1, -1, 1)), {'Body': [(x, 1, -y) for x, y, _ in SQUARE]})
    bench.expect(in_space(up=0, front=2, coord=1), {'Body': [(y, x, -1) for x, y, _ in SQUARE]})
    bench.expect(in_space(signs=(-1, 1, 1)), {'Body': [(x, -y, -1) for x, y, _ in SQUARE]})
    bench.expect(in_space(signs=(1, 1, -1)), {'Body': [(-x, y, -1) for x, y, _ in SQUARE]})


# -- Meshes and shapes -------------------------------------------------------------------------------------------------

def area(mesh):
    total = 0.0
    for at in range(0, len(mesh['indices']), 3):
        a, b, c = (mesh['positions'][i] for i in mesh['indices'][at:at + 3])
        total += abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
    return total


@trap
def polygons(bench):
    """A house of five corners (area 5) and an arrow that is dented (area 2), which a plain fan would cover twice: three
    triangles and two."""
    house = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (1, 3, 0), (0, 2, 0)]
    arrow = [(10, 0, 0), (12, 2, 0), (10, 1, 0), (8, 2, 0)]
    for points, triangles, size in ((house, 3, 5.0), (arrow, 2, 2.0)):
        scene = fbx_maker.Scene()
        scene.mesh(100, 'Flat', points)
        scene.model(1, 'Body', subtype='Mesh', geometry=100)
        bench.expect(scene, {'Body': points})
        result = harness.run_json(['eval', bench.write(scene)])['meshes'][0]
        bench.checks.equal(len(result['indices']), 3 * triangles, bench.where + ' triangles')
        bench.checks.check(abs(area(result) - size) < 1e-6, bench.where + ' area', area(result))


@trap
def shape_point_past_the_mesh(bench):
    for points, offsets, code in (([2, 4], [0, 1, 0, 0, 1, 0], 'I045'), ([2, -1], [0, 1, 0, 0, 1, 0], 'I045'),
                                  ([2, 3], [0, 1, 0], 'I046'), ([2], [0, 1, 0, 0, 1, 0], 'I046')):
        scene = one_node()
        scene.add('Geometry', 101, 'Geometry::Up', 'Shape',
                  fbx_maker.numbers('Indexes', points) + fbx_maker.numbers('Vertices', offsets))
        scene.add('Deformer', 110, 'Deformer::Face', 'BlendShape', '')
        scene.add('Deformer', 111, 'SubDeformer::Up', 'BlendShapeChannel', 'DeformPercent: 100\n')
        for child, parent in ((110, 100), (111, 110), (101, 111)):
            scene.connect(child, parent)
        bench.refuse(scene, 1, code)


def lod_group(thresholds, **values):
    """Squares with one, two and three triangles less than a hexagon has: three levels."""
    scene = fbx_maker.Scene()
    corners = [(0, 0, 0), (2, 0, 0), (3, 1, 0), (2, 2, 0), (0, 2, 0), (-1, 1, 0)]
    scene.model(1, 'Group', subtype='LodGroup')
    for level in range(3):
        scene.mesh(100 + level, 'Level', corners[:6 - level])
        scene.model(10 + level, 'Level%d' % level, 1, 'Mesh', 100 + level)
    values.update({'Thresholds|Level%d' % number: value for number, value in enumerate(thresholds)})
    scene.add('NodeAttribute', 50, 'NodeAttribute::Group', 'LodGroup', fbx_maker.properties(values))
    scene.connect(50, 1)
    return scene


@trap
def lod_group_percentages(bench):
    """Half of the screen's height and an eighth; thresholds that rise say nothing."""
    for thresholds, sizes in (((50.0, 12.5), [0.5, 0.125, 0]), ((12.5, 50.0), [0, 0, 0]), ((50.0,), [0, 0, 0])):
        pack = os.path.join(bench.folder, 'group.mpak')
        source = bench.write(lod_group(thresholds, ThresholdsUsedAsPercentage=1))
        code, _, err = harness.run(['cook', '-o', pack, source])
        bench.checks.equal((code, 'I054' in err), (0, False), '%s cooks (%s)' % (bench.where, err[:300]))
        lods = harness.run_json(['info', '--json', pack])['lods']
        bench.checks.equal([lod['screen_size'] for lod in lods], sizes, '%s %s' % (bench.where, thresholds))


@trap
def lod_group_distances(bench):
    pack = os.path.join(bench.folder, 'group.mpak')
    source = bench.write(lod_group((100.0, 300.0), ThresholdsUsedAsPercentage=0))
    code, _, err = harness.run(['cook', '-o', pack, source])
    bench.checks.equal((code, err.count('[MPAK-I054]')), (0, 1), bench.where + ' is I054 (%s)' % err[:300])
    lods = harness.run_json(['info', '--json', pack])['lods']
    bench.checks.equal([lod['screen_size'] for lod in lods], [0, 0, 0], bench.where)


def main():
    checks = harness.Checks('fbx traps')
    with harness.scratch() as folder:
        bench = Bench(checks, folder)
        for function in TRAPS:
            bench.where = function.__name__
            function(bench)
    checks.finish()


if __name__ == '__main__':
    main()
