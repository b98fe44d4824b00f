#!/usr/bin/env python3
"""The command line as a person, a script and a build system use it.

tests/cli/FEATURE/CASE.sh runs in a scratch folder of its own, with `mpak` in the PATH, the shipped models in $SAMPLES
and the small models of tests/support/small_gltf.py in $SMALL. Beside it lies what must come out:
    CASE.stdout.exact, CASE.stderr.exact   byte for byte
    CASE.stdout.glob, CASE.stderr.glob     a pattern for each line (*), and a line "..." for any number of lines
    CASE.exit                              the exit code; 0 without the file
A case that finds something missing on this machine says so and exits with 77: it counts as not run.
A stream without a file must be empty. UPDATE=1 rewrites the .exact files. tests/cli/check_*.py hold what needs more
than text. An argument restricts the run to cases whose name contains it.
"""
import fnmatch
import importlib.util
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'support'))
import harness
import small_gltf

NOT_RUN = 77
CASES = os.path.join(HERE, 'cli')


def lines_match(found, patterns):
    """Greedy from the front; "..." takes as few lines as it can."""
    if not patterns:
        return not found
    if patterns[0] == '...':
        return any(lines_match(found[skipped:], patterns[1:]) for skipped in range(len(found) + 1))
    if not found or not fnmatch.fnmatchcase(found[0], patterns[0].replace('[', '[[]')):
        return False
    return lines_match(found[1:], patterns[1:])


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def check_stream(checks, name, base, stream, found):
    exact, glob = '%s.%s.exact' % (base, stream), '%s.%s.glob' % (base, stream)
    if os.path.exists(glob):
        expected = read(glob).decode().splitlines()
        checks.check(lines_match(found.decode('utf-8', 'replace').splitlines(), expected), '%s %s' % (name, stream),
                     found.decode('utf-8', 'replace'))
        return
    if os.environ.get('UPDATE') and found != (read(exact) if os.path.exists(exact) else b''):
        with open(exact, 'wb') as file:
            file.write(found)
    expected = read(exact) if os.path.exists(exact) else b''
    checks.check(found == expected, '%s %s' % (name, stream), '%r, expected %r' % (found, expected))


def case_environment(folder):
    environment = {key: value for key, value in os.environ.items() if key not in ('NO_COLOR', 'TERM')}
    environment['PATH'] = os.path.join(folder, 'bin') + os.pathsep + environment['PATH']
    environment['SAMPLES'], environment['SMALL'] = harness.SAMPLES, os.path.join(folder, 'small')
    environment['MPAK_ROOT'] = harness.ROOT
    return environment


def run_case(checks, name, script, environment):
    base = script[:-len('.sh')]
    with harness.scratch() as scratch:
        done = subprocess.run(['sh', '-u', script], cwd=scratch, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    if done.returncode == NOT_RUN:
        print('not run: %s: %s' % (name, done.stderr.decode('utf-8', 'replace').strip()))
        checks.skip()
        return
    code = int(read(base + '.exit')) if os.path.exists(base + '.exit') else 0
    checks.equal(done.returncode, code, name + ' exit')
    check_stream(checks, name, base, 'stdout', done.stdout)
    check_stream(checks, name, base, 'stderr', done.stderr)


def run_scripts(checks, folder, wanted):
    environment = case_environment(folder)
    for feature in sorted(os.listdir(CASES)):
        if not os.path.isdir(os.path.join(CASES, feature)):
            continue
        for file in sorted(os.listdir(os.path.join(CASES, feature))):
            name = 'cli/%s/%s' % (feature, file[:-len('.sh')])
            if file.endswith('.sh') and wanted in name:
                run_case(checks, name, os.path.join(CASES, feature, file), environment)


def run_modules(checks, folder, wanted):
    for file in sorted(os.listdir(CASES)):
        if not (file.startswith('check_') and file.endswith('.py')) or wanted not in file:
            continue
        spec = importlib.util.spec_from_file_location(file[:-len('.py')], os.path.join(CASES, file))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name in sorted(dir(module)):
            if not name.startswith('check_'):
                continue
            scratch = os.path.join(folder, 'scratch', name)
            os.makedirs(scratch)
            try:
                getattr(module, name)(checks, scratch, os.path.join(folder, 'small'))
            except (OSError, ValueError, KeyError, IndexError, TypeError, subprocess.SubprocessError) as error:
                checks.check(False, '%s: %s' % (file, name), repr(error))
            shutil.rmtree(scratch, ignore_errors=True)


def main():
    checks = harness.Checks('cli')
    wanted = sys.argv[1] if len(sys.argv) > 1 else ''
    if not os.access(harness.MPAK, os.X_OK):
        checks.check(False, 'there is no program %s' % harness.MPAK)
        checks.finish()
    with harness.scratch() as folder:
        os.makedirs(os.path.join(folder, 'bin'))
        os.symlink(harness.MPAK, os.path.join(folder, 'bin', 'mpak'))
        small_gltf.write_all(os.path.join(folder, 'small'))
        run_scripts(checks, folder, wanted)
        run_modules(checks, folder, wanted)
    if checks.passed + checks.failed == 0:
        checks.check(False, 'no case has "%s" in its name' % wanted)
    checks.finish()


if __name__ == '__main__':
    main()
