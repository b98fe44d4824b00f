#!/usr/bin/env python3
"""Packs with in-between shapes, from outside: `info` and the second reader agree on them, and `eval` moves the vertices as
worked out by hand, by both backends and in both layouts.

The packs come from tools/gen_inbetween; tests/support/mt_inbetween.h says what is in them.
"""
import array
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import mpak_read
import run_reader

GENERATOR = os.environ.get('MPAK_GEN_INBETWEEN',
                           os.path.join(os.path.dirname(harness.MPAK), 'release', 'tools', 'gen_inbetween'))
CONTROLS = ['Smile', 'Brow', 'Blink', 'Jaw']
SHAPES_OF = [[0, 2], [], [1, 3], [4]]  # in the order of the table, by control


def shape_weights(smile, blink, jaw):
    """As tests/support/mt_inbetween.h describes them: Smile's shapes are reached at 1 and 0.5, Blink's at 1 and -1."""
    return [0 if smile < 0.5 else 2 * smile - 1, max(blink, 0), 2 * smile if smile < 0.5 else 2 - 2 * smile,
            max(-blink, 0), jaw]


# options of eval, and the weights of Smile, Blink and Jaw that they mean
POSES = [
    ([], (0.25, 0, 0)),
    (['--weight', 'Smile=0'], (0, 0, 0)),
    (['--weight', 'Smile=0.5'], (0.5, 0, 0)),
    (['--weight', 'Smile=0.75'], (0.75, 0, 0)),
    (['--weight', 'Body/Smile=1', '--weight', 'Jaw=0.5'], (1, 0, 0.5)),
    (['--weight', '#0=1.5'], (1.5, 0, 0)),
    (['--weight', 'Smile=-0.5', '--weight', 'Blink=-0.75'], (-0.5, -0.75, 0)),
    (['--weight', 'Smile=9', '--weight', 'Blink=0.5'], (1.5, 0.5, 0)),  # clamped, with a warning
    (['--weight', 'Brow=1', '--weight', 'Smile=0'], (0, 0, 0)),         # a control without shapes
    (['--clip', 'Idle', '--time', '0.25'], (0.75, -0.5, 0.5)),
    (['--clip', 'Idle', '--time', '1'], (-0.5, 1, 0)),
    (['--clip', 'Idle', '--time', '0.5', '--weight', 'Smile=1'], (1, -1, 1)),
]


def expected_positions(streams, part, weights):
    base = array.array('f', streams['part%d.base' % part])
    shapes = [array.array('f', streams['part%d.shape%d' % (part, s)]) for s in range(5)]
    return [[base[12 * v + axis] + sum(w * shape[9 * v + axis] for w, shape in zip(weights, shapes))
             for axis in range(3)] for v in range(len(base) // 12)]


def farthest(found, expected):
    if len(found) != len(expected):
        return 1e9
    return max(abs(a - b) for left, right in zip(found, expected) for a, b in zip(left, right))


def check_pose(checks, pack, streams, options, weights, name):
    for backend in ('ref', 'cpu'):
        answer = harness.run_json(['eval', '--quality', 'lossless', '--space', 'mesh', '--backend', backend] + options + [pack])
        at = '%s %s %s' % (name, backend, ' '.join(options))
        if not checks.check(answer is not None, at):
            continue
        body = [mesh for mesh in answer['meshes'] if mesh['mesh'] == 'Body']
        checks.equal(len(body), 2, at + ' parts')
        for part, mesh in enumerate(body):
            error = farthest(mesh['positions'], expected_positions(streams, part, shape_weights(*weights)))
            checks.check(error <= 2e-6, at + ' part %d' % part, error)


def check_info(checks, pack, name):
    info = harness.run_json(['info', '--json', pack])
    if not checks.check(info is not None, name + ' info'):
        return
    with open(pack, 'rb') as file:
        table = mpak_read.Pack(file.read()).table
    for part, primitive in enumerate(info['meshes'][0]['primitives']):
        shapes = table['SHAP'][5 * part:5 * part + 5]
        checks.equal([target['name'] for target in primitive['targets']], CONTROLS, name + ' targets are controls')
        counts = [sum(shapes[s].delta_count for s in own) for own in SHAPES_OF]
        checks.equal([target['delta_count'] for target in primitive['targets']], counts, name + ' deltas of controls')
        checks.equal(primitive['targets'][1]['delta_count'], 0, name + ' a control without shapes')
        names = [CONTROLS[c] for c, own in enumerate(SHAPES_OF) for _ in own or [None]]
        moved = [shapes[s].source_moved_count if s is not None else 0 for own in SHAPES_OF for s in own or [None]]
        facts = primitive['source']['targets']
        checks.equal([fact['name'] for fact in facts], names, name + ' source targets are shapes')
        checks.equal([fact['moved_count'] for fact in facts], moved, name + ' vertices that shapes move')
    code, out, _ = harness.run(['info', pack])
    checks.check(code == 0 and '"Smile": default 0.25, range -0.5 … 1.5, 2 shapes, '.encode() in out, name + ' info as text', out)


def main():
    checks = harness.Checks('rules')
    with harness.scratch() as scratch:
        done = subprocess.run([GENERATOR, scratch], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not checks.equal(done.returncode, 0, 'gen_inbetween %s' % done.stdout):
            checks.finish()
        for layout in ('blk64', 'csr64'):
            pack = os.path.join(scratch, 'inbetween.%s.mpak' % layout)
            checks.equal(harness.run(['validate', pack])[0], 0, layout + ' validate')
            streams = run_reader.check_pack(checks, pack, layout, os.path.join(scratch, 'dump'))
            check_info(checks, pack, layout)
            for options, weights in POSES if streams else []:
                check_pose(checks, pack, streams, options, weights, layout)
        code, _, err = harness.run(['eval', '--weight', 'Smile=9', pack])
        checks.check(code == 0 and 'Smile' in err and '1.5' in err, 'a weight out of the range is clamped with a warning', err)
        code, _, err = harness.run(['eval', '--weight', 'Smile_half=1', pack])
        checks.equal(code, 2, 'shapes have no names of their own: ' + err)
    checks.finish()


if __name__ == '__main__':
    main()
