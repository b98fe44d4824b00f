#!/usr/bin/env python3
"""`mpak eval --backend gl`, by each technique, against `--backend ref`, which knows nothing of GPUs: every clip at five
times, at rest, with weights set, in scene and mesh space, lossless and in the default quality.

positions   1e-5 of the model's size: poses are in single precision
directions  normals and tangents 1e-3 rad
"""
import collections
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness
import points

POSITION_BOUND = 1e-5
DIRECTION_BOUND_RAD = 1e-3
TECHNIQUES = ('inline', 'cache')
CLIPS_MAX = 6
# Skins of 4 to 12 influences, weights that clips move, levels of detail, normal and tangent deltas.
SHARED = ('characters/run.glb', 'characters/InfiniteSkinnedTentacle.glb', 'blender/many_influences.glb',
          'blender/lod_pair.glb', 'khronos/Fox.glb', 'khronos/MorphStressTest.gltf')

worst = collections.Counter()


def five_times(clip):
    start, span = clip['start_s'], clip['end_s'] - clip['start_s']
    return [start + span * share for share in (0, 0.173, 0.5, 0.871, 1)]


def poses_of(info):
    """Arguments of eval: rest, some weights, and every clip (six of many) at five times."""
    most = max((len(part['targets']) for mesh in info['meshes'] for part in mesh['primitives']), default=0)
    yield []
    if most > 0:
        yield [word for number in range(min(most, 5)) for word in ('--weight', '#%d=0.75' % number)]
    clips = info['clips']
    count = len(clips)
    chosen = range(count) if count <= CLIPS_MAX else [round(i * (count - 1) / (CLIPS_MAX - 1)) for i in range(CLIPS_MAX)]
    for number in chosen:
        for time in five_times(clips[number]):
            yield ['--clip', '#%d' % number, '--time', repr(time)]


def angle(a, b):
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a[:3], b[:3])))


def compare(checks, where, found, expected):
    names = [[(mesh['node'], mesh['primitive'], mesh['indices']) for mesh in data['meshes']] for data in (found, expected)]
    if not checks.check(names[0] == names[1], where + ': the same meshes'):
        return
    distance = largest = 0.0
    size = points.box_size([row for mesh in expected['meshes'] for row in mesh['positions']]) or 1e-30
    for mesh, other in zip(found['meshes'], expected['meshes']):
        distance = max(distance, max(map(math.dist, mesh['positions'], other['positions'])) / size)
        for kind in ('normals', 'tangents'):
            if not checks.equal(kind in mesh, kind in other, '%s: %s' % (where, kind)) or kind not in other:
                continue
            # A direction that is zero has no angle; tangents of flat texture coordinates are.
            pairs = [(a, b) for a, b in zip(mesh[kind], other[kind]) if math.hypot(*b[:3]) > 0.5]
            largest = max([largest] + [angle(a, b) for a, b in pairs])
            if kind == 'tangents':
                checks.check(all(a[3] == b[3] for a, b in pairs), where + ': tangent signs')
    worst['positions'] = max(worst['positions'], distance)
    worst['directions'] = max(worst['directions'], largest)
    checks.check(distance <= POSITION_BOUND, where + ': positions', '%.3g of the size' % distance)
    checks.check(largest <= DIRECTION_BOUND_RAD, where + ': directions', '%.3g rad' % largest)


def check_pack(checks, name, pack):
    info = harness.run_json(['info', '--json', pack])
    for number, pose in enumerate(poses_of(info)):
        spaces = ('scene', 'mesh') if number < 2 or number % 5 == 3 else ('scene',)
        for space in spaces:
            arguments = ['eval', pack, '--space', space] + pose
            expected = harness.run_json(arguments)
            for technique in TECHNIQUES:
                where = '%s %s %s %s' % (name, technique, space, ' '.join(pose))
                found = harness.run_json(arguments + ['--backend', 'gl', '--technique', technique])
                if checks.check(found is not None and expected is not None, where + ': evaluates'):
                    compare(checks, where, found, expected)


def check_model(checks, name, path, folder):
    for quality in ('lossless', 'default'):
        pack = os.path.join(folder, 'model.mpak')
        code, _, err = harness.run(['cook', '-q', '--quality', quality, '-o', pack, '--', path])
        if checks.equal(code, 0, '%s cooks (%s)' % (name, err[:300])):
            check_pack(checks, '%s %s' % (name, quality), pack)


def check_levels(checks, name, path, folder):
    """--lod N shows what the reference shows of that level; one more than there are is refused by both."""
    pack = os.path.join(folder, 'levels.mpak')
    harness.cook(path, pack, '--lods', '2')
    for lod in ('0', '1', '2', '3'):
        codes = []
        for backend in ('ref', 'gl'):
            code, out, _ = harness.run(['eval', pack, '--lod', lod, '--backend', backend, '--format', 'obj'])
            codes.append((code, out.count(b'\nv '), out.count(b'\nf ')))
        checks.equal(codes[1], codes[0], '%s --lod %s' % (name, lod))


def check_hooks(checks, folder):
    """samples/hooks: a wave of 2 cm, and a skin by the strongest bone, as the CPU's formulas say."""
    program = os.path.join(os.path.dirname(os.path.realpath(harness.MPAK)), 'release', 'samples', 'hooks')
    pack = os.path.join(folder, 'hooks.mpak')
    for name in ('face_anim.glb', 'head_parts.glb'):
        harness.cook(os.path.join(harness.SAMPLES, name), pack)
        done = subprocess.run([program, pack], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        rows = re.findall(r'^(.*): (\d+) vertices, moved by up to (\S+) m, the CPU\'s formula within (\S+) m$',
                          done.stdout.decode(), re.M)
        checks.equal((done.returncode, [row[0] for row in rows]), (0, ['wave', 'rigid skin']), name + ': hooks')
        for hook, vertices, moved_m, apart_m in rows:
            checks.check(int(vertices) > 0 and float(apart_m) <= 1e-6, '%s: hook %s' % (name, hook), apart_m)
            checks.check(float(moved_m) > 0.015, '%s: hook %s moves' % (name, hook), moved_m)
            checks.check(hook != 'wave' or float(moved_m) <= 0.020001, '%s: the wave is 2 cm high' % name, moved_m)


def find_obstacle(folder):
    """Why nothing can be run, or None."""
    code, _, err = harness.run(['eval', os.path.join(harness.SAMPLES, 'face_anim.glb'), '--backend', 'gl', '-o',
                                os.path.join(folder, 'first.json')])
    if 'MPAK-U005' in err:
        return 'mpak was built with GL=0'
    return 'there is no OpenGL' if 'MPAK-O015' in err else None


def main():
    checks = harness.Checks('eval_gl')
    with harness.scratch() as folder:
        obstacle = find_obstacle(folder)
        if obstacle:
            print('not run: ' + obstacle)
            checks.skip(1)
            checks.finish()
        samples = [name for name in sorted(os.listdir(harness.SAMPLES)) if name.endswith('.glb')]
        for name in samples:
            check_model(checks, name, os.path.join(harness.SAMPLES, name), folder)
        check_levels(checks, 'face60.glb', os.path.join(harness.SAMPLES, 'face60.glb'), folder)
        check_hooks(checks, folder)
        for name in SHARED:
            path = os.path.join(harness.SHARED_ASSETS, name)
            if os.path.exists(path):
                check_model(checks, name, path, folder)
            else:
                checks.skip(1)
    print('eval_gl: largest differences: positions %.3g of the size, directions %.3g rad' %
          (worst['positions'], worst['directions']))
    checks.finish()


if __name__ == '__main__':
    main()
