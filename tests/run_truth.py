#!/usr/bin/env python3
"""What `mpak info --json` says of a cooked glTF file, against facts that were computed from the file without mpak.

Shared files: truth.json. Committed samples: tests/support/gltf_oracle.py.
"""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import gltf_oracle
import harness

LINES_ONLY = 'assetgen/Mesh_PrimitiveMode_08.gltf'
DRACO = 'compressed/CesiumMan_draco.gltf'


def close(found, expected):
    return abs(found - expected) <= 1e-6 * max(abs(expected), 1e-30) + 1e-12


def truth_of_samples(path):
    """The part of truth.json's record that the comparison needs, for a committed file."""
    model = gltf_oracle.Model(path)
    document = model.document
    nodes = document.get('nodes', [])
    meshes = []
    for index, mesh in enumerate(document.get('meshes', [])):
        names = (mesh.get('extras') or {}).get('targetNames')
        primitives = []
        for number, source in enumerate(mesh['primitives']):
            primitive = model.primitive(index, number)
            targets = []
            for target in primitive.targets:
                lengths = [gltf_oracle.length(row) for row in target.get('POSITION', [])]
                targets.append({'POSITION': {'nonzero': sum(1 for size in lengths if size > 0), 'max_len': max(lengths or [0])}})
            primitives.append({'mode': primitive.mode, 'vertices': len(primitive.positions),
                               'indices': len(primitive.indices), 'target_count': len(primitive.targets), 'targets': targets})
        meshes.append({'index': index, 'name': mesh.get('name'), 'target_names': names, 'primitives': primitives,
                       'default_weights': mesh.get('weights'), 'instances': sum(1 for node in nodes if node.get('mesh') == index)})
    skins = [{'joints': len(skin['joints']), 'name': skin.get('name'),
              'joint_names': [nodes[joint].get('name') for joint in skin['joints']]} for skin in document.get('skins', [])]
    animations = []
    for number, animation in enumerate(document.get('animations', [])):
        start, end = gltf_oracle.clip_range(model, number)
        paths = {}
        for channel in animation['channels']:
            paths[channel['target']['path']] = paths.get(channel['target']['path'], 0) + 1
        animations.append({'name': animation.get('name'), 'paths': paths, 'start': start, 'end': end})
    return {'meshes': meshes, 'skins': skins, 'animations': animations}


def check_targets(checks, where, primitive, truth, names, found_targets):
    """Names byte-exact, counts, moved_count and max_delta of each target."""
    checks.equal(len(found_targets), truth['target_count'], where + ' target count')
    for number, target in enumerate(found_targets):
        at = '%s target %d' % (where, number)
        if names and number < len(names):
            checks.equal(target['name'], names[number], at + ' name')
        if number >= len(truth.get('targets', [])):
            continue
        position = truth['targets'][number].get('POSITION', {'nonzero': 0, 'max_len': 0.0})
        checks.equal(target['moved_count'], position['nonzero'], at + ' moved_count')
        checks.check(close(target['max_delta'], position['max_len']), at + ' max_delta',
                     '%r, expected %r' % (target['max_delta'], position['max_len']))


def check_mesh(checks, where, mesh, truth):
    drawn = [(number, p) for number, p in enumerate(truth['primitives']) if p['mode'] >= 4]
    if not checks.equal(len(mesh['primitives']), len(drawn), where + ' primitives'):
        return
    for (number, expected), primitive in zip(drawn, mesh['primitives']):
        at = '%s primitive %d' % (where, number)
        source = primitive['source']
        checks.equal(source['vertex_count'], expected['vertices'], at + ' source vertex_count')
        checks.equal(source['index_count'], expected['indices'], at + ' source index_count')
        check_targets(checks, at, primitive, expected, truth['target_names'], source['targets'])
        checks.equal(len(primitive['targets']), expected['target_count'], at + ' controls')
        if truth['default_weights']:
            for number_of, weight in enumerate(truth['default_weights']):
                checks.check(close(primitive['targets'][number_of]['default_weight'], weight), at + ' default weight')


def check_file(checks, where, info, truth):
    used = [mesh for mesh in truth['meshes'] if mesh['instances'] > 0 and any(p['mode'] >= 4 for p in mesh['primitives'])]
    if checks.equal(len(info['meshes']), len(used), where + ' meshes'):
        for mesh, expected in zip(info['meshes'], used):
            checks.equal(mesh['name'], expected['name'] or '', '%s mesh %d name' % (where, expected['index']))
            check_mesh(checks, '%s mesh %d' % (where, expected['index']), mesh, expected)
    check_skins(checks, where, info, truth)
    checks.equal(len(info['clips']), len(truth['animations']), where + ' clips')
    for clip, expected in zip(info['clips'], truth['animations']):
        at = '%s clip %s' % (where, expected['name'])
        checks.equal(clip['name'], expected['name'] or '', at + ' name')
        node_paths = sum(count for path, count in expected['paths'].items() if path in ('translation', 'rotation', 'scale'))
        checks.equal(clip['node_tracks'], node_paths, at + ' node_tracks')
        checks.equal(clip['weight_tracks'], expected['paths'].get('weights', 0), at + ' weight_tracks')
        if 'unreadable' in expected:
            continue  # the keys are compressed, and the truth was made without a decoder
        checks.check(close(clip['end_s'], expected['end'] or 0.0), at + ' end_s', (clip['end_s'], expected['end']))
        if expected['start'] is not None:
            checks.check(close(clip['start_s'], expected['start']), at + ' start_s', (clip['start_s'], expected['start']))


def check_skins(checks, where, info, truth):
    """Skins that a drawn node uses, in the file's order."""
    found = [(skin['joint_count'], skin['name']) for skin in info['skins']]
    expected = [(skin['joints'], skin['name'] or '') for skin in truth['skins']]
    used = [skin for number, skin in enumerate(expected)
            if 'skins_used' not in truth or number in truth['skins_used']]
    checks.equal(found, used, where + ' skins')
    names = {node['key']: node['name'] for node in info['nodes']}
    for skin, source in zip(info['skins'], [s for n, s in enumerate(truth['skins'])
                                            if 'skins_used' not in truth or n in truth['skins_used']]):
        joint_names = [names[key] if isinstance(key, str) else info['nodes'][key]['name'] for key in skin['joints']]
        checks.equal(joint_names[:300], [name or '' for name in source['joint_names']], where + ' joint names')


def check_shared(checks, folder):
    with open(os.path.join(harness.SHARED_ASSETS, 'truth.json'), encoding='utf-8') as file:
        truths = json.load(file)
    for name, truth in sorted(truths.items()):
        if 'fbx' in truth:
            continue
        source, pack = os.path.join(harness.SHARED_ASSETS, name), os.path.join(folder, 'pack.mpak')
        code, err = harness.cook(source, pack, '--lods', 'none')
        if name == DRACO:
            checks.check(code == 4 and 'KHR_draco_mesh_compression' in err, name + ' is refused by name', (code, err))
        elif name == LINES_ONLY:
            checks.check(code == 1 and 'nothing to cook' in err, name + ' has nothing to cook', (code, err))
        elif checks.equal(code, 0, name + ' exit code (' + err[:200] + ')'):
            truth['skins_used'] = {skin for mesh in truth['meshes'] for skin in mesh['skins']}
            info = harness.run_json(['info', '--json', pack])
            if checks.check(info is not None, name + ' info'):
                check_file(checks, name, info, truth)
        if name == 'morph/morphLoader.glb':
            checks.check('warning' in err and 'LINEAR' in err, name + ' reads a numeric interpolation as LINEAR', err)


def check_samples(checks, folder):
    for name in sorted(os.listdir(harness.SAMPLES)):
        if not name.endswith(('.glb', '.gltf')):
            continue
        source, pack = os.path.join(harness.SAMPLES, name), os.path.join(folder, 'pack.mpak')
        code, err = harness.cook(source, pack, '--lods', 'none')
        if checks.equal(code, 0, name + ' exit code (' + err[:200] + ')'):
            check_file(checks, name, harness.run_json(['info', '--json', pack]), truth_of_samples(source))


def main():
    checks = harness.Checks('truth')
    with harness.scratch() as folder:
        check_samples(checks, folder)
        if harness.has_shared():
            check_shared(checks, folder)
        else:
            checks.skip(61)
    checks.finish()


if __name__ == '__main__':
    main()
