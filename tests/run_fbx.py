#!/usr/bin/env python3
"""FBX files against the true shapes of tests/data/fbx_truth.tsv, which lie beside them in the shared folder.

Compared as sets of points, both ways, and by the number of triangles. Rows that are known to miss are listed with
their distance and cause and never counted as passed; they fail when they change without the table being updated.
"""
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


def main():
    checks = harness.Checks('fbx')
    rows = read_table()
    if not os.path.isdir(FOLDER):
        checks.skip(len(rows))
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
    checks.finish()


if __name__ == '__main__':
    main()
