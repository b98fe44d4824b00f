#!/usr/bin/env python3
"""Formats that mpak reads through Assimp beside FBX, with one small body in each (tests/support/fixtures_formats.py).

read      cooked, corners where the format's document puts them in right-handed axes with +Y up, faces outward, joints
          and clips moving them; a warning (assimp_poor_format) where a format has more than is read
motion    files without a mesh become clip packs, and move the body of another file by the names of its joints
cut       files that end in the middle are cooked or refused with a code that is no crash
names     that are not UTF-8: refused, converted by --name-encoding, or refused in the wrong encoding
glTF      with names that repeat, through Assimp: refused by a code whose hint names the exact reader
"""
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import fixtures_formats as formats
import gltf_maker
import harness
import issue_files

TOLERANCE = 1e-6
CRASHES = {'MPAK-I001', 'MPAK-I002', 'MPAK-I003', 'MPAK-I004', 'MPAK-I007'}


# -- From the file's axes to right-handed with +Y up -------------------------------------------------------------------

def same(p):
    return p


def z_up(p):
    return (p[0], p[2], -p[1])


def x_up(p):
    return (-p[1], p[0], p[2])


def z_up_centimetres(p):
    return tuple(0.01 * x for x in z_up(p))


def left_handed(p):
    return (p[0], p[1], -p[2])


class Case:
    def __init__(self, name, data, axes=same, beside=(), moves=False, joints=(), codes=()):
        self.name, self.data, self.axes, self.beside = name, data, axes, dict(beside)
        self.moves, self.joints, self.codes = moves, list(joints), list(codes)


JOINTS = ['root', 'tip']
CASES = [
    Case('body.obj', formats.obj(), beside=[('body.mtl', formats.mtl())]),
    Case('text.stl', formats.stl_text()),
    Case('binary.stl', formats.stl_binary()),
    Case('text.ply', formats.ply_text()),
    Case('binary.ply', formats.ply_binary()),
    Case('body.off', formats.off()),
    Case('body.3ds', formats.tds(), z_up),
    Case('body.x3d', formats.x3d()),
    Case('y_up.dae', formats.dae()),
    Case('x_up.dae', formats.dae('X_UP'), x_up),
    Case('z_up.dae', formats.dae('Z_UP', 0.01), z_up_centimetres),
    Case('skin.dae', formats.dae(is_skinned=True), moves=True, joints=JOINTS),
    Case('skin_z_up.dae', formats.dae('Z_UP', 0.01, is_skinned=True), z_up_centimetres, moves=True, joints=JOINTS),
    Case('body.x', formats.x(), left_handed),
    Case('skin.x', formats.x(is_skinned=True), left_handed, moves=True, joints=JOINTS),
    Case('body.smd', formats.smd_reference(), joints=JOINTS),
    Case('body.md5mesh', formats.md5_mesh(), z_up, joints=JOINTS),
    Case('both.md5mesh', formats.md5_mesh(), z_up, [('both.md5anim', formats.md5_anim())], moves=True, joints=JOINTS),
    Case('body.ms3d', formats.ms3d(), moves=True, joints=JOINTS),
    Case('body.pmx', formats.pmx(), left_handed, joints=['全ての親', '頭'], codes=['MPAK-I052']),
]
MOTION = [  # a file without a mesh, the model that it moves, the model's axes
    ('motion.bvh', formats.bvh(), 'skin.dae', same),
    ('motion.smd', formats.smd_motion(), 'body.smd', same),
    ('motion.dae', formats.dae(is_skinned=True, has_mesh=False), 'body.smd', same),
    ('motion.x', formats.x(is_skinned=True, has_mesh=False), 'skin.x', left_handed),
    ('motion.md5anim', formats.md5_anim(), 'body.md5mesh', z_up),
]


# -- Looking -----------------------------------------------------------------------------------------------------------

def volume(mesh):
    """By the faces' winding: positive when they look outward."""
    rows, indices, six_times = mesh['positions'], mesh['indices'], 0.0
    for at in range(0, len(indices), 3):
        a, b, c = [rows[indices[at + i]] for i in range(3)]
        six_times += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]))
    return six_times / 6


def is_near(rows, expected, size):
    return all(min(math.dist(row, other) for other in expected) <= TOLERANCE * size for row in rows) and \
        all(min(math.dist(row, other) for row in rows) <= TOLERANCE * size for other in expected)


def check_pose(checks, where, pack, clip, time_s, expected):
    arguments = ['eval', pack, '--time', repr(time_s)] + (['--clip', clip] if clip else [])
    data = harness.run_json(arguments)
    if not checks.check(data is not None and len(data['meshes']) == 1, where + ' has one mesh'):
        return
    mesh, size = data['meshes'][0], max(abs(x) for row in expected for x in row)
    checks.check(is_near(mesh['positions'], expected, size), where + ' corners', (mesh['positions'], expected))
    checks.check(len(mesh['indices']) == 12 and volume(mesh) > 0, where + ' faces look outward', volume(mesh))


def check_poses(checks, where, pack, axes, clip):
    for time_s in (0.0, 0.5, 1.0) if clip else (0.0,):
        expected = [axes(point) for point in formats.posed(time_s * math.pi / 2)]
        check_pose(checks, '%s at %g s' % (where, time_s), pack, clip, time_s, expected)


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def check_case(checks, case, folder):
    for name, data in case.beside.items():
        write(folder, name, data)
    answer = issue_files.Answer(write(folder, case.name, case.data), os.path.join(folder, case.name + '.out'))
    if not checks.equal((answer.code, answer.complaints()), (0, []), case.name + ' is cooked: ' + answer.text[-300:]):
        return
    found = sorted({issue['code'] for issue in answer.issues if issue['severity'] != 'info'})
    checks.equal(found, case.codes, case.name + ' warnings')
    info = harness.run_json(['info', '--json', answer.pack])
    checks.equal([joint for skin in info['skins'] for joint in skin['joints']], case.joints, case.name + ' joints')
    has_motion = any(clip['duration_s'] > 0 for clip in info['clips'])
    checks.equal(has_motion, case.moves, case.name + ' has a clip that moves')
    check_poses(checks, case.name, answer.pack, case.axes, 'all' if case.moves else None)


def check_motion(checks, name, data, model, axes, folder):
    motion = write(folder, name, data)
    code, err = harness.cook(motion, motion + '.mpak')
    if not checks.equal(code, 0, '%s is cooked (%s)' % (name, err[:300])):
        return
    info = harness.run_json(['info', '--json', motion + '.mpak'])
    checks.equal((info['meshes'], len(info['clips'])), ([], 1), name + ' is a clip pack')
    both = motion + '.both.mpak'
    code, err = harness.cook(os.path.join(folder, model), both, '--clips', motion)
    if checks.equal(code, 0, '%s moves %s (%s)' % (name, model, err[:300])):
        clip = '#%d' % (len(harness.run_json(['info', '--json', both])['clips']) - 1)
        check_poses(checks, '%s with %s' % (model, name), both, axes, clip)


def check_cut(checks, name, data, folder):
    """Files that end early, and such a suffix on something else."""
    stem, suffix = os.path.splitext(name)
    for number, part in enumerate((data[:len(data) // 2], data[:len(data) // 5], b'neither this nor that\n')):
        path = write(folder, '%s_cut%d%s' % (stem, number, suffix), part)
        answer = issue_files.Answer(path, path + '.out')
        is_refused = answer.code in (1, 4) and answer.codes('error')
        checks.check((answer.code == 0 or is_refused) and not answer.complaints() and
                     not CRASHES & set(answer.codes('error')), '%s part %d' % (name, number),
                     (answer.code, answer.complaints(), answer.text[-300:]))


# -- Names -------------------------------------------------------------------------------------------------------------

NAME = '頬表'  # in cp932 the second byte of 表 is a backslash


def node_names(pack):
    return [node['name'] for node in harness.run_json(['info', '--json', pack])['nodes']]


def check_names(checks, folder):
    makers = {'.x': lambda encoding: formats.x(True, tip=NAME, encoding=encoding),
              '.smd': lambda encoding: formats.smd_reference(NAME, encoding)}
    for suffix, make in makers.items():
        for encoding, other in (('cp932', 'euc-jp'), ('euc-jp', 'big5'), ('utf-8', 'cp932')):
            path = write(folder, encoding + suffix, make(encoding))
            check_encoding(checks, encoding + suffix, path, encoding, other)


def check_encoding(checks, name, path, encoding, other):
    plain = issue_files.Answer(path, path + '.plain')
    if encoding == 'utf-8':
        checks.equal(plain.code, 0, name + ' needs no option')
        for_nothing = issue_files.Answer(path, path + '.nothing', ['--name-encoding', other])
        checks.check(for_nothing.code == 0 and NAME in node_names(for_nothing.pack), name + ' is left as it is')
        return
    checks.equal((plain.code, plain.codes('error')), (1, ['MPAK-N001']), name + ' is refused')
    checks.check('--name-encoding' in plain.text, name + ' hint names the option', plain.text)
    told = issue_files.Answer(path, path + '.told', ['--name-encoding', encoding.upper()])
    if checks.equal(told.code, 0, name + ' is cooked when told: ' + told.text[-300:]):
        checks.check(NAME in node_names(told.pack), name + ' has the right name', node_names(told.pack))
        code, out, _ = harness.run(['info', told.pack])
        checks.check(code == 0 and 'name-encoding = %s\n' % encoding in out.decode(), name + ' says so in the pack')
    wrong = issue_files.Answer(path, path + '.wrong', ['--name-encoding', other])
    checks.check(wrong.code == 1 and wrong.codes('error') == ['MPAK-I051'] or NAME not in node_names(wrong.pack),
                 '%s is not %s' % (name, other), wrong.text)


def check_wrong_encoding(checks, folder):
    """cp932's first bytes stand for nothing in EUC-JP."""
    path = write(folder, 'wrong.x', formats.x(True, tip=NAME, encoding='cp932'))
    answer = issue_files.Answer(path, path + '.out', ['--name-encoding', 'euc-jp'])
    checks.equal((answer.code, answer.codes('error'), answer.complaints()), (1, ['MPAK-I051'], []), 'cp932 as EUC-JP')


def check_left_alone(checks, folder):
    """glTF is UTF-8 by its own rules, whoever reads it; so is an FBX whose names all are."""
    for name, options in (('japanese_names.glb', []), ('japanese_names.glb', ['--importer', 'assimp']),
                          ('japanese_names.fbx', [])):
        found = []
        for number, more in enumerate(([], ['--name-encoding', 'cp932'])):
            pack = os.path.join(folder, 'left_alone%d.mpak' % number)
            code, err = harness.cook(os.path.join(harness.SAMPLES, name), pack, *options, *more)
            checks.equal(code, 0, '%s is cooked (%s)' % (name, err[:300]))
            info = harness.run_json(['info', '--json', pack])
            targets = [target['name'] for mesh in info['meshes'] for target in mesh['primitives'][0]['targets']]
            found.append((node_names(pack), targets))
        checks.check('顔' in found[0][0] and len(found[0][1]) == 18, name + ' names', found[0])
        checks.equal(found[1], found[0], '%s %s is left as it is' % (name, options))


# -- glTF through Assimp -----------------------------------------------------------------------------------------------

REPEATED = [('bone', 2, 1, 4, 'MPAK-I010'), ('body', 3, 1, 1, 'MPAK-I014'), ('moved', 4, 3, 1, 'MPAK-I016')]


def check_gltf(checks, folder):
    for what, node, like, exit_code, issue in REPEATED:
        model = gltf_maker.Sound()
        model.j['nodes'][node]['name'] = model.j['nodes'][like]['name']
        path = write(folder, 'repeated_%s.glb' % what, model.glb())
        exact = issue_files.Answer(path, path + '.exact')
        checks.equal(exact.code, 0, 'the exact reader takes a repeated name: ' + what)
        answer = issue_files.Answer(path, path + '.out', ['--importer', 'assimp'])
        checks.equal((answer.code, answer.codes('error')), (exit_code, [issue]), 'Assimp and a repeated name: ' + what)
        checks.check('leave --importer assimp out' in answer.text, 'the hint names the way out: ' + what, answer.text)


def main():
    checks = harness.Checks('formats')
    with harness.scratch() as folder:
        for case in CASES:
            check_case(checks, case, folder)
        for name, data, model, axes in MOTION:
            check_motion(checks, name, data, model, axes, folder)
        for case in CASES:
            check_cut(checks, case.name, case.data, folder)
        for name, data, _, _ in MOTION:
            check_cut(checks, name, data, folder)
        check_names(checks, folder)
        check_wrong_encoding(checks, folder)
        check_left_alone(checks, folder)
        check_gltf(checks, folder)
    checks.finish()


if __name__ == '__main__':
    main()
