"""Every issue whose fixture is a case of tests/cli is really shown by that case."""
import glob
import os
import re

import harness


def check_fixtures(checks, scratch, small):
    with open(os.path.join(harness.ROOT, 'format', 'issues.def'), encoding='utf-8') as file:
        rows = re.findall(r'^MPAK_ISSUE\((\w), (\d+), \w+, \d, (cli/[\w/]+),', file.read(), re.M)
    checks.check(len(rows) >= 23, 'the table names cases of tests/cli', len(rows))
    for letter, number, fixture in rows:
        base = os.path.join(harness.ROOT, 'tests', fixture)
        code = 'MPAK-%s%s' % (letter, number)
        texts = ''
        for path in [base + '.sh'] + glob.glob(base + '.std*'):
            if os.path.exists(path):
                with open(path, encoding='utf-8') as file:
                    texts += file.read()
        checks.check(code in texts, '%s is shown by %s' % (code, fixture))
