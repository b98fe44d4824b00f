"""Clips of other files: cook --clips, clip packs, eval --clips. What comes out must be what the same clip gives inside
the model's own file, bit by bit."""
import os
import shutil
import sys

import harness
from gltf_maker import Sound

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import mpak_read

TIMES = ('0', '0.2', '0.5', '0.75', '1')


class ClipFile(Sound):
    """The sound model as another program might write it: nodes in another order, one more and one less, targets in
    another order; its clip is the same."""

    def make_nodes(self):
        super().make_nodes()
        del self.spine['children']  # no hat
        order = ['Body', 'Prop', 'Spine', 'Hips', 'Root']
        named = {node['name']: node for node in self.j['nodes']}
        named['Prop'] = {'name': 'Prop', 'translation': [5, 5, 5]}
        old = [node['name'] for node in self.j['nodes']]
        for node in named.values():
            node['children'] = [order.index(old[child]) for child in node.get('children', []) if old[child] in order]
        named['Root']['children'].append(order.index('Prop'))
        for node in named.values():
            if not node['children']:
                del node['children']
        self.j['nodes'] = [named[name] for name in order]
        self.j['scenes'] = [{'nodes': [order.index('Root')]}]
        self.skin['joints'] = [order.index('Hips'), order.index('Spine')]
        self.numbers = {name: number for number, name in enumerate(order)}
        self.body['extras']['targetNames'].reverse()
        self.body['weights'].reverse()
        self.targets.reverse()

    def make_clip(self):
        super().make_clip()
        for channel, name in zip(self.channels, ('Hips', 'Spine', 'Body')):
            channel['target']['node'] = self.numbers[name]
        self.samplers[2]['output'] = self.accessor([0, 0, 0, 1, 1, 0], 'SCALAR')  # the pairs of weights swapped
        self.channels.reverse()


def write(folder, name, model, change=None):
    path = os.path.join(folder, name)
    if change:
        change(model)
    with open(path, 'wb') as file:
        file.write(model.glb())
    return path


def without_clips(model):
    del model.j['animations']


def cook(checks, model, pack, *options, code=0):
    found, _, err = harness.run(['cook', '-q', '--quality', 'lossless', '-o', pack, *options, '--', model])
    checks.equal(found, code, 'cook %s %s (%s)' % (os.path.basename(model), ' '.join(options), err[:300]))
    return err


def read_pack(path):
    with open(path, 'rb') as file:
        return mpak_read.Pack(file.read())


def clip_tables(path):
    """Clips, tracks and keys, names as texts."""
    pack = read_pack(path)
    clips = [(pack.text(clip.name), pack.text(clip.key), clip.start_s, clip.end_s, clip.first_track, clip.track_count,
              clip.source_node_tracks, clip.source_weight_tracks) for clip in pack.table['CLIP']]
    tracks = [(pack.text(pack.table['NODE'][track.node].name), track.path, track.interpolation, track.width,
               track.key_count, track.first_time, track.first_value) for track in pack.table['TRAK']]
    return clips, tracks, pack.clip_streams()


def vertices(checks, *arguments):
    data = harness.run_json(['eval', '-q', *arguments])
    if not checks.check(data is not None, 'eval %s' % ' '.join(arguments)):
        return None
    return data['meshes']


def check_clip_file_gives_what_the_own_clip_gives(checks, scratch, small):
    whole, model = write(scratch, 'whole.glb', Sound()), write(scratch, 'model.glb', Sound(), without_clips)
    clips = write(scratch, 'clips.glb', ClipFile())
    packs = {name: os.path.join(scratch, name + '.mpak') for name in ('whole', 'added', 'model', 'clips')}
    cook(checks, whole, packs['whole'])
    err = cook(checks, model, packs['added'], '--clips', clips)
    checks.check('"Hat"' in err and 'MPAK-A021' in err, 'the node that the clip file lacks is named', err)
    checks.check('MPAK-A020' not in err and 'MPAK-A023' not in err, 'a node that nothing animates is no loss', err)
    checks.equal(clip_tables(packs['added']), clip_tables(packs['whole']), 'clips, tracks and keys, bit by bit')
    ranges = [[(c.default_weight, c.range_min, c.range_max) for c in read_pack(packs[name]).table['CTRL']]
              for name in ('added', 'whole')]
    checks.equal(ranges[0], ranges[1], 'ranges of controls')
    cook(checks, model, packs['model'])
    cook(checks, clips, packs['clips'], '--clips-only')
    for backend in ('ref', 'cpu'):
        for time in TIMES:
            options = ['--clip', 'Idle', '--time', time, '--backend', backend]
            expected = vertices(checks, packs['whole'], *options)
            for arguments in ([packs['added']], [packs['model'], '--clips', packs['clips']],
                              [packs['model'], '--clips', clips], [model, '--clips', clips],
                              [model, '--clips', packs['clips']]):
                checks.equal(vertices(checks, *arguments, *options), expected,
                             'eval %s at %s, %s' % ([os.path.basename(a) for a in arguments], time, backend))
    rest = vertices(checks, packs['model'])
    checks.check(vertices(checks, packs['added'], '--clip', 'Idle', '--time', '1') != rest, 'and something moves')


def check_controls_that_the_clip_file_lacks(checks, scratch, small):
    """They keep their default weight; those that the model lacks are left out."""
    model = write(scratch, 'model.glb', Sound(), without_clips)

    def rename(other):
        other.body['extras']['targetNames'] = ['Frown', 'Smile']  # were Blink, Smile
    clips = write(scratch, 'clips.glb', ClipFile(), rename)
    pack = os.path.join(scratch, 'pack.mpak')
    err = cook(checks, model, pack, '--clips', clips)
    checks.check('MPAK-A024' in err and '"Frown"' in err, 'the target that the model lacks is named', err)
    track = [t for t in read_pack(pack).table['TRAK'] if t.path == 3][0]
    floats = mpak_read.struct.unpack('<6f', clip_tables(pack)[2]['values'][4 * track.first_value:][:24])
    checks.equal(floats, (0, 0, 1, 0, 0, 0), 'Smile is animated, Blink keeps its default')


def check_cubic_splines_keep_their_tangents(checks, scratch, small):
    def cubic(model, order):
        rows = [[1, 2], [0, 0.5], [3, 4], [5, 6], [0.25, 1], [7, 8]]  # in-tangent, value, out-tangent of two keys
        model.samplers[2] = {'input': model.accessor([0, 1], 'SCALAR'), 'interpolation': 'CUBICSPLINE',
                             'output': model.accessor([row[i] for row in rows for i in order], 'SCALAR')}
        model.clip['samplers'] = model.samplers
    whole = write(scratch, 'whole.glb', Sound(), lambda m: cubic(m, (0, 1)))
    model = write(scratch, 'model.glb', Sound(), without_clips)
    clips = write(scratch, 'clips.glb', ClipFile(), lambda m: cubic(m, (1, 0)))
    packs = [os.path.join(scratch, name) for name in ('whole.mpak', 'added.mpak')]
    cook(checks, whole, packs[0])
    cook(checks, model, packs[1], '--clips', clips)
    checks.equal(clip_tables(packs[1]), clip_tables(packs[0]), 'cubic splines of weights')


def keys_of(path):
    pack = read_pack(path)
    return [pack.text(clip.key) for clip in pack.table['CLIP']]


def check_clip_names(checks, scratch, small):
    model, own = write(scratch, 'model.glb', Sound(), without_clips), write(scratch, 'own.glb', Sound())

    def named(*names):
        def change(other):
            other.j['animations'] = [dict(other.clip, name=name) for name in names]
            for clip in other.j['animations']:
                if clip['name'] is None:
                    del clip['name']
        return change
    pack = os.path.join(scratch, 'pack.mpak')
    run = write(scratch, 'run.v2.glb', ClipFile(), named('Take 001'))
    jog = write(scratch, 'jog.glb', ClipFile(), named('Take 001', 'Turn'))
    still = write(scratch, 'still.glb', ClipFile(), named(None, None))
    cases = [(model, [run], ['Take 001']), (model, [run, jog], ['run.v2', 'jog', 'Turn']),
             (model, [still], ['still', 'still~2']), (model, [jog, jog], ['jog', 'jog~2', 'jog~3', 'jog~4']),
             (own, [run], ['Idle', 'Take 001']),
             (own, [write(scratch, 'idle.glb', ClipFile())], ['Idle', 'idle'])]
    for source, files, expected in cases:
        cook(checks, source, pack, '--clips', *files)
        checks.equal(keys_of(pack), expected, 'keys of clips of %s' % [os.path.basename(file) for file in files])


def check_bytes_depend_on_clip_bytes_alone(checks, scratch, small):
    model, clips = write(scratch, 'model.glb', Sound(), without_clips), write(scratch, 'clips.glb', ClipFile())
    other = os.path.join(scratch, 'elsewhere')
    os.mkdir(other)
    moved, changed = os.path.join(other, 'renamed.glb'), os.path.join(other, 'clips.glb')
    shutil.copy(clips, moved)
    write(other, 'clips.glb', ClipFile(), lambda m: m.put(m.values(0), 1, 0, 0.125))
    packs = []
    for number, files in enumerate(([clips], [moved], [changed], [])):
        packs.append(os.path.join(scratch, '%d.mpak' % number))
        cook(checks, model, packs[-1], *(['--clips', *files] if files else []))
    data = [open(pack, 'rb').read() for pack in packs]
    checks.check(data[0] == data[1], 'the name and folder of a clip file are not in the bytes')
    checks.equal(len({pack[80:88] for pack in data}), 3, 'the content id knows the clips')

    def unnamed(m):
        del m.clip['name']
    ids = []
    for name in ('one.glb', 'two.glb'):  # where the name of the file becomes the clip's, it is part of the identity
        cook(checks, model, packs[0], '--clips', write(scratch, name, ClipFile(), unnamed))
        ids.append(open(packs[0], 'rb').read()[80:88])
    checks.check(ids[0] != ids[1], 'a clip called like its file has another identity')


def check_depfile_names_clip_files(checks, scratch, small):
    model, clips = write(scratch, 'model.glb', Sound(), without_clips), write(scratch, 'clips.glb', ClipFile())
    pack = os.path.join(scratch, 'pack.mpak')
    code, _, err = harness.run(['cook', '-q', model, '--clips', clips, '-o', pack, '-MD'])
    checks.equal(code, 0, 'cook -MD (%s)' % err[:200])
    with open(os.path.join(scratch, 'pack.d'), encoding='utf-8') as file:
        checks.equal(file.read(), '%s: \\\n  %s \\\n  %s\n' % (pack, model, clips), 'the depfile')


def check_clip_packs(checks, scratch, small):
    """A source without triangles becomes one; nodes, clips and controls are there, nothing else."""
    pack, clips = os.path.join(scratch, 'pack.mpak'), write(scratch, 'clips.glb', ClipFile())

    def no_meshes(m):
        del m.j['meshes'], m.j['skins'], m.j['materials']
        for node in m.j['nodes']:
            node.pop('mesh', None)
            node.pop('skin', None)
        m.clip['channels'] = [c for c in m.channels if c['target']['path'] != 'weights']
    bare = write(scratch, 'bare.glb', ClipFile(), no_meshes)
    for source, options, kinds, meshes in (
            (bare, [], ['STRS', 'NODE', 'CLIP', 'TRAK', 'META', 'KEYT', 'KEYV'], []),
            (clips, ['--clips-only'],
             ['STRS', 'NODE', 'INST', 'IWGT', 'MESH', 'CTRL', 'CLIP', 'TRAK', 'META', 'KEYT', 'KEYV'], ['Body'])):
        cook(checks, source, pack, *options)
        info = harness.run_json(['info', '--json', pack])
        checks.equal([c['kind'] for c in info['chunks'] if c['kind'] != 'IWGT'], [k for k in kinds if k != 'IWGT'],
                     'chunks of %s' % os.path.basename(source))
        checks.equal([mesh['key'] for mesh in info['meshes']], meshes, 'meshes of %s' % os.path.basename(source))
        checks.equal(info, read_pack(pack).json(), 'the second reader of %s' % os.path.basename(source))
        checks.equal(harness.run(['validate', '-q', pack])[0], 0, 'validate %s' % os.path.basename(source))
        checks.equal(harness.run_json(['eval', pack, '--clip', 'Idle', '--time', '1'])['meshes'], [], 'nothing to see')
        _, text, _ = harness.run(['info', pack])
        checks.check(text.startswith(b'clip pack, '), 'info says what it is', text[:60])
    checks.equal([t['name'] for t in info['meshes'][0]['targets']], ['Blink', 'Smile'], 'the names of the weights')
    checks.equal(sorted(info['meshes'][0]['targets'][0]), ['default_weight', 'key', 'name', 'range'], 'their members')
    again = os.path.join(scratch, 'again.mpak')
    cook(checks, clips, again, '--clips-only')
    checks.check(open(pack, 'rb').read() == open(again, 'rb').read(), 'the same bytes twice')


def check_nothing_to_cook_stays(checks, scratch, small):
    """No triangles and no clips, or triangles that nothing draws: an error, not a clip pack."""
    def bare(m):
        del m.j['meshes'], m.j['skins'], m.j['materials'], m.j['animations']
        for node in m.j['nodes']:
            node.pop('mesh', None)
            node.pop('skin', None)

    def undrawn(m):
        for node in m.j['nodes']:
            node.pop('mesh', None)
            node.pop('skin', None)
        m.clip['channels'] = m.channels[:2]
    for change in (bare, undrawn):
        err = cook(checks, write(scratch, 'x.glb', Sound(), change), os.path.join(scratch, 'x.mpak'), code=1)
        checks.check('nothing to cook' in err and 'MPAK-C001' in err, 'nothing to cook', err)
    err = cook(checks, write(scratch, 'y.glb', Sound(), without_clips), os.path.join(scratch, 'x.mpak'), '--clips-only',
               code=1)
    checks.check('MPAK-A025' in err, '--clips-only without clips', err)


def check_clip_files_that_fail(checks, scratch, small):
    model, pack = write(scratch, 'model.glb', Sound(), without_clips), os.path.join(scratch, 'pack.mpak')
    missing, broken = os.path.join(scratch, 'missing.glb'), os.path.join(scratch, 'broken.glb')
    with open(broken, 'wb') as file:
        file.write(b'glTF and nothing more')
    for path, code in ((missing, 3), (broken, 4)):
        err = cook(checks, model, pack, '--clips', path, code=code)
        checks.check(err.startswith(path + ': error: '), 'the message names the clip file', err)
        checks.check(not os.path.exists(pack), 'no pack')


def check_several_models_take_the_same_clips(checks, scratch, small):
    names = ['a.glb', 'b.glb']
    models = [write(scratch, name, Sound(), without_clips) for name in names]
    code, _, err = harness.run(['cook', '-q', *models, '--clips', write(scratch, 'clips.glb', ClipFile())])
    checks.equal(code, 0, 'two models and one clip file (%s)' % err[:200])
    checks.equal([keys_of(os.path.join(scratch, name)) for name in ('a.mpak', 'b.mpak')], [['Idle'], ['Idle']], 'clips')


def check_evaluated_packs_name_what_they_lack(checks, scratch, small):
    model, pack = write(scratch, 'model.glb', Sound(), without_clips), os.path.join(scratch, 'model.mpak')
    cook(checks, model, pack)

    def rename(prefix):
        def change(other):
            for node in other.j['nodes']:
                node['name'] = prefix + node['name'] if node['name'] in ('Hips', 'Body', 'Spine') else node['name']
        return change
    for prefix, code, word in (('rig:', 1, 'MPAK-A019'), ('', 0, '')):
        clips = os.path.join(scratch, 'clips.mpak')
        cook(checks, write(scratch, 'clips.glb', ClipFile(), rename(prefix)), clips, '--clips-only')
        found, _, err = harness.run(['eval', pack, '--clips', clips, '--clip', 'Idle'])
        checks.equal((found, word in err), (code, True), 'eval --clips with names of "%s" (%s)' % (prefix, err[:200]))
    _, _, err = harness.run(['eval', pack, '--clips', clips, '--clip', 'Run'])
    checks.check('there is no clip "Run"' in err, 'unknown clips of clip packs', err)


def check_shared_jog_moves_arnaud(checks, scratch, small):
    if not harness.has_shared():
        checks.skip(8)
        return
    folder = os.path.join(harness.SHARED_ASSETS, 'fbx_ozz')
    arnaud, jog = os.path.join(folder, 'arnaud.fbx'), os.path.join(folder, 'jog.fbx')
    pack, clips = os.path.join(scratch, 'hero.mpak'), os.path.join(scratch, 'jog.mpak')
    cook(checks, arnaud, pack, '--clips', jog)
    checks.equal(keys_of(pack), ['jog'], 'clips of arnaud')
    meshes = [vertices(checks, pack, '--clip', 'jog', '--time', time)[0]['positions'] for time in ('0', '0.4')]
    furthest = max(max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(*meshes))
    checks.check(0.2 < furthest < 4, 'arnaud moves', furthest)
    for positions in meshes:  # he is 1.83 m tall and jogs along z
        size = [max(p[c] for p in positions) - min(p[c] for p in positions) for c in range(3)]
        checks.check(0.3 < size[0] < 1.2 and 1.4 < size[1] < 2.0 and 0.3 < size[2] < 1.5, 'and stays in shape', size)
    cook(checks, jog, clips)
    for model in (pack, arnaud):
        through = vertices(checks, model, '--clips', clips, '--clip', '#0' if model is arnaud else '#1', '--time', '0.4')
        checks.check(through[0]['positions'] == meshes[1], 'the clip pack does the same to %s' % os.path.basename(model))
