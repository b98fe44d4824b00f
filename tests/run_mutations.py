#!/usr/bin/env python3
"""The whole cook on damaged copies of real models: each ends in time with a sound pack, or with a coded message and
nothing written. 30 copies a model, 500 with MPAK_SOAK in the environment.

    tests/run_mutations.py               all
    tests/run_mutations.py MODEL NUMBER  one copy again, left in build/mutations to be looked at
    MPAK_SEED=TEXT                       other copies than the usual ones"""
import collections
import functools
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'support'))
import gltf_maker
import harness
import issue_files
import mutations

SEED = os.environ.get('MPAK_SEED', 'mpak')
COPIES = 500 if 'MPAK_SOAK' in os.environ else 30
PROCESSES = 2
KEPT = os.path.join(harness.ROOT, 'build', 'mutations')
# Of CPU time in each process, so that a busy machine changes nothing; and by the clock, for one that waits for ever.
LIMIT_S, CLOCK_S = 5, 120
EXITS = (0, 1, 3, 4, 6)
DEATHS = ('MPAK-I001', 'MPAK-I002', 'MPAK-I003', 'MPAK-I007')  # of the importer's process

# Every copy is cooked with one of these.
OPTIONS = (
    (),
    ('--quality', 'default'),
    ('--layout', 'csr64', '--source-map'),
    ('--quality', 'compact', '--tangents', 'generate', '--morph-normals', 'recompute'),
    ('--vertex-order', 'source', '--weld', 'none', '--max-influences', '4'),
    ('--quality', 'high', '--compress', 'load', '--unit', 'source', '--up', 'source'),
    ('--clips-only',),
)

OURS = ('custom_normals.fbx', 'face_anim.fbx', 'custom_normals.glb', 'face_anim.glb')
SHARED = (
    'fbx_ufbx/maya_instanced_skin_7700_binary.fbx',
    'fbx_ufbx/maya_blend_shape_cube_7700_ascii.fbx',
    'fbx_ufbx/max_transformed_skin_7500_binary.fbx',
    'fbx_ufbx/zbrush_d20_7500_binary.fbx',
    'fbx_ufbx/blender440_shape_weight_anim_7400_binary.fbx',
    'compressed/face_anim_gltfpack_cc.glb',
    'quantized/face_anim_gltfpack.glb',
    'sparse/singleBlendshapeCube_sparse.glb',
    'skin/simple_skin.gltf',
    'skin/skin-multiple-sets.gltf skin/skin-multiple-sets.bin',
    'blender_io/01_morphed_cube.gltf blender_io/01_morphed_cube.bin',
)


def read_source(folder, paths):
    files = {}
    for path in paths.split():
        with open(os.path.join(folder, path), 'rb') as file:
            files[os.path.basename(path)] = file.read()
    return mutations.Source(next(iter(files)), files)


@functools.lru_cache(maxsize=None)
def sources():
    found = [mutations.Source('made.gltf', {'made.gltf': gltf_maker.Sound().gltf()})]
    found += [read_source(harness.SAMPLES, path) for path in OURS]
    if harness.has_shared():
        found += [read_source(harness.SHARED_ASSETS, paths) for paths in SHARED]
    return {source.name: source for source in found}


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))


def write_files(files, folder):
    os.makedirs(folder)
    for name, data in files.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(data)


def pack_complaints(pack):
    found = []
    for verb in (['validate'], ['eval', '--backend', 'cpu', '-o', pack + '.json']):
        code, _, err = harness.run([*verb, pack], timeout=CLOCK_S, preexec_fn=limit_time)
        if code != 0:
            found.append('%s: exit %d: %s' % (verb[0], code, err[:300]))
    return found


def is_our_fault(source, issue):
    """Answers are ours, and so is UBSan, which Assimp is built without; no importer but Assimp may die at all."""
    if issue['code'] == 'MPAK-I004' or (issue['code'] in DEATHS and 'runtime error' in issue['message']):
        return True
    return issue['code'] in DEATHS and source.main.endswith(('.gltf', '.glb'))


def complaints(source, answer):
    found = answer.complaints()
    if answer.code not in EXITS:
        found.append('exit %d' % answer.code)
    if answer.code != 0 and '[MPAK-' not in answer.text:
        found.append('no code in: ' + answer.text[:300])
    if answer.code == 0 and answer.has_pack:
        found += pack_complaints(answer.pack)
    found += ['%s: %s' % (issue['code'], issue['message']) for issue in answer.issues if is_our_fault(source, issue)]
    return found


Outcome = collections.namedtuple('Outcome', 'name number kind code codes deaths seconds found')


def run_copy(job):
    """One damaged copy of a model, cooked in a folder of its own."""
    name, number = job
    source = sources()[name]
    kind, files = source.mutant(SEED, number)
    with harness.scratch() as folder:
        write_files(files, os.path.join(folder, 'in'))
        started = time.monotonic()
        code, codes, deaths = None, [], []
        try:
            answer = issue_files.Answer(os.path.join(folder, 'in', source.main), os.path.join(folder, 'out'),
                                        OPTIONS[number % len(OPTIONS)], timeout=CLOCK_S, preexec_fn=limit_time, env=dict(os.environ, TMPDIR=folder))
            code, codes, found = answer.code, answer.codes('error'), complaints(source, answer)
            deaths = [issue['message'] for issue in answer.issues if issue['code'] in DEATHS]
        except subprocess.TimeoutExpired:
            found = ['still there after %d s' % CLOCK_S]
        seconds = time.monotonic() - started
        if sorted(os.listdir(folder)) != ['in', 'out'] or sorted(os.listdir(os.path.join(folder, 'in'))) != sorted(files):
            found.append('files left behind')
    return Outcome(name, number, kind, code, codes, deaths, seconds, found)


def keep(name, number):
    folder = os.path.join(KEPT, '%s.%d' % (name, number))
    shutil.rmtree(folder, ignore_errors=True)
    write_files(sources()[name].mutant(SEED, number)[1], folder)
    return folder


def print_summary(outcomes):
    for kind in mutations.KINDS:
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        accepted = sum(outcome.code == 0 for outcome in of_kind)
        print('%s: %d cooked, %d refused' % (kind, accepted, len(of_kind) - accepted))
    codes = collections.Counter(code for outcome in outcomes for code in outcome.codes)
    print('errors: ' + ' '.join('%s %d' % pair for pair in sorted(codes.items())))
    for outcome in outcomes:
        for death in outcome.deaths:
            print('%s %d: %s' % (outcome.name, outcome.number, death))
    longest = max(outcomes, key=lambda outcome: outcome.seconds)
    print('seed "%s"; longest: %s %d, %.1f s' % (SEED, longest.name, longest.number, longest.seconds))


def main():
    checks = harness.Checks('mutations')
    jobs = [(name, number) for name in sources() for number in range(COPIES)]
    if len(sys.argv) == 3:
        jobs = [(sys.argv[1], int(sys.argv[2]))]
        print(keep(*jobs[0]))
    elif not harness.has_shared():
        checks.skip(len(SHARED) * COPIES)
    outcomes = []
    with multiprocessing.Pool(PROCESSES) as pool:
        for outcome in pool.imap_unordered(run_copy, jobs, chunksize=4):
            outcomes.append(outcome)
            title = '%s %d (%s, seed "%s")' % (outcome.name, outcome.number, outcome.kind, SEED)
            if not checks.check(not outcome.found, title, '; '.join(outcome.found)):
                print('kept: %s' % keep(outcome.name, outcome.number))
    print_summary(outcomes)
    checks.finish()


if __name__ == '__main__':
    main()
