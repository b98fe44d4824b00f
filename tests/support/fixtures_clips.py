"""Clip files that do not quite fit the sound model they are cooked with: --clips other.glb, or other names."""
from fixtures import fixture
from gltf_maker import Sound


def clips_of(m, change, name='other.glb'):
    """Adds a clip file: the sound model itself, changed."""
    other = Sound()
    change(other)
    m.clip_files[name] = other.glb()


@fixture('A019', 1, 'none of the 3 animated nodes is in the model: "rig:Hips", "rig:Spine", "rig:Body"')
def clip_file_of_another_skeleton(m):
    def change(other):
        for node in other.j['nodes']:
            node['name'] = 'rig:' + node['name']
    clips_of(m, change)


@fixture('A020', 0, '1 of 3 animated nodes are not in the model, and their animation is left out: "Back"', also=['A021'])
def clip_file_with_extra_nodes(m):
    def change(other):
        other.spine['name'] = 'Back'
    clips_of(m, change)


@fixture('A021', 0, '1 of 5 nodes of the model have no counterpart in this file and keep their rest pose: "Hat"')
def clip_file_without_some_nodes(m):
    def change(other):
        other.hat_node['name'] = 'Helmet'
    clips_of(m, change)


@fixture('A022', 0, '1 of 3 animated nodes fit several nodes of the model, and their animation is left out: "Hips"',
         also=['N003', 'A021'])
def clip_file_with_ambiguous_nodes(m):
    m.hat_node['name'] = 'Hips'
    m.root['children'], m.spine['children'] = [1, 3, 4], []
    clips_of(m, lambda other: None)


@fixture('A023', 0, '250 mm and 0 degrees apart here, more than 1 mm or 1 degree at 1 nodes', node='Root/Hips/Spine')
def clip_file_in_another_pose(m):
    def change(other):
        other.spine['translation'] = [0, 0.75, 0]
    clips_of(m, change)


@fixture('A024', 0, '1 of 2 animated morph targets are not in the model, and their animation is left out: "Wink"',
         also=['A026'], node='Root/Body', mesh='Body')
def clip_file_with_extra_targets(m):
    def change(other):
        other.body['extras']['targetNames'] = ['Wink', 'Smile']
    clips_of(m, change)


@fixture('A025', 1, 'the file has no clip: there is none')
def clip_file_without_clips(m):
    def change(other):
        del other.j['animations']
    clips_of(m, change)


@fixture('A025', 1, 'the file has no clip: they animate nothing', also=['A002'])
def clip_file_with_an_empty_clip(m):
    def change(other):
        other.j['animations'] = [{'name': 'Empty', 'channels': [], 'samplers': []}]
    clips_of(m, change)


@fixture('A026', 0, '', node='Root/Body', mesh='Body', limit='"Blink"', value='1 of 2')
def clip_file_without_some_targets(m):
    def change(other):
        other.body['weights'], other.body['extras']['targetNames'] = [0.25], ['Smile']
        del other.targets[1]
        other.samplers[2]['output'] = other.accessor([0, 1, 0], 'SCALAR')
    clips_of(m, change)


@fixture('N001', 1, 'not UTF-8')
def clip_file_whose_name_is_no_text(m):
    def change(other):
        del other.clip['name']
    clips_of(m, change, b'caf\xe9.glb')


@fixture('A008', 1, 'other.glb: error', clip='Idle', node='Root/Body', stream='weights', index=1)
def clip_file_with_a_broken_key(m):
    clips_of(m, lambda other: other.put(other.values(2), 2, 0, float('nan')))


@fixture('A012', 0, 'animates weights of a node without morph targets', node='Root/Body', clip='Idle')
def clip_file_with_weights_for_a_plain_mesh(m):
    del m.body['weights'], m.body['extras'], m.primitive['targets'], m.j['animations']
    clips_of(m, lambda other: None)


@fixture('A016', 0, 'whose rest transform is sheared', also=['A023'], node='Root/Hips/Spine/Hat', clip='Idle')
def clip_file_that_moves_a_sheared_node(m):
    m.hat_node['matrix'] = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    def change(other):
        other.hat_node['matrix'] = m.hat_node['matrix']
        other.j['nodes'] += [{'name': 'Hat'}]
        other.hat_node['name'] = 'Helmet'
        other.spine['children'] = [4, 6]
        other.channels.append({'sampler': 0, 'target': {'node': 6, 'path': 'translation'}})
    clips_of(m, change)
