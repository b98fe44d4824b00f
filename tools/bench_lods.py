#!/usr/bin/env python3
"""Triangles of made levels of detail at bounds of 0.5, 1, 2 and 5 mm, and the memory that two levels of the generated
face take. `make bench-lods`.

usage: bench_lods.py [NAME…]     only these models

Models are of any size, so bounds are millimetres on a character of 1.8 m, and the first column what that is for the
model. Errors are those that the pack states, as measured when it was cooked.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get('MPAK_SHARED', os.path.join(ROOT, '..', 'shared'))
TOOLS = os.path.join(ROOT, 'build', 'release', 'tools')
MPAK = os.path.join(ROOT, 'build', 'mpak')
BOUNDS_MM = [0.5, 1, 2, 5]
BODY_M = 1.8

MODELS = ['samples/assets/custom_normals.glb', 'samples/assets/face60.glb', 'samples/assets/face_anim.glb',
          'samples/assets/head_parts.glb', 'samples/assets/japanese_names.glb', 'characters/Barbarian.glb',
          'characters/player.glb', 'characters/robot.glb', 'characters/run.glb', 'characters/LeftHandHumanoid.gltf',
          'characters/InfiniteSkinnedTentacle.glb', 'khronos/CesiumMan.glb', 'khronos/Fox.glb',
          'skin/exported-animation.fbx', 'skin/skin.fbx', 'skin/skin-multiple-sets.gltf']


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def size_of(source):
    """Longest side at rest, metres."""
    low, high = [float('inf')] * 3, [float('-inf')] * 3
    for mesh in json.loads(output_of(MPAK, 'eval', '-q', source))['meshes']:
        for position in mesh['positions']:
            low, high = list(map(min, low, position)), list(map(max, high, position))
    return max(b - a for a, b in zip(low, high))


def cook(source, pack, options):
    """(peak bytes of the parent, stats of the report)"""
    report = pack + '.json'
    process = subprocess.Popen([MPAK, 'cook', '-q', *options, '--report', report, '-o', pack, source])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit('cook of %s failed' % source)
    with open(report, encoding='utf-8') as file:
        return usage.ru_maxrss * 1024, json.load(file)['inputs'][0]['stats']


def bench_model(name, source, folder):
    pack, profile = os.path.join(folder, 'bench.mpak'), os.path.join(folder, 'profile.json')
    size_m = size_of(source)
    bounds = [bound * size_m / BODY_M for bound in BOUNDS_MM]
    with open(profile, 'w', encoding='utf-8') as file:
        json.dump({'profile': 1, 'lods': [{'screen_size': 1}] + [
            {'screen_size': 0.5 ** k, 'error_mm': bound} for k, bound in enumerate(bounds, 1)]}, file)
    _, stats = cook(source, pack, ['--profile', profile])
    info = json.loads(output_of(MPAK, 'info', '--json', pack))
    counts = [0] * (len(bounds) + 1)
    for mesh in info['meshes']:
        last = max(part['lod'] for part in mesh['primitives'])
        for level in range(len(counts)):
            counts[level] += sum(part['index_count'] // 3 for part in mesh['primitives']
                                 if part['lod'] == min(level, last))
    print('%-24s %8.3f %8.3f %8d %s  %6.2f s' % (
        name, size_m, bounds[1], counts[0], ' '.join('%8d (%2.0f %%)' % (count, 100 * count / counts[0])
                                                     for count in counts[1:]), stats['build_s']), flush=True)


def bench_memory(folder):
    face, pack = os.path.join(folder, 'face.glb'), os.path.join(folder, 'face.mpak')
    output_of(os.path.join(TOOLS, 'gen_face'), face)
    peak, stats = cook(face, pack, ['--lods', '2', '-j', '1'])
    print('generated face, two levels: peak memory of the parent %.1f MB; goal 4 x dense + 67 = %.1f MB' % (
        peak / 1e6, (4 * stats['dense_bytes'] + 67108864) / 1e6))


def main():
    print('%-24s %8s %8s %8s %s  %s' % ('', 'size, m', '1 mm is', 'source', ' '.join(
        '%15s' % ('%g mm' % bound) for bound in BOUNDS_MM), 'build'))
    with tempfile.TemporaryDirectory(prefix='mpak-bench-') as folder:
        for model in MODELS:
            name = os.path.basename(model)
            source = os.path.join(ROOT if model.startswith('samples') else os.path.join(SHARED, 'assets'), model)
            if sys.argv[1:] and name.split('.')[0] not in sys.argv[1:] and name not in sys.argv[1:]:
                continue
            if os.path.exists(source):
                bench_model(name, source, folder)
            else:
                print('%s: not here, not measured' % model)
        if not sys.argv[1:]:
            bench_memory(folder)


if __name__ == '__main__':
    main()
