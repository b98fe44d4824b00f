"""Small glTF files made by hand, to be spoiled by tests. Standard library only."""
import base64
import json
import math
import struct

BYTE, UBYTE, SHORT, USHORT, UINT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
LETTERS = {BYTE: 'b', UBYTE: 'B', SHORT: 'h', USHORT: 'H', UINT: 'I', FLOAT: 'f'}
WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}
NAN, INFINITY = float('nan'), float('inf')


class Model:
    """A glTF document and its binary. j is the JSON; tests change it as they like."""

    def __init__(self):
        self.j = {'asset': {'version': '2.0', 'generator': 'mpak tests'}, 'buffers': [{}], 'bufferViews': [],
                  'accessors': []}
        self.data = bytearray()
        self.files = {}  # name -> bytes, written beside the model
        self.clip_files = {}  # name -> bytes, written beside the model and given to --clips

    def view(self, data, **more):
        """Adds a bufferView of data; returns its number."""
        self.data += bytes(-len(self.data) % 4)
        self.j['bufferViews'].append(dict({'buffer': 0, 'byteOffset': len(self.data), 'byteLength': len(data)}, **more))
        self.data += data
        return len(self.j['bufferViews']) - 1

    def accessor(self, rows, shape, component=FLOAT, **more):
        """Adds an accessor of rows (numbers or tuples); returns its number."""
        rows = [row if isinstance(row, (tuple, list)) else (row,) for row in rows]
        data = b''.join(struct.pack('<%d%s' % (WIDTHS[shape], LETTERS[component]), *row) for row in rows)
        self.j['accessors'].append(dict({'bufferView': self.view(data), 'componentType': component,
                                         'count': len(rows), 'type': shape}, **more))
        return len(self.j['accessors']) - 1

    def put(self, accessor, element, component, value):
        """Overwrites one number of an accessor."""
        record = self.j['accessors'][accessor]
        letter, width = LETTERS[record['componentType']], WIDTHS[record['type']]
        offset = self.j['bufferViews'][record['bufferView']]['byteOffset']
        struct.pack_into('<' + letter, self.data, offset + (element * width + component) * struct.calcsize(letter), value)

    def fill(self, accessor, value):
        """Overwrites all numbers of an accessor."""
        record = self.j['accessors'][accessor]
        for element in range(record['count']):
            for component in range(WIDTHS[record['type']]):
                self.put(accessor, element, component, value)

    def text(self):
        return json.dumps(self.j, ensure_ascii=False).encode('utf-8')

    def glb(self):
        """The file as GLB."""
        self.j['buffers'][0].setdefault('byteLength', len(self.data))
        return pack_glb([(b'JSON', pad(self.text(), b' ')), (b'BIN\0', pad(bytes(self.data), b'\0'))])

    def gltf(self):
        """The file as .gltf with a data URI."""
        self.j['buffers'][0].setdefault('byteLength', len(self.data))
        uri = 'data:application/octet-stream;base64,' + base64.b64encode(bytes(self.data)).decode('ascii')
        self.j['buffers'][0].setdefault('uri', uri)
        return self.text()


def pad(data, byte):
    return data + byte * (-len(data) % 4)


def pack_glb(chunks, version=2, byte_count=None):
    body = b''.join(struct.pack('<I', len(data)) + kind + data for kind, data in chunks)
    total = 12 + len(body) if byte_count is None else byte_count
    return b'glTF' + struct.pack('<II', version, total) + body


class Sound(Model):
    """A sound character, about which mpak has nothing to say: a sheet of 9 vertices with two morph targets, a skin of
    two joints, a material and a clip, and a second mesh without any of these."""

    def __init__(self):
        super().__init__()
        self.make_meshes()
        self.make_skin()
        self.make_nodes()
        self.make_clip()

    def sheet(self):
        """Attributes and indices of 2 x 2 squares."""
        grid = [(x / 2.0, y / 2.0) for y in range(3) for x in range(3)]
        slope = [0.25 * x for x, _ in grid]
        length = [math.sqrt(1 + s * s) for s in slope]
        attributes = {
            'POSITION': self.accessor([(x, y, 0.125 * x * x) for x, y in grid], 'VEC3'),
            'NORMAL': self.accessor([(-s / n, 0, 1 / n) for s, n in zip(slope, length)], 'VEC3'),
            'TANGENT': self.accessor([(1 / n, 0, s / n, 1) for s, n in zip(slope, length)], 'VEC4'),
            'TEXCOORD_0': self.accessor([(x, 1 - y) for x, y in grid], 'VEC2'),
            'COLOR_0': self.accessor([(255, v, 0, 255) for v in range(9)], 'VEC4', UBYTE, normalized=True),
        }
        corners = [(a, a + 1, a + 3, a + 3, a + 1, a + 4) for a in (0, 1, 3, 4)]
        return attributes, self.accessor([i for row in corners for i in row], 'SCALAR', USHORT)

    def target(self, number):
        moved = [v % 3 == number for v in range(9)]
        streams = {'POSITION': (0.25, -0.125, 0.5), 'NORMAL': (0.125, 0.25, 0), 'TANGENT': (0, 0.25, 0.125)}
        return {name: self.accessor([delta if m else (0, 0, 0) for m in moved], 'VEC3') for name, delta in streams.items()}

    def make_meshes(self):
        attributes, indices = self.sheet()
        hat, hat_indices = self.sheet()
        attributes['JOINTS_0'] = self.accessor([(0, 1, 0, 0)] * 9, 'VEC4', UBYTE)
        attributes['WEIGHTS_0'] = self.accessor([(0.75, 0.25, 0, 0)] * 9, 'VEC4')
        self.j['materials'] = [{'name': 'Skin'}]
        self.j['meshes'] = [
            {'name': 'Body', 'weights': [0.25, 0], 'extras': {'targetNames': ['Smile', 'Blink']},
             'primitives': [{'attributes': attributes, 'indices': indices, 'material': 0,
                             'targets': [self.target(0), self.target(1)]}]},
            {'name': 'Hat', 'primitives': [{'attributes': hat, 'indices': hat_indices}]}]
        self.body, self.hat = self.j['meshes']
        self.primitive = self.body['primitives'][0]
        self.attributes = self.primitive['attributes']
        self.targets = self.primitive['targets']

    def make_skin(self):
        binds = [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1) for y in (1, 1.5)]
        self.j['skins'] = [{'name': 'Rig', 'joints': [1, 2], 'inverseBindMatrices': self.accessor(binds, 'MAT4')}]
        self.skin = self.j['skins'][0]

    def make_nodes(self):
        self.j['nodes'] = [
            {'name': 'Root', 'children': [1, 3]},
            {'name': 'Hips', 'translation': [0, 1, 0], 'children': [2]},
            {'name': 'Spine', 'translation': [0, 0.5, 0], 'children': [4]},
            {'name': 'Body', 'mesh': 0, 'skin': 0},
            {'name': 'Hat', 'mesh': 1},
            {'name': 'Offstage'}]
        self.root, self.hips, self.spine, self.body_node, self.hat_node, self.offstage = self.j['nodes']
        self.j['scenes'] = [{'nodes': [0]}]
        self.j['scene'] = 0

    def make_clip(self):
        times = self.accessor([0, 0.5, 1], 'SCALAR')
        turns = [(0, 0, 0, 1), (0.28, 0, 0, 0.96), (0.6, 0, 0, 0.8)]
        self.times = times
        self.samplers = [
            {'input': times, 'output': self.accessor([(0, 1, 0), (0, 1.25, 0), (0, 1.5, 0)], 'VEC3')},
            {'input': times, 'output': self.accessor(turns, 'VEC4')},
            {'input': times, 'output': self.accessor([0, 0, 1, 0, 0, 1], 'SCALAR')}]
        paths = [(1, 'translation'), (2, 'rotation'), (3, 'weights')]
        self.channels = [{'sampler': i, 'target': {'node': node, 'path': path}} for i, (node, path) in enumerate(paths)]
        self.clip = {'name': 'Idle', 'samplers': self.samplers, 'channels': self.channels}
        self.j['animations'] = [self.clip]

    def values(self, track):
        """The accessor of the values of a channel: 0 translation, 1 rotation, 2 weights."""
        return self.samplers[track]['output']
