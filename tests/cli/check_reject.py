"""tests/reject: packs that must be refused for ever, through `mpak validate` and `mpak info`."""
import os

import harness

REJECT = os.path.join(harness.ROOT, 'tests', 'reject')


def check_reject(checks, scratch, small):
    names = sorted(name for name in os.listdir(REJECT) if name.endswith('.mpak'))
    checks.check(len(names) >= 15, 'reject: there are packs', names)
    for name in names:
        path, code = os.path.join(REJECT, name), 'MPAK-%s' % name[:4]
        exit_code, out, err = harness.run(['validate', path])
        refused = 6 if code == 'MPAK-P008' else 5
        checks.equal(exit_code, refused, 'reject: validate %s' % name)
        checks.check('[%s]' % code in err, 'reject: %s says %s' % (name, code), err)
        exit_code, out, err = harness.run(['info', '--json', path])
        if exit_code == 0:  # info reads the tables only; what is wrong inside the data is validate's to find
            checks.check(name.startswith('P007'), 'reject: info of %s' % name)
        else:
            checks.equal(exit_code, refused, 'reject: info %s' % name)
            checks.check('[%s]' % code in err, 'reject: info of %s says %s' % (name, code), err)
