#!/usr/bin/env python3
"""The second reader (tools/mpak_read.py, written from format/SPEC.md) against mpak itself.

For every source: what `mpak info --json` says equals what the reader says, and every decoded stream and the dense deltas
of every shape equal those of the runtime, byte for byte, in both layouts and compressed or not. Both layouts give the
same vertices and deltas. Packs that break a rule are refused by the reader too.
"""
import os
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tools'))
import mpak_read

DUMP = os.environ.get('MPAK_DUMP', os.path.join(os.path.dirname(harness.MPAK), 'release', 'tools', 'dump_buffers'))
QUALITIES = [('high', 'load'), ('high', 'default'), ('default', 'load'), ('default', 'default'), ('compact', 'load'),
             ('compact', 'size')]
VARIANTS = [('csr64', 'load'), ('csr64', 'default'), ('blk64', 'load'), ('blk64', 'default'), ('blk64', 'size')]
SHARED_SOURCES = ['gltf/run.glb', 'gltf/MorphStressTest.glb', 'gltf/CesiumMan.glb', 'gltf/Fox.glb', 'gltf/Barbarian.glb']
MOST_SHARED = 12
MOST_BYTES = 1500000


def same(found, expected, where=''):
    """The first difference of two JSON values as text; floats are compared as 32-bit floats."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if list(found) != list(expected):
            return '%s: members %s, expected %s' % (where, list(found), list(expected))
        pairs = [(key, found[key], expected[key]) for key in expected]
    elif isinstance(expected, (list, tuple)) and isinstance(found, list):
        if len(found) != len(expected):
            return '%s: %d elements, expected %d' % (where, len(found), len(expected))
        pairs = [(i, a, b) for i, (a, b) in enumerate(zip(found, expected))]
    elif isinstance(expected, (int, float)) and isinstance(found, (int, float)):
        is_same = found == expected or struct.pack('<f', found) == struct.pack('<f', expected)
        return None if is_same else '%s: %r, expected %r' % (where, found, expected)
    else:
        return None if found == expected else '%s: %r, expected %r' % (where, found, expected)
    for key, a, b in pairs:
        difference = same(a, b, '%s/%s' % (where, key))
        if difference:
            return difference
    return None


def read_folder(folder):
    return {name: open(os.path.join(folder, name), 'rb').read() for name in sorted(os.listdir(folder))}


def check_pack(checks, pack_path, name, folder):
    """One pack through both readers. Returns its streams, or None."""
    with open(pack_path, 'rb') as file:
        data = file.read()
    try:
        pack = mpak_read.Pack(data)
        streams = pack.streams()
    except mpak_read.Refused as refused:
        checks.check(False, name + ' is read by the second reader', refused)
        return None
    info = harness.run_json(['info', '--json', pack_path])
    if checks.check(info is not None, name + ' info'):
        difference = same(info, pack.json())
        checks.check(difference is None, name + ' info --json', difference)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([DUMP, pack_path, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if not checks.check(done.returncode == 0, name + ' dump', done.stdout.decode('utf-8', 'replace')):
        return None
    dumped = read_folder(folder)
    checks.equal(sorted(dumped), sorted(streams), name + ' names of streams')
    for stream in sorted(set(dumped) & set(streams)):
        checks.check(dumped[stream] == streams[stream], '%s %s' % (name, stream), 'differs')
    return streams


def differing_streams(found, expected, compress):
    """Names of streams that are not the same. `size` may number vertices otherwise: then the base vertices are the same
    ones in another order, and the other streams are as long as before."""
    if compress == 'size':
        def unordered(streams):
            return {key: sorted(data[at:at + 48] for at in range(0, len(data), 48)) if key.endswith('.base') else len(data)
                    for key, data in streams.items()}
        found, expected = unordered(found), unordered(expected)
    return sorted(key for key in set(found) | set(expected) if found.get(key) != expected.get(key))


def check_source(checks, source, name, scratch, *options):
    """Cooks a source in every way; all ways hold the same data."""
    first = None
    for layout, compress in VARIANTS:
        pack_path = os.path.join(scratch, 'pack.mpak')
        at = '%s %s %s' % (name, layout, compress)
        code, err = harness.cook(source, pack_path, '--layout', layout, '--compress', compress, '--source-map',
                                 *options)
        if not checks.equal(code, 0, at + ' cook ' + err[:300]):
            return
        streams = check_pack(checks, pack_path, at, os.path.join(scratch, 'dump'))
        if first is None:
            first = streams
        elif streams is not None:
            checks.equal(differing_streams(streams, first, compress), [], at + ' streams that differ from those of csr64')


def check_qualities(checks, source, name, scratch):
    """Both readers decode quantised packs to the same numbers, stored or compressed. (Clips stay close: whether a mesh
    keeps the promise of its quality is no matter of reading.)"""
    first = {}
    for quality, compress in QUALITIES:
        pack_path = os.path.join(scratch, 'pack.mpak')
        at = '%s %s %s' % (name, quality, compress)
        code, err = harness.cook(source, pack_path, '--quality', quality, '--compress', compress,
                                 '--anim-error', '0.00001')
        if not checks.equal(code, 0, at + ' cook ' + err[:300]):
            continue
        streams = check_pack(checks, pack_path, at, os.path.join(scratch, 'dump'))
        if streams is not None:
            expected = first.setdefault(quality, streams)
            checks.equal(differing_streams(streams, expected, compress), [], at + ' streams that differ from those of the first pack')


# -- What the reader must refuse ------------------------------------------------------------------------------------------

def rehash(data):
    """Makes table and header hashes right again."""
    table = struct.unpack_from('<Q', data, 48)[0]
    struct.pack_into('<Q', data, 88, mpak_read.xxh3_64(data[table:]))
    struct.pack_into('<Q', data, 120, mpak_read.xxh3_64(data[:120]))


def refusal(data):
    try:
        mpak_read.Pack(bytes(data)).streams()
    except mpak_read.Refused as refused:
        return str(refused)
    return 'accepted'


def check_wrapped_refusals(checks, sound):
    """Members of the header, with the file's hash made right again."""
    for at, value, rule in ((16, 9, 'wrapped: another format version'),
                            (39, 1, 'wrapped: the pack is larger than the caller allows'),
                            (23, 1, 'wrapped: stream_bytes is out of range'),
                            (44, sound[44] ^ 1, 'frames: no zstd frame (0)')):
        broken = bytearray(sound)
        broken[at] = value
        struct.pack_into('<Q', broken, 8, mpak_read.xxh3_64(bytes(broken[16:])))
        checks.equal(refusal(broken), rule, 'a wrapped pack with another byte %d' % at)


def check_refusals(checks, pack_path):
    with open(pack_path, 'rb') as file:
        sound = file.read()
    checks.equal(refusal(sound), 'accepted', 'a sound pack')
    for at in range(0, len(sound), 977):
        broken = bytearray(sound)
        broken[at] ^= 1 << at % 8
        checks.check(refusal(broken) != 'accepted', 'a flipped bit at %d is refused' % at)
        checks.check(refusal(sound[:at]) != 'accepted', 'a file cut at %d is refused' % at)
    if sound[:8] == mpak_read.WRAPPED_MAGIC:
        check_wrapped_refusals(checks, sound)
        return
    major, minor = bytearray(sound), bytearray(sound)
    major[8] ^= 2
    rehash(major)
    checks.equal(refusal(major), 'header: another format version', 'another version')
    minor[10] ^= 2
    rehash(minor)
    checks.equal(refusal(minor), 'accepted', 'another minor version')
    table = struct.unpack_from('<Q', sound, 48)[0]
    flags = bytearray(sound)
    flags[table + 8] ^= 4
    rehash(flags)
    checks.equal(refusal(flags), 'chunk: unknown flag (0)', 'an unknown chunk flag')


def check_hash(checks):
    """XXH3_64 of nothing, as xxHash's own documentation and sanity tests have it."""
    checks.equal(mpak_read.xxh3_64(b''), 0x2D06800538D394C2, 'XXH3_64 of nothing')


def shared_sources():
    """Sources of the shared assets: the named ones, then small others."""
    named = [os.path.join(harness.SHARED_ASSETS, path) for path in SHARED_SOURCES]
    others = [os.path.join(folder, name) for folder, _, names in sorted(os.walk(harness.SHARED_ASSETS))
              for name in sorted(names) if name.endswith('.glb') and os.sep + 'bad' not in folder]
    small = [path for path in named + others if os.path.isfile(path) and os.path.getsize(path) <= MOST_BYTES]
    sound = [path for path in dict.fromkeys(small) if 'draco' not in path]
    return sound[:MOST_SHARED]


def main():
    checks = harness.Checks('reader')
    check_hash(checks)
    with harness.scratch() as scratch:
        samples = sorted(name for name in os.listdir(harness.SAMPLES) if name.endswith(('.glb', '.fbx')))
        for name in samples:
            check_source(checks, os.path.join(harness.SAMPLES, name), name, scratch)
            check_qualities(checks, os.path.join(harness.SAMPLES, name), name, scratch)
        pack_path = os.path.join(scratch, 'face_anim.mpak')
        for quality in ('lossless', 'default'):
            harness.cook(os.path.join(harness.SAMPLES, 'face_anim.glb'), pack_path, '--quality', quality)
            check_refusals(checks, pack_path)
        check_source(checks, os.path.join(harness.SAMPLES, 'face_anim.glb'), 'a clip pack', scratch, '--clips-only')
        checks.check(open(os.path.join(scratch, 'pack.mpak'), 'rb').read(8) == mpak_read.WRAPPED_MAGIC, 'the last one is wrapped')
        check_refusals(checks, os.path.join(scratch, 'pack.mpak'))
        check_source(checks, os.path.join(harness.SAMPLES, 'face_anim.glb'), 'compressed clips', scratch, '--clips-only',
                     '--quality', 'default')
        check_refusals(checks, os.path.join(scratch, 'pack.mpak'))
        if harness.has_shared():
            for source in shared_sources():
                check_source(checks, source, os.path.relpath(source, harness.SHARED_ASSETS), scratch)
        else:
            checks.skip(MOST_SHARED * len(VARIANTS))
    checks.finish()


if __name__ == '__main__':
    main()
