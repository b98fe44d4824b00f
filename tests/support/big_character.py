"""Writes a character that no platform takes in one piece: 500 bones, 4 materials, morph targets, two clips.

    python3 tests/support/big_character.py OUT.glb

Body: a tube of one connected shell, moved by a grid of bones. Face: a sheet with morph targets and a fine grid of
bones. Hair: strands, each a shell with a chain of its own and the head's bones. Armour: plates, each a shell, between
bones of the body that lie far apart. Four influences. Equal bytes on each run; standard library only.
"""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gltf_maker import FLOAT, UINT, USHORT, Model

BODY, FACE, STRANDS, CHAIN, PLATES = (16, 12), (9, 9), 43, 5, 60
BODY_FIRST = 1
FACE_FIRST = BODY_FIRST + BODY[0] * BODY[1]
HAIR_FIRST = FACE_FIRST + FACE[0] * FACE[1]
BONE_COUNT = 500
EXTRA_FIRST = HAIR_FIRST + STRANDS * CHAIN  # bones of the plates' own


class Lottery:
    """The same numbers on every machine."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 33) % limit

    def unit(self):
        return self.below(1 << 20) / (1 << 20)


class Surface:
    """Vertices and triangles of one material."""

    def __init__(self, name):
        self.name, self.positions, self.normals, self.joints, self.weights = name, [], [], [], []
        self.indices, self.targets = [], []

    def vertex(self, position, normal, influences):
        """influences: (joint, weight), at most four of them that differ."""
        influences = (influences + [(0, 0.0)] * 4)[:4]
        self.positions.append(tuple(position))
        length = math.sqrt(sum(x * x for x in normal))
        self.normals.append(tuple(x / length for x in normal))
        self.joints.append(tuple(joint for joint, _ in influences))
        self.weights.append(tuple(weight for _, weight in influences))
        return len(self.positions) - 1

    def quad(self, a, b, c, d):
        self.indices += [a, b, c, a, c, d]


def grid_influences(u, v, size, first):
    """The four bones of a grid around (u, v) in [0, 1]²."""
    x, y = u * (size[0] - 1), v * (size[1] - 1)
    i, j = min(int(x), size[0] - 2), min(int(y), size[1] - 2)
    s, t = x - i, y - j
    found = [(i, j, (1 - s) * (1 - t)), (i + 1, j, s * (1 - t)), (i, j + 1, (1 - s) * t), (i + 1, j + 1, s * t)]
    return [(first + b * size[0] + a, weight) for a, b, weight in found if weight > 0]


def grid(surface, columns, rows, place, influences):
    """A sheet of vertices and its triangles, row by row."""
    first = len(surface.positions)
    for r in range(rows + 1):
        for c in range(columns + 1):
            u, v = c / columns, r / rows
            surface.vertex(*place(u, v), influences(u, v))
    for r in range(rows):
        for c in range(columns):
            a = first + r * (columns + 1) + c
            surface.quad(a, a + 1, a + columns + 2, a + columns + 1)


def body_place(u, v):
    angle = 2 * math.pi * u * 0.98
    radius = 0.25 + 0.08 * math.sin(5 * v)
    normal = (math.cos(angle), 0.0, math.sin(angle))
    return (radius * normal[0], 1.5 * v, radius * normal[2]), normal


def face_place(u, v):
    x, y = 0.2 * (u - 0.5), 0.24 * (v - 0.5)
    return (x, 1.65 + y, 0.12 - 2 * (x * x + y * y)), (4 * x, 4 * y, 1.0)


def make_body():
    surface = Surface('Body')
    grid(surface, 64, 48, body_place, lambda u, v: grid_influences(u, v, BODY, BODY_FIRST))
    return surface


def make_face(lottery):
    surface = Surface('Face')
    grid(surface, 32, 32, face_place, lambda u, v: grid_influences(u, v, FACE, FACE_FIRST))
    for _ in range(5):
        centre = surface.positions[lottery.below(len(surface.positions))]
        push = [0.02 * (lottery.unit() - 0.5) for _ in range(3)]
        deltas = []
        for position in surface.positions:
            far = sum((a - b) ** 2 for a, b in zip(position, centre)) / 0.06 ** 2
            deltas.append(tuple(max(0.0, 1 - far) * x for x in push))
        surface.targets.append(deltas)
    return surface


def make_hair(lottery):
    surface = Surface('Hair')
    heads = [FACE_FIRST, FACE_FIRST + 8, FACE_FIRST + 72]
    for strand in range(STRANDS):
        angle, head, rows = 2 * math.pi * strand / STRANDS, heads[lottery.below(3)], 24
        for row in range(rows + 1):
            at = row / rows * (CHAIN - 1)
            link, t = min(int(at), CHAIN - 2), at - min(int(at), CHAIN - 2)
            bones = [(HAIR_FIRST + strand * CHAIN + link, 0.8 * (1 - t)), (HAIR_FIRST + strand * CHAIN + link + 1, 0.8 * t),
                     (head, 0.2)]
            for side in (0, 1):
                a = angle + 0.05 * side
                surface.vertex((0.12 * math.cos(a), 1.8 - 0.02 * row, 0.12 * math.sin(a)), (math.cos(a), 0.0, math.sin(a)),
                               [bone for bone in bones if bone[1] > 0])
            if row > 0:
                n = len(surface.positions)
                surface.quad(n - 4, n - 3, n - 1, n - 2)
    return surface


def make_armour(lottery):
    surface = Surface('Armour')
    for plate in range(PLATES):
        bones = [BODY_FIRST + lottery.below(BODY[0] * BODY[1]) for _ in range(2)]
        bones += [EXTRA_FIRST + plate % (BONE_COUNT - EXTRA_FIRST), FACE_FIRST + lottery.below(81), BODY_FIRST + lottery.below(24)]
        bones = sorted(set(bones) | ({0} if plate == 0 else set()))
        corner = (0.3 * math.cos(plate), 0.02 * plate, 0.3 * math.sin(plate))

        def place(u, v, corner=corner):
            return (corner[0] + 0.1 * u, corner[1] + 0.1 * v, corner[2]), (0.0, 0.0, 1.0)

        def influences(u, v, bones=bones):
            i, j = int(u * (len(bones) - 1)), int(v * (len(bones) - 1))
            if bones[i] == bones[j]:
                return [(bones[i], 1.0)]
            return [(bones[i], 0.75 - 0.25 * u), (bones[j], 0.25 + 0.25 * u)]
        grid(surface, 8, 8, place, influences)
    return surface


def bone_place(bone):
    if bone == 0:
        return (0.0, 0.0, 0.0)
    if bone < FACE_FIRST:
        i, j = (bone - BODY_FIRST) % BODY[0], (bone - BODY_FIRST) // BODY[0]
        return body_place(i / (BODY[0] - 1), j / (BODY[1] - 1))[0]
    if bone < HAIR_FIRST:
        i, j = (bone - FACE_FIRST) % FACE[0], (bone - FACE_FIRST) // FACE[0]
        return face_place(i / (FACE[0] - 1), j / (FACE[1] - 1))[0]
    return (0.1 * math.cos(bone), 1.8 - 0.1 * ((bone - HAIR_FIRST) % CHAIN), 0.1 * math.sin(bone))


def add_mesh(model, surfaces):
    primitives = []
    for number, surface in enumerate(surfaces):
        low = [min(p[k] for p in surface.positions) for k in range(3)]
        high = [max(p[k] for p in surface.positions) for k in range(3)]
        primitive = {'material': number, 'indices': model.accessor(surface.indices, 'SCALAR', UINT), 'attributes': {
            'POSITION': model.accessor(surface.positions, 'VEC3', FLOAT, min=low, max=high),
            'NORMAL': model.accessor(surface.normals, 'VEC3'),
            'JOINTS_0': model.accessor(surface.joints, 'VEC4', USHORT),
            'WEIGHTS_0': model.accessor(surface.weights, 'VEC4')}}
        zero = [(0.0, 0.0, 0.0)] * len(surface.positions)
        primitive['targets'] = []
        for deltas in (surface.targets or [zero] * 5):
            primitive['targets'].append({'POSITION': model.accessor(
                deltas, 'VEC3', FLOAT, min=[min(d[k] for d in deltas) for k in range(3)],
                max=[max(d[k] for d in deltas) for k in range(3)])})
        primitives.append(primitive)
    model.j['materials'] = [{'name': surface.name} for surface in surfaces]
    model.j['meshes'] = [{'name': 'Giant', 'primitives': primitives, 'weights': [0.0] * 5,
                          'extras': {'targetNames': ['Shape %d' % k for k in range(5)]}}]


def add_skeleton(model):
    """Bones in chains below the root, each turned by nothing; inverse binds are translations."""
    nodes = [{'name': 'Giant', 'mesh': 0, 'skin': 0}]
    binds = []
    for bone in range(BONE_COUNT):
        x, y, z = bone_place(bone)
        nodes.append({'name': 'bone %03d' % bone, 'translation': [x, y, z]})
        binds.append((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1))
    nodes[1]['children'] = [bone + 1 for bone in range(1, BONE_COUNT)]
    model.j['nodes'] = nodes
    model.j['skins'] = [{'name': 'Rig', 'joints': [bone + 1 for bone in range(BONE_COUNT)],
                         'inverseBindMatrices': model.accessor(binds, 'MAT4')}]
    model.j['scenes'], model.j['scene'] = [{'nodes': [0, 1]}], 0


def add_clip(model, lottery, name, step):
    """Every step-th bone turns by up to half a radian, some move, the face speaks."""
    channels, samplers = [], []
    times = model.accessor([0.0, 0.5, 1.0], 'SCALAR', FLOAT, min=[0.0], max=[1.0])

    def add(node, path, output):
        channels.append({'sampler': len(samplers), 'target': {'node': node, 'path': path}})
        samplers.append({'input': times, 'output': output, 'interpolation': 'LINEAR'})
    for bone in range(1, BONE_COUNT, step):
        turns = []
        for _ in range(3):
            axis = [lottery.unit() - 0.5 for _ in range(3)]
            length = math.sqrt(sum(a * a for a in axis)) or 1.0
            half = 0.25 * lottery.unit()
            turns.append(tuple(math.sin(half) * a / length for a in axis) + (math.cos(half),))
        add(bone + 1, 'rotation', model.accessor(turns, 'VEC4'))
        if bone % 7 == 0:
            x, y, z = bone_place(bone)
            add(bone + 1, 'translation', model.accessor([(x, y, z), (x + 0.01, y, z), (x, y + 0.02, z)], 'VEC3'))
    add(0, 'weights', model.accessor([lottery.unit() for _ in range(15)], 'SCALAR'))
    model.j.setdefault('animations', []).append({'name': name, 'channels': channels, 'samplers': samplers})


def make():
    """The character as the bytes of a GLB."""
    lottery, model = Lottery(500), Model()
    add_mesh(model, [make_body(), make_face(lottery), make_hair(lottery), make_armour(lottery)])
    add_skeleton(model)
    add_clip(model, lottery, 'Walk', 3)
    add_clip(model, lottery, 'Talk', 5)
    return model.glb()


if __name__ == '__main__':
    with open(sys.argv[1], 'wb') as file:
        file.write(make())
