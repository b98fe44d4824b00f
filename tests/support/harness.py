"""What the test scripts share: where things are, how mpak is started, how checks are counted."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.environ.get('MPAK_ROOT', os.path.join(os.path.dirname(__file__), '..', '..')))
MPAK = os.path.abspath(os.environ.get('MPAK_BIN', os.path.join(ROOT, 'build', 'mpak')))
SHARED = os.path.abspath(os.environ.get('MPAK_SHARED', os.path.join(ROOT, '..', 'shared')))
SHARED_ASSETS = os.path.join(SHARED, 'assets')
SAMPLES = os.path.join(ROOT, 'samples', 'assets')


def has_shared():
    return os.path.isdir(SHARED_ASSETS)


class Checks:
    """Counts checks. A check that could not be made is counted apart and never as passed."""

    def __init__(self, title):
        self.title, self.passed, self.failed, self.not_run = title, 0, 0, 0

    def check(self, condition, name, detail=''):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print('FAIL %s: %s%s' % (self.title, name, ': ' + str(detail)[:600] if detail != '' else ''), flush=True)
        return bool(condition)

    def equal(self, found, expected, name):
        return self.check(found == expected, name, 'found %r, expected %r' % (found, expected))

    def skip(self, count=1):
        self.not_run += count

    def finish(self):
        print('%s: %d passed, %d failed, %d not run' % (self.title, self.passed, self.failed, self.not_run), flush=True)
        sys.exit(1 if self.failed else 0)


def run(arguments, **options):
    """Starts mpak with arguments. Returns (exit code, stdout bytes, stderr text)."""
    options.setdefault('timeout', 300)
    done = subprocess.run([MPAK] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, **options)
    return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace')


def run_json(arguments):
    """The JSON that a verb prints; None (and a printed line) when it failed."""
    code, out, err = run(arguments)
    if code != 0:
        print('mpak %s: exit %d: %s' % (' '.join(map(str, arguments)), code, err[:800]))
        return None
    return json.loads(out.decode('utf-8'))


def cook(source, pack, *options):
    """Cooks losslessly. Returns (exit code, stderr)."""
    code, _, err = run(['cook', '-q', '--quality', 'lossless', *options, '-o', pack, '--', source])
    return code, err


def scratch():
    return tempfile.TemporaryDirectory(prefix='mpak-test-')
