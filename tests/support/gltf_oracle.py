"""A second opinion on glTF: morph, skin and animation in plain Python doubles, written from the glTF 2.0 text.

Used by the tests only. It shares no code with mpak. It reads one file and answers, for a list of clips and a time, what
every vertex of every drawn primitive is: position, normal, tangent; and what never moves: texture coordinates, joints,
weights, triangles.
"""
import base64
import json
import math
import os
import struct
from urllib.parse import unquote_to_bytes

COMPONENT = {5120: ('b', 1), 5121: ('B', 1), 5122: ('h', 2), 5123: ('H', 2), 5125: ('I', 4), 5126: ('f', 4)}
WIDTH = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}
FULL_SCALE = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}


class Model:
    """One file: its JSON, its buffers, its accessors as lists of tuples of Python numbers."""

    def __init__(self, path):
        self.path = path
        with open(path, 'rb') as file:
            data = file.read()
        self.binary = None
        if data[:4] == b'glTF':
            self.document = self._split_glb(data)
        else:
            self.document = json.loads(data.decode('utf-8-sig'))
        self._buffers = {}
        self._accessors = {}
        self._primitives = {}
        nodes = self.document.get('nodes', [])
        self.parent = {child: index for index, node in enumerate(nodes) for child in node.get('children', [])}

    def _split_glb(self, data):
        document, at = None, 12
        while at + 8 <= len(data):
            length, kind = struct.unpack_from('<II', data, at)
            body = data[at + 8:at + 8 + length]
            if kind == 0x4E4F534A and document is None:
                document = json.loads(body.decode('utf-8'))
            elif kind == 0x004E4942 and self.binary is None:
                self.binary = body
            at += 8 + length
        return document

    def buffer(self, index):
        if index not in self._buffers:
            uri = self.document['buffers'][index].get('uri')
            if uri is None:
                self._buffers[index] = self.binary
            elif uri.startswith('data:'):
                head, body = uri.split(',', 1)
                self._buffers[index] = base64.b64decode(body) if head.endswith(';base64') else unquote_to_bytes(body)
            else:
                folder = os.path.dirname(self.path).encode()
                with open(os.path.join(folder, unquote_to_bytes(uri)), 'rb') as file:
                    self._buffers[index] = file.read()
        return self._buffers[index]

    def _elements(self, view_index, offset, component_type, width, count):
        code, size = COMPONENT[component_type]
        view = self.document['bufferViews'][view_index]
        start = view.get('byteOffset', 0) + offset
        stride = view.get('byteStride', size * width)
        unpack = struct.Struct('<%d%s' % (width, code)).unpack_from
        data = self.buffer(view['buffer'])
        return [unpack(data, start + stride * number) for number in range(count)]

    def accessor(self, index):
        if index in self._accessors:
            return self._accessors[index]
        accessor = self.document['accessors'][index]
        width, kind, count = WIDTH[accessor['type']], accessor['componentType'], accessor['count']
        if 'bufferView' in accessor:
            rows = self._elements(accessor['bufferView'], accessor.get('byteOffset', 0), kind, width, count)
        else:
            rows = [(0,) * width] * count
        if 'sparse' in accessor:
            sparse = accessor['sparse']
            where, what, changed = sparse['indices'], sparse['values'], sparse['count']
            places = self._elements(where['bufferView'], where.get('byteOffset', 0), where['componentType'], 1, changed)
            values = self._elements(what['bufferView'], what.get('byteOffset', 0), kind, width, changed)
            for (place,), value in zip(places, values):
                rows[place] = value
        if accessor.get('normalized') and kind in FULL_SCALE:
            scale = FULL_SCALE[kind]
            rows = [tuple(max(value / scale, -1.0) for value in row) for row in rows]
        self._accessors[index] = rows
        return rows

    def is_readable(self):
        """Can this evaluator read the file? (It has no decoder for compressed buffers.)"""
        required = self.document.get('extensionsRequired', [])
        return not any('meshopt' in name or 'draco' in name for name in required)

    def primitive(self, mesh, number):
        key = (mesh, number)
        if key not in self._primitives:
            self._primitives[key] = Primitive(self, self.document['meshes'][mesh]['primitives'][number])
        return self._primitives[key]


class Primitive:
    """What a primitive stores."""

    def __init__(self, model, source):
        attributes = source['attributes']
        self.mode = source.get('mode', 4)
        self.material = source.get('material')
        self.positions = model.accessor(attributes['POSITION']) if 'POSITION' in attributes else []
        self.normals = model.accessor(attributes['NORMAL']) if 'NORMAL' in attributes else None
        has_tangents = 'TANGENT' in attributes and self.normals is not None
        self.tangents = model.accessor(attributes['TANGENT']) if has_tangents else None
        self.texcoords = [model.accessor(attributes[name]) if name in attributes else None
                          for name in ('TEXCOORD_0', 'TEXCOORD_1', 'TEXCOORD_2', 'TEXCOORD_3')]
        self.colours = model.accessor(attributes['COLOR_0']) if 'COLOR_0' in attributes else None
        self.targets = [{name: model.accessor(index) for name, index in target.items()
                         if name in ('POSITION', 'NORMAL', 'TANGENT')} for target in source.get('targets', [])]
        self.influences = self._read_influences(model, attributes)
        if 'indices' in source:
            self.indices = [row[0] for row in model.accessor(source['indices'])]
        else:
            self.indices = list(range(len(self.positions)))
        self.triangles = self._read_triangles()

    def _read_influences(self, model, attributes):
        """Per vertex: {joint: weight}, equal joints summed, zeros left out."""
        sets = sorted(int(name[7:]) for name in attributes if name.startswith('JOINTS_'))
        if not sets:
            return None
        joints = [model.accessor(attributes['JOINTS_%d' % number]) for number in sets]
        weights = [model.accessor(attributes['WEIGHTS_%d' % number]) for number in sets]
        result = []
        for vertex in range(len(self.positions)):
            moved_by = {}
            for joint_set, weight_set in zip(joints, weights):
                for joint, weight in zip(joint_set[vertex], weight_set[vertex]):
                    if weight != 0:
                        moved_by[joint] = moved_by.get(joint, 0.0) + weight
            result.append(moved_by)
        return result

    def _read_triangles(self):
        index = self.indices
        if self.mode == 4:
            return [tuple(index[i:i + 3]) for i in range(0, len(index) - 2, 3)]
        if self.mode == 5:
            return [(index[i], index[i + 1 + i % 2], index[i + 2 - i % 2]) for i in range(len(index) - 2)]
        if self.mode == 6:
            return [(index[i + 1], index[i + 2], index[0]) for i in range(len(index) - 2)]
        return []

    def canonical_vertices(self):
        """For each vertex, the lowest vertex that equals it in every kept attribute, influence and delta."""
        first, result = {}, []
        streams = [self.positions, self.normals, self.tangents, self.colours] + self.texcoords
        streams += [stream for target in self.targets for stream in target.values()]
        streams = [stream for stream in streams if stream is not None]
        for vertex in range(len(self.positions)):
            key = tuple(tuple(value + 0.0 for value in stream[vertex]) for stream in streams)
            if self.influences is not None:
                key += (tuple(sorted(self.influences[vertex].items())),)
            result.append(first.setdefault(key, vertex))
        return result


# -- Small mathematics: matrices are lists of 4 rows ------------------------------------------------------------------------

def multiply(a, b):
    return [[sum(a[row][k] * b[k][column] for k in range(4)) for column in range(4)] for row in range(4)]


def matrix_of_columns(numbers):
    return [[numbers[column * 4 + row] for column in range(4)] for row in range(4)]


def matrix_of_transform(translation, rotation, scale):
    x, y, z, w = rotation
    turned = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
              [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
              [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    rows = [[turned[row][column] * scale[column] for column in range(3)] + [translation[row]] for row in range(3)]
    return rows + [[0.0, 0.0, 0.0, 1.0]]


IDENTITY = [[1.0 if row == column else 0.0 for column in range(4)] for row in range(4)]


def point(matrix, p):
    x, y, z = p
    return tuple(row[0] * x + row[1] * y + row[2] * z + row[3] for row in matrix[:3])


def direction(matrix, d):
    x, y, z = d
    return tuple(row[0] * x + row[1] * y + row[2] * z for row in matrix[:3])


def cofactor(m):
    """The determinant times the inverse transpose, without a division."""
    return [[m[(row + 1) % 3][(column + 1) % 3] * m[(row + 2) % 3][(column + 2) % 3]
             - m[(row + 1) % 3][(column + 2) % 3] * m[(row + 2) % 3][(column + 1) % 3] for column in range(3)]
            for row in range(3)]


def determinant(m):
    c = cofactor(m)
    return sum(m[0][column] * c[0][column] for column in range(3))


def moved_normal(m, normal):
    """By the inverse transpose: the cofactors, turned round where the matrix mirrors."""
    moved = unit(direction(cofactor(m), normal))
    return tuple(-x for x in moved) if determinant(m) < 0 else moved


def length(v):
    return math.sqrt(sum(x * x for x in v))


def unit(v):
    size = length(v)
    return tuple(x / size for x in v) if size > 0 else tuple(v)


def slerp(a, b, u):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = tuple(-x for x in b), -dot
    if dot > 0.9999999:
        return unit(tuple(x + (y - x) * u for x, y in zip(a, b)))
    angle = math.acos(dot)
    return unit(tuple((math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle)
                      for x, y in zip(a, b)))


# -- Animation ----------------------------------------------------------------------------------------------------------------

def sample(model, sampler, time, width, is_rotation):
    times = [row[0] for row in model.accessor(sampler['input'])]
    numbers = [value for row in model.accessor(sampler['output']) for value in row]
    mode = sampler.get('interpolation', 'LINEAR')
    is_cubic = mode == 'CUBICSPLINE'

    def value(key, part):
        start = (key * 3 + part) * width if is_cubic else key * width
        return tuple(numbers[start:start + width])

    if time <= times[0]:
        result = value(0, 1)
    elif time >= times[-1]:
        result = value(len(times) - 1, 1)
    else:
        key = max(number for number, at in enumerate(times) if at <= time)
        step = times[key + 1] - times[key]
        u = (time - times[key]) / step
        here, there = value(key, 1), value(key + 1, 1)
        if mode == 'STEP':
            result = here
        elif is_cubic:
            leave, arrive = value(key, 2), value(key + 1, 0)
            u2, u3 = u * u, u * u * u
            result = tuple((2 * u3 - 3 * u2 + 1) * a + step * (u3 - 2 * u2 + u) * m + (3 * u2 - 2 * u3) * b
                           + step * (u3 - u2) * n for a, m, b, n in zip(here, leave, there, arrive))
        elif is_rotation:
            result = slerp(here, there, u)  # as stored: rounding to three digits is the source's own
        else:
            result = tuple(a + (b - a) * u for a, b in zip(here, there))
    return unit(result) if is_rotation else result


class Pose:
    """Every node's transform and weights after the clips were applied in order."""

    def __init__(self, model, clips=(), time=0.0):
        self.model = model
        document = model.document
        nodes = document.get('nodes', [])
        self.local = [{'translation': tuple(node.get('translation', (0, 0, 0))),
                       'rotation': unit(node.get('rotation', (0, 0, 0, 1))),
                       'scale': tuple(node.get('scale', (1, 1, 1))),
                       'weights': self._rest_weights(node)} for node in nodes]
        for clip in clips:
            self._apply(document['animations'][clip], time)
        self._world = {}

    def _rest_weights(self, node):
        if 'mesh' not in node:
            return ()
        mesh = self.model.document['meshes'][node['mesh']]
        count = max(len(primitive.get('targets', [])) for primitive in mesh['primitives'])
        return tuple(node.get('weights') or mesh.get('weights') or (0.0,) * count)

    def _apply(self, animation, time):
        for channel in animation['channels']:
            node, path = channel['target'].get('node'), channel['target']['path']
            if node is None or path not in ('translation', 'rotation', 'scale', 'weights'):
                continue
            width = {'translation': 3, 'rotation': 4, 'scale': 3}.get(path) or len(self.local[node]['weights'])
            if width:
                sampler = animation['samplers'][channel['sampler']]
                self.local[node][path] = sample(self.model, sampler, time, width, path == 'rotation')

    def world(self, node):
        if node not in self._world:
            source = self.model.document['nodes'][node]
            local = self.local[node]
            if 'matrix' in source:
                matrix = matrix_of_columns(source['matrix'])
            else:
                matrix = matrix_of_transform(local['translation'], local['rotation'], local['scale'])
            parent = self.model.parent.get(node)
            self._world[node] = matrix if parent is None else multiply(self.world(parent), matrix)
        return self._world[node]

    def joint_matrices(self, skin):
        source = self.model.document['skins'][skin]
        if 'inverseBindMatrices' in source:
            binds = [matrix_of_columns(row) for row in self.model.accessor(source['inverseBindMatrices'])]
        else:
            binds = [IDENTITY] * len(source['joints'])
        return [multiply(self.world(joint), bind) for joint, bind in zip(source['joints'], binds)]


def blended(base, deltas):
    """base + sum of weight * delta for one vertex."""
    result = list(base)
    for weight, delta in deltas:
        for axis in range(3):
            result[axis] += weight * delta[axis]
    return result


def morphed_stream(base, primitive, weights, name):
    active = [(weight, target[name]) for weight, target in zip(weights, primitive.targets)
              if weight != 0 and name in target]
    if not active:
        return base
    return [blended(row, [(weight, delta[vertex]) for weight, delta in active]) for vertex, row in enumerate(base)]


def renormalised(rows, base):
    """normalizeOrFallback of the source document."""
    return [unit(row) if length(row) > 1e-12 else unit(fallback) for row, fallback in zip(rows, base)]


def skin_matrix(joints, influences, normalise):
    total = sum(influences.values())
    scale = 1.0 / total if normalise and abs(total - 1) > 1e-6 and total > 0 else 1.0
    rows = [[0.0] * 4 for _ in range(3)]
    for joint, weight in influences.items():
        matrix = joints[joint]
        for row in range(3):
            for column in range(4):
                rows[row][column] += weight * scale * matrix[row][column]
    return rows


def flat_normals(primitive, positions):
    """Per triangle: the unit normal of its corners, or None where it has no area."""
    result = []
    for a, b, c in primitive.triangles:
        u = [positions[b][axis] - positions[a][axis] for axis in range(3)]
        v = [positions[c][axis] - positions[a][axis] for axis in range(3)]
        cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        result.append(unit(cross) if length(cross) > 0 else None)
    return result


def evaluate(model, clips=(), time=0.0, normalise=True, directions=True):
    """All drawn primitives, by node then primitive:
    {node, mesh, primitive, positions, normals, tangents, mirrored, source} (normals, tangents None where absent)."""
    pose, results = Pose(model, clips, time), []
    for index, node in enumerate(model.document.get('nodes', [])):
        if 'mesh' not in node:
            continue
        skin = node.get('skin')
        joints = pose.joint_matrices(skin) if skin is not None else None
        for number in range(len(model.document['meshes'][node['mesh']]['primitives'])):
            primitive = model.primitive(node['mesh'], number)
            if primitive.mode < 4:
                continue
            results.append(evaluate_primitive(pose, index, node['mesh'], number, primitive, joints, normalise, directions))
    return results


def evaluate_primitive(pose, node, mesh, number, primitive, joints, normalise, directions):
    weights = pose.local[node]['weights']
    positions = morphed_stream(primitive.positions, primitive, weights, 'POSITION')
    normals = tangents = None
    if directions and primitive.normals is not None:
        normals = renormalised(morphed_stream(primitive.normals, primitive, weights, 'NORMAL'), primitive.normals)
    if directions and primitive.tangents is not None:
        tangents = renormalised(morphed_stream([row[:3] for row in primitive.tangents], primitive, weights, 'TANGENT'),
                                [row[:3] for row in primitive.tangents])
    is_skinned = joints is not None and primitive.influences is not None
    if is_skinned:
        zero = {0: 1.0}
        matrices = [skin_matrix(joints, moved_by if moved_by or not normalise else zero, normalise)
                    for moved_by in primitive.influences]
    else:
        matrices = [pose.world(node)] * len(positions)
    result = {'node': node, 'mesh': mesh, 'primitive': number, 'source': primitive,
              'positions': [point(matrix, row) for matrix, row in zip(matrices, positions)],
              'mirrored': not is_skinned and determinant(pose.world(node)) < 0}
    result['normals'] = None if normals is None else [
        moved_normal(matrix, row) for matrix, row in zip(matrices, normals)]
    result['tangents'] = None if tangents is None else [
        unit(direction(matrix, row)) + ((-1 if determinant(matrix) < 0 else 1) * source[3],)
        for matrix, row, source in zip(matrices, tangents, primitive.tangents)]
    return result


def clip_range(model, clip):
    """Earliest and latest key of an animation."""
    animation = model.document['animations'][clip]
    keys = [row[0] for channel in animation['channels']
            for row in model.accessor(animation['samplers'][channel['sampler']]['input'])]
    return (min(keys), max(keys)) if keys else (0.0, 0.0)
