"""Small glTF files whose vertices can be worked out by hand.

quad.gltf       one node "Quad" at (10, 0, 0), one mesh "Card" of two triangles, five vertices of which the last is
                unused; targets "Smile" (+z on vertex 1), "Frown" (-2z on vertex 2), normals too; uv, COLOR_0 as bytes; clips "Slide"
                (node x from 10 at 1 s to 12 at 3 s, LINEAR) and "Pulse" (weights 0 to 1 and 0.5 from 0 s to 2 s)
mirror.gltf     two nodes with one mesh: "Plain", and "Mirror" scaled by -1 along x
skin.gltf       a strip of four vertices on joints "Hip" and "Knee"; Knee turns by 90 degrees in clip "Bend" (0 to 1 s)
names.gltf      quad.gltf with odd names: a blank, quotes, a line break, an escape sequence, hiragana, repeated and empty
broken.gltf     quad.gltf with NaN in a target
coat.gltf       node "Coat" at (0, 3, 0) draws skin.gltf's strip and, in the same mesh, a quad without joints; target "Wide" of both
                (+x), clip "Move" (its weight 0 to 1, Knee turns as in "Bend"); "Hip" and "Knee" are two roots; "Sheared", a
                matrix (x += y / 2), is above "Card", which draws quad.gltf's mesh
early.gltf      quad.gltf whose clip "Slide" is at -1 s where quad.gltf's is at 1 s, and at 1 s where that is at 3 s
external.gltf   quad.gltf with its buffer in "external data.bin"
"""
import base64
import json
import os
import struct

POSITIONS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (5, 5, 5)]
NORMALS = [(0, 0, 1)] * 5
UVS = [(0, 1), (1, 1), (1, 0), (0, 0), (0.5, 0.5)]
COLOURS = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 51), (0, 0, 0, 0)]
INDICES = [0, 1, 2, 0, 2, 3]
SMILE = [(0, 0, 0), (0, 0, 1), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
SMILE_NORMALS = [(0, 0, 0), (0.75, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
FROWN_NORMALS = [(0, 0, 0), (0, 0, 0), (0, 0.75, 0), (0, 0, 0), (0, 0, 0)]
FROWN = [(0, 0, 0), (0, 0, 0), (0, 0, -2), (0, 0, 0), (0, 0, 0)]


class Builder:
    """Accessors one after the other in one buffer."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b'', [], []

    def add(self, rows, kind, code, component, normalised=False):
        flat = [value for row in rows for value in (row if isinstance(row, tuple) else (row,))]
        self.bytes += b'\0' * (-len(self.bytes) % 4)
        data = struct.pack('<%d%s' % (len(flat), code), *flat)
        self.views.append({'buffer': 0, 'byteOffset': len(self.bytes), 'byteLength': len(data)})
        accessor = {'bufferView': len(self.views) - 1, 'componentType': component, 'count': len(rows), 'type': kind}
        if normalised:
            accessor['normalized'] = True
        if kind == 'VEC3' and code == 'f':
            accessor['min'] = [min(row[c] for row in rows) for c in range(3)]
            accessor['max'] = [max(row[c] for row in rows) for c in range(3)]
        if kind == 'SCALAR' and code == 'f':
            accessor['min'], accessor['max'] = [min(rows)], [max(rows)]
        self.bytes += data
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def floats(self, rows):
        kind = {1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4'}
        return self.add(rows, kind[len(rows[0]) if isinstance(rows[0], tuple) else 1], 'f', 5126)

    def document(self, **members):
        uri = 'data:application/octet-stream;base64,' + base64.b64encode(self.bytes).decode()
        return dict({'asset': {'version': '2.0', 'generator': 'small_gltf.py'}, 'scene': 0,
                     'buffers': [{'byteLength': len(self.bytes), 'uri': uri}], 'bufferViews': self.views,
                     'accessors': self.accessors}, **members)


def quad_primitive(builder, smile=SMILE):
    return {'attributes': {'POSITION': builder.floats(POSITIONS), 'NORMAL': builder.floats(NORMALS),
                           'TEXCOORD_0': builder.floats(UVS), 'COLOR_0': builder.add(COLOURS, 'VEC4', 'B', 5121, True)},
            'indices': builder.add(INDICES, 'SCALAR', 'H', 5123), 'material': 0,
            'targets': [{'POSITION': builder.floats(smile), 'NORMAL': builder.floats(SMILE_NORMALS)},
                        {'POSITION': builder.floats(FROWN), 'NORMAL': builder.floats(FROWN_NORMALS)}]}


def quad(smile=SMILE, slide_start=1.0):
    builder = Builder()
    mesh = {'name': 'Card', 'primitives': [quad_primitive(builder, smile)], 'extras': {'targetNames': ['Smile', 'Frown']}}
    slide = {'name': 'Slide', 'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'translation'}}],
             'samplers': [{'input': builder.floats([slide_start, slide_start + 2]), 'output': builder.floats([(10, 0, 0), (12, 0, 0)])}]}
    pulse = {'name': 'Pulse', 'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}],
             'samplers': [{'input': builder.floats([0.0, 2.0]), 'output': builder.floats([0.0, 0.0, 1.0, 0.5])}]}
    return builder.document(scenes=[{'nodes': [0]}], nodes=[{'name': 'Quad', 'mesh': 0, 'translation': [10, 0, 0]}],
                            meshes=[mesh], materials=[{'name': 'Paper'}], animations=[slide, pulse])


def mirror():
    builder = Builder()
    mesh = {'name': 'Card', 'primitives': [quad_primitive(builder)], 'extras': {'targetNames': ['Smile', 'Frown']}}
    nodes = [{'name': 'Plain', 'mesh': 0}, {'name': 'Mirror', 'mesh': 0, 'scale': [-1, 1, 1]}]
    return builder.document(scenes=[{'nodes': [0, 1]}], nodes=nodes, meshes=[mesh], materials=[{'name': 'Paper'}])


def strip_primitive(builder):
    joints = [(0, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0)]
    weights = [(1, 0, 0, 0), (1, 0, 0, 0), (0.5, 0.5, 0, 0), (1, 0, 0, 0)]
    return {'attributes': {'POSITION': builder.floats([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 2, 0)]),
                           'NORMAL': builder.floats([(0, 0, 1)] * 4),
                           'JOINTS_0': builder.add(joints, 'VEC4', 'B', 5121), 'WEIGHTS_0': builder.floats(weights)},
            'indices': builder.add([0, 1, 2, 1, 3, 2], 'SCALAR', 'H', 5123)}


def skin():
    builder = Builder()
    identity, below = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1)
    primitive = strip_primitive(builder)
    half = 0.5 ** 0.5
    bend = {'name': 'Bend', 'channels': [{'sampler': 0, 'target': {'node': 2, 'path': 'rotation'}}],
            'samplers': [{'input': builder.floats([0.0, 1.0]), 'output': builder.floats([(0, 0, 0, 1), (0, 0, half, half)])}]}
    nodes = [{'name': 'Leg', 'mesh': 0, 'skin': 0}, {'name': 'Hip', 'children': [2]},
             {'name': 'Knee', 'translation': [0, 1, 0]}]
    return builder.document(scenes=[{'nodes': [0, 1]}], nodes=nodes, animations=[bend],
                            meshes=[{'name': 'Leg', 'primitives': [primitive]}],
                            skins=[{'name': 'LegSkin', 'joints': [1, 2], 'inverseBindMatrices': builder.floats([identity, below])}])


def coat():
    builder = Builder()
    identity, below, half = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1), 0.5 ** 0.5
    strip, plain = strip_primitive(builder), quad_primitive(builder)
    strip['targets'] = [{'POSITION': builder.floats([(0, 0, 0), (1, 0, 0), (0, 0, 0), (0.5, 0, 0)])}]
    plain['targets'] = [{'POSITION': builder.floats([(0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)])}]
    times = builder.floats([0.0, 1.0])
    move = {'name': 'Move', 'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}},
                                         {'sampler': 1, 'target': {'node': 2, 'path': 'rotation'}}],
            'samplers': [{'input': times, 'output': builder.floats([0.0, 1.0])},
                         {'input': times, 'output': builder.floats([(0, 0, 0, 1), (0, 0, half, half)])}]}
    nodes = [{'name': 'Coat', 'mesh': 0, 'skin': 0, 'translation': [0, 3, 0]}, {'name': 'Hip'},
             {'name': 'Knee', 'translation': [0, 1, 0]},
             {'name': 'Sheared', 'matrix': [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1], 'children': [4]},
             {'name': 'Card', 'mesh': 1}]
    meshes = [{'name': 'Coat', 'primitives': [strip, plain], 'extras': {'targetNames': ['Wide']}},
              {'name': 'Card', 'primitives': [quad_primitive(builder)], 'extras': {'targetNames': ['Smile', 'Frown']}}]
    return builder.document(scenes=[{'nodes': [0, 1, 2, 3]}], nodes=nodes, animations=[move], meshes=meshes,
                            materials=[{'name': 'Paper'}],
                            skins=[{'joints': [1, 2], 'inverseBindMatrices': builder.floats([identity, below])}])


ODD_NODE, ODD_MESH = 'two\nlines \x1b[31m', 'say "hi" \\ \u3042'
ODD_TARGETS = ['\u7b11\u3044/left', 'a=b']


def names():
    document = quad()
    document['nodes'][0]['name'] = ODD_NODE
    document['meshes'][0]['name'] = ODD_MESH
    document['meshes'][0]['extras']['targetNames'] = ODD_TARGETS
    document['animations'][0]['name'] = document['animations'][1]['name'] = 'Twin'
    return document


def write(path, document):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(document, file)


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, 'quad.gltf'), quad())
    write(os.path.join(folder, 'mirror.gltf'), mirror())
    write(os.path.join(folder, 'skin.gltf'), skin())
    write(os.path.join(folder, 'names.gltf'), names())
    write(os.path.join(folder, 'broken.gltf'), quad([(0, 0, 0), (0, 0, float('nan')), (0, 0, 0), (0, 0, 0), (0, 0, 0)]))
    write(os.path.join(folder, 'coat.gltf'), coat())
    write(os.path.join(folder, 'early.gltf'), quad(slide_start=-1.0))
    external = quad()
    data = base64.b64decode(external['buffers'][0]['uri'].split(',')[1])
    external['buffers'][0]['uri'] = 'external%20data.bin'
    write(os.path.join(folder, 'external.gltf'), external)
    with open(os.path.join(folder, 'external data.bin'), 'wb') as file:
        file.write(data)
