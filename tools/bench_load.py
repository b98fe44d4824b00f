#!/usr/bin/env python3
"""How long until a model is ready for upload, on one core, from one run: packs (open + verify + decode) beside a JSON
parse + accessor read of the raw glb, and beside Assimp with usual post-processing.

usage: make bench-load
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get('MPAK_SHARED', os.path.join(ROOT, '..', 'shared'))
TOOLS = os.path.join(ROOT, 'build', 'release', 'tools')
MPAK = os.path.join(ROOT, 'build', 'mpak')
PROFILES = (('default', 4), ('load', 9), ('size', None))  # against the raw glb, for characters with morph targets
ASSIMP_GOAL = 25
WITH_MORPHS = ('samples/assets/face60.glb', 'samples/assets/face_anim.glb', 'samples/assets/head_parts.glb',
               'shared:characters/run.glb', 'shared:characters/robot.glb')
WITHOUT_MORPHS = ('shared:characters/Barbarian.glb', 'shared:characters/player.glb', 'shared:khronos/CesiumMan.glb',
                  'shared:khronos/Fox.glb')


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def path_of(name):
    if name.startswith('shared:'):
        return os.path.join(SHARED, 'assets', name[len('shared:'):])
    return os.path.join(ROOT, name)


def verdict(ratio, goal):
    return '%.1f' % ratio if goal is None else '%.1f [goal >= %d%s]' % (ratio, goal, '' if ratio >= goal else ', missed')


def bench(name, source, folder, has_morphs):
    packs = []
    for compress, _ in PROFILES:
        packs.append(os.path.join(folder, compress + '.mpak'))
        subprocess.run([MPAK, 'cook', '-q', '--quality', 'default', '--compress', compress, '-o', packs[-1], source],
                       check=True, stderr=subprocess.DEVNULL)
    lines = output_of(os.path.join(TOOLS, 'bench_load'), source, *packs).splitlines()
    raw_s, parse_s, _ = [float(word) for word in lines[0].split()]
    assimp_s = float(output_of(os.path.join(TOOLS, 'bench_assimp'), source, 'usual').split()[0])
    print('%s: raw glb %.3f ms (JSON %.3f), Assimp %.2f ms' % (name, raw_s * 1e3, parse_s * 1e3, assimp_s * 1e3))
    for (compress, goal), line in zip(PROFILES, lines[1:]):
        load_s, open_s, _ = [float(word) for word in line.split()]
        print('  %-7s %8.3f ms (open %.3f); raw glb / this: %s; Assimp / this: %s' % (
            compress, load_s * 1e3, open_s * 1e3, verdict(raw_s / load_s, goal if has_morphs else None),
            verdict(assimp_s / load_s, ASSIMP_GOAL)), flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix='mpak-bench-') as folder:
        face = os.path.join(folder, 'face.glb')
        subprocess.run([os.path.join(TOOLS, 'gen_face'), face], check=True)
        for names, has_morphs in ((WITH_MORPHS, True), (WITHOUT_MORPHS, False)):
            for name in names:
                if os.path.exists(path_of(name)):
                    bench(os.path.basename(name), path_of(name), folder, has_morphs)
                else:
                    print('%s: not here, not measured' % name)
        bench('generated face, 60,025 x 52', face, folder, True)


if __name__ == '__main__':
    sys.exit(main())
