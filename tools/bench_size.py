#!/usr/bin/env python3
"""Bytes of packs beside those of other tools for the same models, with the measured error of each. `make bench-size`.

usage: bench_size.py [NAME…]     only these models

Images are off on both sides: they are taken out of the model before anybody sees it. gltfpack and glTF-Transform come
from npm (tools/node, `npm ci`), pinned by its lock file. Errors are those of tools/bench_error.c: final vertices at
rest, over frames of every clip, and with each target at weight 1, as shares of the model's size, from decoded data.
"""
import json
import math
import os
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get('MPAK_SHARED', os.path.join(os.path.dirname(ROOT), 'shared'))
BUILD = os.path.join(ROOT, os.environ.get('BUILD', 'build'))
OUT = os.path.join(BUILD, 'bench-size')
MPAK = os.path.join(BUILD, 'mpak')
TOOLS = os.path.join(BUILD, 'release', 'tools')
NODE = os.path.join(ROOT, 'tools', 'node', 'node_modules')
GLTFPACK = ['node', os.path.join(NODE, 'gltfpack', 'cli.js')]
TRANSFORM = ['node', os.path.join(NODE, '@gltf-transform', 'cli', 'bin', 'cli.js')]
KEEP = ['-kv', '-kn', '-km', '-ke']

SET = ['run', 'face60', 'face_anim', 'head_parts', 'japanese_names', 'lod_pair', 'Barbarian', 'robot', 'player',
       'CesiumMan', 'Fox', 'MorphStressTest', 'LeftHandHumanoid', 'InfiniteSkinnedTentacle', 'face60k']
NOT_COUNTED_BELOW = 8192
GOALS = {'cc': 0.60, 'cc+z19': 0.95}
EACH = 0.75


def run(arguments, **more):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def find_model(name):
    """The model's path, or None: samples first, then the shared models."""
    if name == 'face60k':
        path = os.path.join(OUT, 'face60k.source.glb')
        if not os.path.exists(path):
            run([os.path.join(TOOLS, 'gen_face'), path], check=True)
        return path
    for folder, _, files in [*os.walk(os.path.join(ROOT, 'samples')), *os.walk(os.path.join(SHARED, 'assets'))]:
        for suffix in ('.glb', '.gltf'):
            if name + suffix in files:
                return os.path.join(folder, name + suffix)
    return None


# -- Images -------------------------------------------------------------------------------------------------------------

def read_gltf(path):
    """JSON and the bytes of every buffer."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:4] != b'glTF':
        model, binary = json.loads(data), None
    else:
        length, = struct.unpack_from('<I', data, 12)
        model, binary = json.loads(data[20:20 + length]), data[28 + length:]
    buffers = []
    for buffer in model.get('buffers', []):
        uri = buffer.get('uri')
        if uri is None:
            buffers.append(binary)
        elif uri.startswith('data:'):
            import base64
            buffers.append(base64.b64decode(uri.partition(',')[2]))
        else:
            from urllib.parse import unquote
            with open(os.path.join(os.path.dirname(path), unquote(uri)), 'rb') as file:
                buffers.append(file.read())
    return model, buffers


def strip_images(path, target):
    """The same model as one GLB without images, textures and their bytes; materials keep their factors."""
    model, buffers = read_gltf(path)
    dropped = {image['bufferView'] for image in model.get('images', []) if 'bufferView' in image}
    for member in ('images', 'textures', 'samplers'):
        model.pop(member, None)

    def without_textures(value):
        if isinstance(value, dict):
            return {k: without_textures(v) for k, v in value.items()
                    if not (k.endswith('Texture') and isinstance(v, dict))}
        return [without_textures(v) for v in value] if isinstance(value, list) else value

    if 'materials' in model:
        model['materials'] = without_textures(model['materials'])
    used = [name for name in model.get('extensionsUsed', []) if 'texture' not in name.lower()]
    model['extensionsUsed'] = used
    if not used:
        del model['extensionsUsed']
    new_number, views, binary = {}, [], bytearray()
    for i, view in enumerate(model.get('bufferViews', [])):
        if i in dropped:
            continue
        binary += bytes(-len(binary) % 4)
        start = view.get('byteOffset', 0)
        chunk = buffers[view['buffer']][start:start + view['byteLength']]
        new_number[i] = len(views)
        views.append(dict(view, buffer=0, byteOffset=len(binary)))
        binary += chunk

    def renumber(value):
        if isinstance(value, dict):
            return {k: new_number[v] if k == 'bufferView' else renumber(v) for k, v in value.items()}
        return [renumber(v) for v in value] if isinstance(value, list) else value

    model['accessors'] = renumber(model.get('accessors', []))
    model['bufferViews'] = views
    binary += bytes(-len(binary) % 4)
    model['buffers'] = [{'byteLength': len(binary)}]
    text = json.dumps(model, separators=(',', ':'), ensure_ascii=False).encode()
    text += b' ' * (-len(text) % 4)
    with open(target, 'wb') as file:
        file.write(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(binary)))
        file.write(struct.pack('<I4s', len(text), b'JSON') + text)
        file.write(struct.pack('<I4s', len(binary), b'BIN\0') + binary)


# -- Measuring ----------------------------------------------------------------------------------------------------------

def zstd_bytes(path):
    return len(run(['zstd', '-19', '-q', '-c', path], check=True).stdout)


def cook(source, pack, *options):
    done = run([MPAK, 'cook', '-q', *options, '-o', pack, source])
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors='replace').splitlines()[0])


def error_of(reference, pack):
    """(share of the size, degrees), largest and rms."""
    done = run([os.path.join(TOOLS, 'bench_error'), reference, pack], check=True)
    size, largest, rms, turned, turned_rms, vertices, poses, unmatched = (float(w) for w in done.stdout.split())
    return {'largest': largest / size, 'rms': rms / size, 'turned': turned, 'turned_rms': turned_rms,
            'unmatched': int(unmatched), 'vertices': int(vertices), 'poses': int(poses)}


def measure_glb(name, reference, glb):
    """Bytes of another tool's file, and its error (None where our reader refuses the file)."""
    row = {'bytes': os.path.getsize(glb), 'z19': zstd_bytes(glb), 'error': None}
    pack = os.path.join(OUT, name + '.other.mpak')
    try:
        cook(glb, pack, '--quality', 'lossless')
        row['error'] = error_of(reference, pack)
    except RuntimeError as reason:
        row['reason'] = str(reason)
    return row


def measure(name):
    path = find_model(name)
    if path is None:
        return None
    at = lambda suffix: os.path.join(OUT, name + suffix)
    strip_images(path, at('.glb'))
    cook(at('.glb'), at('.reference.mpak'), '--quality', 'lossless')
    rows = {'raw': {'bytes': os.path.getsize(at('.glb')), 'z19': zstd_bytes(at('.glb'))}}
    for mode in ('c', 'cc'):
        run([*GLTFPACK, '-i', at('.glb'), '-o', at('.%s.glb' % mode), '-' + mode, *KEEP], check=True)
        rows[mode] = measure_glb(name, at('.reference.mpak'), at('.%s.glb' % mode))
    done = run([*TRANSFORM, 'meshopt', at('.glb'), at('.transform.glb')])
    if done.returncode == 0:
        rows['transform'] = measure_glb(name, at('.reference.mpak'), at('.transform.glb'))
    cook(at('.glb'), at('.mpak'), '--quality', 'default', '--compress', 'size')
    rows['mpak'] = {'bytes': os.path.getsize(at('.mpak')), 'error': error_of(at('.reference.mpak'), at('.mpak'))}
    return rows


# -- Printing -----------------------------------------------------------------------------------------------------------

def print_error(row):
    error = row.get('error')
    if error is None:
        return '%-27s' % ('not read' if 'reason' in row else '')
    lost = '' if error['unmatched'] == 0 else ' (%d lost)' % error['unmatched']
    return '%-27s' % ('%.1e %.1e %5.2f%s' % (error['largest'], error['rms'], error['turned'], lost))


def mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float('nan')


def main():
    os.makedirs(OUT, exist_ok=True)
    if not os.path.isdir(NODE):
        sys.exit('bench-size: run "npm ci" in tools/node first: it brings gltfpack and glTF-Transform')
    names = sys.argv[1:] or SET
    ratios = {'cc': [], 'cc+z19': []}
    worse = []
    print('bytes; error of the posed vertices: largest and rms as shares of the size, largest turn of a normal in degrees')
    print('%-24s %10s %9s %9s %9s %9s %9s %9s %6s %6s  %-27s %-27s %-27s' % (
        'model', 'raw', 'raw+z19', 'gp -c', 'gp -cc', '-cc+z19', 'transform', 'mpak', '/-cc', '/+z19', 'error -cc',
        'error transform', 'error mpak'))
    for name in names:
        rows = measure(name)
        if rows is None:
            print('%-24s not there' % name)
            continue
        ours = rows['mpak']['bytes']
        one, two = ours / rows['cc']['bytes'], ours / rows['cc']['z19']
        counted = rows['cc']['bytes'] >= NOT_COUNTED_BELOW
        if counted:
            ratios['cc'].append(one)
            ratios['cc+z19'].append(two)
        transform = rows.get('transform', {'bytes': 0})
        print('%-24s %10d %9d %9d %9d %9d %9d %9d %6.2f %6.2f  %s %s %s%s' % (
            name, rows['raw']['bytes'], rows['raw']['z19'], rows['c']['bytes'], rows['cc']['bytes'], rows['cc']['z19'],
            transform['bytes'], ours, one, two, print_error(rows['cc']), print_error(transform),
            print_error(rows['mpak']), '' if counted else '  (small: not counted)'), flush=True)
        error, theirs = rows['mpak']['error'], rows['cc']['error']
        if theirs is not None and error['rms'] > theirs['rms']:
            worse.append('%s: rms %.1e against %.1e' % (name, error['rms'], theirs['rms']))
        if counted and one > EACH:
            worse.append('%s: %.2f of gltfpack -cc [each at most %.2f]' % (name, one, EACH))
    for kind, goal in GOALS.items():
        print('geometric mean against gltfpack -%s: %.3f [at most %.2f]' % (kind, mean(ratios[kind]), goal))
    for line in worse:
        print('missed: ' + line)


if __name__ == '__main__':
    main()
