"""A decimal comma changes no byte of any output."""
import os
import subprocess

import harness


def comma_locale():
    listed = subprocess.run(['locale', '-a'], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return next((name for name in listed if name.lower().replace('-', '') in ('de_de.utf8', 'fr_fr.utf8')), None)


def check_german_numbers(checks, scratch, small):
    name = comma_locale()
    if name is None:
        print('not run: no locale with a decimal comma')
        checks.skip(4)
        return
    german, plain = dict(os.environ, LC_ALL=name), dict(os.environ, LC_ALL='C')
    source, pack = os.path.join(small, 'quad.gltf'), os.path.join(scratch, 'p.mpak')
    for arguments in (['cook', '-q', '-o', '-', '--weight-range', '-1.5,2.5', source], ['info', '--json', pack],
                      ['info', pack], ['eval', pack, '--clip', 'all', '--time', '1.25', '--weight', 'Smile=0.5']):
        harness.cook(source, pack)
        results = [harness.run(arguments, env=environment) for environment in (german, plain)]
        checks.check(results[0] == results[1] and results[0][0] == 0, 'de_DE: %s' % arguments[0], results[0][2])
