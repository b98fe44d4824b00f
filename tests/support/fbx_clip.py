"""Takes of binary FBX files with one layer, evaluated without mpak: curves between their keys, and where models stand.

The rules are those of the FBX SDK's documentation: cubic ways are Bezier curves in time and value; automatic slopes
are means of the ways beside the key. Matrices are 3 rows of 4, for column vectors, in the file's unit and axes.
"""
import bisect
import math
import struct

import fbx_file
from pack_clips import multiply

TICKS = fbx_file.TICKS_PER_SECOND
CONSTANT, CUBIC, NEXT, TCB, USER = 0x2, 0x8, 0x100, 0x200, 0x400
CLAMP, TIME_INDEPENDENT, CLAMP_PROGRESSIVE, WEIGHT_RIGHT, WEIGHT_LEFT = 0x1000, 0x2000, 0x4000, 1 << 24, 1 << 25
PARTS = ['Lcl Translation', 'Lcl Rotation', 'Lcl Scaling', 'RotationOffset', 'RotationPivot', 'ScalingOffset',
         'ScalingPivot', 'PreRotation', 'PostRotation']
ORDERS = ['xyz', 'xzy', 'yzx', 'yxz', 'zxy', 'zyx']
IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


class Curve:
    def __init__(self, record):
        self.times = [ticks / TICKS for ticks in record.child('KeyTime').values[0]]
        self.values = record.child('KeyValueFloat').values[0]
        flags, data, runs = (record.child(name).values[0] for name in
                             ('KeyAttrFlags', 'KeyAttrDataFloat', 'KeyAttrRefCount'))
        self.flags, self.data = [], []
        for run, count in enumerate(runs):
            self.flags += [flags[run]] * count
            self.data += [data[4 * run:4 * run + 4]] * count

    def weights(self, key):
        """Of the tangent to the right of a key, and of that to the left of the next one."""
        packed, = struct.unpack('<I', struct.pack('<f', self.data[key][2]))
        return ((packed & 0xFFFF) / 10000 if self.flags[key] & WEIGHT_RIGHT else 1 / 3,
                (packed >> 16) / 10000 if self.flags[key] & WEIGHT_LEFT else 1 / 3)

    def automatic(self, key):
        if key == 0 or key + 1 == len(self.times):
            return 0.0
        flags = self.flags[key]
        before, after = self.times[key] - self.times[key - 1], self.times[key + 1] - self.times[key]
        fall, rise = self.values[key] - self.values[key - 1], self.values[key + 1] - self.values[key]
        if flags & CLAMP and 0 in (fall, rise):
            return 0.0
        if flags & TIME_INDEPENDENT:
            slope = (fall + rise) / (before + after)
        else:
            slope = (fall * after / before + rise * before / after) / (before + after)
        if flags & CLAMP_PROGRESSIVE:
            limits = [fall / (self.weights(key - 1)[1] * before), rise / (self.weights(key)[0] * after)]
            side = math.copysign(1, slope)
            slope = side * max(0.0, min([abs(slope)] + [limit * side for limit in limits]))
        return slope

    def slopes(self, key):
        """Of the way from a key to the next one, at its two ends."""
        assert not (self.flags[key] | self.flags[key + 1]) & TCB, 'no test file has TCB keys'
        right = self.data[key][0] if self.flags[key] & USER else self.automatic(key)
        left = self.data[key][1] if self.flags[key] & USER else 0.0
        following = self.flags[key + 1]
        if following & CUBIC and not following & (USER | CONSTANT):
            left = self.automatic(key + 1)
        return right, left

    def at(self, time_s):
        key = bisect.bisect_right(self.times, time_s + 1e-9) - 1
        if key < 0 or key + 1 == len(self.times):
            return self.values[max(key, 0)]
        flags, a, b = self.flags[key], self.values[key], self.values[key + 1]
        if flags & CONSTANT:
            return b if flags & NEXT else a
        span = self.times[key + 1] - self.times[key]
        share = (time_s - self.times[key]) / span
        if not flags & CUBIC:
            return a + share * (b - a)
        (right, left), (out, into) = self.slopes(key), self.weights(key)
        inner = [(out, a + right * out * span), (1 - into, b - left * into * span)]
        low, high = 0.0, 1.0
        for _ in range(60):
            t = (low + high) / 2
            x = 3 * (1 - t) ** 2 * t * inner[0][0] + 3 * (1 - t) * t ** 2 * inner[1][0] + t ** 3
            low, high = (t, high) if x <= share else (low, t)
        return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * inner[0][1] + 3 * (1 - t) * t ** 2 * inner[1][1] + t ** 3 * b


class Take:
    """The curves of one stack: of[object, property, component]."""

    def __init__(self, root, stack):
        objects = {record.values[0]: record for record in root.child('Objects').children}
        links = [link.values for link in root.child('Connections').children]
        said = fbx_file.properties(stack)
        self.name = name_of(stack)
        self.start_s, self.stop_s = (said.get(name, [0])[0] / TICKS for name in ('LocalStart', 'LocalStop'))
        layers = [link[1] for link in links if link[2] == stack.values[0]]
        assert len(layers) <= 1, 'takes with one layer'
        nodes = {link[1] for link in links if link[2] in layers}
        self.of, self.defaults = {}, {}
        for link in links:
            if link[0] != b'OP' or link[1] not in nodes or objects[link[1]].name != 'AnimationCurveNode':
                continue
            values = fbx_file.properties(objects[link[1]])
            for number, axis in enumerate('XYZ'):
                if 'd|' + axis in values:
                    self.defaults[link[2], link[3].decode(), number] = values['d|' + axis][0]
            for curve in links:
                if curve[0] == b'OP' and curve[2] == link[1] and objects[curve[1]].name == 'AnimationCurve':
                    axis = 'XYZ'.find(curve[3].decode()[-1]) if curve[3].startswith(b'd|') else 0
                    self.of[link[2], link[3].decode(), max(axis, 0)] = Curve(objects[curve[1]])

    def value(self, model, name, rest, time_s):
        moved = any((model, name, axis) in self.of for axis in range(3))
        found = list(rest)
        for axis in range(3):
            if moved and (model, name, axis) in self.defaults:
                found[axis] = self.defaults[model, name, axis]
            if (model, name, axis) in self.of:
                found[axis] = self.of[model, name, axis].at(time_s)
        return found


def takes(root):
    return [Take(root, record) for record in root.child('Objects').children if record.name == 'AnimationStack']


def channels(root):
    """Shape channels: (number, name, DeformPercent, names of the models that show them)."""
    objects = {record.values[0]: record for record in root.child('Objects').children}
    parents = {}
    for link in root.child('Connections').children:
        if link.values[0] == b'OO' and link.values[2] in objects:
            parents.setdefault(link.values[1], []).append(link.values[2])
    found = []
    for number, record in objects.items():
        if record.name == 'Deformer' and record.values[2] == b'BlendShapeChannel':
            reached = [number]
            for _ in range(3):  # deformer, mesh, model
                reached = [up for below in reached for up in parents.get(below, [])]
            percent = record.child('DeformPercent')
            found.append((number, name_of(record), percent.values[0] if percent else 0.0,
                          [name_of(objects[up]) for up in reached if objects[up].name == 'Model']))
    return found


def name_of(record):
    return record.values[1].split(b'\0')[0].decode('utf-8')


def shift(by, sign=1):
    return [[1, 0, 0, sign * by[0]], [0, 1, 0, sign * by[1]], [0, 0, 1, sign * by[2]]]


def stretch(by):
    return [[by[0], 0, 0, 0], [0, by[1], 0, 0], [0, 0, by[2], 0]]


def turn(degrees, order='xyz'):
    found = IDENTITY
    for letter in order:
        axis = 'xyz'.index(letter)
        sine, cosine = math.sin(math.radians(degrees[axis])), math.cos(math.radians(degrees[axis]))
        rows = [list(row) for row in IDENTITY]
        a, b = (axis + 1) % 3, (axis + 2) % 3
        rows[a][a] = rows[b][b] = cosine
        rows[b][a], rows[a][b] = sine, -sine
        found = multiply(rows, found)
    return found


def back(matrix):
    """The inverse of a rotation."""
    return [[matrix[c][r] for c in range(3)] + [0] for r in range(3)]


class Rig:
    """Models of a file: places at any time of a take."""

    def __init__(self, root):
        self.models, self.parent = {}, {}
        for record in root.child('Objects').children:
            if record.name == 'Model':
                self.models[record.values[0]] = record
        self.said = {number: fbx_file.properties(record) for number, record in self.models.items()}
        for link in root.child('Connections').children:
            if link.values[0] == b'OO' and link.values[1] in self.models and link.values[2] in self.models:
                self.parent[link.values[1]] = link.values[2]

    def name(self, model):
        return name_of(self.models[model])

    def part(self, take, model, name, time_s):
        rest = list(self.said[model].get(name, [1, 1, 1] if name == 'Lcl Scaling' else [0, 0, 0]))
        return rest if take is None else take.value(model, name, rest, time_s)

    def local(self, take, model, time_s):
        move, angles, scale, off, pivot, soff, spivot, before, after = (
            self.part(take, model, name, time_s) for name in PARTS)
        said = self.said[model]
        undo = IDENTITY
        if said.get('InheritType', [0])[0] == 2 and model in self.parent:
            undo = stretch([1 / part for part in self.part(take, self.parent[model], 'Lcl Scaling', time_s)])
        factors = [shift(move), undo, shift(off), shift(pivot), turn(before),
                   turn(angles, ORDERS[said.get('RotationOrder', [0])[0]]), back(turn(after)), shift(pivot, -1),
                   shift(soff), shift(spivot), stretch(scale), shift(spivot, -1)]
        found = IDENTITY
        for factor in factors:
            found = multiply(found, factor)
        return found

    def worlds(self, take, time_s):
        """By model."""
        found = {}

        def find(model):
            if model not in found:
                local = self.local(take, model, time_s)
                found[model] = multiply(find(self.parent[model]), local) if model in self.parent else local
            return found[model]

        for model in self.models:
            find(model)
        return found
