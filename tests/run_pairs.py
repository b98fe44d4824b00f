#!/usr/bin/env python3
"""Pairs of files that Blender wrote of one scene, as FBX and as GLB, must become the same character.

positions   2e-6 of the size between the two, 2e-5 against Blender's own evaluation (which is written with five or six
            decimals), at every frame of the oracle, with all clips applied (each exporter cuts the scene into clips
            in its own way)
targets     the same names in the same order for each mesh node, the same default weights
motion      the same (node, path) and (node, target) move, equally far

What the exporters do differently is reduced by these rules and no others:
- Time: frame f is second (f-1)/fps in an FBX and f/fps in a GLB.
- Both write tracks of all paths of all bones, also where nothing moves, and the FBX exporter leaves rounding in them: a
  track moves when a key differs from its first one by more than MOVES. (Keys cannot be held against the rest: that is
  the pose of whichever frame an exporter stood at.)
- The FBX exporter drops keys that it thinks straight ("Simplify"): many_influences has none at frame 20 of bone B01,
  where the GLB has that bone's extreme. So how far a thing moves is compared by AMPLITUDE_BOUND.
- The FBX stands in centimetres under nodes of scale 100: lengths of a node's track are taken in metres, by the scales
  of the nodes above it.
"""
import collections
import json
import math
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness
import points

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import mpak_read

KINDS, BOUNDS = ('FBX and GLB', 'FBX and Blender', 'GLB and Blender'), (2e-6, 2e-5, 2e-5)
MOVES = 1e-4
AMPLITUDE_BOUND = 3e-3  # metres, quaternion, factor, weight
PATHS = ('position', 'rotation', 'scale')
WEIGHTS = 3
FOLDERS = [harness.SAMPLES, os.path.join(harness.ROOT, 'tests', 'data', 'models'),
           os.path.join(harness.SHARED_ASSETS, 'blender')]
# A second FBX of a scene, exported with another scale option.
OTHER_NAMES = {'scaled_armature_scale_all': 'scaled_armature'}


def pairs():
    """(name, FBX, GLB, oracle) of each FBX; a scene that lies in two folders is taken once."""
    found = {}
    for folder in FOLDERS:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            stem, extension = os.path.splitext(name)
            scene = os.path.join(folder, OTHER_NAMES.get(stem, stem))
            if extension == '.fbx' and os.path.exists(scene + '.glb') and os.path.exists(scene + '.oracle.json'):
                found.setdefault(stem, (os.path.join(folder, name), scene + '.glb', scene + '.oracle.json'))
    return sorted(found.items())


# -- What a pack says --------------------------------------------------------------------------------------------------

class Character:
    """A cooked file through the second reader; nodes by name. Names repeat where a bone is called as a mesh: those of
    nodes with a mesh are told apart by a mark."""

    def __init__(self, pack_path):
        with open(pack_path, 'rb') as file:
            self.pack = mpak_read.Pack(file.read(), check_hashes=False)
        table = self.pack.table
        drawn = {instance.node for instance in table['INST']}
        self.names = [self.pack.text(node.name) + (' (mesh)' if n in drawn else '')
                      for n, node in enumerate(table['NODE'])]
        self.name_of_key = {self.pack.text(node.key): name for node, name in zip(table['NODE'], self.names)}
        self.controls = {self.names[instance.node]: self.controls_of(instance) for instance in table['INST']}

    def controls_of(self, instance):
        """(name, default weight) of each control."""
        table = self.pack.table
        mesh = table['MESH'][instance.mesh]
        controls = table['CTRL'][mesh.first_control:mesh.first_control + mesh.control_count]
        weights = [control.default_weight for control in controls]
        if instance.first_weight != mpak_read.NONE:
            own = table['IWGT'][instance.first_weight:instance.first_weight + len(controls)]
            weights = [weight.weight for weight in own]
        return list(zip([self.pack.text(control.name) for control in controls], weights))

    def moving(self):
        """How far each (node, path) and (node, target) gets from its first key, for those that move."""
        bytes_of_values = self.pack.streams().get('clips.values', b'')
        values = struct.unpack('<%df' % (len(bytes_of_values) // 4), bytes_of_values)
        found = {}
        for track in self.pack.table['TRAK']:
            node = self.names[track.node]
            rows = self.key_values(track, values)
            if track.path == WEIGHTS:
                for t, (target, _) in enumerate(self.controls[node]):
                    found[node, 'target ' + target] = max(abs(row[t] - rows[0][t]) for row in rows)
            else:
                found[node, PATHS[track.path]] = self.farthest_key(track, rows)
        return {what: distance for what, distance in found.items() if distance > MOVES}

    @staticmethod
    def key_values(track, values):
        is_cubic = track.interpolation == 2  # tangent, value, tangent
        rows = [values[track.first_value + track.width * i:][:track.width]
                for i in range(track.key_count * (3 if is_cubic else 1))]
        return rows[1::3] if is_cubic else rows

    def farthest_key(self, track, rows):
        if PATHS[track.path] == 'rotation':  # q and -q are one rotation
            return max(min(math.dist(row, rows[0]), math.dist(row, [-x for x in rows[0]])) for row in rows)
        far = max(math.dist(row, rows[0]) for row in rows)
        return far * self.scale_above(track.node) if PATHS[track.path] == 'position' else far

    def scale_above(self, node):
        scale, node = 1.0, self.pack.table['NODE'][node].parent
        while node != mpak_read.NONE:
            scale *= self.pack.table['NODE'][node].rest[7]
            node = self.pack.table['NODE'][node].parent
        return scale


def cooked(checks, path, folder):
    pack = os.path.join(folder, os.path.basename(path) + '.mpak')
    code, err = harness.cook(path, pack, '--lods', 'none')
    if not checks.equal(code, 0, '%s is cooked (%s)' % (os.path.basename(path), err[:300])):
        return None, None
    return pack, Character(pack)


# -- Comparing ---------------------------------------------------------------------------------------------------------

def as_float32(value):
    return struct.unpack('f', struct.pack('f', value))[0]


def positions(pack, character, time_s):
    """By node with a mesh."""
    data = harness.run_json(['eval', pack, '--clip', 'all', '--time', repr(time_s)])
    rows = collections.defaultdict(list)
    for mesh in data['meshes'] if data else []:
        rows[character.name_of_key[mesh['node']]] += mesh['positions']
    return rows


def distance(rows, others):
    """Of two sets of points, both ways, in sizes of the second."""
    return max(points.farthest(rows, others), points.farthest(others, rows)) / (points.box_size(others) or 1.0)


def check_frames(checks, name, sides, oracle):
    """Returns the largest distances: between the two, of the FBX from Blender, of the GLB from Blender."""
    largest = [0.0, 0.0, 0.0]
    for frame, nodes in oracle['frames'].items():
        # A GLB's keys stand at float32 times; a frame is meant to lie on its key.
        times = ((int(frame) - 1) / oracle['fps'], as_float32(int(frame) / oracle['fps']))
        fbx, glb = [positions(pack, character, time) for (pack, character), time in zip(sides, times)]
        truth = {node + ' (mesh)': said['positions'] for node, said in nodes.items()}
        where = '%s frame %s' % (name, frame)
        if not checks.equal((sorted(fbx), sorted(glb)), (sorted(truth), sorted(truth)), where + ' meshes'):
            continue
        for node in truth:
            found = [distance(fbx[node], glb[node]), distance(fbx[node], truth[node]), distance(glb[node], truth[node])]
            for kind, bound, value in zip(KINDS, BOUNDS, found):
                checks.check(value <= bound, '%s %s: %s' % (where, node, kind), '%.3g of the size' % value)
            largest = [max(pair) for pair in zip(largest, found)]
    return largest


def check_motion(checks, name, fbx, glb):
    moving = fbx.moving(), glb.moving()
    checks.equal(sorted(moving[0]), sorted(moving[1]), name + ' what moves')
    for what in sorted(set(moving[0]) & set(moving[1])):
        far = moving[0][what], moving[1][what]
        checks.check(abs(far[0] - far[1]) <= AMPLITUDE_BOUND, '%s %s moves equally far' % (name, what), far)
    return len(moving[0])


def check_pair(checks, name, paths, folder):
    fbx_path, glb_path, oracle_path = paths
    sides = [cooked(checks, path, folder) for path in (fbx_path, glb_path)]
    if any(pack is None for pack, _ in sides):
        return
    fbx, glb = [character for _, character in sides]
    checks.equal(sorted(fbx.names), sorted(glb.names), name + ' nodes')
    checks.equal(fbx.controls, glb.controls, name + ' targets and default weights')
    moving_count = check_motion(checks, name, fbx, glb)
    with open(oracle_path, encoding='utf-8') as file:
        largest = check_frames(checks, name, sides, json.load(file))
    print('%s: FBX and GLB %.2g, FBX and Blender %.2g, GLB and Blender %.2g of the size; %d move' % (
        name, *largest, moving_count))


def main():
    checks = harness.Checks('pairs')
    with harness.scratch() as folder:
        for name, paths in pairs():
            check_pair(checks, name, paths, folder)
    if not harness.has_shared():
        checks.skip()
    checks.finish()


if __name__ == '__main__':
    main()
