"""One small body in every format that can be written by hand, from the formats' own documents and without Assimp.

The body is a tetrahedron with sides along the axes, so that its volume, with outward faces, is 1, and any turn, mirror
or scale shows. Where a format has joints, the corner D is bound to "tip", a child of "root" one unit up y; at second 1
"tip" has turned by a quarter about z. Each function returns the bytes of one file."""
import math
import struct

A, B, C, D = POINTS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]  # outward in right-handed axes
JOINTS = [('root', -1, (0.0, 0.0, 0.0)), ('tip', 0, (0.0, 1.0, 0.0))]  # name, parent, place below the parent
JOINT_OF_POINT = [0, 0, 0, 1]


def posed(turn_rad):
    """The body with "tip" turned about z."""
    return [A, B, C, (math.sin(turn_rad), 1 - math.cos(turn_rad), 3.0)]


def normal(face):
    a, b, c = [POINTS[i] for i in face]
    u, v = [[q - p for p, q in zip(a, other)] for other in (b, c)]
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    size = math.sqrt(sum(x * x for x in cross))
    return tuple(x / size for x in cross)


def words(*rows):
    return ' '.join('%.9g' % value for row in rows for value in row)


def text(*lines, encoding='utf-8'):
    return ('\n'.join(lines) + '\n').encode(encoding)


# -- Meshes alone ------------------------------------------------------------------------------------------------------

def obj():
    return text('mtllib body.mtl', 'o body', *['v ' + words(point) for point in POINTS],
                *['vn ' + words(normal(face)) for face in FACES], 'usemtl skin',
                *['f ' + ' '.join('%d//%d' % (i + 1, f + 1) for i in face) for f, face in enumerate(FACES)])


def mtl():
    return text('newmtl skin', 'Kd 1 0.5 0.25')


def stl_text():
    lines = ['solid body']
    for face in FACES:
        lines += ['facet normal ' + words(normal(face)), 'outer loop', *['vertex ' + words(POINTS[i]) for i in face],
                  'endloop', 'endfacet']
    return text(*lines, 'endsolid body')


def stl_binary():
    rows = [struct.pack('<12fH', *normal(face), *[x for i in face for x in POINTS[i]], 0) for face in FACES]
    return b'body'.ljust(80, b' ') + struct.pack('<I', len(FACES)) + b''.join(rows)


def ply_header(kind):
    return text('ply', 'format %s 1.0' % kind, 'element vertex 4', 'property float x', 'property float y',
                'property float z', 'element face 4', 'property list uchar int vertex_indices', 'end_header')


def ply_text():
    return ply_header('ascii') + text(*[words(point) for point in POINTS],
                                      *['3 ' + ' '.join(map(str, face)) for face in FACES])


def ply_binary():
    return ply_header('binary_little_endian') + b''.join(struct.pack('<3f', *point) for point in POINTS) + b''.join(
        struct.pack('<B3i', 3, *face) for face in FACES)


def off():
    return text('OFF', '4 4 6', *[words(point) for point in POINTS],
                *['3 ' + ' '.join(map(str, face)) for face in FACES])


def tds():
    """3D Studio: chunks of a number, a size and a body."""
    def chunk(number, body):
        return struct.pack('<HI', number, 6 + len(body)) + body

    points = chunk(0x4110, struct.pack('<H', 4) + b''.join(struct.pack('<3f', *point) for point in POINTS))
    faces = chunk(0x4120, struct.pack('<H', 4) + b''.join(struct.pack('<4H', *face, 0) for face in FACES))
    body = chunk(0x4000, b'body\0' + chunk(0x4100, points + faces))
    scene = chunk(0x3D3D, chunk(0x3D3E, struct.pack('<I', 3)) + body)
    return chunk(0x4D4D, chunk(0x0002, struct.pack('<I', 3)) + scene)


def x3d():
    return text('<?xml version="1.0" encoding="UTF-8"?>', '<X3D profile="Interchange" version="3.0"><Scene><Shape>',
                '<IndexedFaceSet coordIndex="%s">' % ' '.join('%d %d %d -1' % face for face in FACES),
                '<Coordinate point="%s"/>' % words(*POINTS), '</IndexedFaceSet></Shape></Scene></X3D>')


# -- COLLADA -----------------------------------------------------------------------------------------------------------

def dae_source(name, values, stride, parameters, kind='float'):
    array = 'Name_array' if kind == 'Name' else 'float_array'
    return ['<source id="%s">' % name,
            '<%s id="%s-array" count="%d">%s</%s>' % (array, name, len(values), ' '.join(map(str, values)), array),
            '<technique_common><accessor source="#%s-array" count="%d" stride="%d">' % (
                name, len(values) // stride, stride),
            *['<param name="%s" type="%s"/>' % (parameter, kind) for parameter in parameters],
            '</accessor></technique_common></source>']


def dae_geometry():
    flat = [value for point in POINTS for value in point]
    return ['<library_geometries><geometry id="body-mesh" name="body"><mesh>',
            *dae_source('body-positions', flat, 3, 'XYZ'),
            '<vertices id="body-vertices"><input semantic="POSITION" source="#body-positions"/></vertices>',
            '<triangles count="4"><input semantic="VERTEX" source="#body-vertices" offset="0"/>',
            '<p>%s</p></triangles></mesh></geometry></library_geometries>' % ' '.join(
                str(i) for face in FACES for i in face)]


IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def placed(place):
    """Rows; points are columns."""
    return [1, 0, 0, place[0], 0, 1, 0, place[1], 0, 0, 1, place[2], 0, 0, 0, 1]


def turned(place, turn_rad):
    sine, cosine = math.sin(turn_rad), math.cos(turn_rad)
    return [cosine, -sine, 0, place[0], sine, cosine, 0, place[1], 0, 0, 1, place[2], 0, 0, 0, 1]


def dae_skin():
    binds = placed((0, 0, 0)) + placed((0, -1, 0))
    return ['<library_controllers><controller id="body-skin"><skin source="#body-mesh">',
            '<bind_shape_matrix>%s</bind_shape_matrix>' % words(IDENTITY),
            *dae_source('skin-joints', ['root', 'tip'], 1, ['JOINT'], 'Name'),
            *dae_source('skin-binds', binds, 16, ['TRANSFORM'], 'float4x4'),
            *dae_source('skin-weights', [1], 1, ['WEIGHT']),
            '<joints><input semantic="JOINT" source="#skin-joints"/>',
            '<input semantic="INV_BIND_MATRIX" source="#skin-binds"/></joints>',
            '<vertex_weights count="4"><input semantic="JOINT" source="#skin-joints" offset="0"/>',
            '<input semantic="WEIGHT" source="#skin-weights" offset="1"/><vcount>1 1 1 1</vcount>',
            '<v>%s</v></vertex_weights></skin></controller></library_controllers>' % ' '.join(
                '%d 0' % joint for joint in JOINT_OF_POINT)]


def dae_animation():
    keys = turned((0, 1, 0), 0) + turned((0, 1, 0), math.pi / 2)
    return ['<library_animations><animation id="tip-move" name="turn">',
            *dae_source('tip-times', [0, 1], 1, ['TIME']), *dae_source('tip-keys', keys, 16, ['TRANSFORM'], 'float4x4'),
            *dae_source('tip-ways', ['LINEAR', 'LINEAR'], 1, ['INTERPOLATION'], 'Name'),
            '<sampler id="tip-sampler"><input semantic="INPUT" source="#tip-times"/>',
            '<input semantic="OUTPUT" source="#tip-keys"/>',
            '<input semantic="INTERPOLATION" source="#tip-ways"/></sampler>',
            '<channel source="#tip-sampler" target="tip/transform"/></animation></library_animations>']


def dae_joints():
    joint = '<node id="%s" sid="%s" name="%s" type="JOINT"><matrix sid="transform">%s</matrix>'
    return [joint % ('root', 'root', 'root', words(IDENTITY)), joint % ('tip', 'tip', 'tip', words(placed((0, 1, 0)))),
            '</node></node>']


def dae(up='Y_UP', metres=1.0, is_skinned=False, has_mesh=True):
    lines = ['<?xml version="1.0" encoding="utf-8"?>',
             '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">',
             '<asset><unit meter="%.9g"/><up_axis>%s</up_axis></asset>' % (metres, up)]
    lines += dae_geometry() if has_mesh else []
    lines += dae_skin() if is_skinned and has_mesh else []
    lines += dae_animation() if is_skinned else []
    lines += ['<library_visual_scenes><visual_scene id="scene">']
    lines += dae_joints() if is_skinned else []
    if has_mesh:
        drawn = ('<instance_controller url="#body-skin"><skeleton>#root</skeleton></instance_controller>' if is_skinned
                 else '<instance_geometry url="#body-mesh"/>')
        lines += ['<node id="body" name="body">%s</node>' % drawn]
    lines += ['</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>']
    return text(*lines)


# -- DirectX .x: left-handed, points are rows --------------------------------------------------------------------------

def x_row_matrix(columns_matrix):
    return [columns_matrix[4 * column + row] for row in range(4) for column in range(4)]


def x_mesh(is_skinned, tip):
    corners = [';'.join('%.9f' % value for value in point) + ';' for point in POINTS]
    lines = ['Mesh {', '4;', ','.join(corners) + ';', '4;',
             ','.join('3;%d,%d,%d;' % face for face in FACES) + ';']
    for joint, name in enumerate(['root', tip] if is_skinned else []):
        mine = [i for i in range(4) if JOINT_OF_POINT[i] == joint]
        bind = x_row_matrix(placed((0, -joint, 0)))
        lines += ['SkinWeights {', '"%s";' % name, '%d;' % len(mine), ','.join(map(str, mine)) + ';',
                  ','.join('1.0' for _ in mine) + ';', ','.join('%.9f' % value for value in bind) + ';;', '}']
    return lines + ['}']


def x_frame(name, matrix, *inside):
    numbers = ','.join('%.9f' % value for value in x_row_matrix(matrix))
    return ['Frame %s {' % name, 'FrameTransformMatrix {', numbers + ';;', '}', *inside, '}']


def x(is_skinned=False, has_mesh=True, tip='tip', encoding='utf-8'):
    lines = ['xof 0303txt 0032']
    if is_skinned:
        lines += x_frame('root', IDENTITY, *x_frame(tip, placed((0, 1, 0))))
    if has_mesh:
        lines += x_frame('body', IDENTITY, *x_mesh(is_skinned, tip))
    if is_skinned:
        keys = ['%d;16;%s;;' % (time, ','.join('%.9f' % value for value in x_row_matrix(turned((0, 1, 0), angle))))
                for time, angle in ((0, 0.0), (4800, math.pi / 2))]
        lines += ['AnimTicksPerSecond {', '4800;', '}', 'AnimationSet turn {', 'Animation {', '{ %s }' % tip,
                  'AnimationKey {', '4;', '2;', ','.join(keys) + ';', '}', '}', '}']
    return text(*lines, encoding=encoding)


# -- Valve .smd --------------------------------------------------------------------------------------------------------

def smd_skeleton(times, tip='tip'):
    lines = ['version 1', 'nodes', '0 "root" -1', '1 "%s" 0' % tip, 'end', 'skeleton']
    for frame, turn_rad in times:
        lines += ['time %d' % frame, '0 0 0 0 0 0 0', '1 0 1 0 0 0 %.9g' % turn_rad]
    return lines + ['end']


def smd_reference(tip='tip', encoding='utf-8'):
    lines = smd_skeleton([(0, 0.0)], tip) + ['triangles']
    for face in FACES:
        lines += ['skin.bmp', *['%d %s %s 0 0 1 %d 1' % (JOINT_OF_POINT[i], words(POINTS[i]), words(normal(face)),
                                                         JOINT_OF_POINT[i]) for i in face]]
    return text(*lines, 'end', encoding=encoding)


def smd_motion():
    """Frames of 1/25 s, so that frame 25 is second 1."""
    return text(*smd_skeleton([(0, 0.0), (25, math.pi / 2)]))


# -- Biovision .bvh ----------------------------------------------------------------------------------------------------

def bvh():
    return text('HIERARCHY', 'ROOT root', '{', 'OFFSET 0 0 0',
                'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation', 'JOINT tip', '{',
                'OFFSET 0 1 0',
                'CHANNELS 3 Zrotation Xrotation Yrotation', 'End Site', '{', 'OFFSET 0 0 1', '}', '}', '}', 'MOTION',
                'Frames: 2', 'Frame Time: 1', '0 0 0 0 0 0 0 0 0', '0 0 0 0 0 0 90 0 0')


# -- id Tech 4 .md5mesh, .md5anim --------------------------------------------------------------------------------------

def md5_turn(turn_rad):
    """x, y, z of a unit quaternion whose w is left out and taken as negative."""
    return '( 0 0 %.9g )' % -math.sin(turn_rad / 2)


def md5_mesh():
    places = [(0, 0, 0), (0, 1, 0)]
    lines = ['MD5Version 10', 'commandline ""', '', 'numJoints 2', 'numMeshes 1', '', 'joints {',
             *['"%s" %d ( %s ) %s' % (name, parent, words(place), md5_turn(0))
               for (name, parent, _), place in zip(JOINTS, places)], '}', '', 'mesh {', 'shader "skin"', '',
             'numverts 4',
             *['vert %d ( 0 0 ) %d 1' % (i, i) for i in range(4)], '', 'numtris 4',
             *['tri %d %d %d %d' % (f, face[0], face[2], face[1]) for f, face in enumerate(FACES)], '', 'numweights 4']
    for i, point in enumerate(POINTS):
        place = places[JOINT_OF_POINT[i]]
        lines.append('weight %d %d 1 ( %s )' % (i, JOINT_OF_POINT[i], words([p - q for p, q in zip(point, place)])))
    return text(*lines, '}')


def md5_anim():
    """One frame a second."""
    lines = ['MD5Version 10', 'commandline ""', '', 'numFrames 2', 'numJoints 2', 'frameRate 1',
             'numAnimatedComponents 1', '', 'hierarchy {', '"root" -1 0 0', '"tip" 0 32 0', '}', '', 'bounds {',
             '( 0 0 0 ) ( 1 2 3 )', '( 0 0 0 ) ( 1 2 3 )', '}', '', 'baseframe {', '( 0 0 0 ) ( 0 0 0 )',
             '( 0 1 0 ) ( 0 0 0 )', '}', '']
    for frame, turn_rad in enumerate((0.0, math.pi / 2)):
        lines += ['frame %d {' % frame, '%.9g' % -math.sin(turn_rad / 2), '}', '']
    return text(*lines)


# -- Milkshape .ms3d ---------------------------------------------------------------------------------------------------

def ms3d():
    data = b'MS3D000000' + struct.pack('<i', 4) + struct.pack('<H', 4)
    for point, joint in zip(POINTS, JOINT_OF_POINT):
        data += struct.pack('<B3fbB', 0, *point, joint, 3)
    data += struct.pack('<H', 4)
    for face in FACES:
        data += struct.pack('<H3H9f6fBB', 0, *face, *(normal(face) * 3), *([0.0] * 6), 1, 0)
    data += struct.pack('<H', 1) + struct.pack('<B32sH4Hb', 0, b'body', 4, 0, 1, 2, 3, -1)
    data += struct.pack('<H', 0) + struct.pack('<ffi', 1.0, 0.0, 2) + struct.pack('<H', 2)
    for name, parent, place in JOINTS:
        keys = [(0.0, 0.0), (1.0, math.pi / 2 if name == 'tip' else 0.0)]
        data += struct.pack('<B32s32s6fHH', 0, name.encode(), b'root' if parent == 0 else b'', 0, 0, 0, *place, 2, 2)
        data += b''.join(struct.pack('<4f', time, 0, 0, angle) for time, angle in keys)
        data += b''.join(struct.pack('<4f', time, 0, 0, 0) for time, _ in keys)
    return data


# -- MikuMikuDance .pmx: left-handed -----------------------------------------------------------------------------------

def pmx_text(value):
    data = value.encode('utf-8')
    return struct.pack('<i', len(data)) + data


def pmx():
    data = b'PMX ' + struct.pack('<fB8B', 2.0, 8, 1, 0, 1, 1, 1, 1, 1, 1)
    data += pmx_text('体') + pmx_text('body') + pmx_text('') + pmx_text('')
    data += struct.pack('<i', 4)
    for point, joint in zip(POINTS, JOINT_OF_POINT):
        data += struct.pack('<8fBbf', *point, 0, 1, 0, 0, 0, 0, joint, 1.0)  # place, normal, uv, one bone, edge
    data += struct.pack('<i', 12) + b''.join(struct.pack('<3B', *face) for face in FACES)
    data += struct.pack('<i', 0) + struct.pack('<i', 1) + pmx_text('肌') + pmx_text('skin')
    data += struct.pack('<11fB5fbbBBb', *([1.0] * 4), *([0.0] * 4), *([0.5] * 3), 0, *([0.0] * 4), 1.0, -1, -1, 0, 1, 0)
    data += pmx_text('') + struct.pack('<i', 12)
    data += struct.pack('<i', 2)
    for name, (other_name, parent, place) in zip(('全ての親', '頭'), JOINTS):
        data += pmx_text(name) + pmx_text(other_name) + struct.pack('<3fbiH3f', *place, parent, 0, 0x000A, 0, 0, 0)
    data += struct.pack('<i', 1)
    data += pmx_text('笑い') + pmx_text('smile') + struct.pack('<BBi', 3, 1, 1) + struct.pack('<B3f', 3, 0, 0, 1)
    return data + struct.pack('<iii', 0, 0, 0)
