#!/usr/bin/env python3
"""`make ASSIMP=0`: the same packs of glTF, a coded refusal of everything else, and no library but the system's own."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

BUILD = os.path.join(harness.ROOT, 'build', 'noassimp')
MPAK = os.path.join(BUILD, 'mpak')
ALWAYS_THERE = ('linux-vdso', 'ld-linux', 'libc.so', 'libm.so', 'libgcc_s.so', 'libstdc++.so')


def build(checks):
    # What an outer make or config was started with is not meant for this build.
    plain = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'MFLAGS', 'config', 'BUILD')}
    done = subprocess.run(['make', '--no-print-directory', '-j2', 'werror=1', 'ASSIMP=0'], cwd=harness.ROOT, env=plain,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return checks.equal(done.returncode, 0, 'make ASSIMP=0 builds: ' + done.stdout.decode()[-400:])


def run(*arguments):
    done = subprocess.run([MPAK, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def check_libraries(checks):
    """Nothing that a bare machine lacks: every other library lies beside the program."""
    lines = subprocess.run(['ldd', MPAK], stdout=subprocess.PIPE).stdout.decode().splitlines()
    foreign = [line for line in lines if BUILD not in line and not any(name in line for name in ALWAYS_THERE)]
    checks.check(len(lines) >= 4 and not foreign, 'libraries', foreign)
    code, out, _ = run('version')
    checks.check(code == 0 and 'assimp none\n' in out, 'version says that there is no Assimp', out)


def check_packs(checks, folder):
    """One pack per quality and layout, each as the full build makes it."""
    for name in ('face60', 'head_parts', 'face_anim'):
        source = os.path.join(harness.SAMPLES, name + '.glb')
        for options in (('--quality', 'default'), ('--quality', 'lossless', '--layout', 'csr64', '--compress', 'load')):
            packs = [os.path.join(folder, side + '.mpak') for side in ('full', 'none')]
            code, _, err = harness.run(['cook', '-q', *options, '-o', packs[0], source])
            checks.equal((code, err), (0, ''), name + ': the full build cooks it')
            checks.equal(run('cook', '-q', *options, '-o', packs[1], source)[::2], (0, ''), name + ': cooks without Assimp')
            with open(packs[0], 'rb') as one, open(packs[1], 'rb') as other:
                checks.check(one.read() == other.read(), '%s %s: the same bytes' % (name, ' '.join(options)))


def check_viewer(checks):
    """Such a build has no GL either: its verbs are not offered."""
    for verb in ('view', 'sheet'):
        code, out, err = run(verb, 'x.glb')
        checks.check(code == 2 and out == '' and 'MPAK-U005' in err, verb + ' is not in this version', (code, err))
        checks.check('mpak %s' % verb not in run('help')[1] and ' %s ' % verb not in run('help')[1], verb + ' is not in the help')


def check_refusals(checks, folder):
    """importer_left_out: a coded error, exit 4 and no output."""
    triangle = os.path.join(folder, 'triangle.obj')
    with open(triangle, 'w', encoding='ascii') as file:
        file.write('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    face = os.path.join(harness.SAMPLES, 'face60')
    pack = os.path.join(folder, 'refused.mpak')
    for words, what in (((face + '.fbx',), 'for FBX'), ((triangle,), 'suffix obj'),
                        (('--importer', 'assimp', face + '.glb'), 'for glTF with --importer assimp')):
        code, _, err = run('cook', '-o', pack, *words)
        checks.equal(code, 4, what + ': exit code')
        checks.check('[MPAK-I053]' in err and what in err, what + ': message', err)
        checks.check(not os.path.exists(pack), what + ': nothing is written')
    code, _, err = run('cook', '-o', pack, os.path.join(harness.ROOT, 'LICENSE'))
    checks.check(code == 4 and '[MPAK-F007]' in err, 'a file without suffix is of no known type', err)


def check_without_gl(checks):
    """And what needs it of other verbs is refused by name, and absent from the help."""
    for words in (('eval', '--backend', 'gl'), ('eval', '--technique', 'cache')):
        code, _, err = run(*words, os.path.join(harness.SAMPLES, 'face60.glb'))
        checks.check(code == 2 and '[MPAK-U005]' in err, '%s without OpenGL' % ' '.join(words), (code, err))
    _, out, _ = run('help', 'eval')
    checks.check('ref|cpu' in out and 'cpu|gl' not in out and '--technique' not in out, 'help without OpenGL', out)


def main():
    checks = harness.Checks('without Assimp')
    if build(checks):
        with harness.scratch() as folder:
            check_libraries(checks)
            check_packs(checks, folder)
            check_refusals(checks, folder)
            check_without_gl(checks)
        check_viewer(checks)
    checks.finish()


main()
