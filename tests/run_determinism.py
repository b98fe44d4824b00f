#!/usr/bin/env python3
"""Same input, options and version: same bytes. Whatever the compiler, its flags, the threads, the folder, the locale, the CPU
features that libraries see.

usage: run_determinism.py [--all]      default: the samples, and a tenth of the matrix over ../shared; --all: all of it
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import big_character
import harness

BUILDS = {
    'gcc -O0': ('gcc', '-O0'),
    'gcc -O2 -march=x86-64-v3': ('gcc', '-O2 -march=x86-64-v3'),
    'clang -O2': ('clang', '-O2'),
    'clang -O2 -march=x86-64-v3': ('clang', '-O2 -march=x86-64-v3'),
}
SETTINGS = {
    'again': {},
    '-j 2': {'options': ['-j', '2']},
    'another folder': {'move': True},
    'LC_ALL=de_DE.UTF-8': {'environment': {'LC_ALL': 'de_DE.UTF-8'}},
    'no AVX2, no FMA': {'environment': {'GLIBC_TUNABLES': 'glibc.cpu.hwcaps=-AVX2,-FMA'}},
}
FAILING = ('assetgen/Mesh_PrimitiveMode_08.gltf', 'compressed/CesiumMan_draco.gltf')


def build_variants(checks):
    """mpak by compiler and flags. Each build lives in a folder of its own."""
    programs = {}
    for number, (name, (compiler, flags)) in enumerate(BUILDS.items()):
        folder = 'build/variant_%d' % number
        done = subprocess.run(['make', '--no-print-directory', '-j%d' % os.cpu_count(), 'CC=' + compiler, 'CFLAGS=' + flags,
                               'BUILD=' + folder, folder + '/release/mpak'], cwd=harness.ROOT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if checks.equal(done.returncode, 0, 'build with %s: %s' % (name, done.stdout.decode()[-300:])):
            programs[name] = os.path.join(harness.ROOT, folder, 'release', 'mpak')
    return programs


def pack_hash(program, source, layout, folder, options=(), environment=None, move=False, cook_options=(),
              quality='lossless'):
    """SHA-256 of the pack, or the exit code."""
    working = folder
    if move:
        working = os.path.join(folder, 'another folder')
        shutil.rmtree(working, ignore_errors=True)
        shutil.copytree(os.path.dirname(source), working, ignore=shutil.ignore_patterns('*.json', '*.obj', '*.mpak'))
        source = os.path.basename(source)
    pack = os.path.join(folder, 'out.mpak')
    if os.path.exists(pack):
        os.unlink(pack)
    done = subprocess.run([program, 'cook', '-q', '--quality', quality, '--layout', layout, *options, *cook_options, '-o', pack,
                           source],
                          cwd=working, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        return 'exit %d: %s' % (done.returncode, done.stderr.decode('utf-8', 'replace')[:200])
    with open(pack, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def sources(checks):
    """(name, path, whether all variants are tried in the short run)"""
    for name in sorted(os.listdir(harness.SAMPLES)):
        if name.endswith(('.glb', '.gltf', '.fbx')):
            yield 'samples/' + name, os.path.join(harness.SAMPLES, name), True
    if not harness.has_shared():
        checks.skip(61 * 2)
        return
    with open(os.path.join(harness.SHARED_ASSETS, 'truth.json'), encoding='utf-8') as file:
        names = [name for name, truth in json.load(file).items() if 'fbx' not in truth or name.startswith('blender/')]
    for name in sorted(names):
        if name not in FAILING:
            yield name, os.path.join(harness.SHARED_ASSETS, name), False


def check_split(checks, variants, folder):
    """A character in many sections: the search for few of them must not depend on anything but the source."""
    source = os.path.join(folder, 'big.glb')
    with open(source, 'wb') as file:
        file.write(big_character.make())
    for limit in ('12', '30'):
        options = ('--max-bones', limit)
        expected = pack_hash(harness.MPAK, source, 'blk64', folder, cook_options=options)
        checks.check(len(expected) == 64, 'character at limit %s cooks' % limit, expected)
        for title, program, setting in variants:
            if 'move' not in setting:
                found = pack_hash(program, source, 'blk64', folder, cook_options=options, **setting)
                checks.equal(found, expected, 'character at limit %s: %s' % (limit, title))


def main():
    checks = harness.Checks('determinism')
    everything = '--all' in sys.argv
    has_german = subprocess.run(['locale', '-a'], stdout=subprocess.PIPE).stdout.decode().lower().count('de_de.utf') > 0
    checks.check(has_german, 'the locale de_DE.UTF-8 is installed')
    programs = build_variants(checks)
    variants = [(name, program, {}) for name, program in programs.items()]
    variants += [(name, harness.MPAK, setting) for name, setting in SETTINGS.items()]
    compared = number = 0
    with harness.scratch() as folder:
        check_split(checks, variants, folder)
        for name, source, always in sources(checks):
            for layout, quality in (('blk64', 'default'), ('blk64', 'lossless'), ('csr64', 'lossless')):
                wanted = []
                for variant in variants:
                    number += 1
                    if everything or (always and quality == 'default') or number % 16 == 0:
                        wanted.append(variant)
                if not wanted:
                    continue
                at = '%s %s %s' % (name, layout, quality)
                expected = pack_hash(harness.MPAK, source, layout, folder, quality=quality)
                checks.check(len(expected) == 64, at + ' cooks', expected)
                for title, program, setting in wanted:
                    found = pack_hash(program, source, layout, folder, quality=quality, **setting)
                    checks.equal(found, expected, '%s: %s' % (at, title))
                    compared += 1
    print('determinism: %d packs compared of a matrix of %d' % (compared, number))
    checks.finish()


if __name__ == '__main__':
    main()
