"""info --json: facts that can be read off the small models, and the schema on every sample."""
import json
import os

import harness
import mini_schema
import small_gltf


def read_schema():
    with open(os.path.join(harness.ROOT, 'cooker', 'report', 'schema', 'info.v1.json'), encoding='utf-8') as file:
        return json.load(file)


def info_of(checks, scratch, source, *options):
    pack = os.path.join(scratch, 'pack.mpak')
    code, err = harness.cook(source, pack, *options)
    if not checks.equal(code, 0, '%s cooks (%s)' % (os.path.basename(source), err[:200])):
        return None, pack
    return harness.run_json(['info', '--json', pack]), pack


def check_quad(checks, scratch, small):
    info, pack = info_of(checks, scratch, os.path.join(small, 'quad.gltf'))
    mesh = info['meshes'][0]
    checks.equal((mesh['name'], mesh['key'], mesh['nodes']), ('Card', 'Card', ['Quad']), 'info: mesh')
    primitive = mesh['primitives'][0]
    checks.equal(primitive['source'], {'vertex_count': 5, 'index_count': 6,
                                       'targets': [{'name': 'Smile', 'moved_count': 1, 'max_delta': 1},
                                                   {'name': 'Frown', 'moved_count': 1, 'max_delta': 2}]}, 'info: source')
    checks.equal((primitive['vertex_count'], primitive['index_count'], primitive['material']), (4, 6, 'Paper'), 'info: primitive')
    checks.equal(primitive['bounds'], {'min': [0, 0, 0], 'max': [1, 1, 0]}, 'info: bounds')
    checks.equal(primitive['conservative_bounds'], {'min': [0, 0, -2], 'max': [1, 1, 1]}, 'info: conservative bounds')
    checks.equal(primitive['max_position_delta'], 2, 'info: max_position_delta')
    checks.equal(primitive['targets'], [
        {'name': 'Smile', 'key': 'Smile', 'default_weight': 0, 'range': [0, 1], 'delta_count': 1},
        {'name': 'Frown', 'key': 'Frown', 'default_weight': 0, 'range': [0, 1], 'delta_count': 1}], 'info: targets')
    checks.equal(info['nodes'], [{'name': 'Quad', 'key': 'Quad', 'parent': None}], 'info: nodes')
    checks.equal(info['clips'], [
        {'name': 'Slide', 'start_s': 1, 'end_s': 3, 'duration_s': 2, 'node_tracks': 1, 'weight_tracks': 0},
        {'name': 'Pulse', 'start_s': 0, 'end_s': 2, 'duration_s': 2, 'node_tracks': 0, 'weight_tracks': 1}], 'info: clips')
    checks.check(sum(chunk['stored_bytes'] for chunk in info['chunks']) < os.path.getsize(pack), 'info: chunks are smaller than the file')
    checks.equal(info['errors']['largest_m'], 0, 'info: lossless')
    checks.equal(info['cooker']['options']['layout'], 'blk64', 'info: options, defaults resolved')


def check_skin(checks, scratch, small):
    info, _ = info_of(checks, scratch, os.path.join(small, 'skin.gltf'))
    checks.equal(info['skins'], [{'name': 'LegSkin', 'joint_count': 2, 'joints': ['Hip', 'Knee']}], 'info: skins')
    section = info['meshes'][0]['primitives'][0]['sections'][0]
    checks.equal((section['bone_map'], section['max_influences'], section['vertex_count']), ([0, 1], 2, 4), 'info: sections')
    parents = {node['key']: node['parent'] for node in info['nodes']}
    checks.equal(parents, {'Leg': None, 'Hip': None, 'Knee': 'Hip'}, 'info: parents')


def check_names(checks, scratch, small):
    info, _ = info_of(checks, scratch, os.path.join(small, 'names.gltf'))
    checks.equal(info['nodes'][0]['name'], small_gltf.ODD_NODE, 'info: a node name with a line break')
    checks.equal(info['meshes'][0]['name'], small_gltf.ODD_MESH, 'info: a mesh name with quotes')
    checks.equal([t['name'] for t in info['meshes'][0]['primitives'][0]['targets']], small_gltf.ODD_TARGETS, 'info: target names')
    checks.equal([clip['name'] for clip in info['clips']], ['Twin', 'Twin'], 'info: names as the source has them')


def check_schema_on_every_sample(checks, scratch, small):
    form = read_schema()
    folders = [harness.SAMPLES, small]
    for source in [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder))]:
        if not source.endswith(('.glb', '.gltf', '.fbx')) or 'broken' in source:
            continue
        info, _ = info_of(checks, scratch, source, '--source-map')
        faults = list(mini_schema.faults(info, form)) if info is not None else ['no JSON']
        checks.check(not faults, 'info %s keeps its schema' % os.path.basename(source), faults[:3])
