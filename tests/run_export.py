#!/usr/bin/env python3
"""`mpak export`, `mpak bake`, and what other programs make of their files.

Every model of samples/, of the shared folder and of tests/support/small_gltf.py that cooks is exported, and the packs with
in-betweens of tools/gen_inbetween. gltf-validator finds no error; cooked again, the
file gives the same names, controls, defaults, clips and the same vertices at rest and within clips (2e-6 of the size;
at lower qualities, within the error that the pack itself states); three.js's getVertexPosition agrees with `mpak eval`
to 1e-4 of the size on the exported file, and on the source where its vertices have at most four influences.

Needs node and what `npm ci` puts into tests/node; without them those checks count as not run. An argument restricts
the models to those whose path contains it.
"""
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'support'))
import harness
import small_gltf

NODE_FOLDER = os.path.join(HERE, 'node')
GENERATOR = os.environ.get('MPAK_GEN_INBETWEEN',
                           os.path.join(os.path.dirname(harness.MPAK), 'release', 'tools', 'gen_inbetween'))
SUFFIXES = ('.glb', '.gltf', '.fbx', '.vrm')
SAME = 2e-6        # of the size: what a model loses on the way out and in again
THREE_SAME = 1e-4  # of the size: three.js works in single precision
# Rotations whose keys are of length 0.9998: export makes them unit, three.js slerps them as they are.
NOT_UNIT = ('khronos/SimpleSkin.gltf', 'skin/simple_skin.gltf')
NOT_UNIT_SAME, NOT_UNIT_THREE_SAME = 1e-5, 2e-4
# A joint draws a mesh with targets: three.js makes a bone of it and leaves the weights of its mesh alone.
BONE_DRAWS = ('fbx_ufbx/blender_293_barbarian_7400_binary.fbx',)
# The joints are not in the scene: three.js then does not join them to one another.
JOINTS_ASIDE = ('assetgen/Animation_Skin_03.gltf',)
# What glTF does not allow: three.js loses the shear of a matrix, and has no time before 0.
NOT_ALLOWED = ('small/coat.gltf', 'small/early.gltf')
BEND_SHARES = (0.05, 0.2, 0.37, 0.5, 0.61, 0.83, 1.0)  # of a clip, where curves of in-betweens are looked at
QUALITIES = (('default', 'blk64'), ('compact', 'blk64'), ('lossless', 'csr64'))


def has_node():
    return shutil.which('node') is not None and os.path.isdir(os.path.join(NODE_FOLDER, 'node_modules', 'three'))


def node(*arguments):
    done = subprocess.run(['node', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.decode().splitlines()], done.stderr.decode()


def models(part_of_path, small):
    folders = [small, harness.SAMPLES] + ([harness.SHARED_ASSETS] if harness.has_shared() else [])
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.lower().endswith(SUFFIXES) and part_of_path in os.path.join(path, name):
                    yield os.path.join(path, name)


# -- Comparing two evaluations ----------------------------------------------------------------------------------------

def bounds(meshes):
    rows = [row for mesh in meshes for row in mesh['positions'] if row is not None]
    return [(min(row[c] for row in rows), max(row[c] for row in rows)) for c in range(3)] if rows else [(0, 0)] * 3


def size_of(meshes):
    return sum((high - low) ** 2 for low, high in bounds(meshes)) ** 0.5


def distance(a, b):
    """The largest distance between rows; a row that is missing on one side alone is infinitely far."""
    if len(a) != len(b):
        return float('inf')
    worst = 0.0
    for left, right in zip(a, b):
        if left is None or right is None:
            continue
        away = sum((x - y) ** 2 for x, y in zip(left, right))
        worst = max(worst, away)
    return worst ** 0.5


def poses_of(info, shares=(0.37,)):
    """The rest, and for the first and the last clip times within it: (number, seconds into the clip)."""
    poses = [(None, 0.0)]
    for number in sorted({0, len(info['clips']) - 1} if info['clips'] else ()):
        clip = info['clips'][number]
        poses += [(number, round((clip['end_s'] - clip['start_s']) * share, 3)) for share in shares]
    return poses


def pose_options(info, pose):
    number, into = pose
    return () if number is None else ('--clip', '#%d' % number, '--time', repr(info['clips'][number]['start_s'] + into))


def targets_of(mesh):
    """Names and default weights of a mesh's controls: of the primitive that has them all."""
    lists = [[(t['name'], t['default_weight']) for t in part['targets']] for part in mesh['primitives']]
    return max(lists, key=len)


def same_tables(checks, name, info, again):
    """Names, controls, defaults and clips of a pack and of the one that its export gave."""
    nodes, nodes_again = ([n['name'] for n in pack['nodes'] if n['name'] != ''] for pack in (info, again))
    checks.equal(nodes_again, nodes, name + ' nodes')
    for mesh, other in zip(info['meshes'], again['meshes']):
        checks.equal(other['name'], mesh['name'], name + ' mesh')
        checks.equal(targets_of(other), targets_of(mesh), name + ' targets')
    checks.equal([c['name'] for c in again['clips']], [c['name'] for c in info['clips']], name + ' clips')


# -- One model ----------------------------------------------------------------------------------------------------

class Model:
    """A model on its way: pack, exported file, pack of that. The pack is cooked from the source if there is one."""

    def __init__(self, source, base, options, pack=None):
        self.name, self.pack, self.glb, self.again = source, pack or base + '.mpak', base + '.glb', base + '.again.mpak'
        self.code = 0
        if pack is None:
            self.code, _, self.errors = harness.run(['cook', '-q', *options, '--source-map', '-o', self.pack, '--', source])

    def export(self, checks):
        code, _, err = harness.run(['export', self.pack, '-o', self.glb])
        self.told = err
        return checks.equal(code, 0, self.name + ' export ' + err[:300])


def worst_distance(found, expected):
    """Each mesh against the one of as many vertices that fits best; nodes beside others change the order."""
    left, worst = list(found), 0.0
    for mesh in expected:
        away = [(distance(other['positions'], mesh['positions']), number) for number, other in enumerate(left)]
        if not away:
            return float('inf')
        best, number = min(away)
        worst = max(worst, best)
        del left[number]
    return worst


def check_round_trip(checks, model, evaluations):
    code, err = harness.cook(model.glb, model.again, '--vertex-order', 'source', '--weld', 'none', '--source-map')
    if not checks.equal(code, 0, model.name + ' cook again ' + err[:300]):
        return
    info, again = harness.run_json(['info', '--json', model.pack]), harness.run_json(['info', '--json', model.again])
    if len(info['meshes']) == len(again['meshes']) and 'inbetween' not in model.name:
        same_tables(checks, model.name, info, again)
    for pose, expected in evaluations:
        found = harness.run_json(['eval', model.again, '--order', 'source', *pose_options(again, pose)])
        at = '%s at %s' % (model.name, pose)
        if not checks.equal(len(found['meshes']), len(expected['meshes']), at + ' meshes'):
            continue
        size = size_of(expected['meshes'])
        worst = worst_distance(found['meshes'], expected['meshes'])
        same = NOT_UNIT_SAME if model.name.endswith(NOT_UNIT) else SAME
        checks.check(worst <= same * size, at, '%.3g m of %.3g m' % (worst, size))


def write_evaluation(path, evaluation, info):
    numbers = {n['key']: i for i, n in enumerate(info['nodes'])}
    for mesh in evaluation['meshes']:
        mesh['node_number'] = numbers[mesh['node']]
    evaluation['node_count'] = len(info['nodes'])
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(evaluation, file)


def most_influences(info):
    return max([section['max_influences'] for mesh in info['meshes'] for part in mesh['primitives']
                for section in part['sections']] + [0])


def has_levels(info):
    """Meshes of lower levels are then no meshes of their own in the pack, while three.js shows them all."""
    return any(level['level'] > 0 for level in info['lods'])


def three_cases(model, info, evaluations):
    """Cases for vertices.mjs. Animations of the file are the pack's clips, those that move nothing left out."""
    clips = [c for c in range(len(info['clips'])) if 'moves nothing' not in model.told]
    poses = []
    for number, (pose, evaluation) in enumerate(evaluations):
        path = '%s.%d.json' % (model.glb, number)
        write_evaluation(path, evaluation, info)
        clip, into = pose
        if clip is not None and clip not in clips:
            continue
        start = 0 if clip is None else max(info['clips'][clip]['start_s'], 0)
        poses.append({'clip': clip, 'time': start + into, 'eval': path})
    return {'file': model.glb, 'exact': False, 'poses': poses, 'name': model.name}


def source_case(model, source, info, base):
    poses = []
    for number, pose in enumerate(poses_of(info)):
        path = '%s.source.%d.json' % (base, number)
        evaluation = harness.run_json(['eval', model.pack, '--order', 'source', *pose_options(info, pose)])
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(evaluation, file)
        clip, into = pose
        poses.append({'clip': clip, 'time': 0 if clip is None else info['clips'][clip]['start_s'] + into, 'eval': path})
    return {'file': source, 'exact': True, 'poses': poses, 'name': 'three.js on ' + model.name}


def check_model(checks, source, base, cases, pack=None):
    model = Model(source, base, ('--quality', 'lossless'), pack)
    if model.code != 0 or not model.export(checks):
        return None
    info = harness.run_json(['info', '--json', model.pack])
    poses = poses_of(info, BEND_SHARES) if pack is not None else poses_of(info)
    evaluations = [(pose, harness.run_json(['eval', model.pack, *pose_options(info, pose)])) for pose in poses]
    check_round_trip(checks, model, evaluations)
    if most_influences(info) <= 4:
        cases.append(three_cases(model, info, evaluations))
        if source.lower().endswith(('.glb', '.gltf', '.vrm')) and \
                not source.endswith(NOT_ALLOWED) and not has_levels(info):
            cases.append(source_case(model, source, info, base))
    else:
        cases.append(check_few_influences(checks, source, base + '.four'))
    return model


def check_rules(checks, base, cases, exported):
    """In-betweens: their curves get keys where a rule bends. tests/support/mt_inbetween.h says what is in the packs."""
    os.makedirs(base)
    if not checks.equal(subprocess.run([GENERATOR, base]).returncode, 0, 'gen_inbetween'):
        return
    for layout in ('blk64', 'csr64'):
        pack = os.path.join(base, 'inbetween.%s.mpak' % layout)
        exported.append(check_model(checks, pack, os.path.join(base, layout), cases, pack))


def check_few_influences(checks, source, base):
    """three.js knows four influences: the same model with no more."""
    model = Model(source, base, ('--quality', 'lossless', '--max-influences', '4'))
    model.export(checks)
    info = harness.run_json(['info', '--json', model.pack])
    evaluations = [(pose, harness.run_json(['eval', model.pack, *pose_options(info, pose)])) for pose in poses_of(info)]
    return three_cases(model, info, evaluations)


# -- Bake -------------------------------------------------------------------------------------------------------------

class Baked:
    """A plain mesh of one moment, by the name under which the validator's findings are told."""

    def __init__(self, model, base):
        self.name, self.glb = 'baked ' + model.name, base + '.baked.glb'


def check_baked(checks, model, base):
    """At rest it has the vertices that the pack has at that moment; no target, skin or clip is left."""
    info = harness.run_json(['info', '--json', model.pack])
    options = pose_options(info, poses_of(info)[-1])
    baked, again = Baked(model, base), base + '.baked.mpak'
    code, _, err = harness.run(['bake', model.pack, *options, '-o', baked.glb])
    if not checks.equal(code, 0, baked.name + ' ' + err[:300]):
        return None
    code, err = harness.cook(baked.glb, again, '--vertex-order', 'source', '--weld', 'none', '--source-map')
    if not checks.equal(code, 0, baked.name + ' cook ' + err[:300]):
        return None
    expected, found = harness.run_json(['eval', model.pack, *options]), harness.run_json(['eval', again, '--order', 'source'])
    worst, size = worst_distance(found['meshes'], expected['meshes']), size_of(expected['meshes'])
    checks.check(worst <= SAME * size, baked.name, '%.3g m of %.3g m' % (worst, size))
    plain = harness.run_json(['info', '--json', again])
    left = [part['targets'] for mesh in plain['meshes'] for part in mesh['primitives'] if part['targets']]
    checks.equal((left, plain['skins'], plain['clips']), ([], [], []), baked.name + ' is plain')
    return baked


# -- Lower qualities --------------------------------------------------------------------------------------------------

def stated_error(info):
    """The largest distance between posed vertices of the pack and the source, as the pack says."""
    return max([row['largest'] for row in info['errors']['streams'] if row['stream'] == 'posed_position'] + [0.0])


def check_quality(checks, source, base, quality, layout):
    """source -> pack -> glb -> pack: what came out of it against the source without loss, vertex by vertex."""
    model = Model(source, base, ('--quality', quality, '--layout', layout))
    name = '%s %s %s' % (source, quality, layout)
    if not checks.equal(model.code, 0, name + model.errors[:300]) or not model.export(checks):
        return None
    code, err = harness.cook(model.glb, model.again, '--vertex-order', 'source', '--weld', 'none', '--source-map')
    if not checks.equal(code, 0, name + ' cook again ' + err[:300]):
        return None
    info, again = harness.run_json(['info', '--json', model.pack]), harness.run_json(['info', '--json', model.again])
    plain = harness.run_json(['eval', model.pack, '--attributes', 'all'])
    for pose in poses_of(info):
        truth = harness.run_json(['eval', source, '--quality', 'lossless', '--order', 'source', *pose_options(info, pose)])
        found = harness.run_json(['eval', model.again, '--order', 'source', *pose_options(again, pose)])
        bound = stated_error(info) * 1.001 + SAME * size_of(found['meshes'])
        for mesh, expected, here in zip(found['meshes'], truth['meshes'], plain['meshes']):
            rows = [expected['positions'][number] for number in here['source']]
            worst = distance(mesh['positions'], rows)
            checks.check(worst <= bound, '%s at %s' % (name, pose), '%.3g m, stated %.3g m' % (worst, bound))
    return model


# -- Other programs ---------------------------------------------------------------------------------------------------

def check_validator(checks, exported):
    if not has_node():
        return checks.skip(len(exported))
    reports, err = node(os.path.join(NODE_FOLDER, 'validate.mjs'), *[model.glb for model in exported])
    if not checks.equal(len(reports), len(exported), 'gltf-validator ' + err[:300]):
        return None
    for model, report in zip(exported, reports):
        checks.check(report['errors'] == 0, 'gltf-validator ' + model.name, report['messages'][:4])
    print('gltf-validator: %d files, %d errors' % (len(reports), sum(report['errors'] for report in reports)))


def check_three(checks, cases, scratch):
    count = sum(len(case['poses']) for case in cases)
    if not has_node():
        return checks.skip(count)
    path = os.path.join(scratch, 'cases.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(cases, file)
    results, err = node(os.path.join(NODE_FOLDER, 'vertices.mjs'), path)
    if not checks.equal(len(results), count, 'three.js ' + err[:300]):
        return None
    names = [case['name'] for case in cases for _ in case['poses']]
    worst, vertices, unread = 0.0, 0, 0
    for name, result in zip(names, results):
        if 'error' in result and name.startswith('three.js on ') and 'required' in result['error']:
            unread += 1  # an extension that three.js reads only with a decoder of its own
            continue
        share = result.get('distance', float('inf')) / max(result.get('size', 0), 1e-12) if result.get('distance') else 0
        if (name.endswith(BONE_DRAWS) and result['clip'] is not None) or \
                (name.endswith(JOINTS_ASIDE) and name.startswith('three.js on ')):
            checks.check(share > THREE_SAME, name, 'three.js agrees: no exception is needed any more')
            continue
        same = NOT_UNIT_THREE_SAME if name.endswith(NOT_UNIT) else THREE_SAME
        checks.check('error' not in result and share <= same, name,
                     {key: result.get(key) for key in ('clip', 'time', 'distance', 'size', 'error', 'missing')})
        worst, vertices = max(worst, share), vertices + result.get('count', 0)
    print('three.js: %d poses, %d vertices, worst %.2g of the size; %d not read' % (len(results), vertices, worst, unread))


def main():
    checks = harness.Checks('export')
    part_of_path = sys.argv[1] if len(sys.argv) > 1 else ''
    exported, cases = [], []
    with harness.scratch() as scratch:
        small = os.path.join(scratch, 'small')
        small_gltf.write_all(small)
        check_rules(checks, os.path.join(scratch, 'rules'), cases, exported)
        for number, source in enumerate(models(part_of_path, small)):
            base = os.path.join(scratch, 'm%d' % number)
            exported.append(check_model(checks, source, base, cases))
            if not source.startswith((harness.SAMPLES, small)):
                continue
            if exported[-1] is not None:
                exported.append(check_baked(checks, exported[-1], base))
            if source.startswith(small):
                continue
            for q, (quality, layout) in enumerate(QUALITIES):
                exported.append(check_quality(checks, source, '%s_%d' % (base, q), quality, layout))
        exported = [model for model in exported if model is not None]
        check_validator(checks, exported)
        check_three(checks, cases, scratch)
    if not harness.has_shared():
        checks.skip()
    checks.finish()


if __name__ == '__main__':
    main()
