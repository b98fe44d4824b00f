#!/usr/bin/env python3
"""Clips of FBX files against an evaluation of the files' curves of their own (support/fbx_clip.py).

Every node stands where the file says, at times on keys and between them, within 1e-5 of the size of what is animated;
and no clip takes more than a few times the numbers of the file's own keys. The files are in the shared folder.

Traps of animation: what can go wrong, and which test would see it. Below: here. C: tests/unit, by the test's name.

curves
  tangents get lost, lines between keys          below; C fbx_curve_between_keys, fbx_keys_bends_are_followed_…
  automatic slopes, clamped, progressive, TCB    C fbx_curve_between_keys; below jog, maya_game_sausage
  weighted and broken tangents                   C fbx_curve_between_keys; below max_transformed_skin
  velocity, bias of automatic slopes             C fixtures fbx_curves_guessed (said, and left out)
  stepped keys, steps to the next value          C fbx_curve_between_keys, fbx_keys_jumps_alone_…, …a_jump_among_lines_…
  more than half a turn between keys             C fbx_keys_whole_turns_are_no_rest, fbx_keys_turns_go_the_short_way
  too many keys, or too few                      below (numbers); C fbx_keys_*
  what lies beyond the keys                      C fbx_curve_goes_on_…, fbx_curve_bends_beyond_…, assimp_curves_go_on_…
  the end of a clip shows what follows it        C assimp_what_follows_the_clip_does_not_show
layers
  layers mixed up, additive and override         C fbx_take_layers_add_up, fbx_take_rotations_by_turns_and_by_angles
  animated weights, mute, solo                   C fbx_take_layers_add_up
  parts of turns and products                    C fbx_take_parts_of_turns_…; fixture fbx_layers (refused)
time
  frame rates, one frame a second                C assimp_frame_rates_do_not_move_keys
  start of the take, weights that begin earlier  C assimp_clip_begins_at_local_start
  neither start nor stop                         C assimp_clip_without_range_begins_at_the_take_or_the_first_key
  several takes of different spans               C assimp_takes_have_their_own_curves_…; below maya_…_combined
nodes
  pivots, pre-rotations, scale compensation      C assimp_pivots_are_baked_…, assimp_pre_rotation_…; below
weights
  a key lists some channels only                 C assimp_sparse_keys_of_channels_are_gathered; below blender440
  channels of two deformers collide              C fbx_prepass_two_deformers_become_one
  one channel, several materials                 C fbx_prepass_a_channel_drives_all_materials
  in-betweens: one control, its curve            C fbx_prepass_in_betweens_share_their_control
  weights below 0 and above 1                    C assimp_sparse_keys_…, fbx_prepass_weights_outside_the_range_…
  full weights of vertices (Blender)             C assimp_vertex_groups_of_shapes_are_followed; run_fbx blender440
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import fbx_clip
import fbx_file
import harness
import pack_clips

TOLERANCE = 1e-5
PROBES = 61
FILES = ['fbx_ozz/jog.fbx', 'fbx_assimp/animation_with_skeleton.fbx',
         'fbx_ufbx/maya_game_sausage_7500_binary_wiggle.fbx', 'fbx_ufbx/maya_game_sausage_7500_binary_combined.fbx',
         'fbx_ufbx/maya_transformed_skin_7700_binary.fbx', 'fbx_ufbx/maya_instanced_skin_7700_binary.fbx',
         'fbx_ufbx/maya_blend_shape_cube_7700_binary.fbx', 'fbx_ufbx/max_transformed_skin_7500_binary.fbx',
         'fbx_ufbx/blender_279_sausage_7400_binary.fbx', 'fbx_ufbx/blender_293_barbarian_7400_binary.fbx',
         'fbx_ufbx/blender440_shape_weight_anim_7400_binary.fbx', 'skin/exported-animation.fbx', 'blender/face_anim.fbx',
         'blender/scaled_armature.fbx', 'blender/many_influences.fbx', 'blender/head_parts.fbx']


def box_size(places):
    """The diagonal of the box around places."""
    sides = [max(place[axis] for place in places) - min(place[axis] for place in places) for axis in range(3)]
    return sum(side ** 2 for side in sides) ** 0.5


def unique_pairs(models, nodes):
    """Models of the file and nodes of the pack with the same name, where it occurs once in both."""
    names, said = [node.name for node in nodes], list(models.values())
    return [(model, names.index(name)) for model, name in models.items()
            if names.count(name) == 1 and said.count(name) == 1]


def far(a, b):
    return sum((a[row][3] - b[row][3]) ** 2 for row in range(3)) ** 0.5


def compare_nodes(rig, take, nodes, clip):
    """(largest distance of a node from its place, in sizes of the box around all places; where; how many nodes)."""
    pairs = unique_pairs({model: rig.name(model) for model in rig.models}, nodes)
    worst, where, places = 0.0, None, []
    for probe in range(PROBES):
        time_s = clip.end_s * probe / (PROBES - 1)
        truth, found = rig.worlds(take, take.start_s + time_s), pack_clips.worlds(nodes, clip, time_s)
        for model, node in pairs:
            places.append([truth[model][row][3] for row in range(3)])
            if far(truth[model], found[node]) > worst:
                worst, where = far(truth[model], found[node]), '%s at %g s' % (rig.name(model), time_s)
    return worst / (box_size(places) or 1.0), where, len(pairs)


def compare_weights(root, take, nodes, clip):
    """(largest difference of a weight, how many weights were compared)."""
    worst, count = 0.0, 0
    channels = fbx_clip.channels(root)
    for track in clip.tracks:
        if track.path != pack_clips.WEIGHTS:
            continue
        for control, name in enumerate(nodes[track.node].controls):
            named = [channel for channel in channels if nodes[track.node].name in channel[3] and
                     (channel[1] == name or channel[1].endswith('.' + name))]
            if len(named) != 1:
                continue
            count += 1
            for probe in range(PROBES):
                time_s = clip.end_s * probe / (PROBES - 1)
                rest = [named[0][2], 0, 0]
                truth = take.value(named[0][0], 'DeformPercent', rest, take.start_s + time_s)[0] / 100
                worst = max(worst, abs(pack_clips.sample(track, time_s)[control] - truth))
    return worst, count


def file_key_count(root):
    return sum(len(record.child('KeyTime').values[0]) for record in root.child('Objects').children
               if record.name == 'AnimationCurve')


def check_file(checks, folder, name, options=('--unit', 'source', '--up', 'source')):
    """All clips of a file, and how many numbers they take together: a key of the file is two of them, a turn in the
    pack is five, and curved turns about several axes need some keys of their own."""
    pack = os.path.join(folder, 'clips.mpak')
    code, err = harness.cook(os.path.join(harness.SHARED_ASSETS, name), pack, '--compress', 'load', *options)
    if not checks.equal(code, 0, name + ' is cooked (' + err[-300:] + ')'):
        return
    root = fbx_file.read(os.path.join(harness.SHARED_ASSETS, name))
    rig, takes = fbx_clip.Rig(root), fbx_clip.takes(root)
    nodes, clips = pack_clips.read(pack)
    if not checks.equal([clip.name for clip in clips], [take.name for take in takes], name + ' clips'):
        return
    for take, clip in zip(takes, clips):
        worst, where, count = compare_nodes(rig, take, nodes, clip)
        checks.check(count > 0 and worst <= TOLERANCE, '%s %s: nodes' % (name, clip.name), (worst, where, count))
        worst, count = compare_weights(root, take, nodes, clip)
        if any(track.path == pack_clips.WEIGHTS for track in clip.tracks):
            checks.check(count > 0 and worst <= TOLERANCE, '%s %s: weights' % (name, clip.name), (worst, count))
    floats = sum(pack_clips.float_count(clip) for clip in clips)
    limit = 4 * file_key_count(root) + 500
    checks.check(floats <= limit, name + ' takes no more keys than it needs', '%d numbers, limit %d' % (floats, limit))


def main():
    checks = harness.Checks('fbx clips')
    with harness.scratch() as folder:
        for name in FILES:
            if os.path.exists(os.path.join(harness.SHARED_ASSETS, name)):
                check_file(checks, folder, name)
            else:
                checks.skip()
    checks.finish()


if __name__ == '__main__':
    main()
