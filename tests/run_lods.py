#!/usr/bin/env python3
"""Levels of detail: the author's are found, made ones keep their promises.

Authored: lod_pair (names) and a LOD group of Maya's: triangles of each level as in the source, counted without mpak;
glTF's MSFT_lod on a small model written here. Made (--lods 4, and profiles): the error of each level, measured here as
the distance of posed vertices from the level's surface, is within what the pack states and that within its bound;
vertices at open borders and where primitives meet are in every level and move as in level 0; targets have the same
names, keys and order in all levels; required bones are closed under parents and nested; what is dropped moves nothing.
Both readers agree. Exported levels (MSFT_lod) come back as they were. An argument restricts the models to those whose path contains it.
"""
import json
import math
import os
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'support'))
import big_character
import fbx_file
import harness
import run_reader

LEVELS = 4
SAMPLED = 40  # vertices of a pose whose distance is measured
TARGETS = 4   # targets of a model that are tried


def check_pack(checks, pack, name):
    with harness.scratch() as folder:
        run_reader.check_pack(checks, pack, name, os.path.join(folder, 'streams'))


# -- Sources, read without mpak ---------------------------------------------------------------------------------------

def glb_json(path):
    with open(path, 'rb') as file:
        data = file.read()
    length, = struct.unpack_from('<I', data, 12)
    return json.loads(data[20:20 + length].decode('utf-8'))


def glb_triangles(path):
    """Triangles of each mesh, in order."""
    model = glb_json(path)
    return [sum(model['accessors'][p['indices']]['count'] // 3 for p in mesh['primitives'])
            for mesh in model['meshes']]


def fbx_triangles(path):
    """Triangles of each mesh that fans make of its polygons, in order."""
    counts = []
    for record in fbx_file.read(path).child('Objects').children:
        corners = record.child('PolygonVertexIndex') if record.name == 'Geometry' else None
        if corners is None:
            continue
        count, size = 0, 0
        for corner in corners.values[0]:
            size += 1
            if corner < 0:
                count, size = count + size - 2, 0
        counts.append(count)
    return counts


# -- Geometry ---------------------------------------------------------------------------------------------------------

def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(a, d, p):
    """Squared distance of p from the line piece a … a + d."""
    length = dot(d, d)
    t = min(1.0, max(0.0, dot(sub(p, a), d) / length)) if length > 0 else 0.0
    off = p[0] - a[0] - t * d[0], p[1] - a[1] - t * d[1], p[2] - a[2] - t * d[2]
    return dot(off, off)


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def triangle_distance(p, a, b, c):
    """Squared distance of p from a triangle: from its plane where p stands above the inside, else from its edges."""
    ab, bc, ca = sub(b, a), sub(c, b), sub(a, c)
    n = cross(ab, sub(c, a))
    area = dot(n, n)
    if area > 0 and dot(cross(ab, sub(p, a)), n) >= 0 and dot(cross(bc, sub(p, b)), n) >= 0 and \
            dot(cross(ca, sub(p, c)), n) >= 0:
        return dot(sub(p, a), n) ** 2 / area
    return min(along(a, ab, p), along(b, bc, p), along(c, ca, p))


def largest_distance(points, triangles):
    """The largest distance of a point from the triangles."""
    boxes = [([min(t[i][k] for i in range(3)) for k in range(3)], [max(t[i][k] for i in range(3)) for k in range(3)], t)
             for t in triangles]
    largest = 0.0
    for p in points:
        nearest = math.inf
        for low, high, t in boxes:
            gap = 0.0
            for k in range(3):
                off = low[k] - p[k] if p[k] < low[k] else p[k] - high[k] if p[k] > high[k] else 0.0
                gap += off * off
            if gap < nearest:
                nearest = min(nearest, triangle_distance(p, *t))
        largest = max(largest, nearest)
    return math.sqrt(largest)


# -- Poses ------------------------------------------------------------------------------------------------------------

def evaluate(pack, level, pose):
    return harness.run_json(['eval', '-q', pack, '--lod', str(level), '--attributes', 'all', *pose])['meshes']


def by_instance(meshes):
    """(node, mesh): its primitives."""
    found = {}
    for mesh in meshes:
        found.setdefault((mesh['node_index'], mesh['mesh']), []).append(mesh)
    return found


def poses_of(info):
    poses = [()]
    for number, clip in enumerate(info['clips'][:2]):
        for share in (0.31, 0.87):
            time_s = clip['start_s'] + share * (clip['end_s'] - clip['start_s'])
            poses.append(('--clip', '#%d' % number, '--time', repr(time_s)))
    names = []
    for mesh in info['meshes']:
        names += [target['key'] for target in mesh['primitives'][0]['targets']] if mesh['primitives'] else []
    step = max(1, len(names) // TARGETS)
    poses += [('--weight', '%s=1' % name) for name in names[::step]]
    return poses


def surface_of(primitives):
    return [tuple(p['positions'][i] for i in p['indices'][t:t + 3])
            for p in primitives for t in range(0, len(p['indices']), 3)]


def sampled(primitives):
    points = [position for p in primitives for position in p['positions']]
    return points[::max(1, len(points) // SAMPLED)]


# -- Borders ----------------------------------------------------------------------------------------------------------

def border_places(primitive):
    """Rest places on edges that only one triangle has."""
    places = [tuple(p) for p in primitive['positions']]
    count = {}
    for t in range(0, len(primitive['indices']), 3):
        a, b, c = (places[i] for i in primitive['indices'][t:t + 3])
        for edge in ((a, b), (b, c), (c, a)):
            key = tuple(sorted(edge))
            count[key] = count.get(key, 0) + 1
    return {place for edge, n in count.items() if n == 1 for place in edge}


def shared_places(primitives):
    seen, shared = {}, set()
    for number, primitive in enumerate(primitives):
        for place in map(tuple, primitive['positions']):
            if seen.setdefault(place, number) != number:
                shared.add(place)
    return shared


def check_borders(checks, rest_0, rest_k, posed_0, posed_k, name):
    """rest and posed: primitives of one instance at level 0 and at a lower one, by number."""
    shared = shared_places(rest_0)
    lower = {p['primitive']: (p, q) for p, q in zip(rest_k, posed_k)}
    for at_rest, posed in zip(rest_0, posed_0):
        wanted = border_places(at_rest) | (shared & set(map(tuple, at_rest['positions'])))
        moved = {}
        for place, now in zip(map(tuple, at_rest['positions']), map(tuple, posed['positions'])):
            moved.setdefault(place, set()).add(now)
        rest_low, posed_low = lower.get(at_rest['primitive'], ({'positions': []}, {'positions': []}))
        found = {}
        for place, now in zip(map(tuple, rest_low['positions']), map(tuple, posed_low['positions'])):
            found.setdefault(place, set()).add(now)
        missing = [place for place in wanted if place not in found]
        checks.check(not missing, name + ' border vertices are there', missing[:3])
        torn = [place for place in wanted if place in found and not found[place] <= moved[place]]
        checks.check(not torn, name + ' border vertices move as in level 0', torn[:3])


# -- Made levels ------------------------------------------------------------------------------------------------------

def check_tables(checks, info, name):
    nodes = {node['key']: node['parent'] for node in info['nodes']}
    for mesh in info['meshes']:
        levels = [lod for lod in info['lods'] if lod['mesh'] == mesh['key']]
        checks.equal([lod['level'] for lod in levels], list(range(len(levels))), name + ' levels count from 0')
        for lod in levels:
            required = lod['required_bones']
            checks.check(all(nodes[key] is None or nodes[key] in required for key in required),
                         name + ' required bones have their parents')
        for upper, lower in zip(levels, levels[1:]):
            checks.check(set(lower['required_bones']) <= set(upper['required_bones']), name + ' required bones nest')
            checks.check(lower['screen_size'] < upper['screen_size'], name + ' screen sizes fall')
        parts = {}
        for part in mesh['primitives']:
            parts.setdefault(part['lod'], []).append(part)
        checks.equal(sorted(parts), list(range(len(levels))), name + ' every level has primitives')
        names = [[(target['name'], target['key']) for target in part['targets']]
                 for level in parts for part in parts[level] if part['targets']]
        checks.check(all(row == names[0] for row in names), name + ' targets have equal names, keys and order')
        counts = [sum(part['index_count'] for part in parts[level]) for level in sorted(parts)]
        checks.check(all(a >= b for a, b in zip(counts, counts[1:])), name + ' triangles do not grow', counts)


def check_pose(checks, pack, info, level, pose, rest, name):
    """Returns the largest distance, by mesh."""
    upper, lower = by_instance(evaluate(pack, 0, pose)), by_instance(evaluate(pack, level, pose))
    distances = {}
    for key, primitives in upper.items():
        distance = largest_distance(sampled(primitives), surface_of(lower[key]))
        distances[key[1]] = max(distances.get(key[1], 0.0), distance)
        check_borders(checks, rest[0][key], rest[level][key], primitives, lower[key], '%s %s' % (name, ' '.join(pose)))
    return distances


def check_made(checks, source, pack, options, name):
    code, err = harness.cook(source, pack, *options)
    if not checks.equal(code, 0, '%s cooks (%s)' % (name, err[:300])):
        return
    info = harness.run_json(['info', '--json', pack])
    check_tables(checks, info, name)
    check_pack(checks, pack, name)
    count = max(lod['level'] for lod in info['lods']) + 1
    rest = [by_instance(evaluate(pack, level, ())) for level in range(count)]
    for level in range(1, count):
        largest = {}
        for pose in poses_of(info):
            for mesh, distance in check_pose(checks, pack, info, level, pose, rest, '%s level %d' % (name, level)).items():
                largest[mesh] = max(largest.get(mesh, 0.0), distance)
        report_level(checks, info, level, largest, name)


def report_level(checks, info, level, largest, name):
    for mesh in info['meshes']:
        stated = [lod for lod in info['lods'] if lod['mesh'] == mesh['key'] and lod['level'] == level]
        if not stated:
            continue
        size = max(b - a for part in mesh['primitives'] for a, b in zip(part['bounds']['min'], part['bounds']['max']))
        found, error = largest[mesh['key']], stated[0]['error_m']
        triangles = [sum(p['index_count'] for p in mesh['primitives'] if p['lod'] == k) // 3 for k in (0, level)]
        print('%s "%s" level %d: %d of %d triangles, error %.3g mm, measured here %.3g mm' %
              (name, mesh['key'], level, triangles[1], triangles[0], error * 1000, found * 1000))
        checks.check(found <= error * 1.0001 + 2e-6 * size, '%s level %d is within its error' % (name, level),
                     '%g, stated %g' % (found, error))


def check_bounds(checks, source, folder):
    """The bounds of a profile, what it drops, and equal bytes on any number of threads."""
    profile, pack = os.path.join(folder, 'profile.json'), os.path.join(folder, 'profile.mpak')
    bounds = [0, 0.5, 2, 8]
    with open(profile, 'w', encoding='utf-8') as file:
        json.dump({'profile': 1, 'lods': [{'screen_size': 1}] + [
            {'screen_size': 1 / 4 ** k, 'error_mm': bounds[k], 'pixel_mm': bounds[k] / 2} for k in (1, 2, 3)]}, file)
    check_made(checks, source, pack, ['--profile', profile], 'profile')
    info = harness.run_json(['info', '--json', pack])
    for lod in info['lods']:
        checks.check(lod['error_m'] * 1000 <= bounds[lod['level']], 'profile level %d: bound' % lod['level'], lod)
    dropped = 0
    for part in info['meshes'][0]['primitives']:
        for target, at_source in zip(part['targets'], part['source']['targets']):
            if at_source['moved_count'] == 0:
                continue
            is_small = at_source['max_delta'] * 1000 < bounds[part['lod']] / 2
            checks.equal(target['delta_count'] == 0, is_small,
                         'profile level %d: target %s is dropped when it is small' % (part['lod'], target['key']))
            dropped += is_small
    checks.check(dropped > 0, 'profile: some targets are dropped')
    other = os.path.join(folder, 'threads.mpak')
    harness.cook(source, other, '--profile', profile, '-j', '4')
    with open(pack, 'rb') as a, open(other, 'rb') as b:
        checks.check(a.read() == b.read(), 'profile: equal bytes on four threads')


def check_dropped_bones(checks, source, folder):
    profile, pack = os.path.join(folder, 'bones.json'), os.path.join(folder, 'bones.mpak')
    with open(profile, 'w', encoding='utf-8') as file:
        json.dump({'profile': 1, 'lods': [{'screen_size': 1}, {
            'screen_size': 0.25, 'error_mm': 20, 'drop_bones': ['bone 4*', 'b?ne 399']}]}, file)
    code, err = harness.cook(source, pack, '--profile', profile)
    checks.equal(code, 0, 'bones: cooks (%s)' % err[:300])
    info = harness.run_json(['info', '--json', pack])
    joints = set(info['skins'][0]['joints'])
    gone = joints - set(info['lods'][1]['required_bones'])
    checks.equal(sorted(gone), ['bone %03d' % k for k in range(399, 500)], 'bones: dropped by name')
    names = info['skins'][0]['joints']
    used = set()
    for mesh in evaluate(pack, 1, ()):
        for row, weights in zip(mesh['joints'], mesh['weights']):
            used |= {names[j] for j, w in zip(row, weights) if w > 0}
    checks.check(not used & gone, 'bones: no vertex hangs on a dropped one', sorted(used & gone)[:5])
    check_tables(checks, info, 'bones')
    check_pack(checks, pack, 'bones')


# -- Authored levels --------------------------------------------------------------------------------------------------

def level_triangles(info):
    """By mesh: triangles of each level."""
    found = []
    for mesh in info['meshes']:
        counts = {}
        for part in mesh['primitives']:
            counts[part['lod']] = counts.get(part['lod'], 0) + part['index_count'] // 3
        found.append([counts[level] for level in sorted(counts)])
    return found


def check_authored(checks, folder):
    pack = os.path.join(folder, 'authored.mpak')
    cases = [('blender/lod_pair.glb', glb_triangles, 1), ('blender/lod_pair.fbx', fbx_triangles, 1),
             ('fbx_ufbx/maya_lod_group_7500_binary.fbx', fbx_triangles, 2)]
    for name, count, meshes in cases:
        source = os.path.join(harness.SHARED_ASSETS, name)
        if not os.path.exists(source):
            checks.skip()
            continue
        code, err = harness.cook(source, pack)
        checks.equal(code, 0, '%s cooks (%s)' % (name, err[:300]))
        info = harness.run_json(['info', '--json', pack])
        levels, expected = level_triangles(info), count(source)
        checks.equal(len(levels), meshes, name + ' meshes')
        checks.equal(sorted(n for mesh in levels for n in mesh), sorted(expected), name + ' triangles as in the source')
        checks.check(all(a > b for mesh in levels for a, b in zip(mesh, mesh[1:])), name + ' levels fall', levels)
        print('%s: triangles by level %s' % (name, levels))
        if 'maya_lod_group' in name:  # one group changes at 64 and 32 percent, the other at distances
            sizes = sorted([lod['screen_size'] for lod in info['lods'] if lod['mesh'] == mesh['key']] for mesh in info['meshes'])
            checks.equal(sizes, [[0, 0, 0], [0.64, 0.32, 0]], name + ' screen sizes')
            _, _, err = harness.run(['cook', '-o', pack, source])
            checks.equal(err.count('[MPAK-I054]'), 1, name + ' says I054')
        check_pack(checks, pack, name)
        code, err = harness.cook(source, pack, '--lods', 'none')
        apart = level_triangles(harness.run_json(['info', '--json', pack]))
        checks.equal(sorted(apart), sorted([n] for n in expected), name + ' --lods none keeps meshes apart')


def check_same_poses(checks, folder):
    """Each authored level moves as its mesh does when it is cooked apart."""
    source = os.path.join(harness.SHARED_ASSETS, 'blender', 'lod_pair.glb')
    if not os.path.exists(source):
        checks.skip()
        return
    together, apart = os.path.join(folder, 'together.mpak'), os.path.join(folder, 'apart.mpak')
    harness.cook(source, together)
    harness.cook(source, apart, '--lods', 'none')
    weights = [('--weight', '%s=0.5' % name) for name in ('browInnerUp', 'cheekPuff', 'eyeBlinkLeft')]
    pose = ['--clip', 'RigAction', '--time', '1.1'] + [word for pair in weights for word in pair]
    defaults = glb_json(source)['meshes'][0]['weights']
    names = glb_json(source)['meshes'][0]['extras']['targetNames']
    for name, value in zip(names, defaults):  # the levels have other defaults in the source
        if not any(('%s=' % name) in pair[1] for pair in weights):
            pose += ['--weight', '%s=%r' % (name, value)]
    separate = harness.run_json(['eval', '-q', apart, *pose])['meshes']
    checks.equal(len(separate), 3, 'lod_pair apart: three meshes')
    for level, mesh in enumerate(separate):
        found = evaluate(together, level, pose)
        checks.equal(len(found), 1, 'lod_pair level %d: one primitive' % level)
        checks.check(found[0]['positions'] == mesh['positions'], 'lod_pair level %d moves as its mesh' % level)


def check_msft_lod(checks, folder):
    """Two quads and a triangle: the lower levels are nodes outside the scene."""
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    buffer = b''.join(struct.pack('<3f', *p) for p in points) + struct.pack('<9H', 0, 1, 2, 0, 2, 3, 0, 1, 2)
    with open(os.path.join(folder, 'msft.bin'), 'wb') as file:
        file.write(buffer)
    mesh = lambda name, indices: {'name': name, 'primitives': [{'attributes': {'POSITION': 0}, 'indices': indices}]}
    model = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
        'extensionsUsed': ['MSFT_lod'], 'extensionsRequired': ['MSFT_lod'],
        'nodes': [{'name': 'Near', 'mesh': 0, 'extensions': {'MSFT_lod': {'ids': [1]}},
                   'extras': {'MSFT_screencoverage': [0.5, 0.125]}}, {'name': 'Far', 'mesh': 1}],
        'meshes': [mesh('Near', 1), mesh('Far', 2)],
        'buffers': [{'uri': 'msft.bin', 'byteLength': len(buffer)}],
        'bufferViews': [{'buffer': 0, 'byteLength': 48}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 18}],
        'accessors': [
            {'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3', 'min': [0, 0, 0], 'max': [1, 1, 0]},
            {'bufferView': 1, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'},
            {'bufferView': 1, 'byteOffset': 12, 'componentType': 5123, 'count': 3, 'type': 'SCALAR'}]}
    source, pack = os.path.join(folder, 'msft.gltf'), os.path.join(folder, 'msft.mpak')
    with open(source, 'w', encoding='utf-8') as file:
        json.dump(model, file)
    code, err = harness.cook(source, pack)
    checks.equal(code, 0, 'MSFT_lod cooks (%s)' % err[:300])
    info = harness.run_json(['info', '--json', pack])
    checks.equal(level_triangles(info), [[2, 1]], 'MSFT_lod: triangles by level')
    checks.equal([lod['screen_size'] for lod in info['lods']], [0.5, 0.125], 'MSFT_lod: screen coverage')
    checks.equal([node['name'] for node in info['nodes']], ['Near'], 'MSFT_lod: the node outside the scene is not cooked')
    harness.cook(source, pack, '--lods', 'none')
    checks.equal(level_triangles(harness.run_json(['info', '--json', pack])), [[2]], 'MSFT_lod: --lods none')


# -- Export -----------------------------------------------------------------------------------------------------------

def check_export(checks, source, name, folder, options):
    """pack -> glb -> pack: the same levels with the same vertices, at rest and moved; the validator has no errors."""
    pack, glb, again = (os.path.join(folder, 'export' + end) for end in ('.mpak', '.glb', '.again.mpak'))
    code, err = harness.cook(source, pack, '--quality', 'lossless', *options)
    checks.equal(code, 0, name + ' export: cooks (%s)' % err[:300])
    code, _, err = harness.run(['export', pack, '-o', glb])
    checks.equal((code, 'level' in err), (0, False), name + ' export: says nothing of levels (%s)' % err[:300])
    code, err = harness.cook(glb, again, '--quality', 'lossless', '--vertex-order', 'source', '--weld', 'none')
    checks.equal(code, 0, name + ' export: cooks again (%s)' % err[:300])
    before, after = (harness.run_json(['info', '--json', path]) for path in (pack, again))
    levels = level_triangles(before)
    checks.check(max(map(len, levels)) > 1, name + ' export: there are levels')
    checks.equal(level_triangles(after), levels, name + ' export: triangles by level')
    checks.equal([lod['screen_size'] for lod in after['lods']], [lod['screen_size'] for lod in before['lods']],
                 name + ' export: screen sizes')
    checks.equal([len(lod['required_bones']) for lod in after['lods']],
                 [len(lod['required_bones']) for lod in before['lods']], name + ' export: required bones')
    checks.equal([n['name'] for n in after['nodes']], [n['name'] for n in before['nodes']], name + ' export: nodes')
    clips = [[]] + [['--clip', '#0', '--time', repr(clip['start_s'] + 0.37 * (clip['end_s'] - clip['start_s']))]
                    for clip in before['clips'][:1]]
    for pose in clips:
        for level in range(max(map(len, levels))):
            same_vertices(checks, pack, again, level, pose, '%s export: level %d %s' % (name, level, ' '.join(pose)))
    validator = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'node')
    if shutil.which('node') is None or not os.path.isdir(os.path.join(validator, 'node_modules')):
        return checks.skip(1)
    done = subprocess.run(['node', os.path.join(validator, 'validate.mjs'), glb], stdout=subprocess.PIPE)
    report = json.loads(done.stdout.decode().splitlines()[0])
    checks.check(report['errors'] == 0, name + ' export: gltf-validator', report['messages'][:4])


def same_vertices(checks, pack, again, level, pose, name):
    meshes, others = (harness.run_json(['eval', '-q', path, '--lod', str(level), *pose])['meshes'] for path in (pack, again))
    checks.equal(len(others), len(meshes), name + ': meshes')
    for mesh, other in zip(meshes, others):
        rows = [c for row in mesh['positions'] for c in row]
        rows_again = [c for row in other['positions'] for c in row]
        size = max(rows) - min(rows)
        worst = max(abs(a - b) for a, b in zip(rows, rows_again)) if len(rows) == len(rows_again) else float('inf')
        checks.check(worst <= 2e-6 * size, name + ': vertices', '%.3g of %.3g m' % (worst, size))


# -- All --------------------------------------------------------------------------------------------------------------

def models(folder, wanted):
    big = os.path.join(folder, 'big.glb')
    with open(big, 'wb') as file:
        file.write(big_character.make())
    names = [(big, 'big_character')]
    names += [(os.path.join(harness.SAMPLES, name), name) for name in ('head_parts.glb', 'face60.glb', 'face60.fbx')]
    for name in ('characters/run.glb', 'khronos/CesiumMan.glb', 'khronos/Fox.glb'):
        names.append((os.path.join(harness.SHARED_ASSETS, name), name))
    return [(path, name) for path, name in names if wanted in name]


def main():
    checks = harness.Checks('lods')
    wanted = sys.argv[1] if len(sys.argv) > 1 else ''
    with harness.scratch() as folder:
        for source, name in models(folder, wanted):
            if os.path.exists(source):
                check_made(checks, source, os.path.join(folder, 'made.mpak'), ['--lods', str(LEVELS)], name)
            else:
                checks.skip()
        if not wanted:
            check_bounds(checks, os.path.join(harness.SAMPLES, 'face60.glb'), folder)
            check_dropped_bones(checks, os.path.join(folder, 'big.glb'), folder)
            check_authored(checks, folder)
            check_same_poses(checks, folder)
            check_msft_lod(checks, folder)
            check_export(checks, os.path.join(harness.SAMPLES, 'face60.glb'), 'face60.glb', folder, ['--lods', '3'])
            check_export(checks, os.path.join(folder, 'big.glb'), 'big_character', folder, ['--lods', '2'])
            shared = [('characters/run.glb', '3'), ('characters/player.glb', '2'), ('blender/lod_pair.glb', 'auto'),
                      ('fbx_ufbx/maya_lod_group_7500_binary.fbx', 'auto')]
            for name, count in shared:
                source = os.path.join(harness.SHARED_ASSETS, name)
                if os.path.exists(source):
                    check_export(checks, source, name, folder, ['--lods', count])
                else:
                    checks.skip()
    checks.finish()


if __name__ == '__main__':
    main()
