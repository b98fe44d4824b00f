"""Clips of packs made with --compress load, read and sampled without mpak, in double precision."""
import bisect
import math
import struct

NONE = 0xFFFFFFFF
TRANSLATION, ROTATION, SCALE, WEIGHTS = range(4)
STEP, LINEAR, CUBIC = range(3)


class Node:
    def __init__(self, name, parent, is_matrix, rest):
        self.name, self.parent, self.is_matrix, self.rest, self.controls = name, parent, is_matrix, rest, []


class Track:
    def __init__(self, node, path, interpolation, width, times, values):
        self.node, self.path, self.interpolation = node, path, interpolation
        self.width, self.times, self.values = width, times, values


class Clip:
    def __init__(self, name, start_s, end_s, tracks):
        self.name, self.start_s, self.end_s, self.tracks = name, start_s, end_s, tracks


def read_chunks(data):
    """Bytes and stride of the chunks of the whole file, by kind."""
    count, = struct.unpack_from('<I', data, 28)
    table, = struct.unpack_from('<Q', data, 48)
    chunks = {}
    for i in range(count):
        kind, _, encoding, _, owner, offset, stored = struct.unpack_from('<4sHHIIQQ', data, table + 80 * i)
        if owner == NONE:
            assert encoding == 0, 'a compressed pack'
            chunks[kind.decode()] = data[offset:offset + stored]
    return chunks


def text_at(strings, offset):
    return strings[offset:strings.index(b'\0', offset)].decode('utf-8')


def records(chunk, layout):
    return struct.iter_unpack(layout, chunk or b'')


def read_controls(chunks):
    """Names of the controls of the mesh that a node draws, by node."""
    names = [text_at(chunks['STRS'], row[1]) for row in records(chunks.get('CTRL'), '<4I3fI')]
    meshes = [row[5:7] for row in records(chunks.get('MESH'), '<10I6f')]
    return {node: names[meshes[mesh][0]:meshes[mesh][0] + meshes[mesh][1]]
            for node, mesh, _, _ in records(chunks.get('INST'), '<4I')}


def read(path):
    """(nodes, clips) of a pack; a node's controls are the names of what its weight tracks move."""
    with open(path, 'rb') as file:
        chunks = read_chunks(file.read())
    strings = chunks['STRS']
    nodes = [Node(text_at(strings, row[0]), row[2], row[4] & 1, row[6:]) for row in
             records(chunks['NODE'], '<6I12f')]
    for node, controls in read_controls(chunks).items():
        nodes[node].controls = controls
    times, values = ([row[0] for row in records(chunks.get(kind), '<f')] for kind in ('KEYT', 'KEYV'))
    tracks = []
    for _, node, path_number, interpolation, width, count, time, value in records(chunks.get('TRAK'), '<8I'):
        floats = count * width * (3 if interpolation == CUBIC else 1)
        tracks.append(Track(node, path_number, interpolation, width, times[time:time + count],
                            values[value:value + floats]))
    clips = [Clip(text_at(strings, row[0]), row[5], row[6], tracks[row[3]:row[3] + row[4]]) for row in
             records(chunks.get('CLIP'), '<5I2f2If2I')]
    return nodes, clips


def float_count(clip):
    return sum(len(track.times) + len(track.values) for track in clip.tracks)


def unit(quaternion):
    length = math.sqrt(sum(part * part for part in quaternion))
    return [part / length for part in quaternion]


def slerp(a, b, share):
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = [-x for x in b], -cosine
    angle = math.atan2(math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b))) / 2,
                       math.sqrt(sum((x + y) ** 2 for x, y in zip(a, b))) / 2) * 2
    if angle < 1e-12:
        return a
    left, right = math.sin((1 - share) * angle), math.sin(share * angle)
    return [(left * x + right * y) / math.sin(angle) for x, y in zip(a, b)]


def sample(track, time_s):
    """A track's value: glTF 2.0, appendix C."""
    key = bisect.bisect_right(track.times, time_s) - 1
    stride = track.width * (3 if track.interpolation == CUBIC else 1)

    def row(number, part):
        first = number * stride + part * track.width
        return track.values[first:first + track.width]

    own = 1 if track.interpolation == CUBIC else 0
    if key < 0 or key + 1 == len(track.times) or track.interpolation == STEP:
        return row(max(key, 0), own)
    a, b = row(key, own), row(key + 1, own)
    length = track.times[key + 1] - track.times[key]
    s = (time_s - track.times[key]) / length
    if track.interpolation == CUBIC:
        out, into = row(key, 2), row(key + 1, 0)
        return [(2 * s ** 3 - 3 * s ** 2 + 1) * a[i] + (s ** 3 - 2 * s ** 2 + s) * length * out[i] +
                (3 * s ** 2 - 2 * s ** 3) * b[i] + (s ** 3 - s ** 2) * length * into[i] for i in range(track.width)]
    if track.path == ROTATION:
        return slerp(unit(a), unit(b), s)
    return [x + s * (y - x) for x, y in zip(a, b)]


def matrix_of_parts(translation, rotation, scale):
    """3 rows of 4."""
    x, y, z, w = unit(rotation)
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * scale[c] for c in range(3)] + [translation[r]] for r in range(3)]


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)]
            for r in range(3)]


def worlds(nodes, clip, time_s):
    """The world matrices of all nodes at a time of the clip."""
    tracks = {(track.node, track.path): track for track in clip.tracks}
    found = []
    for number, node in enumerate(nodes):
        rest = (node.rest[0:3], node.rest[3:7], node.rest[7:10])
        parts = [sample(tracks[number, path], time_s) if (number, path) in tracks else rest[path] for path in range(3)]
        local = ([list(node.rest[4 * r:4 * r + 4]) for r in range(3)] if node.is_matrix
                 else matrix_of_parts(*parts))
        found.append(local if node.parent == NONE else multiply(found[node.parent], local))
    return found
