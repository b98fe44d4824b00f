#!/usr/bin/env python3
"""Cook and load times, peak memory and bytes, beside Assimp's own import and the raw glb, and the share of the FBX
pre-pass in an import, all from one run.

usage: sh tools/bench.sh
"""
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get('MPAK_SHARED', os.path.join(ROOT, '..', 'shared'))
TOOLS = os.path.join(ROOT, 'build', 'release', 'tools')
MPAK = os.path.join(ROOT, 'build', 'mpak')
REPEATS = 3


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().split()


def cook_once(source, pack, options):
    """(seconds, peak bytes of the parent, peak bytes of the worker)"""
    report = pack + '.json'
    start = time.monotonic()
    process = subprocess.Popen([MPAK, 'cook', '-q', '--quality', 'lossless', *options, '--report', report, '-o', pack, source])
    _, status, usage = os.wait4(process.pid, 0)
    spent = time.monotonic() - start
    if status != 0:
        sys.exit('cook of %s failed' % source)
    with open(report, encoding='utf-8') as file:
        stats = json.load(file)['inputs'][0]['stats']
    return spent, usage.ru_maxrss * 1024, stats


def bytes_after_zstd(path):
    done = subprocess.run(['zstd', '-19', '-T1', '-q', '-c', path], check=True, stdout=subprocess.PIPE)
    return len(done.stdout)


def megabytes(count):
    return '%.2f' % (count / 1e6)


def bench(name, source, folder):
    pack = os.path.join(folder, 'bench.mpak')
    runs = [cook_once(source, pack, ['-j', '1']) for _ in range(REPEATS)]
    spent, peak, stats = min(runs, key=lambda run: run[0])
    load_s, open_s, decoded = output_of(os.path.join(TOOLS, 'bench_load'), pack)
    plain_s, plain_peak = output_of(os.path.join(TOOLS, 'bench_assimp'), source, 'triangulate')
    usual_s, usual_peak = output_of(os.path.join(TOOLS, 'bench_assimp'), source, 'usual')
    own_s = stats['build_s'] + stats['pack_s']
    raw, packed = os.path.getsize(source), os.path.getsize(pack)
    print('%s: %s source, %s dense' % (name, megabytes(raw), megabytes(stats['dense_bytes'])))
    print('  cook %.1f ms (import %.1f, build %.1f, pack %.1f); own work %.0f MB/s of dense source (goal 150)' % (
        spent * 1e3, stats['import_s'] * 1e3, stats['build_s'] * 1e3, stats['pack_s'] * 1e3, stats['dense_bytes'] / own_s / 1e6))
    print('  Assimp import: triangulate %.1f ms, usual post-processing %.1f ms' % (float(plain_s) * 1e3, float(usual_s) * 1e3))
    print('  load %.3f ms (open %.3f), %s decoded; Assimp usual / load = %.1f' % (
        float(load_s) * 1e3, float(open_s) * 1e3, megabytes(int(decoded)), float(usual_s) / float(load_s)))
    print('  peak memory: parent %s MB (goal 4 x dense + 67 = %s), worker %s MB, Assimp %s / %s MB' % (
        megabytes(peak), megabytes(4 * stats['dense_bytes'] + 67108864), megabytes(stats['worker_peak_bytes']),
        megabytes(int(plain_peak)), megabytes(int(usual_peak))))
    zipped = bytes_after_zstd(source)
    print('  bytes: pack %d, glb %d (%.2f), glb + zstd -19 %d (%.2f)' % (
        packed, raw, packed / raw, zipped, packed / zipped), flush=True)


def is_fbx(name):
    return name.lower().endswith('.fbx')


def list_fbx():
    """All FBX files that came from exporters: the samples and the shared ones, without the broken ones."""
    found = []
    for top in (os.path.join(ROOT, 'samples', 'assets'), os.path.join(SHARED, 'assets')):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(set(folders) - {'bad'})
            found += [os.path.join(folder, name) for name in sorted(filter(is_fbx, names))]
    return found


def bench_fbx(path):
    """Share of the pre-pass in Assimp's own import. Assimp reads text several times slower than what becomes of it."""
    name = os.path.relpath(path, ROOT if path.startswith(ROOT) else os.path.join(SHARED, 'assets'))
    done = subprocess.run([os.path.join(TOOLS, 'bench_fbx'), path], stdout=subprocess.PIPE)
    if done.returncode == 4:
        print('  %-55s refused, not measured' % name)
        return
    if done.returncode != 0:
        sys.exit('bench_fbx of %s failed' % path)
    kind, *times = done.stdout.decode().split()
    prepass, result, own = [float(seconds) * 1e3 for seconds in times]
    print('  %-55s %8.3f ms, Assimp %8.3f (%s as it is %8.3f): %5.1f %%  [< 25 %%]' % (
        name, prepass, result, kind, own, 100 * prepass / (own if kind == 'text' else result)), flush=True)


def main():
    with tempfile.TemporaryDirectory(prefix='mpak-bench-') as folder:
        face = os.path.join(folder, 'face.glb')
        subprocess.run([os.path.join(TOOLS, 'gen_face'), face], check=True)
        files = [('face60.glb', os.path.join(ROOT, 'samples', 'assets', 'face60.glb'))]
        for name in ('characters/run.glb', 'characters/Barbarian.glb'):
            path = os.path.join(SHARED, 'assets', name)
            if os.path.exists(path):
                files.append((name, path))
            else:
                print('%s: not here, not measured' % name)
        files.append(('generated face, 60,025 x 52', face))
        for name, path in files:
            bench(name, path, folder)
    print('FBX pre-pass beside the import by Assimp of what it writes; for a text file, of the text')
    for path in list_fbx():
        bench_fbx(path)


if __name__ == '__main__':
    main()
