"""diff --json: the schema; a pack and its export say the same; a model against its own lower quality stays in the promise."""
import json
import os

import harness
import mini_schema

PROMISE = 1e-4  # of the size, of --quality default


def read_schema():
    with open(os.path.join(harness.ROOT, 'cooker', 'report', 'schema', 'diff.v1.json'), encoding='utf-8') as file:
        return json.load(file)


def diff(checks, name, *arguments):
    """The findings of two files that may differ."""
    code, out, err = harness.run(['diff', '-q', '--json', *arguments])
    if not checks.check(code in (0, 1), 'diff %s' % name, err[:300]):
        return None
    found = json.loads(out.decode('utf-8'))
    faults = list(mini_schema.faults(found, read_schema(), name))
    checks.equal(faults, [], 'diff %s: schema' % name)
    checks.equal(found['is_same'], code == 0, 'diff %s: exit code' % name)
    checks.equal(found['is_same'], found['findings'] == [], 'diff %s: is_same' % name)
    return found


def check_qualities(checks, scratch, small):
    """face_anim is a sphere of 1 m about the origin: less than 4 m across, whatever its clips do."""
    source, packs = os.path.join(harness.SAMPLES, 'face_anim.glb'), {}
    for quality in ('lossless', 'default'):
        packs[quality] = os.path.join(scratch, quality + '.mpak')
        code, _, err = harness.run(['cook', '-q', '--quality', quality, source, '-o', packs[quality]])
        checks.equal(code, 0, 'diff: cook %s %s' % (quality, err[:200]))
    found = diff(checks, 'of qualities', packs['lossless'], packs['default'])
    measured = [finding['largest_mm'] for finding in found['findings'] if 'largest_mm' in finding]
    checks.check(measured and max(measured) <= 1000 * PROMISE * 4, 'diff of qualities: movement', measured)
    checks.equal([finding for finding in found['findings'] if finding['change'] != 'changed'], [], 'diff of qualities: names')
    checks.check(found['bytes'][0] > found['bytes'][1] and sum(a for a, _ in found['chunks'].values()) < found['bytes'][0],
                 'diff of qualities: bytes', found['bytes'])
    same = diff(checks, 'with tolerance', packs['lossless'], packs['default'], '--tolerance', repr(max(measured) * 1.0001))
    checks.check(same['is_same'], 'diff with a tolerance just above the largest movement', same['findings'])


def check_order(checks, scratch, small):
    """Another vertex order is none that a person would call a change."""
    for name in ('face60.glb', 'head_parts.glb'):
        source, other = os.path.join(harness.SAMPLES, name), os.path.join(scratch, 'other.mpak')
        code, err = harness.cook(source, other, '--vertex-order', 'source', '--source-map', '--layout', 'csr64')
        checks.equal(code, 0, 'diff: cook %s %s' % (name, err[:200]))
        found = diff(checks, name, source, other, '--quality', 'lossless')
        checks.check(found['is_same'], 'diff of another order: ' + name, found['findings'][:3])
