#!/usr/bin/env python3
"""Broken files of ../shared/assets/bad, each against its line of data/bad_expect.tsv: exit code, exactly the codes that
name the fault, their place, a pack or none. Also: the table holds each file of EXPECT.json and agrees with it."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness
import issue_files

TABLE = os.path.join(harness.ROOT, 'tests', 'data', 'bad_expect.tsv')
BAD = os.path.join(harness.SHARED_ASSETS, 'bad')


def read_table():
    rows = {}
    with open(TABLE, encoding='utf-8') as file:
        for line in file:
            if line.startswith('#') or not line.strip():
                continue
            name, code, severity, codes, part = line.rstrip('\n').split('\t')
            assert name not in rows, name
            rows[name] = (int(code), severity, [] if codes == '-' else sorted(codes.split(',')), part)
    return rows


def complaints(row, answer):
    code, severity, codes, part = row
    found = answer.complaints()
    if answer.code != code:
        found.append('exit %d, expected %d' % (answer.code, code))
    if answer.worst() != severity:
        found.append('worst issue: %s, expected %s' % (answer.worst(), severity))
    elif severity != 'none' and answer.codes(severity) != codes:
        found.append('%s, expected %s' % (answer.codes(severity), codes))
    if part != '-' and part not in answer.text:
        found.append('"%s" is not in: %s' % (part, answer.text[:400]))
    return found


def agrees(expect, row):
    """Does the table's line keep what EXPECT.json asks for? clean: either refused with an error or cooked."""
    code, severity = row[0], row[1]
    return {'fail': code != 0 and severity == 'error', 'warn': code == 0 and severity == 'warning',
            'ok': code == 0 and severity == 'none', 'clean': (code != 0) == (severity == 'error')}[expect]


def files_of(folder):
    """Models in a folder of BAD that has no EXPECT.json: all of them must be refused."""
    return {'%s/%s' % (folder, name): 'fail' for name in sorted(os.listdir(os.path.join(BAD, folder)))
            if name.endswith(('.gltf', '.glb'))}


def check_table(checks, rows):
    with open(os.path.join(BAD, 'EXPECT.json'), encoding='utf-8') as file:
        expected = {name: entry['expect'] for name, entry in json.load(file).items()}
    expected.update(files_of('assimp'))
    expected.update(files_of('validator'))
    checks.equal(sorted(rows), sorted(expected), 'the table holds each file, and no other')
    for name in sorted(set(rows) & set(expected)):
        checks.check(agrees(expected[name], rows[name]), '%s: the table contradicts EXPECT.json' % name, expected[name])


def main():
    checks = harness.Checks('bad')
    rows = read_table()
    if not os.path.isdir(BAD):
        checks.skip(2 * len(rows) + 1)
        print('shared: absent, %d checks not run' % checks.not_run)
        checks.finish()
    check_table(checks, rows)
    with harness.scratch() as folder:
        for number, (name, row) in enumerate(rows.items()):
            answer = issue_files.Answer(os.path.join(BAD, name), os.path.join(folder, str(number)))
            found = complaints(row, answer)
            if checks.check(not found, name, '; '.join(found)):
                print('ok %s: exit %d %s' % (name, row[0], ' '.join(row[2])))
    checks.finish()


if __name__ == '__main__':
    main()
