#!/usr/bin/env python3
"""Broken files made on the spot, at least one for each code of letters F, G, N, M, S and A that a file can show: exit
code, exactly the expected codes, and their place, in the text and in the JSON report. The sound model that they all
start from gives no issue, as GLB and as .gltf."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import fixtures
import fixtures_clips
import fixtures_content
import fixtures_file
import fixtures_gltf
import gltf_maker
import harness
import issue_files

LETTERS = 'FGNMSA'
# MPAK_ISSUE(letter, number, severity, ...
ISSUE_LINE = re.compile(r'^MPAK_ISSUE\((\w), (\d{3}), (\w+), (\d),', re.M)


def read_severities():
    with open(os.path.join(harness.ROOT, 'format', 'issues.def'), encoding='utf-8') as file:
        rows = ISSUE_LINE.findall(file.read())
    return {'MPAK-' + letter + number: severity.lower() for letter, number, severity, _ in rows if letter in LETTERS}


def write_fixture(fixture, folder):
    """Makes the file of a fixture; returns its path and the options that it needs."""
    os.makedirs(folder)
    path = os.path.join(folder, fixture.name + fixture.suffix)
    model = gltf_maker.Sound()
    made = fixture.make(model)
    if made is None:
        made = model.gltf() if fixture.suffix == '.gltf' else model.glb()
    if isinstance(made, fixtures.Absent):
        return path, []
    if isinstance(made, fixtures.Folder):
        os.mkdir(path)
        return path, []
    with open(path, 'wb') as file:
        file.write(made.data if isinstance(made, fixtures.Sparse) else made)
        if isinstance(made, fixtures.Sparse):
            file.truncate(made.byte_count)
    clip_paths = [os.path.join(os.fsencode(folder), os.fsencode(name)) for name in model.clip_files]
    for name, data in {**model.files, **model.clip_files}.items():
        with open(os.path.join(os.fsencode(folder), os.fsencode(name)), 'wb') as file:
            file.write(data)
    return path, ['--clips', *clip_paths] if clip_paths else []


def has_place(issue, place):
    return all(issue[key] == value for key, value in place.items())


def complaints(fixture, severity, answer):
    found = answer.complaints()
    codes = sorted({issue['code'] for issue in answer.issues})
    if answer.code != fixture.exit_code:
        found.append('exit %d, expected %d' % (answer.code, fixture.exit_code))
    if codes != sorted([fixture.code] + fixture.also):
        found.append('%s, expected %s' % (codes, sorted([fixture.code] + fixture.also)))
    mine = [issue for issue in answer.issues if issue['code'] == fixture.code]
    if any(issue['severity'] != severity for issue in mine):
        found.append('severity %s, expected %s' % (mine[0]['severity'], severity))
    if mine and not any(has_place(issue, fixture.place) for issue in mine):
        wrong = {key: mine[0][key] for key in fixture.place}
        found.append('place %r, expected %r' % (wrong, fixture.place))
    if fixture.part not in answer.text:
        found.append('"%s" is not in: %s' % (fixture.part, answer.text[-500:]))
    return found


def check_coverage(checks, severities):
    """Each code has a fixture, or the reader names the same fault under another code that has one."""
    shown = {fixture.code for fixture in fixtures.FIXTURES}
    named = {'MPAK-' + code: 'MPAK-' + other for code, other in fixtures_content.NAMED_BY_THE_READER.items()}
    checks.equal(sorted(shown - set(severities)), [], 'fixtures of codes that do not exist')
    checks.equal(sorted(set(severities) - shown - set(named)), [], 'codes without a fixture')
    checks.equal(sorted(shown & set(named)), [], 'codes that do have a fixture')
    checks.equal(sorted(set(named) - set(severities)), [], 'excuses for codes that do not exist')
    checks.equal(sorted(set(named.values()) - shown), [], 'excuses by codes without a fixture')
    names = [fixture.name for fixture in fixtures.FIXTURES]
    checks.equal(len(names), len(set(names)), 'fixture names differ')


def check_sound(checks, folder):
    for suffix in ('.glb', '.gltf'):
        path = os.path.join(folder, 'sound' + suffix)
        model = gltf_maker.Sound()
        with open(path, 'wb') as file:
            file.write(model.glb() if suffix == '.glb' else model.gltf())
        answer = issue_files.Answer(path, os.path.join(folder, 'sound_out' + suffix))
        checks.equal((answer.code, answer.issues, answer.complaints()), (0, [], []), 'the sound model as ' + suffix)


def main():
    assert fixtures_clips and fixtures_file and fixtures_gltf  # imported for what they register
    checks = harness.Checks('fixtures')
    severities = read_severities()
    check_coverage(checks, severities)
    with harness.scratch() as folder:
        check_sound(checks, folder)
        for number, fixture in enumerate(fixtures.FIXTURES):
            source, options = write_fixture(fixture, os.path.join(folder, 'in%d' % number))
            answer = issue_files.Answer(source, os.path.join(folder, 'out%d' % number), options)
            found = complaints(fixture, severities.get(fixture.code), answer)
            if checks.check(not found, '%s %s' % (fixture.code, fixture.name), '; '.join(found)):
                print('ok %s %s' % (fixture.code, fixture.name))
    checks.finish()


if __name__ == '__main__':
    main()
