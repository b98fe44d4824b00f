#!/usr/bin/env python3
"""--quality high, default and compact: packs against lossless packs of the same model, vertex by vertex, posed.

Lossless packs agree with independent evaluators to 2e-6 of the size (run_eval.py); here the other qualities are held
against them, with `mpak eval` in source order: at rest, and at times inside every clip that are no times of keys.
Promises (cooker/quality.h): positions within a share of the size, which is that of what a node draws at rest and of the
whole character while a clip plays; normals within an angle, but for one in a thousand, whose morphed sum may be almost
nothing. Packs must also say so themselves: the errors in ERRS are not below what is found here.
"""
import concurrent.futures
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness
import points

PROMISES = {'high': (3e-5, 0.25), 'default': (1e-4, 1.1), 'compact': (1e-3, 3.0)}
FEW = ('face60', 'face_anim', 'head_parts', 'run', 'CesiumMan', 'robot', 'MorphStressTest')
CLIPS_MAX = 4
# Normals that two targets nearly cancel: 10 bits a component are not enough there, and floats are what keeps the promise.
NEEDS_FLOATS = ('AnimatedMorphSphere.gltf',)
SHARES = (0.0, 0.317, 0.773)


def models():
    """(path, qualities): every model at default, a few at the others."""
    folders = [harness.SAMPLES]
    if harness.has_shared():
        folders += [os.path.join(harness.SHARED_ASSETS, name) for name in sorted(os.listdir(harness.SHARED_ASSETS))
                    if name != 'bad']
    seen = set()
    for folder in folders:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            stem, suffix = os.path.splitext(name)
            if suffix in ('.glb', '.gltf', '.vrm', '.fbx') and name not in seen: # samples lie in both places
                seen.add(name)
                yield os.path.join(folder, name), ('default', 'high', 'compact') if stem in FEW else ('default',)


def evaluate(pack, arguments):
    done = subprocess.run([harness.MPAK, 'eval', '--order', 'source', *arguments, pack], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return json.loads(done.stdout) if done.returncode == 0 else None


def poses(info):
    yield [], False
    for number, clip in enumerate(info['clips'][:CLIPS_MAX]):
        for share in SHARES:
            time = clip['start_s'] + share * (clip['end_s'] - clip['start_s'])
            yield ['--clip', '#%d' % number, '--time', repr(time)], True


def size_of(meshes, node=None):
    rows = [row for mesh in meshes if node is None or mesh['node'] == node for row in mesh['positions'] if row]
    return points.box_size(rows) if rows else 0


def compare(expected, found, plays):
    """Largest share, largest distance, and all turns in degrees."""
    share, distance, turns = 0.0, 0.0, []
    whole = size_of(expected['meshes']) if plays else 0
    for a, b in zip(expected['meshes'], found['meshes']):
        size = whole or size_of(expected['meshes'], a['node']) or 1e-30
        for p, q in zip(a['positions'], b['positions']):
            if p and q:
                apart = math.dist(p, q)
                distance, share = max(distance, apart), max(share, apart / size)
        for p, q in zip(a.get('normals', []), b.get('normals', [])):
            if p and q and any(p) and any(q):
                turns.append(2 * math.degrees(math.asin(min(1.0, math.dist(p, q) / 2))))
    return share, distance, turns


def stored_error(info):
    return max((e['largest'] for e in info['errors']['streams'] if e['stream'] == 'posed_position'), default=0.0)


def check_model(path, qualities, scratch, number):
    """Lines of results: (condition, name, detail)."""
    name, results = os.path.basename(path), []
    at = lambda quality: os.path.join(scratch, '%d.%s.mpak' % (number, quality))
    if harness.cook(path, at('lossless'), '--source-map')[0] != 0:
        return results
    info = harness.run_json(['info', '--json', at('lossless')])
    expected = [(arguments, plays, evaluate(at('lossless'), arguments)) for arguments, plays in poses(info)]
    for quality in qualities:
        bound, bound_deg = PROMISES[quality]
        where = '%s %s' % (name, quality)
        code, _, err = harness.run(['cook', '-q', '--quality', quality, '--source-map', '-o', at(quality), path])
        results.append((code == 0, where + ' cooks', err[:300]))
        if code != 0:
            continue
        if quality == 'default':
            results.append(('MPAK-C057' not in err or name in NEEDS_FLOATS, where + ' needs no floats', err[:300]))
        largest, farthest, turns = 0.0, 0.0, []
        for arguments, plays, truth in expected:
            found = evaluate(at(quality), arguments)
            results.append((found is not None and len(found['meshes']) == len(truth['meshes']), where + ' evaluates', ''))
            if found is None:
                continue
            share, distance, more = compare(truth, found, plays)
            largest, farthest = max(largest, share), max(farthest, distance)
            turns += more
        turns.sort()
        results.append((largest <= bound, where + ' positions', '%.3g of the size' % largest))
        if turns:
            usual = turns[max(0, math.ceil(len(turns) * 0.999) - 1)]
            results.append((usual <= bound_deg, where + ' normals', '%.3g degrees, %.3g at most' % (usual, turns[-1])))
        stored = stored_error(harness.run_json(['info', '--json', at(quality)]))
        # what was measured while cooking is of other poses: it may be a little less
        results.append((farthest <= 3 * stored + 1e-9, where + ' says so', '%.3g m found, %.3g m stored' % (farthest, stored)))
        results.append((None, '%-40s positions %.2e normals %.3f' % (where, largest, turns[-1] if turns else 0), ''))
        os.remove(at(quality))
    os.remove(at('lossless'))
    return results


def main():
    checks = harness.Checks('quality')
    wanted = sys.argv[1:]
    with harness.scratch() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check_model, path, qualities, scratch, number)
                for number, (path, qualities) in enumerate(models()) if not wanted or
                os.path.splitext(os.path.basename(path))[0] in wanted]
        for job in jobs:
            for condition, name, detail in job.result():
                if condition is None:
                    if wanted:
                        print(name)
                else:
                    checks.check(condition, name, detail)
    if not harness.has_shared():
        checks.skip()
    checks.finish()


if __name__ == '__main__':
    main()
