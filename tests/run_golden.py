#!/usr/bin/env python3
"""Golden packs of each format version: they open, say what they said when they were made, and cook to the same bytes.

tests/golden/vMAJOR.MINOR/NAME.LAYOUT.mpak with NAME.LAYOUT.info.json beside it. Format 0.x is not frozen: only the
current minor's packs must open, and older ones are removed with a changelog line. From 1.0 on they open for ever.

usage: run_golden.py [--update]      --update makes them anew from the samples (with a changelog line, please)
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

GOLDEN = os.path.join(harness.ROOT, 'tests', 'golden')
MADE_FROM = [('custom_normals', 'blk64', []), ('custom_normals', 'csr64', ['--source-map']),
             ('face_anim', 'blk64', ['--source-map']), ('face_anim', 'csr64', ['--compress', 'load']),
             ('japanese_names', 'blk64', ['--compress', 'size']), ('head_parts', 'blk64', ['--clips-only']),
             ('custom_normals', 'blk64', ['--quality', 'high']), ('face_anim', 'blk64', ['--quality', 'default']),
             ('japanese_names', 'blk64', ['--quality', 'compact', '--compress', 'size']),
             ('head_parts', 'blk64', ['--quality', 'default', '--compress', 'load', '--max-bones', '12'])]


def current_version():
    with open(os.path.join(harness.ROOT, 'format', 'mpak_format.h'), encoding='utf-8') as file:
        text = file.read()
    return 'v%s.%s' % tuple(re.search(r'MPAK_FORMAT_%s\s+(\d+)u' % part, text).group(1) for part in ('MAJOR', 'MINOR'))


def cook(name, layout, options, pack):
    return harness.cook(os.path.join(harness.SAMPLES, name + '.glb'), pack, '--layout', layout, *options)


def paths_of(name, layout, options):
    quality = '.' + options[options.index('--quality') + 1] if '--quality' in options else ''
    stem = os.path.join(GOLDEN, current_version(), '%s.%s%s' % (name, layout, quality))
    return stem + '.mpak', stem + '.info.json'


def update():
    os.makedirs(os.path.join(GOLDEN, current_version()), exist_ok=True)
    for name, layout, options in MADE_FROM:
        pack, info = paths_of(name, layout, options)
        code, err = cook(name, layout, options, pack)
        if code != 0:
            sys.exit(err)
        with open(info, 'w', encoding='utf-8') as file:
            json.dump(harness.run_json(['info', '--json', pack]), file, ensure_ascii=False, indent=1, sort_keys=True)
            file.write('\n')


def main():
    if '--update' in sys.argv:
        update()
        return
    checks = harness.Checks('golden')
    with harness.scratch() as folder:
        for name, layout, options in MADE_FROM:
            pack, info = paths_of(name, layout, options)
            title = ' '.join([name, layout, *options])
            if not checks.check(os.path.exists(pack), title + ' exists'):
                continue
            code, _, err = harness.run(['validate', pack])
            checks.equal(code, 0, title + ' validates: ' + err[:200])
            with open(info, encoding='utf-8') as file:
                expected = json.load(file)
            checks.equal(harness.run_json(['info', '--json', pack]), expected, title + ' says the same')
            again = os.path.join(folder, 'again.mpak')
            code, err = cook(name, layout, options, again)
            with open(pack, 'rb') as golden, open(again, 'rb') as fresh:
                checks.check(code == 0 and golden.read() == fresh.read(), title + ' cooks to the same bytes', err[:200])
    checks.finish()


if __name__ == '__main__':
    main()
