"""Broken files around the model: letter F."""
import struct

from fixtures import Absent, Folder, Sparse, fixture
from gltf_maker import pack_glb, pad


@fixture('F001', 3, 'No such file or directory')
def file_missing(m):
    return Absent()


@fixture('F002', 3, 'a folder')
def file_is_folder(m):
    return Folder()


@fixture('F003', 6, 'too large')
def file_too_large(m):
    return Sparse(m.glb(), (4 << 30) + 1)


@fixture('F005', 4, 'empty')
def file_empty(m):
    return b''


@fixture('F006', 4, 'begins with "glTX')
def file_wrong_magic(m):
    return b'glTX' + m.glb()[4:]


@fixture('F006', 4, 'expected "Kaydara FBX Binary"', suffix='.fbx')
def fbx_that_is_prose(m):
    return b'It was a dark and stormy night.'


@fixture('F007', 4, 'suffix xyz', suffix='.xyz')
def file_unknown_type(m):
    return b'hello'


def fbx_binary(version, body):
    return b'Kaydara FBX Binary  \0\x1a\0' + struct.pack('<I', version) + body


@fixture('F008', 4, 'version 5.0', suffix='.fbx')
def fbx_version_unsupported(m):
    return fbx_binary(5000, bytes(64))


@fixture('F009', 4, 'the FBX records are broken', suffix='.fbx')
def fbx_records_broken(m):
    record = struct.pack('<IIIB', 100000, 0, 0, 7) + b'Objects'
    return fbx_binary(7400, record + bytes(200))


@fixture('F010', 4, 'line 1', suffix='.gltf')
def gltf_json_syntax(m):
    return m.gltf()[:300]


@fixture('F010', 4, 'cannot be read', suffix='.gltf')
def json_with_a_number_beyond_double(m):
    return m.gltf().replace(b'"scene": 0', b'"scene": 1e999')


@fixture('F011', 4, 'not UTF-8', suffix='.gltf')
def gltf_json_not_utf8(m):
    return m.gltf().replace(b'"Rig"', b'"R\xe9g"')


@fixture('F012', 6, 'more than 64 levels', suffix='.gltf')
def gltf_json_too_deep(m):
    return m.gltf().replace(b'"scene": 0', b'"scene": 0, "extras": ' + b'[' * 64 + b']' * 64)


@fixture('F013', 0, 'the last one counts')
def gltf_json_name_twice(m):
    text = m.gltf().replace(b'"name": "Rig"', b'"name": "Old", "name": "Rig"')
    return text


@fixture('F014', 4, 'cut off: 3000 bytes')
def gltf_glb_cut_off(m):
    return m.glb()[:3000]


@fixture('F014', 4, 'a header of 12 bytes')
def glb_of_eight_bytes(m):
    return m.glb()[:8]


@fixture('F015', 4, 'a chunk of 4294967292 bytes')
def gltf_glb_chunk_past_end(m):
    data = bytearray(m.glb())
    json_bytes = struct.unpack_from('<I', data, 12)[0]
    struct.pack_into('<I', data, 20 + json_bytes, 0xFFFFFFFC)
    return bytes(data)


@fixture('F016', 4, '1.0', stream='/asset/version')
def gltf_gltf_version(m):
    m.j['asset']['version'] = '1.0'


@fixture('F016', 4, '1 (GLB container)')
def glb_of_container_version_1(m):
    return pack_glb([(b'JSON', pad(m.text(), b' '))], version=1)


@fixture('F016', 4, '2.9', stream='/asset/minVersion')
def gltf_that_needs_version_2_9(m):
    m.j['asset']['minVersion'] = '2.9'


@fixture('F017', 0, '5 bytes stand behind the end')
def gltf_glb_bytes_behind(m):
    return m.glb() + b'extra'


@fixture('F018', 4, 'does not begin with a JSON chunk')
def gltf_glb_no_json(m):
    return pack_glb([(b'BIN\0', bytes(4)), (b'JSON', pad(m.text(), b' '))])


@fixture('F019', 0, '', suffix='.gltf')
def gltf_json_byte_order_mark(m):
    return b'\xef\xbb\xbf' + m.gltf()


@fixture('F020', 4, 'asset.version is missing', suffix='.gltf')
def gltf_json_not_gltf(m):
    return b'{"name": "package", "version": "1.0.0"}'


@fixture('F021', 4, 'MPAK_no_such_extension', stream='/extensionsRequired/0')
def gltf_extension_unknown(m):
    m.j['extensionsUsed'] = m.j['extensionsRequired'] = ['MPAK_no_such_extension']


@fixture('F022', 4, 'Draco', stream='/extensionsRequired/0')
def gltf_extension_draco(m):
    m.j['extensionsUsed'] = m.j['extensionsRequired'] = ['KHR_draco_mesh_compression']


@fixture('F023', 4, 'KHR_meshopt_compression')
def gltf_extension_khr_meshopt(m):
    m.j['extensionsUsed'] = m.j['extensionsRequired'] = ['KHR_meshopt_compression']


@fixture('F024', 1, 'are announced', stream='/buffers/0')
def gltf_buffer_short(m):
    m.j['buffers'][0]['byteLength'] = len(m.data) + 1000


@fixture('F024', 1, '8 bytes', suffix='.gltf')
def buffer_file_shorter_than_announced(m):
    m.j['buffers'][0]['uri'] = 'short.bin'
    m.files['short.bin'] = bytes(8)


@fixture('F025', 1, 'base64', suffix='.gltf', stream='/buffers/0/uri')
def gltf_data_uri_broken(m):
    m.j['buffers'][0]['uri'] = 'data:application/octet-stream;base64,@@@@'


@fixture('F026', 3, '../outside.bin', suffix='.gltf')
def gltf_uri_outside(m):
    m.j['buffers'][0]['uri'] = '../outside.bin'


@fixture('F026', 3, '%2e%2e/outside.bin', suffix='.gltf')
def buffer_outside_by_encoded_dots(m):
    m.j['buffers'][0]['uri'] = '%2e%2e/outside.bin'


@fixture('F026', 3, '/etc/hostname', suffix='.gltf')
def buffer_outside_by_root(m):
    m.j['buffers'][0]['uri'] = '/etc/hostname'


@fixture('F026', 3, 'file:///etc/hostname', suffix='.gltf')
def buffer_outside_by_scheme(m):
    m.j['buffers'][0]['uri'] = 'file:///etc/hostname'


@fixture('F027', 3, 'not_there.bin', suffix='.gltf')
def gltf_buffer_file_missing(m):
    m.j['buffers'][0]['uri'] = 'not_there.bin'


@fixture('F028', 4, 'zero character')
def gltf_text_with_zero(m):
    m.hips['name'] = 'Hi\0ps'


@fixture('F029', 1, 'has no data', suffix='.gltf', stream='/buffers/0')
def gltf_buffer_without_data(m):
    m.j['buffers'][0]['byteLength'] = len(m.data)
    return m.text()


def compress(m, **more):
    """Says that the positions are compressed, which they are not."""
    m.j['extensionsUsed'] = m.j['extensionsRequired'] = ['EXT_meshopt_compression']
    view = m.j['bufferViews'][m.j['accessors'][m.attributes['POSITION']]['bufferView']]
    extension = {'buffer': 0, 'byteOffset': view['byteOffset'], 'byteLength': view['byteLength'], 'byteStride': 12,
                 'count': 9, 'mode': 'ATTRIBUTES'}
    extension.update(more)
    view['extensions'] = {'EXT_meshopt_compression': extension}


@fixture('F030', 1, 'ATTRIBUTES')
def gltf_meshopt_broken(m):
    compress(m)


@fixture('F031', 1, 'a byteStride of 4')
def gltf_meshopt_description(m):
    compress(m, byteStride=6)


@fixture('F031', 1, 'ZIP')
def compressed_mode_unknown(m):
    compress(m, mode='ZIP')


