#!/usr/bin/env python3
"""Golden packs of each format version: they open, say what they said when they were made, and cook to the same bytes.

tests/golden/vMAJOR.MINOR/NAME.LAYOUT.mpak with NAME.LAYOUT.info.json beside it; tests/golden/cooked.json: the SHA-256 of what
the same sources cook to now. Packs open for ever and are never made anew: --update writes those of a new format version only.

usage: run_golden.py [--update]      --update notes anew what is cooked (with a changelog line, please)
"""
import glob
import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

GOLDEN = os.path.join(harness.ROOT, 'tests', 'golden')
COOKED = os.path.join(GOLDEN, 'cooked.json')
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


def stem_of(name, layout, options):
    quality = '.' + options[options.index('--quality') + 1] if '--quality' in options else ''
    return '%s.%s%s' % (name, layout, quality)


def hash_of(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def cook_all(folder):
    """The packs of MADE_FROM, by their names."""
    for name, layout, options in MADE_FROM:
        stem = stem_of(name, layout, options)
        pack = os.path.join(folder, stem + '.mpak')
        code, err = cook(name, layout, options, pack)
        yield stem, pack, err if code != 0 else ''


def update():
    version = os.path.join(GOLDEN, current_version())
    is_new = not os.path.isdir(version)
    cooked = {}
    with harness.scratch() as folder:
        os.makedirs(version, exist_ok=True)
        for stem, pack, err in cook_all(version if is_new else folder):
            if err:
                sys.exit(err)
            cooked[stem] = hash_of(pack)
            if is_new:
                with open(os.path.join(version, stem + '.info.json'), 'w', encoding='utf-8') as file:
                    json.dump(harness.run_json(['info', '--json', pack]), file, ensure_ascii=False, indent=1,
                              sort_keys=True)
                    file.write('\n')
    with open(COOKED, 'w', encoding='utf-8') as file:
        json.dump(cooked, file, indent=1, sort_keys=True)
        file.write('\n')


def check_opens(checks, pack):
    """A pack of any version validates, and says what it said when it was made."""
    title = os.path.relpath(pack, GOLDEN)
    code, _, err = harness.run(['validate', pack])
    checks.equal(code, 0, title + ' validates: ' + err[:200])
    with open(pack[:-len('.mpak')] + '.info.json', encoding='utf-8') as file:
        checks.equal(harness.run_json(['info', '--json', pack]), json.load(file), title + ' says the same')


def main():
    if '--update' in sys.argv:
        update()
        return
    checks = harness.Checks('golden')
    packs = sorted(glob.glob(os.path.join(GOLDEN, 'v*', '*.mpak')))
    wanted = {os.path.join(GOLDEN, 'v1.0', stem_of(*made) + '.mpak') for made in MADE_FROM}
    checks.check(wanted <= set(packs), 'all packs of 1.0 are there', wanted - set(packs))
    for pack in packs:
        check_opens(checks, pack)
    with open(COOKED, encoding='utf-8') as file:
        cooked = json.load(file)
    with harness.scratch() as folder:
        for stem, pack, err in cook_all(folder):
            checks.check(not err and hash_of(pack) == cooked.get(stem), stem + ' cooks to the same bytes', err[:200])
    checks.finish()


if __name__ == '__main__':
    main()
