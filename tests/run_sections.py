#!/usr/bin/env python3
"""Sections: splitting by a bone limit loses and doubles nothing, moves every vertex as before, and needs few sections.

The generated character of 500 bones and 4 materials, at limits 12, 30, 75, 256 and 65,536: the same triangles (as
triples of source vertices), the same deformed vertices by the reference and by the runtime's own code, BoneMaps within
the limit, equal bytes on any number of threads, and both readers agree. All models of samples/ and the shared folder at
limits 12, 16, 24 and 30, and the character: never more sections than a greedy split in triangle order needs. Prints
both counts. An argument restricts the models to those whose path contains it.
"""
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'support'))
import big_character
import harness
from run_reader import check_pack

LIMITS = (12, 30, 75, 256, 65536)
MODEL_LIMITS = (12, 16, 24, 30)
POSES = [(), ('--clip', 'Walk', '--time', '0.3'),
         ('--clip', 'Talk', '--time', '0.75', '--weight', 'Shape 1=0.7', '--weight', 'Shape 4=1')]
SUFFIXES = ('.glb', '.gltf', '.fbx', '.vrm')


def greedy(mesh, limit):
    """Sections of a split in triangle order: a new one whenever the bones no longer fit."""
    bones = [frozenset(j for j, w in zip(joints, weights) if w > 0)
             for joints, weights in zip(mesh['joints'], mesh['weights'])]
    count, held = 1, frozenset()
    for t in range(0, len(mesh['indices']), 3):
        needed = bones[mesh['indices'][t]] | bones[mesh['indices'][t + 1]] | bones[mesh['indices'][t + 2]]
        if len(held | needed) > limit:
            count, held = count + 1, needed
        else:
            held |= needed
    return count


def triangles(mesh):
    """Triples of vertices, each turned so that its lowest number comes first; sorted."""
    found = []
    for t in range(0, len(mesh['indices']), 3):
        triple = mesh['indices'][t:t + 3]
        least = triple.index(min(triple))
        found.append(tuple(triple[least:] + triple[:least]))
    return sorted(found)


def part_list(info):
    return [part for mesh in info['meshes'] for part in mesh['primitives']]


# -- The character ----------------------------------------------------------------------------------------------------

def check_same_mesh(checks, found, expected, name):
    checks.equal(len(found['meshes']), len(expected['meshes']), name + ' meshes')
    for number, (mesh, other) in enumerate(zip(found['meshes'], expected['meshes'])):
        at = '%s part %d' % (name, number)
        checks.check(triangles(mesh) == triangles(other), at + ' triangles', 'lost, doubled or turned')
        checks.check(mesh['positions'] == other['positions'], at + ' positions', 'differ')
        checks.check(mesh['normals'] == other['normals'], at + ' normals', 'differ')


def check_limit(checks, source, limit, scratch, expected):
    """Cooks at one limit. expected: by (pose, backend), what the first limit gave. Returns the sections of each part."""
    name, pack = 'limit %d' % limit, os.path.join(scratch, 'big.mpak')
    cooked = []
    for jobs in ('1', '4'):
        code, err = harness.cook(source, pack, '--max-bones', str(limit), '--lods', 'none', '--source-map', '-j', jobs)
        if not checks.equal(code, 0, name + ' cook ' + err[:300]):
            return None
        with open(pack, 'rb') as file:
            cooked.append(file.read())
    checks.check(cooked[0] == cooked[1], name + ' bytes', 'depend on threads')
    check_pack(checks, pack, name, os.path.join(scratch, 'dump'))
    for pose in POSES:
        for backend in ('ref', 'cpu'):
            found = harness.run_json(['eval', pack, '--order', 'source', '--backend', backend, *pose])
            if checks.check(found is not None, name + ' eval'):
                check_same_mesh(checks, found, expected.setdefault((pose, backend), found), '%s %s %s' % (name, backend, pose))
    parts = part_list(harness.run_json(['info', '--json', pack]))
    for number, part in enumerate(parts):
        for section in part['sections']:
            checks.check(0 < len(section['bone_map']) <= limit, '%s part %d' % (name, number),
                         '%d bones' % len(section['bone_map']))
    return [len(part['sections']) for part in parts]


def check_character(checks, scratch):
    source = os.path.join(scratch, 'big.glb')
    with open(source, 'wb') as file:
        file.write(big_character.make())
    whole = harness.run_json(['eval', source, '--vertex-order', 'source', '--attributes', 'all'])
    checks.equal(len({j for mesh in whole['meshes'] for row in mesh['joints'] for j in row}), 500, 'bones of the character')
    expected = {}
    for limit in reversed(LIMITS):
        counts = check_limit(checks, source, limit, scratch, expected)
        if counts is None:
            continue
        yardstick = [greedy(mesh, limit) for mesh in whole['meshes']]
        print('character, limit %5d: %3d sections %s, greedy %3d %s' % (limit, sum(counts), counts, sum(yardstick), yardstick))
        checks.check(all(a <= b for a, b in zip(counts, yardstick)), 'limit %d' % limit, 'more sections than greedy')
        if limit <= 75:
            checks.check(sum(counts) < sum(yardstick), 'limit %d' % limit, 'not fewer sections than greedy')
        else:
            checks.equal(counts, [1] * 4, 'limit %d is not exceeded' % limit)


# -- Models -----------------------------------------------------------------------------------------------------------

def models(part_of_path):
    folders = [harness.SAMPLES] + ([harness.SHARED_ASSETS] if harness.has_shared() else [])
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.lower().endswith(SUFFIXES) and part_of_path in os.path.join(path, name):
                    yield os.path.join(path, name)


def uncut(source, scratch, *options):
    """The parts with the source's triangle order in one section each, or None where the model cannot be cooked."""
    pack = os.path.join(scratch, 'whole.mpak')
    code, _ = harness.cook(source, pack, '--vertex-order', 'source', '--lods', 'none', '--source-map', *options)
    if code != 0:
        return None
    return harness.run_json(['eval', pack, '--attributes', 'all'])


def check_model(checks, source, limit, whole, scratch, *options):
    """Returns our sections and greedy's over all parts, or None where the limit is refused."""
    name, pack = '%s limit %d' % (os.path.relpath(source, harness.ROOT), limit), os.path.join(scratch, 'model.mpak')
    code, err = harness.cook(source, pack, '--max-bones', str(limit), '--lods', 'none', '--source-map', *options)
    if code == 1 and 'MPAK-C030' in err:
        return None
    if not checks.equal(code, 0, name + ' cook ' + err[:300]):
        return 0, 0
    found, info = harness.run_json(['eval', pack, '--attributes', 'all']), harness.run_json(['info', '--json', pack])
    parts = part_list(info)
    ours = [len(part['sections']) for part in parts]
    drawn = {(mesh['mesh'], mesh['primitive']): mesh for mesh in whole['meshes']}  # several nodes may draw one
    yardstick = [greedy(drawn[at], limit) if 'joints' in drawn[at] else 1
                 for mesh in info['meshes'] for at in sorted(drawn) if at[0] == mesh['key']]
    if not checks.equal(len(ours), len(yardstick), name + ' parts'):
        return 0, 0
    checks.check(all(a <= b for a, b in zip(ours, yardstick)), name, '%s sections, greedy %s' % (ours, yardstick))
    checks.check(all(len(section['bone_map']) <= limit for part in parts for section in part['sections']), name, 'bones')
    checks.equal([len(mesh['indices']) for mesh in found['meshes']], [len(mesh['indices']) for mesh in whole['meshes']],
                 name + ' triangles')
    return sum(ours), sum(yardstick)


def check_models(checks, part_of_path, scratch):
    sums = {limit: [0, 0] for limit in MODEL_LIMITS}
    for source in models(part_of_path):
        for options in ((), ('--max-influences', '4')):
            whole = uncut(source, scratch, *options)
            if whole is None or not any('joints' in mesh for mesh in whole['meshes']):
                break
            results = [check_model(checks, source, limit, whole, scratch, *options) for limit in MODEL_LIMITS]
            for limit, result in zip(MODEL_LIMITS, results):
                if result is not None:
                    sums[limit] = [a + b for a, b in zip(sums[limit], result)]
            if None not in results:
                break
    for limit in MODEL_LIMITS:
        print('models, limit %2d: %d sections, greedy %d' % (limit, *sums[limit]))
        checks.check(sums[limit][0] <= sums[limit][1] and sums[limit][0] > 0, 'limit %d over all models' % limit)
    if not harness.has_shared():
        checks.skip(len(MODEL_LIMITS))


def main():
    checks = harness.Checks('sections')
    part_of_path = sys.argv[1] if len(sys.argv) > 1 else ''
    with harness.scratch() as scratch:
        check_character(checks, scratch)
        check_models(checks, part_of_path, scratch)
    checks.finish()


if __name__ == '__main__':
    main()
