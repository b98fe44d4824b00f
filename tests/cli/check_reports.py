"""--report: the same issues as the text, in the published form."""
import json
import os
import shutil

import harness
import mini_schema


def read_json(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def keeps_form(checks, report, name):
    schema = read_json(os.path.join(harness.ROOT, 'cooker', 'report', 'schema', 'issues.v1.json'))
    faults = list(mini_schema.faults(report, schema))
    checks.check(not faults, '%s keeps its schema' % name, faults[:3])


def check_cook_report(checks, scratch, small):
    for name in ('quad.gltf', 'broken.gltf', 'mirror.gltf'):
        shutil.copy(os.path.join(small, name), scratch)
    odd = os.path.join(scratch, 'two\nlines \u3042.gltf')
    shutil.copy(os.path.join(small, 'broken.gltf'), odd)
    inputs = [os.path.join(scratch, name) for name in ('quad.gltf', 'broken.gltf', 'mirror.gltf', 'missing.glb')] + [odd]
    target = os.path.join(scratch, 'report.json')
    code, _, err = harness.run(['cook', '-q', '--report', target] + inputs)
    checks.equal(code, 3, 'report: exit code')
    report = read_json(target)
    keeps_form(checks, report, 'report of cook')
    checks.equal([entry['file'] for entry in report['inputs']], inputs, 'report: inputs in order, byte-exact')
    checks.equal([entry['exit_code'] for entry in report['inputs']], [0, 1, 0, 3, 1], 'report: exit codes')
    checks.equal(report['exit_code'], 3, 'report: the largest exit code')
    checks.equal([entry['output'] is not None for entry in report['inputs']], [True, False, True, False, False], 'report: outputs')
    broken = report['inputs'][1]['issues'][0]
    place = {key: broken[key] for key in ('code', 'severity', 'mesh', 'primitive', 'target', 'element', 'index')}
    checks.equal(place, {'code': 'MPAK-M012', 'severity': 'error', 'mesh': 'Card', 'primitive': 0, 'target': 'Smile',
                         'element': 'vertex', 'index': 1}, 'report: place of an issue')
    checks.check(broken['message'] in err and broken['hint'] in err, 'report: the texts of the messages')
    stats = report['inputs'][0]['stats']
    facts = {key: stats[key] for key in ('meshes', 'primitives', 'targets', 'deltas', 'clips', 'source_vertices', 'vertices', 'triangles')}
    checks.equal(facts, {'meshes': 1, 'primitives': 1, 'targets': 2, 'deltas': 2, 'clips': 2, 'source_vertices': 5,
                         'vertices': 4, 'triangles': 2}, 'report: figures')
    checks.equal(stats['pack_bytes'], os.path.getsize(os.path.join(scratch, 'quad.mpak')), 'report: bytes of the pack')
    checks.equal(stats['source_bytes'], os.path.getsize(inputs[0]), 'report: bytes of the source')


def check_validate_report(checks, scratch, small):
    pack, target = os.path.join(scratch, 'p.mpak'), os.path.join(scratch, 'report.json')
    harness.cook(os.path.join(small, 'quad.gltf'), pack)
    with open(pack, 'r+b') as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last[0] ^ 1]))
    code, out, _ = harness.run(['validate', '--report', '-', pack, os.path.join(small, 'mirror.gltf')])
    report = json.loads(out)
    keeps_form(checks, report, 'report of validate')
    checks.equal((code, report['command']), (5, 'validate'), 'validate --report -')
    checks.equal(report['inputs'][0]['issues'][0]['code'], 'MPAK-P006', 'validate: one flipped bit')
    checks.equal(report['inputs'][1]['counts']['warning'], 1, 'validate: counts')
    code, _, _ = harness.run(['validate', '-q', '--werror', '--report', target, os.path.join(small, 'mirror.gltf')])
    severities = {issue['code']: issue['severity'] for issue in read_json(target)['inputs'][0]['issues']}
    checks.equal((code, severities), (1, {'MPAK-N013': 'error'}), 'validate --werror raises warnings')
