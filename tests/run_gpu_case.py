#!/usr/bin/env python3
"""tools/gen_gpu_case.c: what it prints is what its files hold, read here without mpak, and what packs of them hold."""
import json
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import mpak_read

GENERATOR = os.path.join(os.path.dirname(harness.MPAK), 'release', 'tools', 'gen_gpu_case')


def generate(path, *options):
    """Returns what the generator printed, as a dictionary; None when it refused."""
    done = subprocess.run([GENERATOR, path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    words = done.stdout.decode().split()
    return dict(zip(words[::2], map(int, words[1::2]))) if done.returncode == 0 else None


class Glb:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = file.read()
        magic, version, self.length, json_length, _ = struct.unpack_from('<5I', self.bytes)
        assert magic == 0x46546C67 and version == 2 and self.length == len(self.bytes)
        self.document = json.loads(self.bytes[20:20 + json_length])
        self.start = 28 + json_length

    def view(self, index, code):
        view = self.document['bufferViews'][index]
        count = view['byteLength'] // struct.calcsize(code)
        return struct.unpack_from('<%d%s' % (count, code), self.bytes, self.start + view['byteOffset'])

    def accessor(self, index, code):
        return self.view(self.document['accessors'][index]['bufferView'], code)

    def sparse(self, index):
        """(vertices, values) of a target's accessor."""
        sparse = self.document['accessors'][index]['sparse']
        vertices, values = self.view(sparse['indices']['bufferView'], 'I'), self.view(sparse['values']['bufferView'], 'f')
        assert len(vertices) == sparse['count'] and len(values) == 3 * len(vertices)
        return vertices, values


def check_targets(checks, glb, said, share):
    primitive = glb.document['meshes'][0]['primitives'][0]
    checks.equal(len(primitive['targets']), said['targets'], 'number of targets')
    positions, normals = glb.accessor(0, 'f'), glb.accessor(1, 'f')
    checks.equal(len(positions), 3 * said['vertices'], 'number of vertices')
    count, unsorted, still, apart, outside, longest = 0, 0, 0, 0, 0, 0.0
    for target in primitive['targets']:
        vertices, deltas = glb.sparse(target['POSITION'])
        turned, turns = glb.sparse(target['NORMAL'])
        count += len(vertices)
        unsorted += list(vertices) != sorted(set(vertices))
        apart += turned != vertices
        still += sum(deltas[3 * i:3 * i + 3] == (0, 0, 0) for i in range(len(vertices)))
        accessor = glb.document['accessors'][target['POSITION']]
        for axis in range(3):
            values = deltas[axis::3] + (0,)
            outside += abs(min(values) - accessor['min'][axis]) > 1e-9 or abs(max(values) - accessor['max'][axis]) > 1e-9
        for i, vertex in enumerate(vertices):
            normal = [normals[3 * vertex + k] + turns[3 * i + k] for k in range(3)]
            longest = max(longest, abs(sum(n * n for n in normal) - 1))
    checks.equal(count, said['deltas'], 'number of deltas')
    checks.equal((unsorted, still, apart, outside), (0, 0, 0, 0), 'sparse lists are sorted, moving, alike, inside bounds')
    checks.check(longest < 1e-5, 'moved normals have length 1', longest)
    wanted = share * said['vertices'] * said['targets']
    checks.check(abs(count - wanted) < 0.02 * wanted, 'share of moved vertices', (count, wanted))


def check_skin(checks, glb, said):
    attributes = glb.document['meshes'][0]['primitives'][0]['attributes']
    joints, weights = glb.accessor(attributes['JOINTS_0'], 'H'), glb.accessor(attributes['WEIGHTS_0'], 'f')
    checks.equal(len(joints), 4 * said['vertices'], 'four influences a vertex')
    checks.equal(set(joints), set(range(said['joints'])), 'every joint moves something')
    sums = [sum(weights[i:i + 4]) for i in range(0, len(weights), 4)]
    checks.check(min(weights) >= 0 and max(abs(s - 1) for s in sums) < 1e-6, 'weights add to 1', (min(weights), max(sums)))


def check_pack(checks, source, folder, said, *options):
    pack = os.path.join(folder, 'case.mpak')
    code, _, err = harness.run(['cook', '-q', *options, '-o', pack, source])
    if not checks.equal((code, err), (0, ''), 'cook ' + ' '.join(options)):
        return
    info = harness.run_json(['info', '--json', pack])
    primitive = info['meshes'][0]['primitives'][0]
    checks.equal(primitive['source']['vertex_count'], said['vertices'], 'the pack knows the vertices')
    moved = [target['moved_count'] for target in primitive['source']['targets']]
    checks.equal((len(moved), sum(moved)), (said['targets'], said['deltas']), 'the pack knows the deltas')
    if 'lossless' in options:
        stored = sum(target['delta_count'] for target in primitive['targets'])
        checks.equal(stored, said['deltas'], 'a lossless pack holds all deltas')
    checks.equal(len(info['nodes']), 1 + (said['joints'] and said['joints'] + 1), 'nodes')


def check_case(checks, folder, share, *options):
    source = os.path.join(folder, 'case.glb')
    said = generate(source, '--active-share', str(share), *options)
    if not checks.check(said is not None, 'gen_gpu_case ' + ' '.join(options)):
        return
    glb = Glb(source)
    checks.equal(glb.length, said['bytes'], 'number of bytes')
    check_targets(checks, glb, said, share)
    if said['joints']:
        check_skin(checks, glb, said)
    for quality in (('--quality', 'lossless'), ('--quality', 'lossless', '--layout', 'csr64'), ('--quality', 'default')):
        check_pack(checks, source, folder, said, *quality)


def lanes_per_entry(pack):
    with open(pack, 'rb') as file:
        part = mpak_read.Pack(file.read(), check_hashes=False).table['PART'][0]
    return part.delta_count / part.entry_count


def triangles_of(indices):
    """Each triangle from its least corner on: which side it shows stays, where it starts does not count."""
    for i in range(0, len(indices), 3):
        corners = indices[i:i + 3]
        first = corners.index(min(corners))
        yield tuple(corners[first:] + corners[:first])


def check_order(checks, folder):
    """Patches fill blk64's blocks better than strips do; nothing else changes. A disc of d vertices in blocks of 8 x 8 has
    about (d + 5.1 * sqrt(pi * d) * 2) / 64 entries: 45 lanes each, and not 64, for the 3,000 vertices of these."""
    source, lanes, moved = os.path.join(folder, 'order.glb'), {}, {}
    generate(source, '--vertices', '12000', '--targets', '8')
    for order in ('auto', 'blocks'):
        pack = os.path.join(folder, order + '.mpak')
        code, err = harness.cook(source, pack, '--vertex-order', order, '--source-map')
        checks.equal((code, err), (0, ''), 'cook --vertex-order ' + order)
        lanes[order] = lanes_per_entry(pack)
        moved[order] = harness.run_json(['eval', '--order', 'source', '--weight', '#3=0.75', pack])['meshes'][0]
    checks.check(lanes['blocks'] > 40 and lanes['blocks'] > 1.15 * lanes['auto'], 'lanes of an entry', lanes)
    for member in ('positions', 'normals'):
        checks.equal(len(moved['auto'][member]), 12000, member)
        checks.check(moved['auto'][member] == moved['blocks'][member], 'the same %s in either order' % member)
    triangles = [set(triangles_of(moved[order]['indices'])) for order in ('auto', 'blocks')]
    checks.check(len(triangles[0]) == 24000 and triangles[0] == triangles[1], 'the same triangles in either order')


def check_seeds(checks, folder):
    """The same seed gives the same file, another one another of the same size but for the moved vertices' number."""
    contents = []
    for name, seed in (('a', 5), ('b', 5), ('c', 6)):
        path = os.path.join(folder, name + '.glb')
        generate(path, '--vertices', '600', '--targets', '2', '--seed', str(seed))
        with open(path, 'rb') as file:
            contents.append(file.read())
    checks.check(contents[0] == contents[1], 'the same seed')
    checks.check(contents[0] != contents[2], 'another seed')


def check_usage(checks, folder):
    path = os.path.join(folder, 'none.glb')
    for options in (('--vertices', '101'), ('--vertices', 'x'), ('--vertices', '1e12'), ('--targets',), ('--seeds', '1'),
                    ('--joints', '3'), ('--active-share', '0.7'), ('--active-share', 'nan')):
        checks.equal(subprocess.run([GENERATOR, path, *options], stderr=subprocess.DEVNULL).returncode, 2, ' '.join(options))
    checks.check(not os.path.exists(path), 'a refusal writes nothing')


def main():
    checks = harness.Checks('GPU cases')
    with harness.scratch() as folder:
        check_case(checks, folder, 0.25, '--vertices', '2400', '--targets', '6', '--joints', '12')
        check_case(checks, folder, 0.1, '--vertices', '6000', '--targets', '9', '--seed', '3')
        check_order(checks, folder)
        check_seeds(checks, folder)
        check_usage(checks, folder)
    checks.finish()


main()
