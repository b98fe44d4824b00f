#!/usr/bin/env python3
"""A second reader of .mpak packs, written from format/SPEC.md alone, with nothing but Python's standard library.

usage: mpak_read.py [--no-hashes] [--decode sha256|full] [--decode-to FOLDER] PACK

Checks the pack and prints it as JSON with the keys of `mpak info --json`.
  --no-hashes         do not compare XXH3 hashes (they are slow in Python)
  --decode sha256     adds "decoded": SHA-256 of every decoded stream and of every shape's dense deltas
  --decode full       the same, with the numbers themselves
  --decode-to FOLDER  writes every decoded stream as a file: part0.base, part0.indices (u32), part0.shape2 (9 floats a
                      vertex), clips.times …

Compressed chunks need the `zstd` program. Exit codes: 0 sound, 2 usage, 3 unreadable file, 5 the pack breaks a rule.
It is made to be read beside SPEC.md, and is the proof that the document suffices; for work use mpak.
"""
import array
import hashlib
import json
import math
import os
import struct
import subprocess
import sys

NONE = 0xFFFFFFFF


class Refused(Exception):
    """The pack breaks a rule of SPEC.md."""


def require(condition, rule, item=''):
    if not condition:
        raise Refused('%s%s' % (rule, ' (%s)' % item if item != '' else ''))


# -- XXH3_64, seed 0 (section 11) -----------------------------------------------------------------------------------------

SECRET = bytes.fromhex(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221'
    'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8'
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb'
    '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e')
MASK = 0xFFFFFFFFFFFFFFFF
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def u32_at(data, at):
    return int.from_bytes(data[at:at + 4], 'little')


def u64_at(data, at):
    return int.from_bytes(data[at:at + 8], 'little')


def fold(a, b):
    product = a * b
    return (product ^ product >> 64) & MASK


def xxh64_avalanche(h):
    h = (h ^ h >> 33) * P64_2 & MASK
    h = (h ^ h >> 29) * P64_3 & MASK
    return h ^ h >> 32


def xxh3_avalanche(h):
    h = (h ^ h >> 37) * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def rotate(h, bits):
    return (h << bits | h >> (64 - bits)) & MASK


def xxh3_short(data):
    n = len(data)
    if n == 0:
        return xxh64_avalanche(u64_at(SECRET, 56) ^ u64_at(SECRET, 64))
    if n <= 3:
        combined = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return xxh64_avalanche(combined ^ u32_at(SECRET, 0) ^ u32_at(SECRET, 4))
    if n <= 8:
        h = (u32_at(data, n - 4) + (u32_at(data, 0) << 32)) ^ u64_at(SECRET, 8) ^ u64_at(SECRET, 16)
        h ^= rotate(h, 49) ^ rotate(h, 24)
        h = h * 0x9FB21C651E98DF25 & MASK
        h = (h ^ ((h >> 35) + n)) * 0x9FB21C651E98DF25 & MASK
        return h ^ h >> 28
    low = u64_at(data, 0) ^ u64_at(SECRET, 24) ^ u64_at(SECRET, 32)
    high = u64_at(data, n - 8) ^ u64_at(SECRET, 40) ^ u64_at(SECRET, 48)
    swapped = int.from_bytes(low.to_bytes(8, 'little'), 'big')
    return xxh3_avalanche((n + swapped + high + fold(low, high)) & MASK)


def xxh3_mix(data, at, secret_at):
    return fold(u64_at(data, at) ^ u64_at(SECRET, secret_at), u64_at(data, at + 8) ^ u64_at(SECRET, secret_at + 8))


def xxh3_middle(data):
    n = len(data)
    h = n * P64_1
    if n <= 128:
        for i in range((n - 1) // 32, -1, -1):
            h += xxh3_mix(data, 16 * i, 32 * i) + xxh3_mix(data, n - 16 * (i + 1), 32 * i + 16)
        return xxh3_avalanche(h & MASK)
    for i in range(8):
        h += xxh3_mix(data, 16 * i, 16 * i)
    h = xxh3_avalanche(h & MASK)
    for i in range(8, n // 16):
        h += xxh3_mix(data, 16 * i, 16 * (i - 8) + 3)
    return xxh3_avalanche((h + xxh3_mix(data, n - 16, 136 - 17)) & MASK)


def xxh3_accumulate(acc, lanes, at, secret):
    for i in range(8):
        value = lanes[at + i]
        key = value ^ secret[i]
        acc[i ^ 1] = acc[i ^ 1] + value & MASK
        acc[i] = acc[i] + (key & 0xFFFFFFFF) * (key >> 32) & MASK


def xxh3_long(data):
    n = len(data)
    acc = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    secrets = [[u64_at(SECRET, 8 * stripe + 8 * i) for i in range(8)] for stripe in range(16)]
    scramble = [u64_at(SECRET, 128 + 8 * i) for i in range(8)]
    lanes = struct.unpack('<%dQ' % (n // 8), data[:n // 8 * 8])
    stripes = (n - 1) // 64
    for stripe in range(stripes):
        xxh3_accumulate(acc, lanes, 8 * stripe, secrets[stripe % 16])
        if stripe % 16 == 15:
            for i in range(8):
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ scramble[i]) * P32_1 & MASK
    last = struct.unpack('<8Q', data[n - 64:])
    xxh3_accumulate(acc, last, 0, [u64_at(SECRET, 121 + 8 * i) for i in range(8)])
    h = n * P64_1
    for i in range(4):
        h += fold(acc[2 * i] ^ u64_at(SECRET, 11 + 16 * i), acc[2 * i + 1] ^ u64_at(SECRET, 19 + 16 * i))
    return xxh3_avalanche(h & MASK)


def xxh3_64(data):
    data = bytes(data)
    return xxh3_short(data) if len(data) <= 16 else xxh3_middle(data) if len(data) <= 240 else xxh3_long(data)


# -- Records (sections 4, 5, 8) ---------------------------------------------------------------------------------------------

def record(text):
    """'I name, 3f box' -> [(name, format, count)]"""
    members = []
    for part in text.split(','):
        code, name = part.split()
        count = int(code[:-1] or 1)
        members.append((name, code[-1], count))
    return members


WRAPPED = record('8s magic, Q hash, H format_major, H format_minor, I stream_bytes, Q file_bytes, Q pack_bytes')
HEADER = record('8s magic, H format_major, H format_minor, I header_bytes, I endian_tag, I features_required, '
                'I features_optional, I chunk_count, I chunk_entry_bytes, I flags, Q file_bytes, Q table_offset, '
                'Q decoded_bytes, Q max_chunk_decoded, I max_frame_decoded, I chunk_alignment, Q content_id, Q table_hash, '
                'Q cooker_version, 16s reserved, Q header_hash')
ENTRY = record('4s kind, H kind_version, H encoding, I flags, I owner, Q offset, Q stored_bytes, Q decoded_bytes, I stride, '
               'I count, I frame_bytes, I frame_count, B filter, B format, B slot, B zero, I lane_modes, Q hash_stored, '
               'I hash_decoded, I inner_bytes')
TABLES = {
    'NODE': record('I name, I key, I parent, I source_index, I flags, I zero, 12f rest'),
    'INST': record('I node, I mesh, I skin, I first_weight'),
    'IWGT': record('f weight'),
    'SKIN': record('I name, I key, I source_index, I first_joint, I joint_count, I zero'),
    'JONT': record('I node, 12f inverse_bind'),
    'MESH': record('I name, I key, I source_index, I first_part, I part_count, I first_control, I control_count, I first_lod, '
                   'I lod_count, I zero, 3f bounds_min, 3f bounds_max'),
    'PART': record('I mesh, I source_primitive, I lod, I material, I vertex_count, I index_count, I source_vertex_count, '
                   'I source_index_count, I first_shape, I shape_count, I first_section, I section_count, I influence_count, '
                   'I flags, I payload, I components, I block_count, I entry_count, I delta_count, I group_count, I run_count, '
                   'f step, f normal_step, 3f bounds_min, 3f bounds_max, 3f conservative_min, 3f conservative_max, '
                   'f max_position_delta, I base_chunk, I index_chunk, I joint_chunk, I weight_chunk, 4I texcoord_chunk, '
                   'I colour_chunk, 3I morph_chunk, I pack_of_source_chunk, I source_of_pack_chunk'),
    'CTRL': record('I mesh, I name, I key, I source_index, f default_weight, f range_min, f range_max, I zero'),
    'SHAP': record('I part, I control, I rule, I delta_count, I source_moved_count, f source_max_delta, 3f delta_min, '
                   '3f delta_max'),
    'RULE': record('I control, I kind, I first_point, I point_count'),
    'RPTS': record('f control_weight, f shape_weight'),
    'SECT': record('I part, I material, I first_index, I index_count, I first_vertex, I vertex_count, I first_bone, '
                   'I bone_count, I max_influences, I cloth'),
    'BMAP': record('I joint, 3f box_min, 3f box_max'),
    'LODS': record('I mesh, I level, f screen_size, f error_m, I first_required, I required_count'),
    'RBON': record('I node'),
    'MATL': record('I name, I key, I source_index, I alpha_mode, I flags, f alpha_cutoff, 4f base_colour, I base_texture, '
                   'I normal_texture, I metal_rough_texture, I occlusion_texture, I emissive_texture'),
    'CLIP': record('I name, I key, I source_index, I first_track, I track_count, f start_s, f end_s, I source_node_tracks, '
                   'I source_weight_tracks, f error_m, I first_word, I word_count'),
    'TRAK': record('I clip, I node, I path, I interpolation, I width, I key_count, I first_time, I first_value'),
    'ERRS': record('I part, I stream, f largest, f rms'),
    'META': record('I key, I value'),
    'QUAN': record('I part, I stream, 3f origin, 3f step'),
}
# kind: (flags, stride or None, element format or None); section 6
DATA = {
    'VBAS': (3, 48, 1), 'TEXC': (3, 8, 5), 'COLR': (3, None, None), 'JNTS': (3, None, None), 'WGTS': (3, None, None),
    'VQNT': (1, 12, 0), 'TEXQ': (1, 4, 0),
    'INDX': (3, None, None), 'MOFF': (3, 4, 3), 'MDEL': (3, 64, 12), 'MGRP': (1, 12, 0), 'MRUN': (1, 8, 0),
    'MPAY': (3, None, None), 'PKOS': (0, 4, 0), 'SRCP': (0, 4, 0), 'KEYT': (1, 4, 0), 'KEYV': (1, 4, 0), 'ANIM': (1, 1, 0),
}
OPTIONAL_TABLES = ('LODS', 'RBON', 'MATL', 'ERRS', 'META')
FILE_DATA = ('KEYT', 'KEYV', 'ANIM')
KEY_DATA = ('KEYT', 'KEYV')
# payload: element format of MPAY, {components: words of a lane}; section 10
PAYLOADS = {1: (16, {3: 2, 6: 2}), 2: (17, {3: 2, 6: 3, 9: 3}), 3: (18, {3: 2, 6: 3, 9: 4}), 4: (4, {3: 3, 6: 6, 9: 9})}
# payload: for each number of a lane its pieces: (word, first bit there, bits, first bit in the number)
PIECES = {
    1: [[(0, 0, 12, 0)], [(0, 12, 12, 0)], [(1, 0, 12, 0)], [(1, 12, 9, 0)], [(1, 21, 9, 0)], [(0, 24, 8, 1), (1, 31, 1, 0)]],
    2: [[(0, 0, 16, 0)], [(0, 16, 16, 0)], [(1, 0, 16, 0)], [(1, 16, 8, 0)], [(1, 24, 8, 0)]] +
       [[(2, 8 * i, 8, 0)] for i in range(4)],
    3: [[(0, 0, 16, 0)], [(0, 16, 16, 0)], [(1, 0, 16, 0)]] + [[(2 + i // 3, 10 * (i % 3), 10, 0)] for i in range(6)],
    4: [[(i, 0, 32, 0)] for i in range(9)],
}
SKIN_BYTES = {'JNTS': {2: 2, 13: 1}, 'WGTS': {4: 4, 14: 1, 15: 2}}
COLOUR_BYTES = {6: 12, 7: 16, 8: 4, 9: 4, 10: 8, 11: 8}
STREAMS = ('position', 'normal', 'tangent', 'texcoord', 'weight', 'delta_position', 'delta_normal', 'delta_tangent',
           'posed_position', 'posed_normal')


def format_of(members):
    return '<' + ''.join('%d%s' % (count, code) if count > 1 else code for _, code, count in members)


class Record:
    """One record; its members are attributes, arrays are tuples."""

    def __init__(self, members, data, at=0):
        values = iter(struct.unpack_from(format_of(members), data, at))
        for name, code, count in members:
            is_array = count > 1 and code != 's'
            setattr(self, name, tuple(next(values) for _ in range(count)) if is_array else next(values))


def finite(values):
    return all(math.isfinite(value) for value in values)


def is_positive_zero(value):
    return value == 0 and math.copysign(1, value) > 0


def f32(value):
    """Rounded to binary32; an operation of two such numbers in binary64, rounded once more, is exact binary32."""
    try:
        return struct.unpack('<f', struct.pack('<f', value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def grid_value(origin, step, number):
    return f32(origin + f32(step * number))


def octahedral_value(a, b, largest):
    z = largest - abs(a) - abs(b)
    fold = min(z, 0)
    x, y = (f32(n - fold if n < 0 else n + fold) for n in (a, b))
    length = f32(math.sqrt(f32(f32(f32(x * x) + f32(y * y)) + f32(f32(z) * f32(z)))))
    return [f32(value / length) for value in (x, y, f32(z))]


def tangent_value(normal, number, places):
    x, y, z = normal
    s = -1.0 if z < 0 else 1.0
    r = f32(-1 / f32(s + z))
    xy = f32(f32(x * y) * r)
    u = (f32(1 + s * f32(f32(x * x) * r)), s * xy, -(s * x))
    v = (xy, f32(s + f32(f32(y * y) * r)), -y)
    p = f32(number * f32(4 / places)) - 1
    t, c = (f32(2 - p), f32(abs(f32(2 - p)) - 1)) if p > 1 else (p, f32(1 - abs(p)))
    total = [f32(f32(c * a) + f32(t * b)) for a, b in zip(u, v)]
    length = f32(math.sqrt(f32(f32(f32(total[0] ** 2) + f32(total[1] ** 2)) + f32(total[2] ** 2))))
    return [f32(value / length) for value in total]


def is_box(low, high):
    return finite(low + high) and all(a <= b for a, b in zip(low, high))


# -- The file: header, chunk table, places, hashes (sections 4 … 7) ---------------------------------------------------------

def alignment_of(entry):
    if entry.encoding != 0 or not entry.flags & 2:
        return 64
    return 4096 if entry.stored_bytes >= 65536 else 256


def align(value, alignment):
    return -(-value // alignment) * alignment


def plain_frame_bytes(stride):
    return 2 * (131072 // stride // 16 * 16) * stride


FRAME_TRIANGLES = 16384


def stream_limit(entry, decoded_bytes):
    """The most bytes of the stream of a frame of encoding 2 that decodes to so many bytes."""
    return 17 * (decoded_bytes // (3 * entry.stride)) + 5


# -- Wrapped packs (section 14) -----------------------------------------------------------------------------------------

WRAPPED_MAGIC = b'\x89MPKW\r\n\x1a'


def take(data, at, count, rule):
    require(at + count <= len(data), rule)
    return data[at:at + count], at + count


def wrapped_stream(data, stream_bytes):
    """(the stream, where the frames end)"""
    sizes, at = take(data, 40, 4 * -(-stream_bytes // (1 << 20)), 'wrapped: no room for the frame sizes')
    frames = []
    for number, (size,) in enumerate(struct.iter_unpack('<I', sizes)):
        frame, at = take(data, at, size, 'wrapped: a frame does not fit into the file')
        expected = min(1 << 20, stream_bytes - (number << 20))
        require(declared_size(frame, number) == expected, 'wrapped: a frame does not decompress to its size')
        frames.append(frame)
    done = subprocess.run(['zstd', '-dcq'], input=b''.join(frames), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    require(done.returncode == 0 and len(done.stdout) == stream_bytes, 'wrapped: a frame does not decompress to its size')
    return done.stdout, at


def place_chunk(pack, line, number, stream, behind):
    """Moves one chunk to its place, and makes its line of the table what it was."""
    entry = Record(ENTRY, pack, line)
    require(entry.zero <= 1, 'wrapped: a chunk stands nowhere', number)
    require(entry.hash_stored == 0 and (entry.encoding or entry.hash_decoded == 0),
            'wrapped: a hash that is made anew is not zero', number)
    require(entry.offset + entry.stored_bytes <= len(pack), 'wrapped: a chunk does not fit into the pack', number)
    source = behind if entry.zero else stream
    chunk, source[1] = take(source[0], source[1], entry.stored_bytes,
                            'wrapped: the file ends early' if entry.zero else 'wrapped: the stream ends early')
    if not entry.zero and entry.encoding == 0 and 1 < entry.stride <= 8192:
        require(len(chunk) % entry.stride == 0, 'wrapped: a chunk is not made of its records', number)
        chunk = records_of_planes(chunk, entry.stride, 0)
    pack[entry.offset:entry.offset + len(chunk)] = chunk
    pack[line + 59] = 0
    value = xxh3_64(chunk)
    struct.pack_into('<Q', pack, line + 64, value)
    if entry.encoding == 0:
        struct.pack_into('<I', pack, line + 72, value & 0xFFFFFFFF)
    return entry


def unwrapped(data, check_hashes):
    """The pack in a wrapped file."""
    require(len(data) >= 40, 'wrapped: the file is shorter than its header')
    header = Record(WRAPPED, data)
    require(header.format_major == 1, 'wrapped: another format version')
    require(header.file_bytes == len(data), "wrapped: file_bytes is not the file's size")
    require(header.pack_bytes <= 1 << 34, 'wrapped: the pack is larger than the caller allows')
    require(128 <= header.stream_bytes <= header.pack_bytes, 'wrapped: stream_bytes is out of range')
    require(not check_hashes or xxh3_64(data[16:]) == header.hash, 'wrapped: its hash is another one')
    stream, frames_end = wrapped_stream(data, header.stream_bytes)
    inner = Record(HEADER, stream)
    require(inner.table_offset >= 128 and inner.table_offset + 80 * inner.chunk_count == header.pack_bytes,
            'wrapped: the chunk table does not end the pack')
    require(inner.table_hash == 0 and inner.header_hash == 0, 'wrapped: a hash that is made anew is not zero')
    table, at = take(stream, 128, 80 * inner.chunk_count, 'wrapped: the stream ends early')
    pack = bytearray(header.pack_bytes)
    pack[:128], pack[inner.table_offset:] = stream[:128], records_of_planes(table, 80, 0)
    left, behind, end = [stream, at], [data, frames_end], 128
    for number in range(inner.chunk_count):
        entry = place_chunk(pack, inner.table_offset + 80 * number, number, left, behind)
        require(end <= entry.offset and entry.offset + entry.stored_bytes <= inner.table_offset,
                'wrapped: a chunk does not fit into the pack', number)
        end = entry.offset + entry.stored_bytes
    require(left[1] == len(stream), 'wrapped: bytes of the stream are left')
    require(behind[1] == len(data), 'wrapped: bytes of the file are left')
    struct.pack_into('<Q', pack, 88, xxh3_64(bytes(pack[inner.table_offset:])))
    struct.pack_into('<Q', pack, 120, xxh3_64(bytes(pack[:120])))
    return bytes(pack)


# -- Packs --------------------------------------------------------------------------------------------------------------

class Pack:
    def __init__(self, data, check_hashes=True):
        self.file_bytes, self.is_wrapped = len(data), data[:8] == WRAPPED_MAGIC
        self.data, self.check_hashes = unwrapped(data, check_hashes) if self.is_wrapped else data, check_hashes
        self.read_header()
        self.read_chunks()
        self.read_tables()
        self.frames = None

    def read_header(self):
        data = self.data
        require(data[:8] != WRAPPED_MAGIC, 'header: the pack is wrapped')
        require(data[:8] == b'\x89MPAK\r\n\x1a', 'header: the magic is another one')
        require(len(data) >= 128, 'header: the file is shorter than a header')
        header = self.header = Record(HEADER, data)
        require(header.endian_tag == 0x01020304, 'header: not little-endian')
        require(header.format_major == 1, 'header: another format version')
        require(not self.check_hashes or xxh3_64(data[:120]) == header.header_hash, 'header: its hash is another one')
        require(header.file_bytes == len(data), "header: file_bytes is not the file's size")
        require(header.features_required == 0, 'header: unknown required feature')
        require(header.header_bytes == 128, 'header: header_bytes is not 128')
        require(header.chunk_entry_bytes == 80, 'header: chunk_entry_bytes is not 80')
        require(header.flags <= 2, 'header: unknown flag')
        require(header.chunk_alignment == 64, 'header: chunk_alignment is not 64')
        require(header.max_frame_decoded <= 1 << 20, 'header: max_frame_decoded above 1 MiB')
        require(not any(header.reserved), 'header: reserved is not zero')
        require(header.chunk_count <= 1 << 20, 'header: too many chunks')
        require(header.table_offset % 8 == 0, 'header: table_offset is not a multiple of 8')
        require(header.table_offset >= 128 and header.table_offset + 80 * header.chunk_count == len(data),
                'header: the table does not end the file')
        require(not self.check_hashes or xxh3_64(data[header.table_offset:]) == header.table_hash,
                "header: the table's hash is another one")

    def read_chunks(self):
        header, end, largest_frame = self.header, 128, 0
        self.chunks = [Record(ENTRY, self.data, header.table_offset + 80 * i) for i in range(header.chunk_count)]
        for number, entry in enumerate(self.chunks):
            entry.kind = entry.kind.decode('latin-1')
            self.check_entry(number, entry)
            place = align(end, alignment_of(entry))
            require(entry.offset == place, 'chunk: offset is not the next aligned place', number)
            require(place + entry.stored_bytes <= header.table_offset, 'chunk: it does not fit into the file', number)
            require(not any(self.data[end:place]), 'chunk: padding is not zero', number)
            end = place + entry.stored_bytes
            stored = self.stored(entry)
            require(not self.check_hashes or xxh3_64(stored) == entry.hash_stored, 'chunk: its hash is another one', number)
            if entry.encoding != 0 and entry.kind in DATA:
                self.check_frames(number, entry, stored)
                frame = min(entry.frame_bytes, entry.decoded_bytes)
                if entry.encoding == 2:
                    frame = stream_limit(entry, frame)
                if entry.kind == 'MPAY':
                    frame = frame * {16: 12, 18: 9}.get(entry.format, 8) // 8
                largest_frame = max(largest_frame, frame)
        require(header.table_offset == align(end, 8), 'header: table_offset is not the next aligned place')
        require(not any(self.data[end:header.table_offset]), 'header: padding before the table is not zero')
        sizes = [entry.decoded_bytes for entry in self.chunks]
        require(header.decoded_bytes == sum(sizes), "header: decoded_bytes is not the chunks' sum")
        require(header.max_chunk_decoded == max(sizes, default=0), "header: max_chunk_decoded is not the chunks' largest")
        require(header.max_frame_decoded == largest_frame, "header: max_frame_decoded is not the frames' largest")

    def check_entry(self, number, entry):
        kind = entry.kind
        known = kind in TABLES or kind == 'STRS' or kind in DATA
        require(entry.flags & ~3 == 0, 'chunk: unknown flag', number)
        require(known or not entry.flags & 1, 'chunk: unknown required kind', number)
        require(entry.zero == 0 and entry.inner_bytes == 0, 'chunk: reserved is not zero', number)
        require(entry.count > 0 and entry.stride > 0, 'chunk: it is empty', number)
        require(entry.decoded_bytes == entry.stride * entry.count, 'chunk: decoded_bytes is not stride times count', number)
        if entry.encoding == 0:
            require(entry.stored_bytes == entry.decoded_bytes, 'chunk: stored, but its two sizes differ', number)
            require((entry.frame_bytes, entry.frame_count, entry.filter, entry.lane_modes) == (0, 0, 0, 0),
                    'chunk: stored, but has frames or a filter', number)
        if not known:
            return
        require(entry.encoding <= (2 if kind == 'INDX' else 1), 'chunk: unknown encoding', number)
        require(entry.kind_version == 1, 'chunk: unknown version of its kind', number)
        if kind in DATA:
            flags, stride, element = DATA[kind]
        else:
            flags = 0 if kind in OPTIONAL_TABLES else 1
            stride = 1 if kind == 'STRS' else struct.calcsize(format_of(TABLES[kind]))
            element = 0
        require(entry.flags == flags, 'chunk: wrong flags for its kind', number)
        require(stride is None or entry.stride == stride, 'chunk: wrong stride for its kind', number)
        if kind == 'INDX':
            require((entry.format, entry.stride) in ((2, 2), (3, 4)), 'chunk: wrong format for its kind', number)
        elif kind == 'MPAY':
            require(entry.format in (4, 16, 17, 18), 'chunk: wrong format for its kind', number)
        elif kind == 'COLR':
            require(COLOUR_BYTES.get(entry.format) == entry.stride, 'chunk: wrong format for its kind', number)
        elif kind in SKIN_BYTES:
            size = SKIN_BYTES[kind].get(entry.format)
            require(size and entry.stride % size == 0, 'chunk: wrong format for its kind', number)
        elif kind != 'MPAY':
            require(entry.format == element, 'chunk: wrong format for its kind', number)
        require(entry.slot < (4 if kind in ('TEXC', 'TEXQ') else 1), 'chunk: slot is out of range', number)
        has_owner = kind in DATA and kind not in FILE_DATA
        require((entry.owner != NONE) == has_owner, 'chunk: wrong owner for its kind', number)
        require(entry.encoding == 0 or kind in DATA, 'chunk: a table is compressed', number)

    def check_frames(self, number, entry, stored):
        if entry.kind == 'MPAY':
            streams = entry.stride // 4 if entry.format == 4 else 0
            modes = [entry.lane_modes >> 2 * i & 3 for i in range(16)]
            require(entry.filter == 4, 'chunk: wrong filter for its kind', number)
            require(entry.frame_bytes == 524288, 'chunk: wrong frame_bytes', number)
            require(all(mode == 0 or (mode == 3 and i < streams) for i, mode in enumerate(modes)),
                    'chunk: wrong lane modes', number)
        else:
            has_groups = entry.stride % 4 == 0 and entry.stride <= 64
            require(entry.filter <= (0 if entry.encoding == 2 else 2 if has_groups else 1),
                    'chunk: wrong filter for its kind', number)
            require(entry.stride <= 8192, 'chunk: stride is too long for a compressed chunk', number)
            frame_bytes = 3 * FRAME_TRIANGLES * entry.stride if entry.encoding == 2 else plain_frame_bytes(entry.stride)
            require(entry.frame_bytes == frame_bytes, 'chunk: wrong frame_bytes', number)
            is_right = 0 < entry.lane_modes < 4 ** (entry.stride // 4) if entry.filter == 2 else entry.lane_modes == 0
            require(is_right, 'chunk: wrong lane modes', number)
            require(entry.frame_count == -(-entry.decoded_bytes // entry.frame_bytes), 'chunk: wrong frame_count', number)
        table_bytes = self.frame_table_bytes(entry)
        require(0 < table_bytes <= len(stored), 'chunk: no room for the frame sizes', number)
        require(table_bytes + sum(self.frame_sizes(entry)) == len(stored),
                'chunk: frame sizes do not sum to stored_bytes', number)
        for i, size in enumerate(self.stream_sizes(entry)):
            limit = stream_limit(entry, min(entry.frame_bytes, entry.decoded_bytes - i * entry.frame_bytes))
            require(size <= limit, 'chunk: a stream is longer than its triangles can be', number)

    @staticmethod
    def frame_table_bytes(entry):
        return (8 if entry.encoding == 2 else 4) * entry.frame_count

    def stream_sizes(self, entry):
        """Encoding 2: sizes of the streams in the frames, behind the sizes of the frames."""
        count = entry.frame_count if entry.encoding == 2 else 0
        return struct.unpack_from('<%dI' % count, self.data, entry.offset + 4 * count)

    def stored(self, entry):
        return self.data[entry.offset:entry.offset + entry.stored_bytes]

    def frame_sizes(self, entry):
        return struct.unpack_from('<%dI' % entry.frame_count, self.data, entry.offset)

    # -- Tables (section 8) -----------------------------------------------------------------------------------------------

    def read_tables(self):
        self.table = {kind: [] for kind in TABLES}
        self.strings, self.file_data = None, {}
        for number, entry in enumerate(self.chunks):
            if entry.kind == 'STRS':
                require(self.strings is None, 'chunk: its kind occurs twice', number)
                self.strings = self.stored(entry)
            elif entry.kind in TABLES:
                require(not self.table[entry.kind], 'chunk: its kind occurs twice', number)
                members = TABLES[entry.kind]
                self.table[entry.kind] = [Record(members, self.data, entry.offset + entry.stride * i)
                                          for i in range(entry.count)]
            elif entry.kind in FILE_DATA:
                require(entry.kind not in self.file_data, 'chunk: its kind occurs twice', number)
                self.file_data[entry.kind] = number
        require(self.strings is not None, 'STRS: there is none')
        require(self.strings[0] == 0, 'STRS: it does not start with the empty string')
        require(self.strings[-1] == 0, 'STRS: it does not end in a zero byte')
        try:
            self.strings.decode('utf-8')
        except UnicodeDecodeError as error:
            raise Refused('STRS: not UTF-8 (%s)' % error)
        require(max(len(text) for text in self.strings.split(b'\0')) <= 65535,
                'STRS: a string is longer than 65,535 bytes')
        self.check_scene()
        self.check_meshes()
        self.check_parts()
        self.check_quantised()
        self.check_clips()

    def text(self, offset, rule='STRS: no string'):
        require(offset == 0 or (offset < len(self.strings) and self.strings[offset - 1] == 0), rule, offset)
        return self.strings[offset:self.strings.index(b'\0', offset)].decode('utf-8')

    def check_named(self, kind):
        for i, item in enumerate(self.table[kind]):
            self.text(item.name, kind + ': name is no string')
            require(self.text(item.key, kind + ': key is no string, or empty') != '',
                    kind + ': key is no string, or empty', i)
            require(getattr(item, 'zero', 0) == 0, kind + ': reserved is not zero', i)

    def check_tiles(self, above, first, count, below, what):
        """Records of one table tile another."""
        end = 0
        for i, item in enumerate(self.table[above]):
            require(getattr(item, first) == end, '%s: %s do not tile' % (above, what), i)
            end += getattr(item, count)
            require(end <= len(self.table[below]), '%s: %s end past %s' % (above, what, below), i)
        require(end == len(self.table[below]), '%s: %s left over' % (above, what))

    def check_scene(self):
        table, nodes = self.table, self.table['NODE']
        for kind in ('NODE', 'SKIN', 'MATL', 'MESH', 'CTRL', 'CLIP'):
            self.check_named(kind)
        require(len(nodes) <= 65535, 'NODE: too many nodes')
        depths = []
        for i, node in enumerate(nodes):
            require(node.parent == NONE or node.parent < i, 'NODE: parent is not below its child', i)
            require(node.flags <= 1, 'NODE: unknown flag', i)
            depths.append(1 if node.parent == NONE else depths[node.parent] + 1)
            require(depths[i] <= 1024, 'NODE: the tree is deeper than 1,024', i)
            length = sum(value * value for value in node.rest[3:7])
            is_trs = 2.0 ** -40 <= length <= 2.0 ** 40 and all(is_positive_zero(value) for value in node.rest[10:])
            require(finite(node.rest) and (node.flags == 1 or is_trs), 'NODE: rest is no transform', i)
        self.check_tiles('SKIN', 'first_joint', 'joint_count', 'JONT', 'joints')
        for i, skin in enumerate(table['SKIN']):
            require(1 <= skin.joint_count <= 65535, 'SKIN: no joint, or too many', i)
        for i, joint in enumerate(table['JONT']):
            require(joint.node < len(nodes), 'JONT: node is past the nodes', i)
            require(finite(joint.inverse_bind), 'JONT: inverse bind is not finite', i)
        for i, material in enumerate(table['MATL']):
            require(material.alpha_mode <= 2, 'MATL: unknown alpha mode', i)
            require(material.flags <= 1, 'MATL: unknown flag', i)
            require(finite(material.base_colour + (material.alpha_cutoff,)), 'MATL: a number is not finite', i)
            for texture in ('base', 'normal', 'metal_rough', 'occlusion', 'emissive'):
                self.text(getattr(material, texture + '_texture'), 'MATL: a texture is no string')
        for i, meta in enumerate(table['META']):
            require(self.text(meta.key) != '', 'META: key is no string, or empty', i)
            self.text(meta.value, 'META: value is no string')

    def check_meshes(self):
        table = self.table
        self.check_tiles('MESH', 'first_part', 'part_count', 'PART', 'parts')
        self.check_tiles('MESH', 'first_control', 'control_count', 'CTRL', 'controls')
        self.check_tiles('MESH', 'first_lod', 'lod_count', 'LODS', 'LODs')
        self.check_tiles('LODS', 'first_required', 'required_count', 'RBON', 'required bones')
        for m, mesh in enumerate(table['MESH']):
            require(is_box(mesh.bounds_min, mesh.bounds_max), 'MESH: bounds are no box', m)
            require(mesh.control_count <= 65535, 'MESH: too many controls', m)
            is_bare = mesh.lod_count == 0 and all(map(is_positive_zero, mesh.bounds_min + mesh.bounds_max))
            require(mesh.part_count != 0 or is_bare, 'MESH: no part, but bounds or LODs', m)
            parts = table['PART'][mesh.first_part:mesh.first_part + mesh.part_count]
            order = [(part.lod, part.source_primitive) for part in parts]
            require(all(part.mesh == m for part in parts), 'PART: mesh is not the one that lists it', m)
            require(all(a < b for a, b in zip(order, order[1:])), 'PART: parts do not ascend by LOD and primitive', m)
            require(all(part.lod < max(mesh.lod_count, 1) for part in parts), "PART: lod is past the mesh's LODs", m)
            for i, control in enumerate(table['CTRL'][mesh.first_control:mesh.first_control + mesh.control_count]):
                require(control.mesh == m, 'CTRL: mesh is not the one that lists it', i)
                require(finite((control.range_min, control.range_max))
                        and control.range_min <= control.default_weight <= control.range_max,
                        'CTRL: default weight is outside the range', i)
            for i, lod in enumerate(table['LODS'][mesh.first_lod:mesh.first_lod + mesh.lod_count]):
                require(lod.mesh == m, 'LODS: mesh is not the one that lists it', i)
                require(lod.level == i, 'LODS: levels do not count from 0', i)
                require(finite((lod.screen_size, lod.error_m)) and lod.screen_size >= 0 and lod.error_m >= 0,
                        'LODS: a size is negative or not finite', i)
                self.check_required(lod)

    def check_required(self, lod):
        nodes = [item.node for item in self.table['RBON'][lod.first_required:lod.first_required + lod.required_count]]
        require(all(node < len(self.table['NODE']) for node in nodes), 'RBON: node is past the nodes')
        require(all(a < b for a, b in zip(nodes, nodes[1:])), 'RBON: nodes do not ascend')
        there = set(nodes) | {NONE}
        require(all(self.table['NODE'][node].parent in there for node in nodes), 'RBON: a parent is missing')

    def check_parts(self):
        table = self.table
        self.check_tiles('PART', 'first_shape', 'shape_count', 'SHAP', 'shapes')
        self.check_tiles('PART', 'first_section', 'section_count', 'SECT', 'sections')
        self.check_tiles('SECT', 'first_bone', 'bone_count', 'BMAP', 'bones')
        self.check_rules()
        materials = len(table['MATL'])
        for number, part in enumerate(table['PART']):
            require(part.material == NONE or part.material < materials, 'PART: material is past MATL', number)
            require(1 <= part.vertex_count < 1 << 31, 'PART: no vertex, or too many', number)
            require(part.influence_count in (0, 4, 8, 12), 'PART: influence_count is not 0, 4, 8 or 12', number)
            require(part.flags & ~30 == 0, 'PART: unknown flag', number)
            require(is_box(part.bounds_min, part.bounds_max), 'PART: bounds are no box', number)
            require(is_box(part.conservative_min, part.conservative_max), 'PART: conservative bounds are no box', number)
            require(math.isfinite(part.max_position_delta) and part.max_position_delta >= 0,
                    'PART: max_position_delta is negative or not finite', number)
            self.check_sections(number, part)
            self.check_payload(number, part)
            self.check_references(number, part)
        for i, error in enumerate(table['ERRS']):
            require(error.part < len(table['PART']), 'ERRS: part is past the parts', i)
            require(error.stream < len(STREAMS), 'ERRS: unknown stream', i)
            require(finite((error.largest, error.rms)) and error.largest >= 0 and error.rms >= 0,
                    'ERRS: an error is negative or not finite', i)
        self.check_instances()

    def check_rules(self):
        table, named = self.table, 0
        self.check_tiles('RULE', 'first_point', 'point_count', 'RPTS', 'points')
        for i, rule in enumerate(table['RULE']):
            require(rule.control < len(table['CTRL']), 'RULE: control is past the controls', i)
            require(rule.kind == 1, 'RULE: this kind is of a later version', i)
            require(rule.point_count >= 2, 'RULE: fewer than two points', i)
            points = table['RPTS'][rule.first_point:rule.first_point + rule.point_count]
            require(all(finite((point.control_weight, point.shape_weight)) for point in points),
                    'RPTS: a weight is not finite', i)
            require(all(a.control_weight < b.control_weight for a, b in zip(points, points[1:])),
                    "RPTS: the control's weights do not ascend", i)
        for i, shape in enumerate(table['SHAP']):
            if shape.rule != NONE:
                require(shape.rule < len(table['RULE']), 'SHAP: rule is past the rules', i)
                require(table['RULE'][shape.rule].control == shape.control, 'SHAP: its rule is of another control', i)
                require(shape.rule <= named, 'SHAP: rules are not numbered as shapes first name them', i)
                named += shape.rule == named
        require(named == len(table['RULE']), 'RULE: rules that no shape names')

    def sections_of(self, part):
        return self.table['SECT'][part.first_section:part.first_section + part.section_count]

    def bones_of(self, section):
        return self.table['BMAP'][section.first_bone:section.first_bone + section.bone_count]

    def shapes_of(self, part):
        return self.table['SHAP'][part.first_shape:part.first_shape + part.shape_count]

    def check_sections(self, number, part):
        index_end = vertex_end = 0
        for section in self.sections_of(part):
            require(section.part == number, 'SECT: part is not the one that lists it', number)
            require(section.cloth == NONE, 'SECT: cloth is of a later version', number)
            require(section.material == NONE or section.material < len(self.table['MATL']), 'SECT: material is past MATL')
            require(section.index_count % 3 == 0 and section.first_index == index_end,
                    'SECT: sections do not tile the triangles', number)
            require(section.vertex_count > 0 and section.first_vertex == vertex_end,
                    'SECT: sections do not tile the vertices', number)
            index_end += section.index_count
            vertex_end += section.vertex_count
            is_skinned = part.influence_count > 0
            require((section.max_influences > 0) == is_skinned and section.max_influences <= part.influence_count,
                    'SECT: max_influences does not fit the part', number)
            require((section.bone_count > 0) == is_skinned, 'SECT: bone_count does not fit the part', number)
            joints = [bone.joint for bone in self.bones_of(section)]
            require(all(a < b for a, b in zip(joints, joints[1:])), 'BMAP: joints do not ascend', number)
            for bone in self.bones_of(section):
                above = sum(a > b for a, b in zip(bone.box_min, bone.box_max))
                require(finite(bone.box_min + bone.box_max) and above in (0, 3), 'BMAP: its box is none', number)
        require(index_end == part.index_count, 'SECT: sections do not end with the triangles', number)
        require(vertex_end == part.vertex_count, 'SECT: sections do not end with the vertices', number)

    def check_payload(self, number, part):
        mesh = self.table['MESH'][part.mesh]
        require(part.payload <= 5, 'PART: unknown payload', number)
        require((part.payload == 0) == (part.shape_count == 0),
                'PART: shapes without a payload, or a payload without shapes', number)
        blocks = (part.components, part.block_count, part.entry_count, part.group_count, part.run_count)
        if part.payload in PAYLOADS:
            needed = 9 if part.flags & 8 else 6 if part.flags & 4 else 3
            require(part.components in (3, 6, 9), 'PART: components are not 3, 6 or 9', number)
            require(part.components >= needed, 'PART: its flags ask for more components', number)
            require(part.components in PAYLOADS[part.payload][1], 'PART: P8 has no tangents', number)
            require(part.payload < 4 or (part.step == 1 and part.normal_step == 1), 'PART: the steps of P36 are not 1', number)
            require(scale_fits(part.step) and scale_fits(part.normal_step), 'PART: a step is out of range', number)
            require(part.block_count == sum(-(-section.vertex_count // 64) for section in self.sections_of(part)),
                    'PART: block_count is not what the sections need', number)
        else:
            require(blocks == (0, 0, 0, 0, 0) and is_positive_zero(part.step) and is_positive_zero(part.normal_step),
                    'PART: numbers of blk64 without blk64', number)
        require(not part.flags & 16 or (part.flags & 10 == 2 and 1 <= part.payload <= 3),
                'PART: nothing to make square to the normal', number)
        for i, shape in enumerate(self.shapes_of(part)):
            require(shape.part == number, 'SHAP: part is not the one that lists it', i)
            require(0 <= shape.control - mesh.first_control < mesh.control_count, 'SHAP: control is not one of the mesh', i)
            require(is_box(shape.delta_min, shape.delta_max) and max(shape.delta_min) <= 0 <= min(shape.delta_max),
                    'SHAP: its box is none, or does not hold zero', i)
        require(part.delta_count == sum(shape.delta_count for shape in self.shapes_of(part)),
                "PART: delta_count is not the sum of its shapes'", number)

    def check_references(self, number, part):
        """Every data chunk of the part is there, is what the part says, and is referred to (section 6)."""
        vertices, influences = part.vertex_count, part.influence_count
        morph = {5: (('MOFF', vertices + 1), ('MDEL', part.delta_count), ('MPAY', 0)),
                 0: (('MGRP', 0), ('MRUN', 0), ('MPAY', 0))}.get(
                     part.payload, (('MGRP', part.group_count), ('MRUN', part.run_count), ('MPAY', part.delta_count)))
        element, lane_words = PAYLOADS.get(part.payload, (0, {}))
        skinned = vertices if influences else 0
        kind_of = lambda chunk, usual, other: other if self.kind_at(chunk) == other else usual
        element_bytes = lambda chunk, kind, usual: SKIN_BYTES[kind].get(self.chunks[chunk].format, usual) \
            if chunk < len(self.chunks) else usual
        base_kind = kind_of(part.base_chunk, 'VBAS', 'VQNT')
        wanted = [(part.base_chunk, base_kind, vertices, 0, 0, True), (part.index_chunk, 'INDX', part.index_count, 0, 0, True),
                  (part.joint_chunk, 'JNTS', skinned, element_bytes(part.joint_chunk, 'JNTS', 2) * influences, 0, True),
                  (part.weight_chunk, 'WGTS', skinned, element_bytes(part.weight_chunk, 'WGTS', 4) * influences, 0, True),
                  (part.colour_chunk, 'COLR', vertices, 0, 0, False),
                  (part.pack_of_source_chunk, 'PKOS', part.source_vertex_count, 4, 0, False),
                  (part.source_of_pack_chunk, 'SRCP', vertices, 4, 0, False)]
        wanted += [(chunk, kind_of(chunk, 'TEXC', 'TEXQ'), vertices, 0, slot, False)
                   for slot, chunk in enumerate(part.texcoord_chunk)]
        wanted += [(chunk, kind, count, 4 * lane_words.get(part.components, 0) if kind == 'MPAY' else 0, 0, True)
                   for chunk, (kind, count) in zip(part.morph_chunk, morph)]
        for chunk, kind, count, stride, slot, is_needed in wanted:
            if chunk == NONE:
                require(count == 0 or not is_needed, 'PART: a chunk is missing', kind)
                continue
            require(chunk < len(self.chunks), 'PART: a chunk is past the chunk table', kind)
            entry = self.chunks[chunk]
            require(entry.kind == kind, 'PART: a chunk is of another kind', kind)
            require(entry.owner == number, 'PART: a chunk belongs to another part', kind)
            require(entry.slot == slot, 'PART: a chunk is of another slot', kind)
            require(entry.count == count, 'PART: a chunk has another count than the part says', kind)
            require(stride == 0 or entry.stride == stride, 'PART: a chunk has another stride than the part says', kind)
            require(kind != 'MPAY' or entry.format == element, 'PART: a chunk has another format than the part says', kind)
        require((part.pack_of_source_chunk == NONE) == (part.source_of_pack_chunk == NONE), 'PART: half a source map')
        named = {item[0] for item in wanted}
        for i, entry in enumerate(self.chunks):
            if entry.kind in DATA and entry.owner == number:
                require(i in named, 'chunk: its part does not refer to it', i)
            if entry.kind in DATA and entry.kind not in FILE_DATA:
                require(entry.owner < len(self.table['PART']), 'chunk: owner is past the parts', i)

    def kind_at(self, chunk):
        return self.chunks[chunk].kind if chunk < len(self.chunks) else None

    def check_quantised(self):
        """QUAN has one record for each quantised stream, in order (section 8)."""
        wanted = []
        for number, part in enumerate(self.table['PART']):
            if self.kind_at(part.base_chunk) == 'VQNT':
                wanted += [(number, stream) for stream in range(3 if part.flags & 2 else 2)]
            wanted += [(number, 3 + slot) for slot, chunk in enumerate(part.texcoord_chunk)
                       if self.kind_at(chunk) == 'TEXQ']
        records = self.table['QUAN']
        for i, key in enumerate(wanted):
            require(i < len(records) and (records[i].part, records[i].stream) == key,
                    'QUAN: not the record that a quantised stream needs', i)
            record, zero = records[i], all(is_positive_zero(value) for value in records[i].origin)
            if record.stream in (1, 2):
                allowed = [2 ** bits - 1 for bits in range(7, 16)] if record.stream == 1 else \
                    [2 ** bits for bits in range(6, 16)]
                require(zero and record.step[0] in allowed and all(is_positive_zero(value) for value in record.step[1:]),
                        'QUAN: no step of a direction', i)
                continue
            for axis in range(3):
                origin, step = record.origin[axis], record.step[axis]
                if axis == 2 and record.stream != 0:
                    require(is_positive_zero(origin) and is_positive_zero(step), 'QUAN: a grid is none', i)
                else:
                    require(finite((origin, step)) and step > 0 and finite((grid_value(origin, step, 65535),)),
                            'QUAN: a grid is none', i)
        require(len(records) == len(wanted), 'QUAN: a record that no stream needs', len(wanted))
        self.grids = {(record.part, record.stream): record for record in records}

    def check_instances(self):
        table, last = self.table, -1
        for i, instance in enumerate(table['INST']):
            require(instance.node < len(table['NODE']), 'INST: node is past the nodes', i)
            require(instance.node > last, 'INST: instances do not ascend by node', i)
            require(instance.mesh < len(table['MESH']), 'INST: mesh is past the meshes', i)
            require(instance.skin == NONE or instance.skin < len(table['SKIN']), 'INST: skin is past the skins', i)
            mesh, last = table['MESH'][instance.mesh], instance.node
            require(instance.first_weight == NONE or instance.first_weight + mesh.control_count <= len(table['IWGT']),
                    'INST: weights end past IWGT', i)
            if instance.skin != NONE:
                joints = table['SKIN'][instance.skin].joint_count
                for part in table['PART'][mesh.first_part:mesh.first_part + mesh.part_count]:
                    for section in self.sections_of(part):
                        require(all(bone.joint < joints for bone in self.bones_of(section)),
                                "INST: the skin lacks joints of the mesh's bone maps", i)
        require(finite([item.weight for item in table['IWGT']]), 'IWGT: a weight is not finite')

    def check_clips(self):
        table, value_end = self.table, 0
        times, values = (self.chunks[self.file_data[kind]].count if kind in self.file_data else 0 for kind in KEY_DATA)
        mesh_of = {instance.node: table['MESH'][instance.mesh] for instance in table['INST']}
        self.check_tiles('CLIP', 'first_track', 'track_count', 'TRAK', 'tracks')
        require(len(table['CLIP']) <= 65535, 'CLIP: too many clips')
        for c, clip in enumerate(table['CLIP']):
            require(finite((clip.start_s, clip.end_s)) and clip.start_s <= clip.end_s, 'CLIP: it ends before it starts', c)
            last = (-1, -1)
            for track in table['TRAK'][clip.first_track:clip.first_track + clip.track_count]:
                require(track.clip == c, 'TRAK: clip is not the one that lists it', c)
                require(track.node < len(table['NODE']), 'TRAK: node is past the nodes', c)
                require(track.path <= 3, 'TRAK: unknown path', c)
                require(track.interpolation <= 2, 'TRAK: unknown interpolation', c)
                weights = mesh_of[track.node].control_count if track.node in mesh_of else 0
                require(track.width == (3, 4, 3, weights)[track.path] > 0, 'TRAK: wrong width for its path', c)
                require(track.key_count > 0, 'TRAK: it has no key', c)
                require(last < (track.node, track.path), 'TRAK: tracks do not ascend by node and path', c)
                require(track.first_time + track.key_count <= times, 'TRAK: times end past KEYT', c)
                require(track.first_value == value_end, 'TRAK: tracks do not tile the values', c)
                value_end += track.key_count * track.width * (3 if track.interpolation == 2 else 1)
                last = (track.node, track.path)
        require(value_end == values, 'TRAK: values that belong to no track')
        self.check_block_places()

    def check_block_places(self):
        end, room = 0, self.chunks[self.file_data['ANIM']].decoded_bytes if 'ANIM' in self.file_data else 0
        for c, clip in enumerate(self.table['CLIP']):
            require(math.isfinite(clip.error_m) and clip.error_m >= 0, 'CLIP: error is negative or not finite', c)
            require(clip.first_word == end, 'CLIP: compressed blocks do not tile', c)
            end += clip.word_count
            room += 8 if clip.word_count and room else 0
            require(end <= 0xFFFFFFFF and 4 * end <= room, 'CLIP: compressed blocks are longer than ANIM', c)
        require(end > 0 or 'ANIM' not in self.file_data, 'ANIM: no clip has a block')

    # -- Decoding (section 7) -----------------------------------------------------------------------------------------------

    def decompress_all(self):
        """All frames of all chunks through one run of the zstd program: frames[chunk] is a list of bytes."""
        self.frames, stream, sizes = {}, [], []
        for number, entry in enumerate(self.chunks):
            if entry.encoding == 0 or entry.kind not in DATA:
                continue
            at = entry.offset + self.frame_table_bytes(entry)
            for i, size in enumerate(self.frame_sizes(entry)):
                frame = self.data[at:at + size]
                sizes.append((number, declared_size(frame, number)))
                stream.append(frame)
                at += size
            self.frames[number] = []
        if not stream:
            return
        done = subprocess.run(['zstd', '-dcq'], input=b''.join(stream), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        require(done.returncode == 0 and len(done.stdout) == sum(size for _, size in sizes),
                'frames: a frame does not decompress to its size', done.stderr.decode('utf-8', 'replace').strip())
        at = 0
        for number, size in sizes:
            self.frames[number].append(done.stdout[at:at + size])
            at += size

    def decode(self, number):
        """The decoded bytes of a chunk, MPAY excepted when it is compressed."""
        if number == NONE:
            return b''
        entry = self.chunks[number]
        if entry.encoding == 0:
            return self.stored(entry)
        if self.frames is None:
            self.decompress_all()
        decoded, left, streams = [], entry.decoded_bytes, self.stream_sizes(entry)
        for i, frame in enumerate(self.frames[number]):
            length = min(left, entry.frame_bytes)
            require(len(frame) == (streams[i] if streams else length),
                    'frames: a frame does not decompress to its size', number)
            if entry.encoding == 2:
                frame = indices_of_triangles(frame, length // (3 * entry.stride), entry.stride)
            elif entry.filter != 0:
                frame = records_of_planes(frame, entry.stride, entry.lane_modes)
            decoded.append(frame)
            left -= length
        return self.checked(number, b''.join(decoded))

    def checked(self, number, decoded):
        entry = self.chunks[number]
        require(len(decoded) == entry.decoded_bytes, 'frames: a frame does not decompress to its size', number)
        require(not self.check_hashes or xxh3_64(decoded) & 0xFFFFFFFF == entry.hash_decoded,
                'hash_decoded is another one', '%s %d' % (entry.kind, number))
        return decoded

    # -- Deltas (section 10) --------------------------------------------------------------------------------------------------

    def blocks_of(self, part):
        blocks = []
        for section in self.sections_of(part):
            for first in range(0, section.vertex_count, 64):
                blocks.append((section.first_vertex + first, min(64, section.vertex_count - first)))
        return blocks

    def entries_of(self, part):
        """Entries in memory order: (shape, vertices, scales of position, normal and tangent)."""
        groups = struct.unpack('<%s' % ('IIbbbB' * part.group_count), self.decode(part.morph_chunk[0]))
        runs = struct.unpack('<%dI' % (2 * part.run_count), self.decode(part.morph_chunk[1]))
        blocks, block_of = self.blocks_of(part), []
        for number, (_, count) in enumerate(blocks):
            block_of += [number] * count
        lanes, last, run, moved = {}, None, 0, set()
        for g in range(part.group_count):
            shape, run_count, position, normal, tangent, zero = groups[6 * g:6 * g + 6]
            require(shape < part.shape_count, "MGRP: shape is past the part's shapes", g)
            require(run_count > 0, 'MGRP: a group has no run', g)
            require(zero == 0, 'MGRP: padding is not zero', g)
            require(part.payload < 4 or (position, normal, tangent) == (0, 0, 0), 'MGRP: P36 has no exponents', g)
            scales = [step * 2.0 ** exponent for step, exponent in
                      ((part.step, position), (part.normal_step, normal), (part.normal_step, tangent))]
            require(all(map(scale_fits, scales)), 'MGRP: a scale is out of range', g)
            require(last is None or (shape, position, normal, tangent) > last, 'MGRP: groups do not ascend', g)
            require(run + run_count <= part.run_count, "MGRP: run counts do not sum to MRUN's", g)
            vertex, last = 0, (shape, position, normal, tangent)
            for i in range(run_count):
                skip, length = runs[2 * run:2 * run + 2]
                require(length > 0, 'MRUN: a run is empty', run)
                require(skip > 0 or i == 0, 'MRUN: two runs touch', run)
                vertex += skip
                require(vertex + length <= part.vertex_count, 'MRUN: a run ends past the vertices', run)
                for v in range(vertex, vertex + length):
                    lanes.setdefault((block_of[v], g), (shape, [], scales))[1].append(v)
                    require((shape, v) not in moved, 'MRUN: two groups of a shape move one vertex', run)
                    moved.add((shape, v))
                vertex += length
                run += 1
        require(run == part.run_count, "MGRP: run counts do not sum to MRUN's")
        entries = [lanes[key] for key in sorted(lanes)]
        require(len(entries) == part.entry_count, 'MRUN: another number of entries than stated')
        require(sum(len(vertices) for _, vertices, _ in entries) == part.delta_count,
                'MRUN: another number of deltas than stated')
        return entries

    def payload_of(self, part, entries):
        """The payload in memory order, as u32 words."""
        number = part.morph_chunk[2]
        if number == NONE:
            return array.array('I')
        entry = self.chunks[number]
        if entry.encoding == 0:
            return words_of(self.stored(entry))
        if self.frames is None:
            self.decompress_all()
        frames = cut_frames(entries, PAYLOADS[part.payload][1][part.components])
        require(len(frames) == entry.frame_count, 'MPAY: another number of frames than the entries make')
        payload = array.array('I')
        for numbers, frame in zip(frames, self.frames[number]):
            payload += morph_frame_words(entries, numbers, part, entry.lane_modes, frame)
        return words_of(self.checked(number, payload.tobytes()))

    def shape_deltas(self, part):
        """For each shape {vertex: 9 floats}, from either layout."""
        deltas = [{} for _ in range(part.shape_count)]
        if part.payload == 5:
            offsets = words_of(self.decode(part.morph_chunk[0]))
            data = self.decode(part.morph_chunk[1])
            require(offsets[0] == 0 and offsets[-1] == part.delta_count, 'MOFF: wrong ends')
            for v in range(part.vertex_count):
                require(offsets[v] <= offsets[v + 1], 'MOFF: offsets fall', v)
                last = -1
                for i in range(offsets[v], offsets[v + 1]):
                    numbers = struct.unpack_from('<12f4I', data, 64 * i)
                    shape = numbers[12]
                    require(last < shape < part.shape_count, 'MDEL: shapes of a vertex do not ascend', i)
                    require(numbers[13:] == (0, 0, 0) and all(is_positive_zero(numbers[k]) for k in (3, 7, 11)),
                            'MDEL: padding is not zero', i)
                    deltas[shape][v] = numbers[0:3] + numbers[4:7] + numbers[8:11]
                    last = shape
        elif part.payload in PAYLOADS:
            entries = self.entries_of(part)
            words, at, lane_words = self.payload_of(part, entries), 0, PAYLOADS[part.payload][1][part.components]
            for shape, vertices, scales in entries:
                n = len(vertices)
                for lane, v in enumerate(vertices):
                    deltas[shape][v] = lane_delta(part, [words[at + plane * n + lane] for plane in range(lane_words)], scales)
                at += lane_words * n
        for i, shape in enumerate(self.shapes_of(part)):
            require(len(deltas[i]) == shape.delta_count, 'SHAP: delta_count is not the number of its deltas', i)
            require(all(finite(delta) for delta in deltas[i].values()), 'a delta is not finite', i)
        return deltas

    # -- Streams, checked as section 9 says ---------------------------------------------------------------------------------------

    def part_streams(self, number):
        """{name: bytes} of everything of a part."""
        part = self.table['PART'][number]
        streams = {'base': self.base_of(number, part)}
        self.check_base(part, array.array('f', streams['base']))
        streams['indices'] = self.indices_of(part).tobytes()
        if part.influence_count:
            streams['joints'], streams['weights'] = self.skin_of(part)
            self.check_skin(part, array.array('H', streams['joints']), array.array('f', streams['weights']))
        for slot, chunk in enumerate(part.texcoord_chunk):
            if chunk != NONE:
                streams['texcoord%d' % slot] = self.texcoords_of(number, slot, chunk)
                require(finite(array.array('f', streams['texcoord%d' % slot])), 'TEXC: a number is not finite')
        if part.colour_chunk != NONE:
            streams['colours'] = self.decode(part.colour_chunk)
            self.check_colours(self.chunks[part.colour_chunk].format, streams['colours'])
        if part.pack_of_source_chunk != NONE:
            streams['pack_of_source'] = self.decode(part.pack_of_source_chunk)
            streams['source_of_pack'] = self.decode(part.source_of_pack_chunk)
            require(all(v < part.vertex_count or v == NONE for v in words_of(streams['pack_of_source'])),
                    "PKOS: a vertex is past the part's")
            require(all(v < part.source_vertex_count for v in words_of(streams['source_of_pack'])),
                    "SRCP: a vertex is past the source's")
        for shape, deltas in enumerate(self.shape_deltas(part)):
            dense = bytearray(36 * part.vertex_count)
            for v, delta in deltas.items():
                struct.pack_into('<9f', dense, 36 * v, *delta)
            streams['shape%d' % shape] = bytes(dense)
        return streams

    # -- Quantised streams become what the others are (section 9) --------------------------------------------------------------

    def base_of(self, number, part):
        data = self.decode(part.base_chunk)
        if self.kind_at(part.base_chunk) == 'VBAS':
            return data
        grid, largest = self.grids[number, 0], int(self.grids[number, 1].step[0])
        places = int(self.grids[number, 2].step[0]) if part.flags & 2 else 0
        vertices = array.array('f')
        for i, (px, py, pz, a, b, tangent) in enumerate(struct.iter_unpack('<3H2hH', data)):
            has_normal = (a, b) != (-32768, 0)
            require(not has_normal or (abs(a) <= largest and abs(b) <= largest), 'VQNT: a normal is past its grid', i)
            if places:
                require(tangent >> 1 < places, 'VQNT: a tangent is past its grid', i)
            else:
                require(tangent == 0, 'VQNT: a tangent in a part without tangents', i)
            vertices.extend(grid_value(*item) for item in zip(grid.origin, grid.step, (px, py, pz)))
            normal = octahedral_value(a, b, largest) if has_normal else [0.0, 0.0, 0.0]
            vertices.extend([1.0] + normal + [0.0])
            vertices.extend(tangent_value(normal, tangent >> 1, places) + [-1.0 if tangent & 1 else 1.0] if places
                            else [0.0] * 4)
        return vertices.tobytes()

    def texcoords_of(self, number, slot, chunk):
        data = self.decode(chunk)
        if self.kind_at(chunk) == 'TEXC':
            return data
        grid = self.grids[number, 3 + slot]
        return array.array('f', (grid_value(grid.origin[i % 2], grid.step[i % 2], value)
                                 for i, value in enumerate(array.array('H', data)))).tobytes()

    def skin_of(self, part):
        joints, weights = self.decode(part.joint_chunk), self.decode(part.weight_chunk)
        if self.chunks[part.joint_chunk].format == 13:
            joints = array.array('H', list(joints)).tobytes()
        element = self.chunks[part.weight_chunk].format
        if element == 4:
            return joints, weights
        one, n = (255, part.influence_count) if element == 14 else (65535, part.influence_count)
        numbers = array.array('B' if element == 14 else 'H', weights)
        for v in range(part.vertex_count):
            require(sum(numbers[n * v:n * v + n]) == one, 'WGTS: weights do not sum to 1', v)
        return joints, array.array('f', (f32(number / one) for number in numbers)).tobytes()

    def indices_of(self, part):
        data = self.decode(part.index_chunk)
        is_short = part.index_chunk != NONE and self.chunks[part.index_chunk].stride == 2
        indices = array.array('I', array.array('H', data)) if is_short else words_of(data)
        for section in self.sections_of(part):
            for index in indices[section.first_index:section.first_index + section.index_count]:
                require(0 <= index - section.first_vertex < section.vertex_count,
                        "INDX: an index is outside its section's vertices", index)
        return indices

    def check_base(self, part, base):
        require(finite(base), 'VBAS: a number is not finite')
        for v in range(part.vertex_count):
            require(base[12 * v + 3] == 1, 'VBAS: position w is not 1', v)
            require(is_positive_zero(base[12 * v + 7]), 'VBAS: normal w is not 0', v)
            if part.flags & 2:
                require(abs(base[12 * v + 11]) == 1, 'VBAS: tangent w is not 1 or -1', v)
            else:
                require(all(is_positive_zero(value) for value in base[12 * v + 8:12 * v + 12]),
                        'VBAS: a tangent in a part without tangents', v)

    def check_skin(self, part, joints, weights):
        n = part.influence_count
        for section in self.sections_of(part):
            most = 0
            for v in range(section.first_vertex, section.first_vertex + section.vertex_count):
                own = weights[n * v:n * v + n]
                require(max(joints[n * v:n * v + n]) < section.bone_count, "JNTS: a joint is past its section's bones", v)
                require(finite(own) and all(math.copysign(1, w) > 0 for w in own),
                        'WGTS: a weight is negative or not finite', v)
                require(all(a >= b for a, b in zip(own, own[1:])), 'WGTS: weights do not fall', v)
                require(abs(sum(own) - 1) <= 1.001e-3, 'WGTS: weights do not sum to 1', v)
                most = max(most, sum(w > 0 for w in own))
            require(most == section.max_influences, "WGTS: the section's max_influences is another number")

    def check_colours(self, element, data):
        if element in (6, 7):
            require(finite(array.array('f', data)), 'COLR: a number is not finite')
        fourth = data[3::4] if element == 8 else array.array('H', data)[3::4] if element == 10 else []
        require(all(value == (255 if element == 8 else 65535) for value in fourth),
                'COLR: the fourth component of a three-component colour is not full')

    def clip_streams(self):
        if not self.file_data:
            return {}
        times, values = (array.array('f', self.decode(self.file_data.get(kind, NONE))) for kind in KEY_DATA)
        require(finite(times), 'KEYT: a time is not finite')
        require(finite(values), 'KEYV: a value is not finite')
        for track in self.table['TRAK']:
            own = times[track.first_time:track.first_time + track.key_count]
            require(all(a < b for a, b in zip(own, own[1:])), 'KEYT: times of a track do not ascend')
            if track.path == 1:
                step, skip = (12, 4) if track.interpolation == 2 else (4, 0)
                for k in range(track.key_count):
                    at = track.first_value + step * k + skip
                    require(2.0 ** -40 <= sum(x * x for x in values[at:at + 4]) <= 2.0 ** 40,
                            'KEYV: a rotation cannot be normalised', at)
        streams = {'times': times.tobytes(), 'values': values.tobytes()} if times else {}
        if 'ANIM' in self.file_data:
            streams['words'] = self.blocks()
        return streams

    def blocks(self):
        """The words of all compressed clips."""
        stream, words = Bytes(self.decode(self.file_data['ANIM'])), []
        for clip in self.table['CLIP']:
            if clip.word_count:
                words += Block(self, clip, stream).words
        require(stream.at == len(stream.data), 'ANIM: bytes behind the last clip')
        return array.array('I', words).tobytes()

    # -- As JSON ----------------------------------------------------------------------------------------------------------------

    def key(self, kind, number):
        return None if number == NONE else self.text(self.table[kind][number].key)

    def mesh_json(self, number, mesh):
        nodes = [self.key('NODE', item.node) for item in self.table['INST'] if item.mesh == number]
        parts = self.table['PART'][mesh.first_part:mesh.first_part + mesh.part_count]
        value = {'name': self.text(mesh.name), 'key': self.text(mesh.key), 'nodes': nodes,
                 'primitives': [self.part_json(mesh, part) for part in parts]}
        if not parts:
            value['targets'] = [self.control_json(c) for c in
                                range(mesh.first_control, mesh.first_control + mesh.control_count)]
        return value

    def control_json(self, number):
        control = self.table['CTRL'][number]
        return {'name': self.text(control.name), 'key': self.text(control.key),
                'default_weight': control.default_weight, 'range': [control.range_min, control.range_max]}

    def part_json(self, mesh, part):
        source_targets, targets = [], []
        for c in range(mesh.first_control, mesh.first_control + mesh.control_count):
            control = self.table['CTRL'][c]
            shapes = [shape for shape in self.shapes_of(part) if shape.control == c]
            facts = [(shape.source_moved_count, shape.source_max_delta) for shape in shapes] or [(0, 0)]
            source_targets += [{'name': self.text(control.name), 'moved_count': moved_count, 'max_delta': max_delta}
                               for moved_count, max_delta in facts]
            targets.append(dict(self.control_json(c), delta_count=sum(shape.delta_count for shape in shapes)))
        sections = [{'material': self.key('MATL', section.material), 'index_count': section.index_count,
                     'vertex_count': section.vertex_count, 'bone_map': [bone.joint for bone in self.bones_of(section)],
                     'max_influences': section.max_influences} for section in self.sections_of(part)]
        return {'lod': part.lod, 'material': self.key('MATL', part.material),
                'source': {'vertex_count': part.source_vertex_count, 'index_count': part.source_index_count,
                           'targets': source_targets},
                'vertex_count': part.vertex_count, 'index_count': part.index_count,
                'bounds': {'min': part.bounds_min, 'max': part.bounds_max},
                'conservative_bounds': {'min': part.conservative_min, 'max': part.conservative_max},
                'max_position_delta': part.max_position_delta, 'targets': targets, 'sections': sections}

    def errors_json(self):
        streams, largest = [], 0
        for error in self.table['ERRS']:
            part = self.table['PART'][error.part]
            streams.append({'mesh': self.key('MESH', part.mesh), 'primitive': part.source_primitive, 'lod': part.lod,
                            'stream': STREAMS[error.stream], 'largest': error.largest, 'rms': error.rms})
            if error.stream in (0, 5, 8):
                largest = max(largest, error.largest)
        return {'largest_m': largest, 'streams': streams}

    def lod_json(self, lod):
        required = self.table['RBON'][lod.first_required:lod.first_required + lod.required_count]
        return {'mesh': self.key('MESH', lod.mesh), 'level': lod.level, 'screen_size': lod.screen_size,
                'error_m': lod.error_m, 'required_bones': [self.key('NODE', item.node) for item in required]}

    def json(self):
        table, version = self.table, self.header.cooker_version
        skins = [{'name': self.text(skin.name), 'joint_count': skin.joint_count,
                  'joints': [self.key('NODE', joint.node)
                             for joint in table['JONT'][skin.first_joint:skin.first_joint + skin.joint_count]]}
                 for skin in table['SKIN']]
        clips = [{'name': self.text(clip.name), 'start_s': clip.start_s, 'end_s': clip.end_s,
                  'duration_s': clip.end_s - clip.start_s, 'node_tracks': clip.source_node_tracks,
                  'weight_tracks': clip.source_weight_tracks,
                  **({'error_m': clip.error_m} if clip.word_count else {})} for clip in table['CLIP']]
        return {
            'meshes': [self.mesh_json(number, mesh) for number, mesh in enumerate(table['MESH'])],
            'skins': skins,
            'nodes': [{'name': self.text(node.name), 'key': self.text(node.key), 'parent': self.key('NODE', node.parent)}
                      for node in table['NODE']],
            'clips': clips,
            'lods': [self.lod_json(lod) for lod in table['LODS']],
            'chunks': [{'kind': entry.kind, 'encoding': 'zstd' if entry.encoding else 'store',
                        'stored_bytes': entry.stored_bytes, 'decoded_bytes': entry.decoded_bytes}
                       for entry in self.chunks],
            'errors': self.errors_json(),
            'cooker': {'version': '%d.%d.%d' % (version >> 48, version >> 32 & 0xFFFF, version >> 16 & 0xFFFF),
                       'options': {self.text(meta.key): self.text(meta.value) for meta in table['META']}},
            'file': {'bytes': self.file_bytes, 'is_wrapped': self.is_wrapped, 'pack_bytes': len(self.data)},
        }

    def streams(self):
        """{name: bytes} of the whole pack."""
        everything = {}
        for number in range(len(self.table['PART'])):
            for name, data in self.part_streams(number).items():
                everything['part%d.%s' % (number, name)] = data
        for name, data in self.clip_streams().items():
            everything['clips.' + name] = data
        return everything


# -- Compressed clips (section 9, ANIM) -------------------------------------------------------------------------------------

BLOCK_COLUMNS = (4, 4, 4, 4, 5, 4, 4, 1, 2, 3)
BLOCK_COMPONENTS = {3: 3, 4: 4, 5: 3, 6: 3, 9: 1}  # by list; they stand from column 1 on
BLOCK_PATHS = {0: (1, 3, 4), 1: (0, 5), 2: (2, 6)}  # a constant list, its path, and the lists beside it
STEPS = (0x3F800000, 0x3F6AC0C7, 0x3F5744FD, 0x3F45672A, 0x3F3504F3, 0x3F25FED7, 0x3F1837F0, 0x3F0B95C2)


def float_of(word):
    return struct.unpack('<f', struct.pack('<I', word))[0]


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        require(count <= len(self.data) - self.at, 'ANIM: it ends inside a clip')
        self.at += count
        return self.data[self.at - count:self.at]


class Field:
    """One number of every row."""

    def __init__(self, list_number, track, component):
        self.list, self.track = list_number, track
        self.width, self.base = component & 31, (component >> 5) - (1 << 27 if component >> 31 else 0)


class Block:
    def __init__(self, pack, clip, stream):
        self.pack, self.clip = pack, clip
        self.read_tables(stream)
        self.check_nodes()
        self.check_weights()
        self.list_fields()
        self.read_rows(stream)
        self.check_rotations()

    def read_tables(self, stream):
        header = self.header = struct.unpack('<8I', stream.take(32))
        counts = [header[2 + n // 2] >> 16 * (n % 2) & 0xFFFF for n in range(8)] + [header[6], header[7]]
        nodes = len(self.pack.table['NODE'])
        rest_words = -(-3 * nodes // 32)
        table_words = 8 + rest_words + sum(count * columns for count, columns in zip(counts, BLOCK_COLUMNS))
        require(header[0] >= 1, 'ANIM: a clip without samples')
        row_words = -(-(header[0] * header[1] + 4) // 4) if header[1] else 0
        require(table_words + row_words == self.clip.word_count, 'ANIM: a block is not word_count long')
        rest = struct.unpack('<%dI' % rest_words, stream.take(4 * rest_words))
        self.rest = [rest[bit // 32] >> bit % 32 & 1 for bit in range(32 * rest_words)]
        require(not any(self.rest[3 * nodes:]), 'ANIM: a rest bit past the nodes')
        self.words, self.lists = list(header) + list(rest), []
        for count, columns in zip(counts, BLOCK_COLUMNS):
            self.lists.append([])
            for _ in range(columns):
                planes = stream.take(4 * count)
                self.lists[-1].append([sum(planes[plane * count + i] << 8 * plane for plane in range(4)) for i in range(count)])
                self.words += self.lists[-1][-1]

    def check_nodes(self):
        nodes = len(self.pack.table['NODE'])
        for number in range(7):
            for info in self.lists[number][0]:
                zero = 0xF << 18 | (0 if number in (0, 3) else 3 << 16) | (0 if number >= 3 else 0x3FF << 22)
                require(info & zero == 0, 'ANIM: reserved bits of a track are not zero')
                require(info & 0xFFFF < nodes, 'ANIM: a node is past the nodes')
        for number in range(3):
            for i in range(len(self.lists[number][0])):
                values = [float_of(column[i]) for column in self.lists[number][1:]]
                require(finite(values), 'ANIM: a constant is not finite')
                require(number > 0 or sum(value * value for value in values) <= 1.015625, 'ANIM: a rotation is longer than 1')
        tracks = self.pack.table['TRAK'][self.clip.first_track:self.clip.first_track + self.clip.track_count]
        keyed = {(track.node, track.path) for track in tracks}
        for constant, (path, *others) in BLOCK_PATHS.items():
            for number in (constant, *others):
                own = [info & 0xFFFF for info in self.lists[number][0]]
                require(all(a < b for a, b in zip(own, own[1:])), 'ANIM: tracks do not ascend by node')
            own = [info & 0xFFFF for number in (constant, *others) for info in self.lists[number][0]]
            require(len(own) == len(set(own)), 'ANIM: tracks do not ascend by node')
            require(not any(self.rest[3 * node + path] for node in own), 'ANIM: a path of a node occurs twice')
            own += [node for node in range(nodes) if self.rest[3 * node + path]]
            require(not any((node, path) in keyed for node in own), 'ANIM: a track is in TRAK too')
        require(not any((node, 3) in keyed for node in self.lists[7][0]), 'ANIM: a track is in TRAK too')

    def check_weights(self):
        table, listed = self.pack.table, self.lists[7][0]
        controls = {item.node: table['MESH'][item.mesh].control_count for item in table['INST']}
        require(all(node < len(table['NODE']) for node in listed), 'ANIM: a node is past the nodes')
        require(all(a < b for a, b in zip(listed, listed[1:])), 'ANIM: tracks do not ascend by node')
        require(all(controls.get(node, 0) > 0 for node in listed), 'ANIM: weights of a node that draws no controls')
        for number in (8, 9):
            own = [(info & 0xFFFF, info >> 16) for info in self.lists[number][0]]
            require(all(node in listed for node, _ in own), 'ANIM: weights that no track lists')
            require(all(a < b for a, b in zip(own, own[1:])), 'ANIM: weights do not ascend by control')
            require(all(control < controls[node] for node, control in own), "ANIM: a control is past its mesh's")
            require(finite(map(float_of, self.lists[number][-1])), 'ANIM: a constant is not finite')
        require(not set(self.lists[8][0]) & set(self.lists[9][0]), 'ANIM: a weight occurs twice')
        require(all(0 < float_of(step) <= 2.0 ** 24 for step in self.lists[9][2]), 'ANIM: a step is not above 0, or above 2^24')

    def list_fields(self):
        self.fields = []
        for number, components in BLOCK_COMPONENTS.items():
            columns = self.lists[number]
            for first in range(0, len(columns[0]), 8):
                for column in columns[1:1 + components]:
                    self.fields += [Field(number, first + i, word) for i, word in enumerate(column[first:first + 8])]
        require(all(field.width <= 24 for field in self.fields), 'ANIM: a component is wider than 24 bits')
        moving = {(field.list, field.track) for field in self.fields if field.width}
        require(all((field.list, field.track) in moving for field in self.fields), 'ANIM: an animated track without bits')
        require(self.header[1] == -(-sum(field.width for field in self.fields) // 8), 'ANIM: rows of another length')

    def read_rows(self, stream):
        samples, moving = self.header[0], [field for field in self.fields if field.width]
        predictors = stream.take(len(moving))
        require(all(predictor <= 2 for predictor in predictors), 'ANIM: unknown predictor')
        codes = [[0] * samples for _ in moving]
        for plane in range(3):
            for field, code in zip(moving, codes):
                if field.width > 8 * plane:
                    for i, byte in enumerate(stream.take(samples)):
                        code[i] |= byte << 8 * plane
        rows = [0] * samples
        bit = 0
        for field in self.fields:
            field.numbers = [0] * samples
        for field, predictor, code in zip(moving, predictors, codes):
            require(all(value < 1 << field.width for value in code), 'ANIM: a difference is wider than its component')
            numbers = field.numbers
            for i, value in enumerate(code):
                last, before = numbers[i - 1] if i > 0 else 0, numbers[i - 2] if i > 1 else 0
                predicted = 0 if predictor == 0 else last if predictor == 1 or i < 2 else 2 * last - before
                numbers[i] = predicted + (value >> 1 ^ -(value & 1)) & (1 << field.width) - 1
        for field in self.fields:
            rows = [row | number << bit for row, number in zip(rows, field.numbers)]
            bit += field.width
        if self.header[1]:
            data = b''.join(row.to_bytes(self.header[1], 'little') for row in rows) + bytes(4)
            data += bytes(-len(data) % 4)
            self.words += struct.unpack('<%dI' % (len(data) // 4), data)

    def check_rotations(self):
        squares = {}
        for field in self.fields:
            if field.list in (3, 4):
                code = self.lists[field.list][0][field.track] >> 22
                step = float_of(STEPS[code % 8]) * 2.0 ** (24 - code // 8)
                own = squares.setdefault((field.list, field.track), [0.0] * self.header[0])
                for i, number in enumerate(field.numbers):
                    own[i] += ((field.base + number) * step) ** 2
        for (number, _), own in squares.items():
            if number == 3:
                require(max(own) <= 1.015625, 'ANIM: a rotation is longer than 1')
            else:
                require(0.25 <= min(own) and max(own) <= 4, 'ANIM: the length of a full rotation is not near 1')


def words_of(data):
    return array.array('I', data)


def records_of_planes(frame, stride, lane_modes):
    """Filters 1 and 2 of one frame; filter 1 has no lane modes."""
    block_bytes = 131072 // stride // 16 * 16 * stride
    records = bytearray(len(frame))
    for start in range(0, len(frame), block_bytes):
        block = frame[start:start + block_bytes]
        n = len(block) // stride
        for b in range(stride):
            records[start + b:start + len(block):stride] = block[b * n:b * n + n]
        for group in range(stride // 4 if lane_modes else 0):
            undo_differences(records, start + 4 * group, start + len(block), stride, lane_modes >> 2 * group & 3)
    return bytes(records)


def undo_differences(records, first, end, stride, mode):
    """Filter 2: a group of 4 bytes of every record of a block, in place."""
    width = (0, 1, 2, 4)[mode]
    for part in range(0, 4 if width else 0, width or 1):
        value, size = 0, 1 << 8 * width
        for at in range(first + part, end, stride):
            code = int.from_bytes(records[at:at + width], 'little')
            value = (value + (code if width == 1 else code >> 1 ^ -(code & 1))) % size
            records[at:at + width] = value.to_bytes(width, 'little')


PAIRS = bytes.fromhex('0001020310203012211331044005')


class TriangleStream:
    """Encoding 2: the stream of one frame."""

    def __init__(self, stream):
        self.stream, self.at, self.last = stream, 0, 0
        self.edges, self.vertices = [(0, 0)] * 16, [0] * 16

    def byte(self):
        require(self.at < len(self.stream), 'INDX: its stream ends early')
        self.at += 1
        return self.stream[self.at - 1]

    def number(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        require(byte < 128 and value < 1 << 32, 'INDX: a number has more than 32 bits')
        return value

    def written(self):
        code = self.number()
        self.last = self.last + (code >> 1 ^ -(code & 1)) & NONE
        return self.last

    def upcoming(self):
        self.next = self.next + 1 & NONE
        return self.next - 1 & NONE

    def on_edge(self, age, digit):
        a, b = self.edges[-1 - age]
        if 1 <= digit <= 12:
            return a, b, self.vertices[-1 - digit]
        if digit in (13, 14):
            self.last = self.last + (1 if digit == 14 else -1) & NONE
        c = self.upcoming() if digit == 0 else self.written() if digit == 15 else self.last
        self.vertices.append(c)
        return a, b, c

    def free(self, code):
        pair = PAIRS[code & 15] if code < 0xFE else self.byte()
        digits = (15 if code == 0xFF else 0, pair >> 4, pair & 15)
        corners = [self.upcoming() if digit == 0 else self.vertices[-digit] if digit < 15 else None for digit in digits]
        corners = [self.written() if corner is None else corner for corner in corners]
        self.vertices += [corner for corner, digit in zip(corners, digits) if digit in (0, 15)]
        self.edges.append((corners[1], corners[0]))
        return corners

    def triangles(self, count):
        self.next = self.number()
        codes = self.stream[self.at:self.at + count]
        require(len(codes) == count, 'INDX: its stream ends early')
        self.at += count
        for code in codes:
            a, b, c = self.on_edge(code >> 4, code & 15) if code < 0xF0 else self.free(code)
            self.edges += [(c, b), (a, c)]
            yield a, b, c
        require(self.at == len(self.stream), 'INDX: bytes behind the last triangle')


def indices_of_triangles(stream, count, stride):
    indices = [corner for triangle in TriangleStream(stream).triangles(count) for corner in triangle]
    require(max(indices) < 1 << 8 * stride, 'INDX: an index does not fit its width')
    return struct.pack('<%d%s' % (len(indices), 'H' if stride == 2 else 'I'), *indices)


def scale_fits(scale):
    return 2.0 ** -100 <= scale <= 2.0 ** 100


def f32(value):
    return struct.unpack('<f', struct.pack('<f', value))[0]


def lane_delta(part, words, scales):
    """Nine floats from the words of a lane (section 10)."""
    if part.payload == 4:
        floats = struct.unpack('<%df' % len(words), struct.pack('<%dI' % len(words), *words))
        return floats + (0.0,) * (9 - part.components)
    delta, used = [], [0] * len(words)
    for k, pieces in enumerate(PIECES[part.payload][:part.components]):
        number, top = 0, max(bits + first for _, _, bits, first in pieces)
        for word, at, bits, first in pieces:
            number |= (words[word] >> at & (1 << bits) - 1) << first
            used[word] |= (1 << bits) - 1 << at
        delta.append(f32((number - (1 << top) if number >> top - 1 else number) * scales[k // 3]))
    require(all(word & ~mask == 0 for word, mask in zip(words, used)), 'MPAY: unused bits are not zero')
    return tuple(delta) + (0.0,) * (9 - part.components)


def lane_words_of(part, numbers, lane_words):
    """The words of a lane from its numbers."""
    words = [0] * lane_words
    for k, (number, pieces) in enumerate(zip(numbers, PIECES[part.payload])):
        top, width = max(bits + first for _, _, bits, first in pieces), stream_bits(part, k)
        signed = number - (1 << width) if number >> width - 1 else number
        require(-(1 << top - 1) <= signed < 1 << top - 1, 'MPAY: a number does not fit its bits')
        for word, at, bits, first in pieces:
            words[word] |= (number >> first & (1 << bits) - 1) << at
    return words


def cut_frames(entries, lane_words):
    """Numbers of the entries of each frame."""
    frames, size = [], 0
    for number, entry in enumerate(entries):
        added = 4 * lane_words * len(entry[1])
        if not frames or size + added > 524288:
            frames.append([])
            size = 0
        frames[-1].append(number)
        size += added
    return frames


def stream_bits(part, k):
    return 32 if part.payload == 4 else 8 if part.payload == 2 and k >= 3 else 16


def stream_numbers(data, n, bits, is_difference):
    """n numbers of so many bits from their byte planes, differences undone (section 7)."""
    numbers, last = [0] * n, 0
    for b in range(bits // 8):
        for i, byte in enumerate(data[b * n:(b + 1) * n]):
            numbers[i] |= byte << 8 * b
    if is_difference:
        for i, coded in enumerate(numbers):
            last = last + (coded if bits == 8 else coded >> 1 ^ -(coded & 1)) & (1 << bits) - 1
            numbers[i] = last
    return numbers


def morph_frame_words(entries, numbers, part, lane_modes, frame):
    """Filter 4 of one frame: its words in memory order."""
    n = sum(len(entries[number][1]) for number in numbers)
    widths = [stream_bits(part, k) for k in range(part.components)]
    require(len(frame) == n * sum(widths) // 8, 'frames: a frame does not decompress to its size')
    streams, at = [], 0
    for k, bits in enumerate(widths):
        is_difference = bits < 32 or lane_modes >> 2 * k & 3 == 3
        streams.append(stream_numbers(frame[at:at + n * bits // 8], n, bits, is_difference))
        at += n * bits // 8
    lane_words = PAYLOADS[part.payload][1][part.components]
    lanes = [lane_words_of(part, lane, lane_words) for lane in zip(*streams)]
    starts, at = {}, 0
    for number in sorted(numbers, key=lambda number: (entries[number][0], number)):
        starts[number] = at
        at += len(entries[number][1])
    memory = array.array('I')
    for number in numbers:
        own = lanes[starts[number]:starts[number] + len(entries[number][1])]
        for w in range(lane_words):
            memory.extend(lane[w] for lane in own)
    return memory


def declared_size(frame, number):
    """The content size that one zstd frame declares (RFC 8878, 3.1.1.1)."""
    require(len(frame) >= 6 and frame[:4] == b'\x28\xB5\x2F\xFD', 'frames: no zstd frame', number)
    descriptor = frame[4]
    is_single, size_flag, has_dictionary = descriptor >> 5 & 1, descriptor >> 6, descriptor & 3
    require(not has_dictionary, 'frames: a frame needs a dictionary', number)
    at = 5 + (0 if is_single else 1)
    width = (1 if is_single else 0, 2, 4, 8)[size_flag]
    require(width > 0, 'frames: a frame does not declare its size', number)
    size = int.from_bytes(frame[at:at + width], 'little') + (256 if width == 2 else 0)
    if not is_single:
        exponent, mantissa = frame[5] >> 3, frame[5] & 7
        window = (1 << 10 + exponent) + (1 << 10 + exponent) // 8 * mantissa
        require(window <= 1 << 20, 'frames: a frame needs a window above 1 MiB', number)
    return size


def decoded_json(pack, how):
    if how == 'sha256':
        return {name: hashlib.sha256(data).hexdigest() for name, data in pack.streams().items()}
    codes = {'words': 'I', 'indices': 'I', 'joints': 'H', 'colours': 'B', 'pack_of_source': 'I', 'source_of_pack': 'I'}
    return {name: array.array(codes.get(name.split('.')[1], 'f'), data).tolist() for name, data in pack.streams().items()}


def main(arguments):
    how, folder, check_hashes, paths = None, None, True, []
    while arguments:
        word = arguments.pop(0)
        if word == '--no-hashes':
            check_hashes = False
        elif word == '--decode' and arguments and arguments[0] in ('sha256', 'full'):
            how = arguments.pop(0)
        elif word == '--decode-to' and arguments:
            folder = arguments.pop(0)
        elif word in ('-h', '--help'):
            print(__doc__)
            return 0
        elif word.startswith('-'):
            paths = []
            break
        else:
            paths.append(word)
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(paths[0], 'rb') as file:
            data = file.read()
        pack = Pack(data, check_hashes)
        result = pack.json()
        if how:
            result['decoded'] = decoded_json(pack, how)
        if folder:
            os.makedirs(folder, exist_ok=True)
            for name, stream in pack.streams().items():
                with open(os.path.join(folder, name), 'wb') as file:
                    file.write(stream)
    except OSError as error:
        print('%s: %s' % (paths[0], error.strerror), file=sys.stderr)
        return 3
    except (Refused, struct.error) as error:
        print('%s: refused: %s' % (paths[0], error), file=sys.stderr)
        return 5
    json.dump(result, sys.stdout, ensure_ascii=False, indent=1)
    print()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
