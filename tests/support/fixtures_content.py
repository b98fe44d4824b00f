"""Files of sound structure and broken content: letters N, M, S and A."""
import copy

from fixtures import fixture
from gltf_maker import INFINITY, NAN

TOO_LARGE = 1e39  # JSON holds no infinity, but a float cannot hold this

# Codes that no glTF file can show, since the reader names the same fault first; the unit tests of check/ show them.
NAMED_BY_THE_READER = {
    'N002': 'G042', 'N016': 'G040', 'N017': 'G041', 'N018': 'G022', 'N021': 'G044', 'M001': 'G007',
    'M002': 'G029', 'M003': 'G028', 'M023': 'G041', 'M024': 'G063', 'M025': 'G019', 'S001': 'G041', 'S002': 'G049',
    'S016': 'G044', 'S017': 'G031', 'A001': 'G041', 'A003': 'G007', 'A009': 'G053', 'A014': 'G055',
    'A018': 'G053'}

# -- Names ------------------------------------------------------------------------------------------------------------


@fixture('N003', 0, '', node='Root/Hips/Spine/Hips', element='node', index=4)
def node_name_twice(m):
    m.hat_node['name'] = 'Hips'


@fixture('N004', 0, '', mesh='Body', element='mesh', index=1)
def mesh_name_twice(m):
    m.hat['name'] = 'Body'


@fixture('N005', 0, '', clip='Idle', element='clip', index=1)
def clip_name_twice(m):
    m.j['animations'].append(copy.deepcopy(m.clip))


@fixture('N006', 0, 'an empty name', mesh='Body', target='target_1', element='target', index=1)
def target_name_empty(m):
    m.body['extras']['targetNames'][1] = ''


@fixture('N007', 0, 'the same name: "Smile"', mesh='Body', target='Smile', element='target', index=1)
def target_name_twice(m):
    m.body['extras']['targetNames'][1] = 'Smile'


@fixture('N008', 0, '', mesh='Body', element='target', index=0, more=1)
def target_names_absent(m):
    del m.body['extras']


@fixture('N009', 0, 'some morph targets have no name', mesh='Body', target='target_1', index=1)
def target_names_too_few(m):
    m.body['extras']['targetNames'].pop()


# -- Nodes ------------------------------------------------------------------------------------------------------------


@fixture('N010', 1, 'not finite: infinity (component 1)', node='Root/Hips/Spine', stream='translation', index=1)
def node_at_infinity(m):
    m.spine['translation'] = [0, TOO_LARGE, 0]


@fixture('N011', 1, 'its length is 0, not 1', node='Root/Hips/Spine', stream='rotation')
def node_rotation_zero(m):
    m.spine['rotation'] = [0, 0, 0, 0]


@fixture('N012', 0, 'has length 2, not 1', node='Root/Hips/Spine', stream='rotation')
def node_rotation_of_length_two(m):
    m.spine['rotation'] = [0, 2, 0, 0]


@fixture('N013', 0, 'mirrors: -1 (component 2)', node='Root/Hips/Spine/Hat', stream='scale')
def node_mirrored(m):
    m.hat_node['scale'] = [1, 1, -1]


@fixture('N013', 0, 'mirrors: -1', node='Root/Hips/Spine/Hat', stream='matrix')
def node_mirrored_and_sheared(m):
    m.hat_node['matrix'] = [-1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


@fixture('N014', 0, '', node='Root/Hips/Spine/Hat', stream='scale', index=0)
def node_flat(m):
    m.hat_node['scale'] = [0, 1, 1]


@fixture('N015', 1, 'absurdly large: 1e+20', node='Root/Hips/Spine', stream='translation')
def node_far_away(m):
    m.spine['translation'] = [0, 1e20, 0]


@fixture('N019', 1, 'cannot be used: infinity (target 0)', node='Root/Body')
def node_weight_infinite(m):
    m.body_node['weights'] = [TOO_LARGE, 0]


@fixture('N020', 0, '', node='Root/Body', element='target', index=1, value='-1.5')
def node_weight_outside(m):
    m.body_node['weights'] = [0, -1.5]


# -- Meshes -----------------------------------------------------------------------------------------------------------


@fixture('M004', 1, 'position of vertex 4 and 1 more is not finite: NaN', mesh='Body', primitive=0, index=4, more=1)
def position_nan(m):
    m.put(m.attributes['POSITION'], 4, 2, NAN)
    m.put(m.attributes['POSITION'], 7, 0, INFINITY)


@fixture('M005', 1, 'normal of vertex 8 is not finite: -infinity', mesh='Body', primitive=0, index=8)
def normal_infinite(m):
    m.put(m.attributes['NORMAL'], 8, 1, -INFINITY)


@fixture('M006', 1, 'tangent of vertex 1 is not finite', mesh='Body', primitive=0, index=1)
def tangent_nan(m):
    m.put(m.attributes['TANGENT'], 1, 0, NAN)


@fixture('M007', 1, 'texture coordinate of vertex 2 is not finite', mesh='Body', stream='TEXCOORD_0', index=2)
def texture_coordinate_nan(m):
    m.put(m.attributes['TEXCOORD_0'], 2, 1, NAN)


@fixture('M008', 1, 'colour of vertex 3 is not finite', mesh='Body', stream='COLOR_0', index=3)
def colour_nan(m):
    m.attributes['COLOR_0'] = m.accessor([(1, 1, 1)] * 9, 'VEC3')
    m.put(m.attributes['COLOR_0'], 3, 1, NAN)


@fixture('M009', 1, 'position of vertex 6 is absurdly far away: 1e+30 metres', mesh='Body', primitive=0, index=6)
def position_far_away(m):
    m.put(m.attributes['POSITION'], 6, 0, 1e30)


@fixture('M016', 0, 'normal of vertex 4 has length zero', also=['C006'], mesh='Body', primitive=0, index=4)
def normal_zero(m):
    for axis in range(3):
        m.put(m.attributes['NORMAL'], 4, axis, 0)


@fixture('M017', 0, 'normal of vertex 0 has length 1.5, not 1', mesh='Body', primitive=0, index=0)
def normal_of_length_one_and_a_half(m):
    m.put(m.attributes['NORMAL'], 0, 2, 1.5)


@fixture('M018', 0, 'tangent of vertex 5 has the handedness 0.5', also=['C009'], mesh='Body', primitive=0, index=5)
def tangent_of_half_a_hand(m):
    m.put(m.attributes['TANGENT'], 5, 3, 0.5)


@fixture('M019', 0, 'tangent of vertex 5 has length zero', also=['C009'], mesh='Body', primitive=0, index=5)
def tangent_zero(m):
    for axis in range(3):
        m.put(m.attributes['TANGENT'], 5, axis, 0)


@fixture('M020', 0, 'tangent of vertex 0 has length 2, not 1', mesh='Body', primitive=0, index=0)
def tangent_of_length_two(m):
    m.put(m.attributes['TANGENT'], 0, 0, 2)


@fixture('M026', 1, 'not finite: infinity', material='Skin', stream='base colour', index=1)
def material_colour_infinite(m):
    m.j['materials'][0]['pbrMetallicRoughness'] = {'baseColorFactor': [1, TOO_LARGE, 1, 1]}


@fixture('M027', 1, 'direction of vertex 3 is absurdly long: 1e+20', mesh='Body', stream='TANGENT', index=3)
def tangent_far_too_long(m):
    m.put(m.attributes['TANGENT'], 3, 1, 1e20)


# -- Targets ----------------------------------------------------------------------------------------------------------


@fixture('M010', 1, 'delta of vertex 1 is absurdly large: 1e+30', mesh='Body', target='Blink', index=1)
def delta_far_away(m):
    m.put(m.targets[1]['POSITION'], 1, 2, 1e30)


@fixture('M011', 0, '', mesh='Body', target='Blink', element='target', index=1)
def target_that_changes_nothing(m):
    for accessor in m.targets[1].values():
        m.fill(accessor, 0)


@fixture('M012', 1, 'position delta of vertex 2 is not finite: NaN', mesh='Body', primitive=0, target='Smile', index=2)
def position_delta_nan(m):
    m.put(m.targets[0]['POSITION'], 2, 0, NAN)


@fixture('M013', 1, 'normal delta of vertex 2 is not finite: infinity', mesh='Body', target='Smile', index=2)
def normal_delta_infinite(m):
    m.put(m.targets[0]['NORMAL'], 2, 0, INFINITY)


@fixture('M014', 1, 'tangent delta of vertex 2 is not finite', mesh='Body', target='Smile', index=2)
def tangent_delta_nan(m):
    m.put(m.targets[0]['TANGENT'], 2, 0, NAN)


@fixture('M015', 0, '', also=['C016'], mesh='Body', primitive=0, target='Smile', element='target', index=0)
def target_that_leaves_normals(m):
    m.fill(m.targets[0]['NORMAL'], 0)


@fixture('M021', 1, 'cannot be used: infinity (target 0)', mesh='Body')
def default_weight_infinite(m):
    m.body['weights'] = [TOO_LARGE, 0]


@fixture('M022', 0, '', mesh='Body', element='target', index=1, value='2')
def default_weight_outside(m):
    m.body['weights'] = [0, 2]


# -- Skins ------------------------------------------------------------------------------------------------------------


@fixture('S003', 0, 'a node is a joint of the skin twice', skin='Rig', node='Root/Hips', element='joint', index=1)
def joint_twice(m):
    m.skin['joints'] = [1, 1]


@fixture('S004', 1, 'the inverse bind matrix of joint 1 is not finite', skin='Rig', element='joint', index=1)
def inverse_bind_nan(m):
    m.put(m.skin['inverseBindMatrices'], 1, 12, NAN)


@fixture('S018', 1, 'absurdly large: 1e+20', skin='Rig', element='joint', index=1)
def inverse_bind_far_away(m):
    m.put(m.skin['inverseBindMatrices'], 1, 12, 1e20)


@fixture('S005', 0, 'the inverse bind matrix of joint 0 cannot be inverted', skin='Rig', element='joint', index=0)
def inverse_bind_flat(m):
    m.put(m.skin['inverseBindMatrices'], 0, 10, 0)


@fixture('S006', 1, 'a joint of vertex 3 does not exist: 7, must be below 2', mesh='Body', skin='Rig', index=3)
def joint_past_the_skin(m):
    m.put(m.attributes['JOINTS_0'], 3, 0, 7)


@fixture('S007', 0, '', mesh='Body', skin='Rig', element='vertex', index=3, value='7', limit='below 2')
def joint_past_the_skin_without_weight(m):
    m.put(m.attributes['JOINTS_0'], 3, 3, 7)


@fixture('S008', 1, 'a skin weight of vertex 6 is not finite: NaN', mesh='Body', skin='Rig', index=6)
def weight_nan(m):
    m.put(m.attributes['WEIGHTS_0'], 6, 1, NAN)


@fixture('S009', 1, 'a skin weight of vertex 6 is negative: -0.25', mesh='Body', skin='Rig', index=6)
def weight_negative(m):
    m.put(m.attributes['WEIGHTS_0'], 6, 0, 1.25)
    m.put(m.attributes['WEIGHTS_0'], 6, 1, -0.25)


@fixture('S010', 0, '', mesh='Body', skin='Rig', element='vertex', index=0, more=8)
def weights_of_bytes(m):
    # unsigned bytes that sum to 254
    m.attributes['WEIGHTS_0'] = m.accessor([(191, 63, 0, 0)] * 9, 'VEC4', 5121, normalized=True)


@fixture('S011', 0, 'sum to 1.5, not 1', mesh='Body', skin='Rig', element='vertex', index=4)
def weights_of_one_and_a_half(m):
    m.put(m.attributes['WEIGHTS_0'], 4, 2, 0.5)
    m.put(m.attributes['JOINTS_0'], 4, 2, 1)
    m.put(m.attributes['JOINTS_0'], 4, 1, 0)
    m.put(m.attributes['WEIGHTS_0'], 4, 1, 0)
    m.put(m.attributes['WEIGHTS_0'], 4, 0, 1)


@fixture('S012', 0, 'no skin weight at all on vertex 2', mesh='Body', skin='Rig', element='vertex', index=2)
def weights_all_zero(m):
    for k in range(4):
        m.put(m.attributes['WEIGHTS_0'], 2, k, 0)


@fixture('S013', 0, '', mesh='Body', skin='Rig', element='vertex', index=2)
def joint_twice_in_a_vertex(m):
    m.put(m.attributes['JOINTS_0'], 2, 1, 0)


@fixture('S014', 0, 'but has no skin', node='Root/Body', mesh='Body')
def skin_missing(m):
    del m.body_node['skin']


@fixture('S015', 0, 'no joints and weights', node='Root/Body', mesh='Body', skin='Rig')
def joints_missing(m):
    del m.attributes['JOINTS_0'], m.attributes['WEIGHTS_0']


# -- Clips ------------------------------------------------------------------------------------------------------------


@fixture('A002', 0, '', clip='Empty')
def clip_without_channels(m):
    m.j['animations'].append({'name': 'Empty', 'channels': [], 'samplers': []})


@fixture('A004', 1, 'the time of key 1 is not finite', clip='Idle', element='key', index=1)
def key_time_nan(m):
    m.put(m.times, 1, 0, NAN)


@fixture('A005', 1, 'key 2 is at 0.25 s, must be at more than 0.5 s', clip='Idle', element='key', index=2)
def key_times_out_of_order(m):
    m.put(m.times, 2, 0, 0.25)


@fixture('A005', 1, 'key 2 is at 0.5 s, must be at more than 0.5 s', clip='Idle', element='key', index=2)
def key_times_equal(m):
    m.put(m.times, 2, 0, 0.5)


@fixture('A006', 1, 'the time of key 2 is absurdly large: 2e+09 s', clip='Idle', element='key', index=2)
def key_time_far_away(m):
    m.put(m.times, 2, 0, 2e9)


@fixture('A007', 0, 'the time of key 0 is negative: -1 s', clip='Idle', element='key', index=0)
def key_time_negative(m):
    m.put(m.times, 0, 0, -1)


@fixture('A008', 1, 'the value of key 1 is not finite: NaN', clip='Idle', node='Root/Body', stream='weights', index=1)
def key_weight_nan(m):
    m.put(m.values(2), 2, 0, NAN)


@fixture('A010', 1, 'the rotation of key 1 is none: its length is 0, not 1', clip='Idle', node='Root/Hips/Spine', index=1)
def key_rotation_zero(m):
    for c in range(4):
        m.put(m.values(1), 1, c, 0)


@fixture('A011', 0, 'the rotation of key 0 has length 3, not 1', clip='Idle', node='Root/Hips/Spine', index=0)
def key_rotation_of_length_three(m):
    m.put(m.values(1), 0, 3, 3)


@fixture('A015', 0, '', clip='Idle', node='Root/Body', stream='weights', element='key', index=0, value='-1.5')
def key_weight_outside(m):
    m.put(m.values(2), 1, 0, -1.5)


@fixture('A017', 1, 'the value of key 2 is absurdly large: 1e+20', clip='Idle', node='Root/Hips', index=2)
def key_far_away(m):
    m.put(m.values(0), 2, 0, 1e20)


@fixture('A017', 1, 'the value of key 0 is absurdly large: 1e+20', clip='Idle', node='Root/Body', index=0)
def key_weight_far_away(m):
    m.put(m.values(2), 1, 0, 1e20)
