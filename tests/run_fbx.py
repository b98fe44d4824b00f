#!/usr/bin/env python3
"""FBX files against the true shapes of tests/data/fbx_truth.tsv, which lie beside them in the shared folder.

Compared as sets of points, both ways, and by the number of triangles. Rows that are known to miss are listed with
their distance and cause and never counted as passed; they fail when they change without the table being updated.

Two more: Maya's cube with two shapes against the shapes and curves of its own file, and a model that plays the clip of
another file against that file's joints.
"""
import math
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import fbx_file
import harness
import points

TOLERANCE = 1e-4
FOLDER = os.path.join(harness.SHARED_ASSETS, 'fbx_ufbx')
TABLE = os.path.join(harness.ROOT, 'tests', 'data', 'fbx_truth.tsv')


def read_table():
    rows = []
    with open(TABLE, encoding='utf-8') as file:
        for line in file:
            if not line.startswith('#'):
                rows.append(line.rstrip('\n').split('\t'))
    return rows


def read_obj(path):
    """Vertices, triangles after fanning, and whether each model was moved twice (Maya)."""
    vertices, triangle_count, is_twice = [], 0, False
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            words = line.split()
            if line.startswith('v '):
                vertices.append([float(word) for word in words[1:4]])
            elif line.startswith('f '):
                triangle_count += len(words) - 3
            elif 'ufbx:transform_skin' in line:
                is_twice = True
    return vertices, triangle_count, is_twice


def drawn_points(result, root, time_s):
    """All vertices that a triangle uses; where root is given, moved on by their node as Maya does: from where it was
    bound to where it is now. Engines, glTF and mpak ignore the node of a skinned mesh."""
    found = []
    for mesh in result['meshes']:
        rows = [mesh['positions'][vertex] for vertex in sorted(set(mesh['indices']))]
        if root is not None:
            unbind, model = fbx_file.bind_inverse(root), fbx_file.models(root, time_s)[mesh['node']]
            rows = [fbx_file.place(model, fbx_file.move(unbind, row)) for row in rows]
        found += rows
    return found


def compare(checks, pack, row):
    """The largest distance of the two sets, in sizes; None when there is nothing to compare."""
    obj, fbx, clip, _, time, _, _ = row
    truth, triangle_count, is_twice = read_obj(os.path.join(FOLDER, obj))
    arguments = ['eval', pack, '--time', repr(float(Fraction(time)))]
    result = harness.run_json(arguments + (['--clip', clip] if clip else []))
    if not checks.check(result is not None, obj + ' is evaluated'):
        return None
    checks.equal(sum(len(mesh['indices']) // 3 for mesh in result['meshes']), triangle_count, obj + ' triangles')
    root = fbx_file.read(os.path.join(FOLDER, fbx)) if is_twice else None
    found = drawn_points(result, root, float(Fraction(time)))
    size = points.box_size(truth)
    return max(points.farthest(found, truth), points.farthest(truth, found)) / size


def check_known(checks, row, distance):
    """A known miss: listed, not passed, and failed when it is no longer what the table says."""
    obj, known, cause = row[0], row[5], row[6]
    found = 'refused' if distance == 'refused' else '%.3g' % distance if distance is not None else 'nothing'
    is_same = found == known or (found != 'refused' and known != 'refused' and distance is not None and
                                 abs(distance - float(known)) <= 0.02 * float(known) and distance > TOLERANCE)
    if not is_same:
        checks.check(False, obj + ' changed', 'found %s, the table says %s: update the table' % (found, known))
        return
    print('known miss: %s: %s (%s)' % (obj, found, cause))
    checks.skip()


def check_row(checks, folder, row):
    obj, fbx, _, _, _, known, _ = row
    pack = os.path.join(folder, fbx + '.mpak')
    code, err = 0, ''
    if not os.path.exists(pack):
        code, err = harness.cook(os.path.join(FOLDER, fbx), pack, '--unit', 'source', '--up', 'source')
    if code != 0 and known == 'refused':
        checks.check(code == 4 and 'MPAK-F008' in err, obj + ' is refused for its version', (code, err))
        check_known(checks, row, 'refused')
        return
    if not checks.equal(code, 0, obj + ' is cooked (' + err[:300] + ')'):
        return
    distance = compare(checks, pack, row)
    if known:
        check_known(checks, row, distance)
    elif distance is not None:
        checks.check(distance <= TOLERANCE, obj + ' agrees', 'distance %.3g of the size' % distance)


# -- Two shapes of Maya's cube -----------------------------------------------------------------------------------------

CUBES = ('maya_blend_shape_cube_7700_binary.fbx', 'maya_blend_shape_cube_7700_ascii.fbx')
CUBE_SHAPES = ('TopH', 'TopV')


def flat_curve(curve, time_s):
    """A cubic curve that leaves and reaches all its keys flatly, as Maya makes them at turning points."""
    times = [ticks / fbx_file.TICKS_PER_SECOND for ticks in curve.child('KeyTime').values[0]]
    values = curve.child('KeyValueFloat').values[0]
    if any(curve.child('KeyAttrDataFloat').values[0][i] != 0 for i in (0, 1, 4, 5, 8, 9)):
        raise ValueError('a slope is not 0')
    for key in range(len(times) - 1):
        if times[key] <= time_s <= times[key + 1]:
            u = (time_s - times[key]) / (times[key + 1] - times[key])
            return values[key] + (values[key + 1] - values[key]) * u * u * (3 - 2 * u)
    return values[0] if time_s < times[0] else values[-1]


def cube_shapes(rig):
    """By shape: its curve, and its delta of each control point that it moves."""
    found = {}
    for link in rig.links:
        if link[0] == b'OO' and rig.is_kind(link[1], 'Geometry') and rig.is_kind(link[2], 'Deformer'):
            shape = rig.objects[link[1]]
            deltas = dict(zip(shape.child('Indexes').values[0], fbx_file.control_points(shape)))
            node, = [other[1] for other in rig.links if other[0] == b'OP' and other[2] == link[2]]
            curve, = [other[1] for other in rig.links if other[0] == b'OP' and other[2] == node]
            found[fbx_file.name_of(shape)] = rig.objects[curve], deltas
    return found


def check_cube(checks, folder, fbx, rig, shapes):
    """At times that walk through both curves: each control point is where its two shapes take it."""
    pack = os.path.join(folder, 'cube.mpak')
    code, err = harness.cook(os.path.join(FOLDER, fbx), pack, '--unit', 'source', '--up', 'source')
    if not checks.equal(code, 0, '%s is cooked (%s)' % (fbx, err[:300])):
        return
    base, = [record for record in rig.objects.values() if record.name == 'Geometry' and record.values[2] == b'Mesh']
    start_s = fbx_file.properties(next(record for record in rig.objects.values() if record.name == 'AnimationStack'))[
        'LocalStart'][0] / fbx_file.TICKS_PER_SECOND
    seen = {shape: [] for shape in shapes}
    for step in range(0, 25):
        time_s = 0.2 * step
        expected = [list(point) for point in fbx_file.control_points(base)]
        for shape, (curve, deltas) in shapes.items():
            weight = flat_curve(curve, start_s + time_s) / 100
            seen[shape].append(weight)
            for index, delta in deltas.items():
                expected[index] = [p + weight * d for p, d in zip(expected[index], delta)]
        data = harness.run_json(['eval', pack, '--clip', 'all', '--time', repr(time_s)])
        found = data['meshes'][0]['positions'] if data else []
        distance = max(points.farthest(found, expected), points.farthest(expected, found)) if found else 'nothing'
        checks.check(found and distance <= 2e-6, '%s at %.1f s' % (fbx, time_s), distance)
    for shape, weights in seen.items():  # the walk is worth something: it passes both ends of both shapes
        checks.check(min(weights) < 0.05 and max(weights) > 0.95, '%s %s moves in the file' % (fbx, shape), weights)


def check_cubes(checks, folder):
    rig = fbx_file.Rig(fbx_file.read(os.path.join(FOLDER, CUBES[0])))
    shapes = cube_shapes(rig)
    checks.equal(sorted(shapes), sorted(CUBE_SHAPES), 'shapes of ' + CUBES[0])
    for fbx in CUBES:  # the ASCII file is the same scene, written once more
        check_cube(checks, folder, fbx, rig, shapes)


# -- A model and the clip of another file ------------------------------------------------------------------------------

def common_key_times(curves):
    """Times at which every curve that is not constant has a key."""
    times = [{round(ticks / fbx_file.TICKS_PER_SECOND, 6) for ticks in curve.child('KeyTime').values[0]}
             for of_model in curves.values() for curve in of_model.values()
             if not fbx_file.is_still(curve)]
    return sorted(set.intersection(*times))


def check_jog(checks, folder, model_path, clip_path):
    """The model's own hierarchy and skin, with the locals that the other file's joints of the same names have at their
    keys."""
    pack = os.path.join(folder, 'jog.mpak')
    code, err = harness.cook(model_path, pack, '--unit', 'source', '--up', 'source', '--clips', clip_path)
    if not checks.equal(code, 0, 'a model with a clip of another file is cooked (%s)' % err[:300]):
        return
    model, clip = [fbx_file.Rig(fbx_file.read(path)) for path in (model_path, clip_path)]
    joints = [name for name in model.models if name in clip.models]
    curves = {name: clip.curves(name) for name in joints}
    geometry, = [record for record in model.objects.values() if record.name == 'Geometry']
    rest, clusters = fbx_file.control_points(geometry), model.clusters()
    times = common_key_times(curves)
    checks.check(len(joints) == 54 and len(times) == 13, 'joints and poses of the clip', (len(joints), len(times)))
    largest, moved = 0.0, 0.0
    for time_s in times[::3]:
        scene = model.scene({name: clip.local(name, curves[name], time_s) for name in joints})
        expected = fbx_file.skinned(rest, clusters, scene)
        data = harness.run_json(['eval', pack, '--clip', 'jog', '--time', repr(time_s)])
        found = data['meshes'][0]['positions'] if data else [[0.0] * 3]
        distance = max(points.farthest(found, expected), points.farthest(expected, found)) / points.box_size(expected)
        checks.check(distance <= TOLERANCE, 'jog at %.3f s' % time_s, '%.3g of the size' % distance)
        largest = max(largest, distance)
        moved = max(moved, max(math.dist(a, b) for a, b in zip(rest, expected)) / points.box_size(rest))
    print('jog on arnaud: %.2g of the size from the joints of its file; vertices move up to %.2g of the size' % (
        largest, moved))


def main():
    checks = harness.Checks('fbx')
    rows = read_table()
    if not os.path.isdir(FOLDER):
        checks.skip(len(rows) + 2)
        checks.finish()
    listed = {row[0] for row in rows}
    there = {name for name in os.listdir(FOLDER) if name.endswith('.obj')}
    checks.equal(sorted(there - listed), [], 'every true shape is in the table')
    with harness.scratch() as folder:
        for row in rows:
            if row[0] in there:
                check_row(checks, folder, row)
            else:
                checks.skip()
        check_cubes(checks, folder)
        check_jog(checks, folder, *[os.path.join(harness.SHARED_ASSETS, 'fbx_ozz', name + '.fbx')
                                    for name in ('arnaud', 'jog')])
    checks.finish()


if __name__ == '__main__':
    main()
