"""Broken structure of glTF files: letter G."""
import copy

from fixtures import fixture
from gltf_maker import SHORT, UBYTE, UINT

IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def record(m, accessor):
    return m.j['accessors'][accessor]


@fixture('G001', 1, '/nodes: this is an object, but must be an array', stream='/nodes')
def gltf_wrong_json_type(m):
    m.j['nodes'] = {'Root': {}}


@fixture('G002', 1, 'byteLength', stream='/bufferViews/0/byteLength')
def gltf_property_missing(m):
    del m.j['bufferViews'][0]['byteLength']


@fixture('G003', 1, 'the index 7 points to nothing: there are 2 meshes', stream='/nodes/3/mesh')
def gltf_reference_out_of_range(m):
    m.body_node['mesh'] = 7


@fixture('G003', 1, 'the index 50 points to nothing', skin='Rig', stream='/skins/0/joints/1')
def joint_that_is_not_there(m):
    m.skin['joints'][1] = 50


@fixture('G004', 1, ' -1')
def gltf_number_out_of_range(m):
    record(m, m.attributes['POSITION'])['count'] = -1


@fixture('G004', 1, ' 1.5')
def accessor_of_one_and_a_half(m):
    record(m, m.attributes['POSITION'])['count'] = 1.5


@fixture('G005', 1, 'but the buffer has only', stream='/bufferViews/0')
def gltf_view_past_buffer(m):
    m.j['bufferViews'][0]['byteLength'] = 100000


@fixture('G006', 1, '4000000000 elements', mesh='Body', primitive=0)
def gltf_accessor_past_view(m):
    record(m, m.attributes['POSITION'])['count'] = 4000000000


@fixture('G007', 1, 'POSITION data has no elements', mesh='Body', primitive=0)
def gltf_accessor_empty(m):
    record(m, m.attributes['POSITION'])['count'] = 0


@fixture('G007', 1, 'key times data has no elements', clip='Idle')
def key_times_without_elements(m):
    record(m, m.times)['count'] = 0


@fixture('G008', 1, 'the data is VEC2, but must be VEC3 for POSITION', mesh='Body', primitive=0)
def gltf_accessor_wrong_shape(m):
    record(m, m.attributes['POSITION'])['type'] = 'VEC2'


@fixture('G009', 1, '5125', mesh='Body', primitive=0)
def gltf_accessor_wrong_component(m):
    record(m, m.attributes['POSITION'])['componentType'] = UINT


@fixture('G010', 1, 'the type VEC7 does not exist', mesh='Body')
def gltf_accessor_unknown_type(m):
    record(m, m.attributes['POSITION'])['type'] = 'VEC7'


@fixture('G010', 1, 'the type 5999 does not exist', mesh='Body')
def accessor_of_unknown_component(m):
    record(m, m.attributes['POSITION'])['componentType'] = 5999


def make_sparse(m, indices, count):
    """Gives the first target two sparse elements on top of its own."""
    values = m.view(m.data[:24])
    record(m, m.targets[0]['POSITION'])['sparse'] = {
        'count': count, 'indices': {'bufferView': m.view(bytes(indices)), 'componentType': UBYTE},
        'values': {'bufferView': values}}


@fixture('G011', 1, 'the number of sparse elements is 10', target='Smile')
def gltf_sparse_count(m):
    make_sparse(m, [0, 3], 10)


@fixture('G066', 0, 'replaces no element', target='Smile')
def gltf_sparse_nothing(m):
    make_sparse(m, [0, 3], 0)


@fixture('G012', 0, 'not in ascending order', target='Smile')
def gltf_sparse_unsorted(m):
    make_sparse(m, [3, 0], 2)


@fixture('G013', 1, 'is 99, but there are 9 elements', target='Smile', element='sparse index', index=1)
def gltf_sparse_index_out_of_range(m):
    make_sparse(m, [3, 99], 2)


@fixture('G014', 1, 'byteStride 8 is smaller than an element of 12 bytes', mesh='Body')
def gltf_stride_too_small(m):
    m.j['bufferViews'][record(m, m.attributes['POSITION'])['bufferView']]['byteStride'] = 8


@fixture('G015', 1, 'NORMAL has 8 elements, but POSITION has 9', mesh='Body', primitive=0)
def gltf_attribute_count(m):
    record(m, m.attributes['NORMAL'])['count'] = 8


@fixture('G016', 1, 'POSITION has 8 elements, but the base mesh has 9', mesh='Body', primitive=0, target='Blink')
def gltf_target_count_of_vertices(m):
    record(m, m.targets[1]['POSITION'])['count'] = 8


@fixture('G016', 1, 'NORMAL has 8 elements, but the base mesh has 9', mesh='Body', primitive=0, target='Blink')
def target_of_fewer_normals(m):
    record(m, m.targets[1]['NORMAL'])['count'] = 8


@fixture('G017', 1, 'the target changes NORMAL', mesh='Body', primitive=0, target='Smile')
def gltf_target_without_base(m):
    del m.attributes['NORMAL']


@fixture('G018', 0, "the target's TEXCOORD_0 is not kept", target='Smile')
def gltf_target_extra_attribute(m):
    m.targets[0]['TEXCOORD_0'] = m.attributes['TEXCOORD_0']


def second_primitive(m):
    m.body['primitives'].append(copy.deepcopy(m.primitive))
    return m.body['primitives'][1]


@fixture('G019', 1, 'the primitive has 1 target', mesh='Body', primitive=1, value='1', limit='2')
def gltf_target_counts_differ(m):
    second_primitive(m)['targets'].pop()


@fixture('G020', 0, 'the primitive has no targets', mesh='Body', primitive=1)
def gltf_targets_in_some_primitives(m):
    del second_primitive(m)['targets']


@fixture('G021', 1, 'default weight', mesh='Body', value='1', limit='2')
def gltf_mesh_weight_count(m):
    m.body['weights'] = [0]


@fixture('G022', 1, 'the node has 3 weight', node='Root/Body', value='3', limit='2')
def gltf_node_weight_count(m):
    m.body_node['weights'] = [0, 0, 0]


@fixture('G023', 0, 'there are 3 target names', mesh='Body')
def gltf_target_names_too_many(m):
    m.body['extras']['targetNames'].append('Frown')


@fixture('G024', 0, 'targetNames is a text', also=['N008'], mesh='Body')
def gltf_target_names_no_list(m):
    m.body['extras']['targetNames'] = 'Smile'


@fixture('G025', 0, 'the primitive is made of lines', mesh='Body', primitive=1)
def gltf_primitive_without_triangles(m):
    second_primitive(m)['mode'] = 1


@fixture('G026', 0, 'the primitive has no POSITION', mesh='Body', primitive=1)
def gltf_primitive_without_positions(m):
    m.body['primitives'].append({'attributes': {'NORMAL': m.attributes['NORMAL']}})


@fixture('G027', 1, 'the primitive mode 9 does not exist', mesh='Body', primitive=0)
def gltf_primitive_mode(m):
    m.primitive['mode'] = 9


@fixture('G028', 1, '23 indices do not make whole triangles', mesh='Body', primitive=0)
def gltf_indices_not_triangles(m):
    record(m, m.primitive['indices'])['count'] = 23


@fixture('G029', 1, '2 indices do not make a triangle', mesh='Body', primitive=0)
def gltf_indices_too_few(m):
    m.primitive['mode'] = 5
    record(m, m.primitive['indices'])['count'] = 2


@fixture('G030', 1, 'is 99, but there are 9 vertices', mesh='Body', primitive=0, element='index', index=5)
def gltf_index_out_of_range(m):
    m.put(m.primitive['indices'], 5, 0, 99)


@fixture('G031', 1, 'JOINTS_0 has no WEIGHTS', mesh='Body', primitive=0)
def gltf_joints_without_weights(m):
    del m.attributes['WEIGHTS_0']


@fixture('G032', 1, 'WEIGHTS_0 has no JOINTS', mesh='Body', primitive=0)
def gltf_weights_without_joints(m):
    del m.attributes['JOINTS_0']


@fixture('G033', 1, 'JOINTS_1 follows a gap', mesh='Body', primitive=0)
def gltf_joint_sets_with_gap(m):
    m.attributes['JOINTS_1'], m.attributes['WEIGHTS_1'] = m.attributes.pop('JOINTS_0'), m.attributes.pop('WEIGHTS_0')


@fixture('G034', 0, 'JOINTS_3 is not kept', mesh='Body', primitive=0)
def gltf_joint_sets_too_many(m):
    m.attributes['JOINTS_3'], m.attributes['WEIGHTS_3'] = m.attributes['JOINTS_0'], m.attributes['WEIGHTS_0']


@fixture('G035', 0, 'TEXCOORD_7 is not kept', mesh='Body', primitive=0)
def gltf_attribute_dropped(m):
    m.attributes['TEXCOORD_7'] = m.attributes['TEXCOORD_0']


@fixture('G037', 0, '', mesh='Body', primitive=0)
def gltf_attribute_custom(m):
    m.attributes['_WIND'] = m.attributes['TEXCOORD_0']


@fixture('G038', 1, 'own ancestor')
def gltf_node_cycle(m):
    m.offstage['children'] = [6]
    m.j['nodes'].append({'name': 'Twin', 'children': [5]})


@fixture('G038', 1, 'own ancestor', node='Offstage')
def node_of_itself(m):
    m.offstage['children'] = [5]


@fixture('G039', 1, 'listed as a child twice', node='Root/Spine')
def gltf_node_two_parents(m):
    m.root['children'].append(2)


@fixture('G040', 6, 'the limit is 1024')
def gltf_node_too_deep(m):
    m.j['nodes'][4]['children'] = [6]
    m.j['nodes'] += [{'children': [n + 1]} for n in range(6, 1027)] + [{}]


@fixture('G041', 6, 'there are 65536 nodes, the limit is 65535')
def gltf_too_many_objects(m):
    m.j['nodes'] += [{}] * (65536 - len(m.j['nodes']))


@fixture('G041', 6, 'there are 65536 joints, the limit is 65535', skin='Rig')
def joints_too_many(m):
    m.skin['joints'] += [1] * 65534


@fixture('G041', 6, 'there are 65536 morph targets, the limit is 65535', mesh='Body')
def targets_too_many(m):
    m.primitive['targets'] = [{}] * 65536


@fixture('G041', 6, 'there are 65536 animations, the limit is 65535')
def clips_too_many(m):
    m.j['animations'] += [{}] * 65535


@fixture('G042', 6, 'the limit is 65535 bytes')
def gltf_name_too_long(m):
    m.hips['name'] = 'x' * 65536


@fixture('G043', 0, 'the name is a number')
def gltf_name_no_text(m):
    m.hat_node['name'] = 5


@fixture('G044', 0, 'skin but no mesh', node='Root/Hips')
def gltf_node_without_mesh(m):
    m.hips['skin'] = 0


@fixture('G044', 0, 'weights but no mesh', node='Root/Hips')
def weights_on_a_node_without_mesh(m):
    m.hips['weights'] = [0, 0]


@fixture('G045', 1, 'last row')
def gltf_matrix_not_affine(m):
    m.hat_node['matrix'] = IDENTITY[:3] + [0.5] + IDENTITY[4:]


@fixture('G046', 0, 'the matrix counts')
def gltf_matrix_and_trs(m):
    m.hat_node['matrix'] = IDENTITY
    m.hat_node['translation'] = [1, 2, 3]


@fixture('G047', 0, 'is taken as translation', node='Root/Hips', clip='Idle')
def gltf_matrix_animated(m):
    del m.hips['translation']
    m.hips['matrix'] = IDENTITY[:4] + [0.0001] + IDENTITY[5:13] + [1] + IDENTITY[14:]


@fixture('G047', 0, 'although its rest pose is a matrix', node='Root/Hips', clip='Idle')
def gltf_exact_matrix_animated(m):
    del m.hips['translation']
    m.hips['matrix'] = IDENTITY[:13] + [1] + IDENTITY[14:]


@fixture('G067', 0, 'EXT_mesh_gpu_instancing', node='Root/Hips/Spine/Hat')
def gltf_instancing(m):
    places = m.accessor([(0, 0, 0), (5, 0, 0)], 'VEC3')
    m.hat_node['extensions'] = {'EXT_mesh_gpu_instancing': {'attributes': {'TRANSLATION': places}}}


@fixture('G048', 1, 'no translation, rotation and scale', node='Root/Hips', clip='Idle')
def gltf_matrix_animated_sheared(m):
    del m.hips['translation']
    m.hips['matrix'] = IDENTITY[:4] + [0.5] + IDENTITY[5:]


@fixture('G049', 1, 'the skin has no joints', skin='Rig')
def gltf_skin_without_joints(m):
    m.skin['joints'] = []


@fixture('G050', 1, 'inverse bind matrices', skin='Rig', value='1', limit='2 joints')
def gltf_inverse_binds_too_few(m):
    record(m, m.skin['inverseBindMatrices'])['count'] = 1


@fixture('G051', 0, 'the inverse bind matrix of joint 1', skin='Rig', element='joint', index=1)
def gltf_inverse_bind_not_affine(m):
    m.put(m.skin['inverseBindMatrices'], 1, 3, 0.5)


@fixture('G052', 0, 'the interpolation SMOOTH does not exist', clip='Idle')
def gltf_interpolation_unknown(m):
    m.samplers[0]['interpolation'] = 'SMOOTH'


@fixture('G053', 1, '5 values for 3 keys, but 6 are needed', clip='Idle')
def gltf_key_count(m):
    record(m, m.values(2))['count'] = 5


@fixture('G053', 1, '3 values for 3 keys, but 9 are needed', clip='Idle')
def cubic_spline_without_tangents(m):
    m.samplers[0]['interpolation'] = 'CUBICSPLINE'


@fixture('G054', 0, 'a node that has none', clip='Idle')
def gltf_weights_without_targets(m):
    m.channels[2]['target']['node'] = 4


@fixture('G055', 0, 'the same property of the node twice', clip='Idle', node='Root/Hips')
def gltf_channel_twice(m):
    m.channels.append(copy.deepcopy(m.channels[0]))


@fixture('G056', 0, 'visibility', clip='Idle')
def gltf_channel_path_unknown(m):
    m.channels.append({'sampler': 0, 'target': {'node': 1, 'path': 'visibility'}})


@fixture('G057', 0, 'KHR_animation_pointer', clip='Idle')
def gltf_channel_pointer(m):
    m.j['extensionsUsed'] = ['KHR_animation_pointer']
    m.channels.append({'sampler': 0, 'target': {'path': 'pointer', 'extensions': {
        'KHR_animation_pointer': {'pointer': '/materials/0/alphaCutoff'}}}})


@fixture('G058', 0, '', clip='Idle')
def gltf_channel_without_node(m):
    m.channels.append({'sampler': 0, 'target': {'path': 'translation'}})


@fixture('G059', 0, 'KHR_mesh_quantization', mesh='Hat')
def gltf_quantization_undeclared(m):
    grid = [(x, y, 0) for y in range(3) for x in range(3)]
    rows = [row + (0,) for row in grid]  # 8 bytes each: vertices begin at multiples of 4
    data = m.accessor(rows, 'VEC4', SHORT)
    record(m, data)['type'] = 'VEC3'
    m.j['bufferViews'][record(m, data)['bufferView']]['byteStride'] = 8
    m.hat['primitives'][0]['attributes']['POSITION'] = data


@fixture('G060', 0, 'although it has a parent', node='Root/Hips')
def gltf_scene_node_not_root(m):
    m.j['scenes'][0]['nodes'] = [0, 1]


@fixture('G061', 0, '')
def gltf_extension_ignored(m):
    m.j['extensionsUsed'] = ['MPAK_no_such_extension']


@fixture('G062', 6, 'larger than the limit', clip='Idle')
def gltf_too_many_bytes(m):
    record(m, m.times)['count'] = record(m, m.values(0))['count'] = 4000000000
    del record(m, m.times)['bufferView'], record(m, m.values(0))['bufferView']


@fixture('G063', 6, 'the limit is 268435456', mesh='Body', primitive=0)
def gltf_too_many_vertices(m):
    record(m, m.attributes['POSITION'])['count'] = (1 << 28) + 1
    del record(m, m.attributes['POSITION'])['bufferView']


@fixture('G064', 0, 'the alpha mode GLOW does not exist', material='Skin')
def gltf_alpha_mode_unknown(m):
    m.j['materials'][0]['alphaMode'] = 'GLOW'


@fixture('G065', 0, 'read all the same', mesh='Body', primitive=0, target='Smile')
def gltf_component_type_odd(m):
    rows = [(1, 2, 3, 0) if v % 3 == 0 else (0, 0, 0, 0) for v in range(9)]
    data = m.accessor(rows, 'VEC4', UBYTE)
    record(m, data)['type'] = 'VEC3'
    m.j['bufferViews'][record(m, data)['bufferView']]['byteStride'] = 4
    m.targets[0]['POSITION'] = data


