#!/usr/bin/env python3
"""What `mpak sheet`, `mpak view` and samples/minimal draw.

Pictures are compared with those of tests/golden/pictures within a tolerance, since drivers differ in the edges of
triangles; UPDATE=1 rewrites them (look at each one then). Windows are opened twice: with tests/support/fake_glfw.c, which
plays the user, and on a real X server (xvfb-run) where there is one. Needs OpenGL 4.3 through EGL: Mesa's software
renderer will do. Where mpak was built with GL=0, or there is no OpenGL, nothing is run.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, 'support'))
import harness

GOLDEN = os.path.join(HERE, 'golden', 'pictures')
RELEASE = os.path.join(harness.ROOT, 'build', 'release')
DIFF = os.path.join(RELEASE, 'tools', 'picture_diff')
FAKE = os.path.join(RELEASE, 'tests', 'fake', 'libglfw.so.3')
MINIMAL = os.path.join(RELEASE, 'samples', 'minimal')
BUFFERS = os.path.join(RELEASE, 'samples', 'buffers')

# Mean difference of a channel, and share of pixels that are off by more than 24 of 255.
MEAN_MOST, SHARE_MOST = 0.004, 0.015

SMALL_VIEW = ['--frames', '2', '--size', '960x600']
SMALL_SHEET = ['--cell', '100', '--columns', '10']
PICTURES = [
    ('view_face60', 'view', 'face60.glb', SMALL_VIEW + ['--clip', 'all', '--time', '1', '--show', 'heat']),
    ('view_run', 'view', 'characters/run.glb', SMALL_VIEW + ['--clip', '#0', '--time', '0.3', '--show', 'bounds']),
    ('view_Fox', 'view', 'khronos/Fox.glb', SMALL_VIEW + ['--clip', 'Run', '--time', '0.4', '--show', 'wireframe']),
    ('view_CesiumMan', 'view', 'khronos/CesiumMan.glb', SMALL_VIEW + ['--clip', '#0', '--time', '0.6', '--show', 'normals']),
    ('view_japanese_names', 'view', 'japanese_names.glb', SMALL_VIEW + ['--weight', 'い=1', '--show', 'normal-colours']),
    ('sheet_face60', 'sheet', 'face60.glb', SMALL_SHEET),
    ('sheet_run', 'sheet', 'characters/run.glb', SMALL_SHEET),
    ('sheet_Fox', 'sheet', 'khronos/Fox.glb', ['--cell', '120']),
    ('sheet_CesiumMan', 'sheet', 'khronos/CesiumMan.glb', ['--cell', '120']),
    ('sheet_japanese_names', 'sheet', 'japanese_names.glb', ['--cell', '100', '--columns', '9']),
]


def source_of(name):
    """A shipped sample, or a shared model; None where that is missing."""
    path = os.path.join(harness.SHARED_ASSETS if '/' in name else harness.SAMPLES, name)
    return path if os.path.exists(path) else None


def differ(a, b, box=None):
    done = subprocess.run([DIFF, a, b] + [str(n) for n in box or []], stdout=subprocess.PIPE, timeout=60)
    if done.returncode == 3:
        return {'mean': 1, 'share': 1, 'far_a': -1, 'far_b': -1, 'set_a': 0, 'set_b': 0}
    return json.loads(done.stdout.decode())


def is_alike(difference):
    return difference['mean'] <= MEAN_MOST and difference['share'] <= SHARE_MOST


def draw(verb, source, output, options):
    """Draws a picture. Returns what mpak says on standard output, or None."""
    code, out, err = harness.run([verb, '-q' if verb == 'sheet' else '-W', 'M022=off', source, '-o', output] + options
                                 if verb == 'view' else [verb, '-q', source, '-o', output] + options)
    if code != 0:
        print('mpak %s %s: exit %d: %s' % (verb, source, code, err[:600]))
        return None
    return out.decode()


# -- Golden pictures ---------------------------------------------------------------------------------------------------

def check_golden(checks, scratch):
    for name, verb, model, options in PICTURES:
        source, golden = source_of(model), os.path.join(GOLDEN, name + '.png')
        if source is None:
            checks.skip()
            continue
        found = os.path.join(scratch, name + '.png')
        if not checks.check(draw(verb, source, found, options) is not None, name + ' is drawn'):
            continue
        if os.environ.get('UPDATE'):
            shutil.copy(found, golden)
        difference = differ(found, golden)
        checks.check(is_alike(difference), name + ' is like the golden picture', difference)


def check_sensitivity(checks, scratch):
    """The tolerance sees what an artist would: another time, another weight, a missing name."""
    golden = os.path.join(GOLDEN, 'view_face60.png')
    other = os.path.join(scratch, 'other.png')
    draw('view', source_of('face60.glb'), other, SMALL_VIEW + ['--clip', 'all', '--time', '0.5', '--show', 'heat'])
    checks.check(not is_alike(differ(other, golden)), 'another time is another picture', differ(other, golden))
    draw('sheet', source_of('head_parts.glb'), other, SMALL_SHEET)
    checks.check(not is_alike(differ(other, os.path.join(GOLDEN, 'sheet_face60.png'))), 'another model is another sheet')


def check_repeats(checks, scratch):
    first, second = os.path.join(scratch, 'first.png'), os.path.join(scratch, 'second.png')
    for verb, options in (('sheet', SMALL_SHEET), ('view', SMALL_VIEW + ['--clip', 'all'])):
        for path in (first, second):
            draw(verb, source_of('head_parts.glb'), path, options)
        with open(first, 'rb') as a, open(second, 'rb') as b:
            checks.check(a.read() == b.read(), 'mpak %s twice gives the same bytes' % verb)
    pack = os.path.join(scratch, 'face60.glb')  # the title is the file's name
    harness.cook(source_of('face60.glb'), pack)
    draw('sheet', pack, first, SMALL_SHEET)
    checks.check(is_alike(differ(first, os.path.join(GOLDEN, 'sheet_face60.png'))), 'a pack looks like its model')


# -- Passes ------------------------------------------------------------------------------------------------------------

def check_passes(checks, scratch):
    """Outline, shadow and forward cover the same pixels, whoever moves the vertices."""
    eye, sun = ['--size', '400x300'], ['--from', 'sun', '--size', '2048x2048']  # as large as the shadow's texture
    cases = [('face60.glb', technique, eye, 'outline') for technique in ('inline', 'cache', 'cpu')]
    cases += [(model, 'cache', eye, 'outline') for model in ('head_parts.glb', 'khronos/CesiumMan.glb')]
    cases += [(model, 'inline', eye, 'outline') for model in ('khronos/Fox.glb', 'characters/run.glb')]
    cases += [('face60.glb', 'inline', sun, 'shadow'), ('khronos/Fox.glb', 'cache', sun, 'shadow')]
    for model, technique, view, other in cases:
        source, name = source_of(model), '%s, %s' % (model, technique)
        if source is None:
            checks.skip()
            continue
        paths = [os.path.join(scratch, one_pass + '.png') for one_pass in ('forward', other)]
        for path, one_pass in zip(paths, ('forward', other)):
            draw('view', source, path, ['--frames', '1', '--clip', 'all', '--time', '0.4', '--technique', technique,
                                        '--pass', one_pass] + view)
        found = differ(paths[0], paths[1])
        checks.check(found['set_a'] > 1000 and found['far_a'] == 0 and found['far_b'] == 0,
                     '%s: %s covers the forward pass to a pixel' % (name, other), found)


def check_techniques(checks, scratch):
    """Through the passes' own vertex shader the GPU's vertices are the CPU's, to 2e-6 of a model of 1 to 2 metres."""
    wanted = {'inline': 'inline', 'cache': 'skin cache', 'cpu': 'CPU'}
    for model in ('face60.glb', 'face_anim.glb', 'head_parts.glb', 'custom_normals.glb', 'blender/many_influences.glb'):
        for technique, name in wanted.items():
            source = source_of(model)
            if source is None:
                checks.skip()
                continue
            text = draw('view', source, os.path.join(scratch, 't.png'),
                        ['--frames', '4', '--clip', 'all', '--technique', technique, '--size', '200x200']) or ''
            found = re.search(r'technique ([^,]*), (\d+) dispatches, (\d+) barriers, .*GPU against CPU (\S+) m', text)
            checks.check(found and found.group(1) == name and float(found.group(4)) <= 2e-6,
                         '%s, %s: GPU against CPU' % (model, technique), text)
    text = draw('view', source_of('head_parts.glb'), os.path.join(scratch, 't.png'),
                ['--frames', '50', '--technique', 'cache', '--size', '200x200'])
    checks.check(' 3 dispatches, 1 barriers' in text, 'a still model costs nothing after its first frame', text)


def check_levels(checks, scratch):
    """The level that is asked for is the level that is drawn, with the triangles that info counts."""
    pack = os.path.join(scratch, 'levels.mpak')
    harness.cook(source_of('face60.glb'), pack, '--lods', '3')
    for level in range(3):
        primitives = [p for mesh in harness.run_json(['info', pack, '--json'])['meshes'] for p in mesh['primitives']]
        triangles = sum(p['index_count'] // 3 for p in primitives if p['lod'] == level)
        text = draw('view', pack, os.path.join(scratch, 'level.png'),
                    ['--frames', '1', '--lod', str(level), '--size', '200x200', '--pass', 'forward']) or ''
        checks.check(triangles > 0 and ', %d triangles in ' % triangles in text, 'level %d' % level, (triangles, text))


# -- Names -------------------------------------------------------------------------------------------------------------

CELL, COLUMNS, GAP, HEAD = 180, 7, 8, 48


def name_box(picture_height, rows, cell):
    """Where the name of a cell stands: a line below its picture."""
    row_height = (picture_height - HEAD) // rows
    return (GAP + cell % COLUMNS * (CELL + GAP), HEAD + cell // COLUMNS * row_height + CELL + 2, CELL, 12)


def read_rows(path):
    """Rows of RGB bytes of an 8-bit RGB PNG."""
    with open(path, 'rb') as file:
        data = file.read()
    at, packed, width, height = 8, b'', 0, 0
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height = struct.unpack('>II', data[at + 8:at + 16])
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    raw, stride, before, rows = zlib.decompress(packed), width * 3, bytearray(width * 3), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind != 0 else 0):
            a, b, c = line[i - 3] if i >= 3 else 0, before[i], before[i - 3] if i >= 3 else 0
            if kind == 1:
                line[i] = (line[i] + a) & 255
            elif kind == 2:
                line[i] = (line[i] + b) & 255
            elif kind == 3:
                line[i] = (line[i] + (a + b) // 2) & 255
            else:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        before = line
        rows.append(bytes(line))
    return rows


def crop(rows, box):
    left, top, wide, tall = box
    return b''.join(row[left * 3:(left + wide) * 3] for row in rows[top:top + tall])


def check_names(checks, scratch):
    """With a font, names of one letter differ; without one all are the same box."""
    source = source_of('japanese_names.glb')
    options = ['--cell', str(CELL), '--columns', str(COLUMNS)]
    with_font, without = os.path.join(scratch, 'font.png'), os.path.join(scratch, 'no_font.png')
    code, _, err = harness.run(['sheet', '-q', '--werror', source, '-o', with_font] + options)
    if code != 0 and 'O017' in err:
        print('not run: there is no font with Japanese letters')
        checks.skip(3)
        return
    os.environ['MPAK_FONT'] = ''
    draw('sheet', source, without, options)
    del os.environ['MPAK_FONT']
    cells = range(1, 6)  # あ い う え お
    names = {}
    for path in (with_font, without):
        rows = read_rows(path)
        names[path] = [crop(rows, name_box(len(rows), 4, cell)) for cell in cells]
    checks.equal(len(set(names[with_font])), 5, 'five names of one letter look different')
    checks.equal(len(set(names[without])), 1, 'without a font they are one box')
    bright = [sum(1 for i in range(0, len(name), 3) if name[i] > 120) for name in names[with_font]]
    checks.check(min(bright) > 15, 'letters are bright on dark', bright)


# -- Windows -----------------------------------------------------------------------------------------------------------

def with_user(command, steps):
    """Runs a program whose user is a list of steps of fake_glfw.c. Returns (exit code, stderr)."""
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(FAKE), FAKE_GLFW=';'.join(steps))
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return done.returncode, done.stderr.decode('utf-8', 'replace')


WINDOW = '900x560'
SCENE_BOX = (330, 0, 320, 494)
TARGETS_BOX = (8, 216, 300, 300)
RIGHT_BOX = (660, 300, 230, 240)
RESET_VIEW = (692, 19)


def click(frame, x, y):
    """Steps of a click, which takes five frames."""
    return ['%d:move %d %d' % (frame, x, y), '%d:press' % (frame + 1), '%d:release' % (frame + 2),
            '%d:move 500 300' % (frame + 4)]


def check_window(checks, scratch):
    def at(name):
        return os.path.join(scratch, name)

    shutil.copy(source_of('face_anim.glb'), at('a.glb'))
    shutil.copy(source_of('head_parts.glb'), at('b.glb'))
    with open(at('broken.glb'), 'wb') as file:
        file.write(b'glTF is no such file')
    view = [harness.MPAK, 'view', '-q', '--size', WINDOW, at('a.glb')]
    for name in ('a', 'b'):
        draw('view', at(name + '.glb'), at(name + '.png'), ['--frames', '2', '--size', WINDOW])

    code, err = with_user(view, ['2:shot ' + at('still.ppm'), '3:drop ' + at('b.glb'), '3:shot ' + at('reading.ppm'),
                                 '6:shot ' + at('dropped.ppm'),
                                 '7:drop ' + at('broken.glb'), '9:shot ' + at('broken.ppm'), '10:close'])
    checks.equal((code, err), (0, ''), 'a window opens and closes')
    checks.check(is_alike(differ(at('still.ppm'), at('a.png'), SCENE_BOX)), 'a window shows what a picture shows',
                 differ(at('still.ppm'), at('a.png'), SCENE_BOX))
    checks.check(not is_alike(differ(at('reading.ppm'), at('still.ppm'), (660, 340, 230, 40))), 'the window says what it reads')
    checks.check(is_alike(differ(at('dropped.ppm'), at('b.png'), SCENE_BOX)), 'a dropped model is cooked and shown',
                 differ(at('dropped.ppm'), at('b.png'), SCENE_BOX))
    checks.check(is_alike(differ(at('broken.ppm'), at('b.png'), SCENE_BOX)), 'a broken file leaves the model')
    checks.check(not is_alike(differ(at('broken.ppm'), at('dropped.ppm'), RIGHT_BOX)), 'and is told in the window')

    code, err = with_user(view, ['3:copy %s %s' % (at('b.glb'), at('a.glb'))] + click(24, *RESET_VIEW) +
                          ['32:shot ' + at('reloaded.ppm'), '33:copy %s %s' % (at('broken.glb'), at('a.glb')),
                           '54:shot ' + at('kept.ppm'), '55:close'])
    checks.equal((code, err), (0, ''), 'a window whose file changes')
    checks.check(is_alike(differ(at('reloaded.ppm'), at('b.png'), SCENE_BOX)), 'a changed file is shown',
                 differ(at('reloaded.ppm'), at('b.png'), SCENE_BOX))
    checks.check(is_alike(differ(at('kept.ppm'), at('b.png'), SCENE_BOX)), 'a file that breaks leaves the model')
    checks.check(not is_alike(differ(at('kept.ppm'), at('reloaded.ppm'), RIGHT_BOX)), 'and says why')
    check_user(checks, view, at)


def check_user(checks, view, at):
    """Search, slider, mouse, wheel, size, choice of technique."""
    shutil.copy(source_of('face60.glb'), at('a.glb'))
    steps = ['2:shot ' + at('all.ppm')] + click(3, 100, 203) + ['8:type jawopen', '10:shot ' + at('found.ppm')]
    steps += click(11, 260, 229) + ['17:shot ' + at('moved.ppm'), '18:press', '19:move 580 340', '20:release',
                                    '22:shot ' + at('turned.ppm'), '23:scroll 3', '25:shot ' + at('near.ppm'),
                                    '26:size 700 500', '28:shot ' + at('small.ppm'), '29:close']
    code, err = with_user(view, steps)
    checks.equal((code, err), (0, ''), 'a window with a user')
    names = ('all', 'found', 'moved', 'turned', 'near')
    boxes = (TARGETS_BOX, SCENE_BOX, SCENE_BOX, SCENE_BOX)
    for before, after, box in zip(names, names[1:], boxes):
        difference = differ(at(before + '.ppm'), at(after + '.ppm'), box)
        checks.check(difference['mean'] > 0.0004, 'the window "%s" differs from "%s"' % (after, before), difference)
    checks.check(differ(at('found.ppm'), at('moved.ppm'), (8, 245, 300, 240))['share'] == 0, 'one target is left')
    checks.equal(differ(at('small.ppm'), at('small.ppm'))['sizes'][0], [700, 500], 'a window changes its size')
    for row, word in ((1, 'inline'), (3, 'cpu')):
        steps = click(3, 250, 43) + click(9, 250, 70 + 20 * row) + ['16:shot ' + at('technique.ppm'), '17:close']
        code, err = with_user(view, steps)
        draw('view', at('a.glb'), at('technique.png'), ['--frames', '2', '--technique', word, '--size', WINDOW])
        same = differ(at('technique.ppm'), at('technique.png'), (660, 40, 230, 14))
        checks.check(code == 0 and is_alike(same), 'the technique %s is chosen in the window' % word, same)


def check_minimal(checks, scratch):
    """samples/minimal draws something that moves."""
    pack = os.path.join(scratch, 'anim.mpak')
    harness.cook(source_of('face_anim.glb'), pack)
    shots = [os.path.join(scratch, 'minimal_%d.ppm' % i) for i in range(2)]
    code, err = with_user([MINIMAL, pack], ['1:shot ' + shots[0], '30:shot ' + shots[1], '31:close'])
    checks.equal((code, err), (0, ''), 'minimal runs')
    found = differ(shots[0], shots[1])
    checks.check(found['share'] > 0.005, 'minimal plays the clip', found)
    lit = crop_ppm_colours(shots[0])
    checks.check(lit > 40, 'minimal shades the model', lit)


def crop_ppm_colours(path):
    """How many colours a PPM has."""
    with open(path, 'rb') as file:
        data = file.read().split(b'\n', 3)[3]
    return len({data[i:i + 3] for i in range(0, len(data), 3)})


def check_x_server(checks, scratch):
    if shutil.which('xvfb-run') is None or shutil.which('xauth') is None:
        print('not run: there is no xvfb-run')
        checks.skip(3)
        return
    xvfb = ['xvfb-run', '-a', '-s', '-screen 0 1280x900x24']
    environment = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
    picture, plain, pack = (os.path.join(scratch, name) for name in ('x.png', 'plain.png', 'x.mpak'))
    source = source_of('face_anim.glb')
    done = subprocess.run(xvfb + [harness.MPAK, 'view', '-q', source, '--window', '--size', WINDOW, '--frames', '3', '--out',
                                  picture],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    checks.equal((done.returncode, done.stderr), (0, b''), 'a window on an X server')
    draw('view', source, plain, ['--frames', '3', '--size', WINDOW])
    checks.check(is_alike(differ(picture, plain, SCENE_BOX)), 'it shows what a picture without one shows')
    harness.cook(source, pack)
    done = subprocess.run(xvfb + [MINIMAL, pack, '3'], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300)
    checks.equal((done.returncode, done.stderr), (0, b''), 'minimal on an X server')


# -- Buffers -----------------------------------------------------------------------------------------------------------

def check_buffers(checks, scratch):
    """samples/buffers counts what mpak info counts."""
    for model, layout in (('face_anim.glb', 'blk64'), ('head_parts.glb', 'csr64')):
        pack = os.path.join(scratch, 'buffers.mpak')
        harness.cook(source_of(model), pack, '--layout', layout)
        primitives = [p for mesh in harness.run_json(['info', pack, '--json'])['meshes'] for p in mesh['primitives']]
        done = subprocess.run([BUFFERS, pack], stdout=subprocess.PIPE, timeout=60)
        rows = re.findall(r'^  (\S[^0-9]*?) +(\d+) B  stride +(\d+)  x (\d+)', done.stdout.decode(), re.M)
        found = {}
        for name, byte_count, stride, count in rows:
            checks.equal(int(byte_count), int(stride) * int(count), '%s: %s' % (model, name))
            found.setdefault(name, []).append(int(byte_count))
        checks.equal(found['base vertices'], [48 * p['vertex_count'] for p in primitives], model + ': base vertices')
        checks.equal(found['output vertices'], found['base vertices'], model + ': output vertices')
        checks.equal(found['indices'], [2 * p['index_count'] for p in primitives], model + ': indices')
        if layout == 'csr64':
            deltas = [64 * sum(t['delta_count'] for t in p['targets']) for p in primitives]
            checks.equal(found['morph deltas'], deltas, model + ': deltas')


def main():
    checks = harness.Checks('pictures')
    if harness.run(['help', 'view'])[0] != 0:
        print('not run: mpak was built with GL=0')
        checks.skip()
        checks.finish()
    with harness.scratch() as scratch:
        code, _, err = harness.run(['sheet', '-q', source_of('head_parts.glb'), '-o', os.path.join(scratch, 'a.png')])
        if code == 3 and 'O015' in err:
            print('not run: there is no OpenGL')
            checks.skip()
            checks.finish()
        checks.equal(code, 0, 'a sheet is drawn')
        for check in (check_golden, check_sensitivity, check_repeats, check_passes, check_techniques,
                      check_levels, check_names,
                      check_window, check_minimal, check_x_server, check_buffers):
            if len(sys.argv) > 1 and sys.argv[1] not in check.__name__:
                continue
            check(checks, scratch)
    checks.finish()


if __name__ == '__main__':
    main()
