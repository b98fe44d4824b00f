"""eval on models small enough to work out by hand (tests/support/small_gltf.py)."""
import json
import math
import os
import re
import shutil

import harness
import mini_schema
import small_gltf

BASE = [(10, 0, 0), (11, 0, 0), (11, 1, 0), (10, 1, 0)]


def schema(name):
    with open(os.path.join(harness.ROOT, 'cooker', 'report', 'schema', name + '.v1.json'), encoding='utf-8') as file:
        return json.load(file)


def evaluate(*arguments):
    return harness.run_json(['eval', '-q', *arguments])


def near(found, expected, tolerance=1e-6):
    if found is None or expected is None:
        return found is expected
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(near(f, e, tolerance) for f, e in zip(found, expected))
    return abs(found - expected) <= tolerance


def moved(rows, vertex, delta):
    return [tuple(a + b for a, b in zip(row, delta)) if number == vertex else row for number, row in enumerate(rows)]


def pack_of(checks, scratch, source, *options):
    pack = os.path.join(scratch, 'pack.mpak')
    code, err = harness.cook(source, pack, *options)
    checks.equal(code, 0, '%s cooks (%s)' % (source, err[:200]))
    return pack


def positions(data, mesh=0):
    return data['meshes'][mesh]['positions']


def check_quad_at_rest(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'quad.gltf'))
    data = evaluate(pack)
    mesh = data['meshes'][0]
    checks.equal((data['clip'], data['time']), ([], 0), 'eval rest: no clip, time 0')
    checks.equal((mesh['node'], mesh['node_index'], mesh['mesh'], mesh['primitive']), ('Quad', 0, 'Card', 0), 'eval rest: names')
    checks.check(sorted(map(tuple, mesh['positions'])) == sorted(BASE), 'eval rest: positions', mesh['positions'])
    checks.check(near(mesh['normals'], [(0, 0, 1)] * 4), 'eval rest: normals')
    checks.check('tangents' not in mesh, 'eval rest: no tangents without a normal map')
    checks.equal([mesh['positions'][i] for i in mesh['indices']],
                 [list(map(float, BASE[i])) for i in small_gltf.INDICES], 'eval rest: triangles')
    local = evaluate(pack, '--space', 'mesh')
    checks.check(sorted(map(tuple, positions(local))) == sorted((x - 10, y, z) for x, y, z in BASE), 'eval --space mesh')


def check_clips(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'quad.gltf'), '--vertex-order', 'source')
    slid = [(x + 0.5, y, z) for x, y, z in BASE]
    for word in ('Slide', '#0', '0'):
        data = evaluate(pack, '--clip', word, '--time', '1.5')
        checks.equal((data['clip'], data['time']), (['Slide'], 1.5), 'eval --clip %s' % word)
        checks.check(near(positions(data), slid), 'eval --clip %s moves' % word, positions(data))
    for time, clamped, shift in (('-3', 1, 0), ('0', 1, 0), ('99', 3, 2)):
        data = evaluate(pack, '--clip', 'Slide', '--time=' + time)
        checks.equal(data['time'], clamped, 'eval --time %s is clamped' % time)
        checks.check(near(positions(data), [(x + shift, y, z) for x, y, z in BASE]), 'eval at %s' % time)
    both = moved(slid, 1, (0, 0, 0.75))
    both = moved(both, 2, (0, 0, -0.75))
    for words in (('all',), ('Slide', 'Pulse'), ('Pulse', '#0')):
        arguments = [part for word in words for part in ('--clip', word)]
        data = evaluate(pack, *arguments, '--time', '1.5')
        checks.equal(sorted(data['clip']), ['Pulse', 'Slide'], 'eval with clips %s' % (words,))
        checks.check(near(positions(data), both), 'eval with clips %s moves' % (words,), positions(data))
    data = evaluate(pack, '--clip', 'all', '--weight', 'Smile=0.25', '--time', '1.5')
    expected = moved(moved(slid, 1, (0, 0, 0.25)), 2, (0, 0, -0.75))
    checks.check(near(positions(data), expected), 'eval sets weights after clips', positions(data))


def check_weights(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'quad.gltf'), '--vertex-order', 'source')
    smiling = moved(BASE, 1, (0, 0, 0.5))
    for word in ('Smile=0.5', '#0=0.5', 'Quad/Smile=0.5', 'Quad/#0=.5', 'Smile=5e-1'):
        checks.check(near(positions(evaluate(pack, '--weight', word)), smiling), 'eval --weight %s' % word)
    data = evaluate(pack, '--weight', 'Smile=0.5', '--weight', 'Frown=1', '--weight', 'Smile=0.25')
    expected = moved(moved(BASE, 1, (0, 0, 0.25)), 2, (0, 0, -2))
    checks.check(near(positions(data), expected), 'eval: the last --weight wins', positions(data))
    normal = data['meshes'][0]['normals'][1]
    length = math.hypot(0.75 * 0.25, 1)
    checks.check(near(normal, (0.75 * 0.25 / length, 0, 1 / length)), 'eval morphs normals', normal)
    clamped = evaluate(pack, '--weight', 'Smile=7')
    checks.check(near(positions(clamped), moved(BASE, 1, (0, 0, 1))), 'eval clamps weights')
    wide = pack_of(checks, scratch, os.path.join(small, 'quad.gltf'), '--vertex-order', 'source', '--weight-range=-1.5,2.5')
    code, out, err = harness.run(['eval', wide, '--weight', 'Smile=-1.5'])
    checks.equal((code, err), (0, ''), 'eval: --weight-range widens what a weight may be')
    checks.check(near(positions(json.loads(out)), moved(BASE, 1, (0, 0, -1.5))), 'eval with a negative weight')


def check_weights_of_one_node(checks, scratch, small):
    """Two nodes of one name draw the same mesh: NODE is a key first, so that each can be meant; without it, both are."""
    document = small_gltf.quad()
    document['nodes'] = [{'name': 'Twin', 'mesh': 0}, {'name': 'Twin', 'mesh': 0}, {'name': 'Other', 'mesh': 0}]
    document['scenes'] = [{'nodes': [0, 1, 2]}]
    document.pop('animations', None)
    small_gltf.write(os.path.join(scratch, 'twins.gltf'), document)
    pack = pack_of(checks, scratch, os.path.join(scratch, 'twins.gltf'), '--vertex-order', 'source')
    for word, smiling in (('Twin/Smile=1', [0]), ('Twin~2/Smile=1', [1]), ('Twin~2/#0=1', [1]), ('Other/Smile=1', [2]),
                          ('Smile=1', [0, 1, 2])):
        heights = [mesh['positions'][1][2] for mesh in evaluate(pack, '--weight', word)['meshes']]
        checks.check(near(heights, [float(node in smiling) for node in range(3)]), 'eval --weight %s' % word, heights)


def check_odd_names(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'names.gltf'), '--vertex-order', 'source')
    smile, frown = small_gltf.ODD_TARGETS
    for word in (smile + '=0.5', '%s/%s=0.5' % (small_gltf.ODD_NODE, smile)):
        data = evaluate(pack, '--weight', word)
        checks.check(near(positions(data), moved(BASE, 1, (0, 0, 0.5))), 'eval --weight %r' % word)
    data = evaluate(pack, '--weight', frown + '=1')
    checks.check(near(positions(data), moved(BASE, 2, (0, 0, -2))), 'eval: a name with = in it')
    checks.equal((data['meshes'][0]['node'], data['meshes'][0]['mesh']), (small_gltf.ODD_NODE, small_gltf.ODD_MESH),
                 'eval: names are byte-exact in JSON')
    for word, key in (('Twin', 'Twin'), ('Twin~2', 'Twin~2'), ('#1', 'Twin~2')):
        checks.equal(evaluate(pack, '--clip', word)['clip'], [key], 'eval: repeated clip names, %s' % word)


def check_source_order(checks, scratch, small):
    source = os.path.join(small, 'quad.gltf')
    pack = pack_of(checks, scratch, source, '--source-map')
    data = evaluate(pack, '--order', 'source', '--attributes', 'all', '--weight', 'Smile=1')
    mesh = data['meshes'][0]
    checks.check(near(mesh['positions'], moved(BASE, 1, (0, 0, 1)) + [None]), 'eval --order source', mesh['positions'])
    checks.equal(mesh['indices'], small_gltf.INDICES, 'eval --order source keeps the numbers of the triangles')
    checks.equal(mesh['source'], [0, 1, 2, 3, None], 'eval --order source: source')
    checks.check(near(mesh['texcoords'], [small_gltf.UVS[:4] + [None]]), 'eval: texcoords', mesh['texcoords'])
    expected = [[c / 255 for c in row] for row in small_gltf.COLOURS[:4]] + [None]
    checks.check(near(mesh['colors'], expected), 'eval: colours', mesh['colors'])
    checks.check('joints' not in mesh and 'weights' not in mesh, 'eval: no joints without a skin')
    checks.equal(evaluate(source, '--order', 'source', '--attributes', 'all', '--weight', 'Smile=1'), data,
                 'eval of a source: the same as of its pack')
    packed = evaluate(pack, '--attributes', 'all')['meshes'][0]
    checks.check(near([packed['positions'][v] for v in range(4)], [BASE[s] for s in packed['source']]), 'eval: source of each pack vertex')


def check_layouts_and_qualities_agree(checks, scratch, small):
    results = []
    for options in (('--layout', 'blk64'), ('--layout', 'csr64'), ('--compress', 'load'), ('--compress', 'size')):
        pack = pack_of(checks, scratch, os.path.join(harness.SAMPLES, 'face_anim.glb'), '--source-map', *options)
        results.append(evaluate(pack, '--clip', 'all', '--time', '0.4', '--order', 'source', '--attributes', 'all'))
    checks.check(all(result == results[0] for result in results), 'eval: layouts and compression change no vertex')


def check_mirrored_nodes(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'mirror.gltf'), '--vertex-order', 'source')
    plain, mirrored = evaluate(pack)['meshes']
    checks.equal((plain['node'], mirrored['node']), ('Plain', 'Mirror'), 'eval: one entry a node, in order')
    checks.check(near(mirrored['positions'], [(-x, y, z) for x, y, z in plain['positions']]), 'eval: mirrored positions')
    checks.equal(mirrored['indices'], [v for i in range(0, 6, 3) for v in (plain['indices'][i], plain['indices'][i + 2], plain['indices'][i + 1])],
                 'eval: mirrored triangles are reversed')
    local = evaluate(pack, '--space', 'mesh')['meshes'][1]
    checks.equal(local['indices'], plain['indices'], 'eval --space mesh reverses nothing')


def check_skin(checks, scratch, small):
    pack = pack_of(checks, scratch, os.path.join(small, 'skin.gltf'), '--source-map')
    for time in (0, 0.5, 1):
        turn = math.radians(90 * time)
        data = evaluate(pack, '--clip', 'Bend', '--time', str(time), '--order', 'source', '--attributes', 'all')
        expected = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-math.sin(turn), 1 + math.cos(turn), 0)]
        checks.check(near(positions(data), expected), 'eval: a bent skin at %g s' % time, positions(data))
    mesh = data['meshes'][0]
    checks.equal(mesh['joints'][3], [1], 'eval: joints are numbers in the skin of the source')
    checks.equal(sorted(zip(mesh['joints'][2], mesh['weights'][2])), [(0, 0.5), (1, 0.5)], 'eval: joints and weights')
    rest = evaluate(pack, '--clip', 'Bend', '--time', '1', '--space', 'mesh', '--order', 'source')
    checks.check(near(positions(rest), [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 2, 0)]), 'eval --space mesh: before the skin')


def largest_difference(data, other, key):
    rows = [[row for mesh in result['meshes'] for row in mesh.get(key, [])] for result in (data, other)]
    return max((abs(a - b) for r, o in zip(*rows) if r is not None for a, b in zip(r, o)), default=0)


def check_backends_agree(checks, scratch, small):
    """The runtime's single precision against the reference, on everything shipped, at rest and in motion."""
    sources = [os.path.join(harness.SAMPLES, name) for name in sorted(os.listdir(harness.SAMPLES)) if name.endswith('.glb')]
    sources += [os.path.join(small, name) for name in ('quad.gltf', 'mirror.gltf', 'skin.gltf')]
    for source in sources:
        name = os.path.basename(source)
        pack = pack_of(checks, scratch, source, '--source-map', '--tangents', 'generate')
        for arguments in ((), ('--clip', 'all', '--time', '0.37'), ('--clip', 'all', '--time', '0.37', '--space', 'mesh'),
                          ('--order', 'source')):
            ref, cpu = [evaluate(pack, '--backend', backend, *arguments) for backend in ('ref', 'cpu')]
            size = max(abs(c) for mesh in ref['meshes'] for row in mesh['positions'] if row for c in row)
            far = largest_difference(ref, cpu, 'positions')
            checks.check(far <= 1e-5 * size, 'eval --backend cpu %s %s' % (name, arguments), far)
            turn = max(largest_difference(ref, cpu, key) for key in ('normals', 'tangents'))
            checks.check(turn <= 1e-3, 'eval --backend cpu %s %s: directions' % (name, arguments), turn)
            shapes = [[(m['node'], m['primitive'], m['indices'], len(m['positions'])) for m in data['meshes']] for data in (ref, cpu)]
            checks.check(shapes[0] == shapes[1], 'eval --backend cpu %s: the same meshes' % name)
    quad = pack_of(checks, scratch, os.path.join(small, 'quad.gltf'), '--vertex-order', 'source')
    found = positions(evaluate(quad, '--backend', 'cpu', '--weight', 'Smile=0.5', '--clip', 'Slide', '--time', '1.5'))
    checks.check(near(found, moved([(x + 0.5, y, z) for x, y, z in BASE], 1, (0, 0, 0.5))), 'eval --backend cpu by hand', found)


def check_fbx_unit_and_axes(checks, scratch, small):
    source = os.path.join(harness.SAMPLES, 'face_anim.fbx')
    metres, own_unit = evaluate(source), evaluate(source, '--unit', 'source')
    if not checks.check(metres is not None and own_unit is not None, 'eval of an FBX file'):
        return
    largest = [max(abs(c) for row in positions(data) for c in row) for data in (metres, own_unit)]
    checks.check(near(largest[1] / largest[0], 100, 1e-3), 'eval --unit source: centimetres in a Blender FBX', largest)
    checks.check(evaluate(source, '--up', 'source') is not None, 'eval --up source')


def check_numbers_and_schema(checks, scratch, small):
    form = schema('eval')
    sources = [os.path.join(harness.SAMPLES, name) for name in sorted(os.listdir(harness.SAMPLES)) if name.endswith('.glb')]
    for source in sources + [os.path.join(small, name) for name in ('quad.gltf', 'mirror.gltf', 'skin.gltf', 'names.gltf')]:
        code, out, _ = harness.run(['eval', '-q', source, '--clip', 'all', '--time', '0.3', '--order', 'source', '--attributes', 'all'])
        name = os.path.basename(source)
        if not checks.equal(code, 0, 'eval %s' % name):
            continue
        faults = list(mini_schema.faults(json.loads(out), form))
        checks.check(not faults, 'eval %s keeps its schema' % name, faults[:3])
        digits = [len(re.sub(r'e.*|[-.]', '', number.decode()).lstrip('0')) for number in re.findall(rb'-?\d+\.\d+(?:e[-+]\d+)?', out)]
        checks.check(max(digits, default=0) <= 9, 'eval %s: at most 9 significant digits' % name, max(digits, default=0))


def check_output_file(checks, scratch, small):
    source, target = os.path.join(small, 'quad.gltf'), os.path.join(scratch, 'a "b" \u3042.json')
    code, out, _ = harness.run(['eval', '-q', source, '-o', target])
    checks.equal((code, out), (0, b''), 'eval -o writes nothing else')
    _, out, _ = harness.run(['eval', '-q', source])
    with open(target, 'rb') as file:
        checks.equal(file.read(), out, 'eval -o writes the same bytes')
    shutil.copy(source, os.path.join(scratch, 'x.gltf'))
    before = sorted(os.listdir(scratch))
    harness.run(['eval', os.path.join(scratch, 'x.gltf')])
    checks.equal(sorted(os.listdir(scratch)), before, 'eval of a source leaves no file')
