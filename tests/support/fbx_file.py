"""Binary FBX files, read without mpak: records, and where models stand."""
import math
import struct
import zlib

SCALARS = {'Y': '<h', 'I': '<i', 'L': '<q', 'F': '<f', 'D': '<d', 'C': '<b', 'B': '<b'}
ELEMENTS = {'f': 'f', 'd': 'd', 'l': 'q', 'i': 'i', 'b': 'b', 'c': 'b'}
TICKS_PER_SECOND = 46186158000


class Record:
    def __init__(self, name, values):
        self.name, self.values, self.children = name, values, []

    def child(self, name):
        return next((child for child in self.children if child.name == name), None)


def read_array(data, at, kind):
    count, packed, length = struct.unpack_from('<III', data, at)
    layout = '<%d%s' % (count, ELEMENTS[kind])
    stored = length if packed else struct.calcsize(layout)
    plain = data[at + 12:at + 12 + stored]
    return struct.unpack(layout, zlib.decompress(plain) if packed else plain), at + 12 + stored


def read_values(data, at, count):
    values = []
    for _ in range(count):
        kind, at = chr(data[at]), at + 1
        if kind in 'SR':
            length, = struct.unpack_from('<I', data, at)
            values.append(data[at + 4:at + 4 + length])
            at += 4 + length
        elif kind in ELEMENTS:
            value, at = read_array(data, at, kind)
            values.append(value)
        else:
            values.append(struct.unpack_from(SCALARS[kind], data, at)[0])
            at += struct.calcsize(SCALARS[kind])
    return values


def read(path):
    """The root record of a file of version 7.0 or newer."""
    with open(path, 'rb') as file:
        data = file.read()
    version, = struct.unpack_from('<I', data, 23)
    header = '<QQQ' if version >= 7500 else '<III'
    root = Record('', [])
    open_records, at = [(root, len(data))], 27
    while open_records:
        parent, parent_end = open_records[-1]
        end, count, values_bytes = struct.unpack_from(header, data, at) if at < parent_end else (0, 0, 0)
        if end == 0:
            at = parent_end
            open_records.pop()
            continue
        at += struct.calcsize(header)
        name = data[at + 1:at + 1 + data[at]].decode('utf-8')
        at += 1 + data[at]
        record = Record(name, read_values(data, at, count))
        parent.children.append(record)
        at += values_bytes
        open_records.append((record, end))
    return root


def properties(record):
    """Properties70 by name: the values behind name, type, label and flags."""
    table = record.child('Properties70')
    return {} if table is None else {row.values[0].decode('utf-8'): row.values[4:] for row in table.children}


def is_still(curve):
    """All keys have one value, but for rounding."""
    values = curve.child('KeyValueFloat').values[0]
    return max(values) - min(values) <= 1e-6


def curve_at(curve, time_s):
    """A curve at a key, or half way between two keys that it leaves and reaches alike: there, even a cubic is the mean."""
    times = [ticks / TICKS_PER_SECOND for ticks in curve.child('KeyTime').values[0]]
    values = curve.child('KeyValueFloat').values[0]
    for time, value in zip(times, values):
        if abs(time - time_s) < 2e-6 or is_still(curve):
            return value
    for key in range(len(times) - 1):
        if abs((times[key] + times[key + 1]) / 2 - time_s) < 1e-6:
            return (values[key] + values[key + 1]) / 2
    raise ValueError('neither a key nor half way between two')


def models(root, time_s):
    """Places of models without a parent, by name: [translation, rotation in degrees, scale]."""
    objects = {record.values[0]: record for record in root.child('Objects').children}
    links = [link.values for link in root.child('Connections').children]
    tops = {link[1] for link in links if link[0] == b'OO' and link[2] == 0}
    found = {}
    for record in objects.values():
        if record.name == 'Model' and record.values[0] in tops:
            said = properties(record)
            name = name_of(record)
            found[name] = [list(said.get('Lcl Translation', [0, 0, 0])), list(said.get('Lcl Rotation', [0, 0, 0])),
                           list(said.get('Lcl Scaling', [1, 1, 1]))]
            animate(objects, links, record.values[0], time_s, found[name])
    return found


def animate(objects, links, model, time_s, place_of_model):
    parts = {b'Lcl Translation': 0, b'Lcl Rotation': 1, b'Lcl Scaling': 2}
    for link in links:
        if link[0] != b'OP' or link[2] != model or link[3] not in parts:
            continue
        for curve in links:
            if curve[0] == b'OP' and curve[2] == link[1] and objects[curve[1]].name == 'AnimationCurve':
                place_of_model[parts[link[3]]]['XYZ'.index(curve[3].decode()[-1])] = curve_at(objects[curve[1]], time_s)


# -- Characters: models below models, and the points that their clusters move ------------------------------------------

UNKNOWN_FACTORS = ('RotationOffset', 'RotationPivot', 'PostRotation', 'ScalingOffset', 'ScalingPivot', 'RotationOrder',
                   'GeometricTranslation', 'GeometricRotation')


def name_of(record):
    return record.values[1].split(b'\0')[0].decode('utf-8')


def turn(degrees):
    """About x, then y, then z; points are rows."""
    way = [[float(i == j) for j in range(4)] for i in range(4)]
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        sine, cosine = math.sin(math.radians(degrees[axis])), math.cos(math.radians(degrees[axis]))
        step = [[float(i == j) for j in range(4)] for i in range(4)]
        step[a][a], step[a][b], step[b][a], step[b][b] = cosine, sine, -sine, cosine
        way = product(way, step)
    return way


class Rig:
    """Models with their parents, by name, and the curves that move them."""

    def __init__(self, root):
        self.objects = {record.values[0]: record for record in root.child('Objects').children}
        self.links = [link.values for link in root.child('Connections').children]
        self.models = {name_of(record): record for record in self.objects.values() if record.name == 'Model'}
        self.parents = {}
        for link in self.links:
            if link[0] == b'OO' and self.is_kind(link[1], 'Model') and self.is_kind(link[2], 'Model'):
                self.parents[name_of(self.objects[link[1]])] = name_of(self.objects[link[2]])

    def is_kind(self, number, kind):
        return number in self.objects and self.objects[number].name == kind

    def curves(self, name):
        """Of one model: (property, axis) to curve."""
        found = {}
        for link in self.links:
            if link[0] == b'OP' and link[2] == self.models[name].values[0] and link[3].startswith(b'Lcl '):
                for curve in self.links:
                    if curve[0] == b'OP' and curve[2] == link[1] and self.is_kind(curve[1], 'AnimationCurve'):
                        found[link[3].decode(), 'XYZ'.index(curve[3].decode()[-1])] = self.objects[curve[1]]
        return found

    def local(self, name, curves, time_s):
        """The model in its parent, at a time at which all its curves have keys."""
        said = properties(self.models[name])
        odd = [factor for factor in UNKNOWN_FACTORS if any(said.get(factor, [0]))]
        if odd:
            raise ValueError('%s has %s' % (name, odd))
        parts = {'Lcl Translation': [0, 0, 0], 'Lcl Rotation': [0, 0, 0], 'Lcl Scaling': [1, 1, 1]}
        for part, rest in parts.items():
            parts[part] = list(said.get(part, rest))
        for (part, axis), curve in curves.items():
            if part in parts:
                parts[part][axis] = curve_at(curve, time_s)
        way = [[scale * (i == j) for j in range(4)] for i, scale in enumerate(parts['Lcl Scaling'] + [1.0])]
        way = product(product(way, turn(parts['Lcl Rotation'])), turn(said.get('PreRotation', [0, 0, 0])))
        return way[:3] + [list(parts['Lcl Translation']) + [1.0]]

    def scene(self, locals_by_name):
        """Where each model stands in the scene."""
        found = {}
        for name in locals_by_name:
            way, above = locals_by_name[name], self.parents.get(name)
            while above is not None:
                way, above = product(way, locals_by_name[above]), self.parents.get(above)
            found[name] = way
        return found

    def clusters(self):
        """(bone, its way from the mesh, indices, weights) of each."""
        found = []
        for link in self.links:
            if link[0] == b'OO' and self.is_kind(link[1], 'Model') and self.is_kind(link[2], 'Deformer'):
                record = self.objects[link[2]]
                if record.child('Indexes') is not None:
                    way = record.child('Transform').values[0]
                    found.append((name_of(self.objects[link[1]]), [way[4 * i:4 * i + 4] for i in range(4)],
                                  record.child('Indexes').values[0], record.child('Weights').values[0]))
        return found


def skinned(points_at_rest, clusters, scene):
    """Points moved by the mean of their bones."""
    sums, totals = [[0.0, 0.0, 0.0] for _ in points_at_rest], [0.0] * len(points_at_rest)
    for bone, from_mesh, indices, weights in clusters:
        way = product(from_mesh, scene[bone])
        for index, weight in zip(indices, weights):
            moved = move(way, points_at_rest[index])
            sums[index] = [a + weight * b for a, b in zip(sums[index], moved)]
            totals[index] += weight
    return [[value / total for value in row] for row, total in zip(sums, totals)]


def control_points(record):
    flat = record.child('Vertices').values[0]
    return [list(flat[i:i + 3]) for i in range(0, len(flat), 3)]


def place(model, point):
    """A point of a model in the scene: scaled, turned about x, y, z, moved."""
    translation, rotation, scale = model
    point = [p * s for p, s in zip(point, scale)]
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        sine, cosine = math.sin(math.radians(rotation[axis])), math.cos(math.radians(rotation[axis]))
        point[a], point[b] = point[a] * cosine - point[b] * sine, point[a] * sine + point[b] * cosine
    return [p + t for p, t in zip(point, translation)]


def product(a, b):
    """Of two 4x4 matrices, rows first."""
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def inverse(matrix):
    """Of a 4x4 matrix, by Gauss and Jordan."""
    rows = [list(row) + [float(i == j) for j in range(4)] for i, row in enumerate(matrix)]
    for column in range(4):
        pivot = max(range(column, 4), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for i in range(4):
            if i != column:
                rows[i] = [value - rows[i][column] * base for value, base in zip(rows[i], rows[column])]
    return [row[4:] for row in rows]


def bind_inverse(root):
    """From the scene to the mesh as it was bound; points are rows. A cluster holds the ways mesh to bone to scene."""
    for record in root.child('Objects').children:
        if record.name == 'Deformer' and record.values[2] == b'Cluster':
            ways = [record.child(name).values[0] for name in ('Transform', 'TransformLink')]
            to_bone, to_scene = [[way[4 * i:4 * i + 4] for i in range(4)] for way in ways]
            return inverse(product(to_bone, to_scene))
    raise ValueError('no cluster')


def move(matrix, point):
    row = list(point) + [1.0]
    return [sum(row[k] * matrix[k][j] for k in range(4)) for j in range(3)]
