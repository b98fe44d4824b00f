#!/usr/bin/env python3
"""The README's commands and C program are run as they stand; every file that it names exists."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness


def blocks(text, language):
    return re.findall(r'^```%s\n(.*?)^```' % language, text, re.M | re.S)


def check_commands(checks, readme):
    """The block of `build/mpak` lines, line by line, in a folder laid out like the project."""
    commands = [line for block in blocks(readme, 'sh') for line in block.splitlines() if line.startswith('build/mpak')]
    checks.check(len(commands) >= 5, 'the README shows five commands')
    for command in commands:
        done = subprocess.run(['sh', '-c', command], cwd=harness.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = done.stderr.decode()
        if '[MPAK-U005]' in said or '[MPAK-O015]' in said:  # built with GL=0, or no OpenGL here
            checks.skip()
            continue
        checks.check(done.returncode == 0 and (done.stdout or '-o' in command), command, said[:300])


def check_program(checks, readme, folder):
    source, program = os.path.join(folder, 'readme.c'), os.path.join(folder, 'readme')
    programs = blocks(readme, 'c')
    checks.check('`-lzstd -lm`' in readme, 'the README says what to link')
    checks.equal(len(programs), 2, 'the README shows one program, and a frame')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(programs[0])
    for library in (['build/libmpak.a'], ['-Lbuild', '-lmpak', '-Wl,-rpath,' + os.path.join(harness.ROOT, 'build')]):
        done = subprocess.run(['gcc', '-std=c17', '-Wall', '-Wextra', '-Werror', '-I.', '-o', program, source, *library, '-lzstd',
                               '-lm'],
                              cwd=harness.ROOT, stderr=subprocess.PIPE)
        if not checks.equal(done.returncode, 0, 'the README program compiles: ' + done.stderr.decode()[:300]):
            continue
        done = subprocess.run([program, 'build/hero.mpak'], cwd=harness.ROOT, stdout=subprocess.PIPE)
        checks.check(done.returncode == 0 and b'vertex 0 is at' in done.stdout, 'the README program runs', done.stdout)


def check_frame(checks, readme, folder):
    """The frame on a GPU compiles, and the libraries that the README names hold all that it calls."""
    source, library = os.path.join(folder, 'frame.c'), os.path.join(folder, 'frame.so')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(blocks(readme, 'c')[1])
    checks.check('Link it before `build/libmpak.a`' in readme, 'the README says what to link for a GPU')
    done = subprocess.run(['gcc', '-std=c17', '-Wall', '-Wextra', '-Werror', '-I.', '-fPIC', '-shared', '-Wl,-z,defs', '-o',
                           library, source, 'build/libmpak_gl.a', 'build/libmpak.a', '-lzstd', '-lm'],
                          cwd=harness.ROOT, stderr=subprocess.PIPE)
    checks.equal(done.returncode, 0, 'the README frame compiles: ' + done.stderr.decode()[:300])


def check_shaders(checks, folder):
    """shaders/README.md: its command gives SPIR-V; each name of the layout that it explains is there."""
    with open(os.path.join(harness.ROOT, 'shaders', 'README.md'), encoding='utf-8') as file:
        text = file.read()
    with open(os.path.join(harness.ROOT, 'shaders', 'mpak_gpu_layout.h'), encoding='utf-8') as file:
        layout = file.read()
    for name in sorted(set(re.findall(r'`(MPAK_[A-Z_]+)`', text))):
        found = name in layout or name == 'MPAK_PART_REORTHOGONALISE'
        checks.check(found, 'shaders/README.md names ' + name)
    for name in sorted(set(re.findall(r'MPAK_(?!HOOK)[A-Z]+(?=  )', layout.split('Variants')[1].split('#define')[0]))):
        checks.check('| `%s` |' % name in text, 'shaders/README.md explains ' + name)
    commands = blocks(text, 'sh')
    checks.equal(len(commands), 1, 'shaders/README.md shows one command')
    if shutil.which('glslangValidator') is None:
        checks.skip()
        return
    done = subprocess.run(['sh', '-ec', commands[0].replace('build/deform.', os.path.join(folder, 'deform.'))],
                          cwd=harness.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    made = os.path.join(folder, 'deform.spv')
    checks.check(done.returncode == 0 and os.path.getsize(made) > 1000, 'the SPIR-V of shaders/README.md', done.stdout[-300:])


def check_names(checks, readme):
    for name in sorted(set(re.findall(r'`((?:format|tools|tests|cooker|samples|man|runtime|shaders)/[\w./-]+)`', readme))):
        checks.check(os.path.exists(os.path.join(harness.ROOT, name)), 'the README names ' + name)


def check_samples(checks):
    for name in ('01_open_and_print', '02_cpu_pose'):
        program = os.path.join(harness.ROOT, 'build', 'release', 'samples', name)
        done = subprocess.run([program, 'build/hero.mpak'], cwd=harness.ROOT, stdout=subprocess.PIPE)
        checks.check(done.returncode == 0 and b'Face' in done.stdout, name + ' runs', done.stdout[:300])


def check_headers(checks, folder):
    """Each public header compiles alone, as C17 and as C++."""
    for header in ('runtime/mpak.h', 'runtime/mpak_pose.h', 'runtime/gl/mpak_gl.h', 'shaders/mpak_gpu_layout.h',
                   'runtime/reference/mpak_reference.h', 'format/mpak_format.h',
                   'format/mpak_result.h', 'format/mpak_alloc.h'):
        for language, flags in (('c', ['-std=c17']), ('c++', ['-std=c++17'])):
            compiler = 'gcc' if language == 'c' else 'clang++'
            done = subprocess.run([compiler, '-x', language, *flags, '-Wall', '-Wextra', '-Werror', '-I.', '-fsyntax-only', '-'],
                                  cwd=harness.ROOT, input=b'#include "%s"\n' % header.encode(), stderr=subprocess.PIPE)
            checks.equal(done.returncode, 0, '%s alone as %s: %s' % (header, language, done.stderr.decode()[:200]))


def check_man_pages(checks, readme, folder):
    """What the README says about manual pages: the tool writes one for each verb, and man can show it."""
    checks.check('sh tools/make_man.sh' in readme and 'build/man/mpak-cook.1' in readme, 'the README says how to make man pages')
    done = subprocess.run(['sh', 'tools/make_man.sh', harness.MPAK, folder], cwd=harness.ROOT, stderr=subprocess.PIPE)
    checks.equal(done.returncode, 0, 'make_man.sh: ' + done.stderr.decode()[:300])
    for verb in ('cook', 'validate', 'info', 'eval', 'explain'):
        path = os.path.join(folder, 'mpak-%s.1' % verb)
        if checks.check(os.path.exists(path), 'make_man.sh writes mpak-%s.1' % verb):
            with open(path, encoding='utf-8') as file:
                checks.check('.SH EXIT STATUS' in file.read(), 'mpak-%s.1 ends with the exit codes' % verb)


def main():
    checks = harness.Checks('docs')
    with open(os.path.join(harness.ROOT, 'README.md'), encoding='utf-8') as file:
        readme = file.read()
    with harness.scratch() as folder:
        check_commands(checks, readme)
        check_program(checks, readme, folder)
        check_frame(checks, readme, folder)
        check_shaders(checks, folder)
        check_headers(checks, folder)
        check_man_pages(checks, readme, os.path.join(folder, 'man'))
    check_names(checks, readme)
    check_samples(checks)
    checks.finish()


if __name__ == '__main__':
    main()
