// verbs.c: the tables. Parser, --help, manual pages and messages about misuse all read them.
#include <string.h>

#include "cooker/cli/commands.h"
#include "cooker/cli/options.h"

#define MEMBER(name) offsetof(cli_arguments, name)
#define OPTIONS_END                                                                                                    \
  { .name = NULL }

static const cli_option general_options[] = {
    {"--quiet", "-q", CLI_FLAG, MEMBER(is_quiet), NULL, "no summary, no infos", NULL, NULL, 0},
    {"--verbose", "-v", CLI_FLAG, MEMBER(is_verbose), NULL, "more figures in the summary", NULL, NULL, 0},
    {"--help", "-h", CLI_FLAG, MEMBER(wants_help), NULL, "this page", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option help_option[] = {
    {"--help", "-h", CLI_FLAG, MEMBER(wants_help), NULL, "this page", NULL, NULL, 0},
    OPTIONS_END,
};

/// Options that change the bytes of a pack, and -j.
static const cli_option cook_table[] = {
    {"--quality", NULL, CLI_CHOICE, MEMBER(quality), NULL,
     "precision; without it: default for cook, lossless elsewhere", "lossless|high|default|compact", NULL, 0},
    {"--layout", NULL, CLI_CHOICE, MEMBER(layout), NULL, "morph deltas: blocks of 64, or plain rows", "blk64|csr64",
     NULL, 0},
    {"--compress", NULL, CLI_CHOICE, MEMBER(compress), NULL,
     "load: as it is needed; size: wrapped, to be unwrapped before use", "default|load|size", NULL, 0},
    {"--tangents", NULL, CLI_CHOICE, MEMBER(tangents), NULL, "auto: the file's, or where a normal map needs them",
     "auto|generate|none", NULL, 0},
    {"--morph-normals", NULL, CLI_CHOICE, MEMBER(morph_normals), NULL,
     "auto: made where positions move and no normal does", "auto|import|recompute|none", NULL, 0},
    {"--max-influences", NULL, CLI_CHOICE, MEMBER(max_influences), NULL, "joints that may move a vertex", "12|8|4",
     NULL, 0},
    {"--max-bones", NULL, CLI_COUNT, MEMBER(max_bones), "N", "joints of a section; a mesh with more is split", NULL,
     NULL, 65536},
    {"--profile", NULL, CLI_TEXT, MEMBER(profile), "desktop|mobile|FILE", "limits and quality of a platform", NULL,
     NULL, 0},
    {"--lods", NULL, CLI_TEXT, MEMBER(lods), "auto|none|N", "auto: the author's or the profile's; N: levels to make",
     NULL, NULL, 0},
    {"--vertex-order", NULL, CLI_CHOICE, MEMBER(vertex_order), NULL,
     "auto: in strips; blocks: in patches, morphs faster", "auto|source|blocks", NULL, 0},
    {"--weld", NULL, CLI_CHOICE, MEMBER(weld), NULL, "auto: equal vertices become one", "auto|none", NULL, 0},
    {"--weight-range", NULL, CLI_RANGE, MEMBER(weight_range), "LO,HI", "widen the range of all morph weights", NULL,
     NULL, 0},
    {"--anim-error", NULL, CLI_LENGTH, MEMBER(animation_error), "METRES",
     "how far clips may lead a joint's points astray, on 1.8 m", NULL, NULL, 0},
    {"--source-map", NULL, CLI_FLAG, MEMBER(source_map), NULL, "keep which source vertex became which", NULL, NULL, 0},
    {"--targets", NULL, CLI_TEXTS, MEMBER(targets), "GLOB",
     "only morph targets of such names (* and ?); repeat for more", NULL, NULL, 0},
    {"--drop-unused", NULL, CLI_FLAG, MEMBER(drop_unused), NULL, "leave out targets and joints that move nothing", NULL,
     NULL, 0},
    {"--clips", NULL, CLI_FILES, MEMBER(clip_files), "FILE…", "add the clips of other files, by node name", NULL, NULL,
     0},
    {"--clips-only", NULL, CLI_FLAG, MEMBER(clips_only), NULL, "leave the meshes out: a clip pack", NULL, NULL, 0},
    {"--importer", NULL, CLI_CHOICE, MEMBER(importer), NULL, "assimp: also for glTF", "auto|assimp", NULL, 0},
    {"--unit", NULL, CLI_CHOICE, MEMBER(unit), NULL, "metres, or as the file has it (not glTF)", "m|source", NULL, 0},
    {"--up", NULL, CLI_CHOICE, MEMBER(up), NULL, "+Y up, or as the file has it (not glTF)", "y|source", NULL, 0},
    {"--name-encoding", NULL, CLI_TEXT, MEMBER(name_encoding), "NAME",
     "of names that are not UTF-8: cp932 … (not glTF)", NULL, NULL, 0},
    {"--jobs", "-j", CLI_COUNT, MEMBER(thread_count), "N", "threads; the bytes do not depend on it", NULL, NULL, 1024},
    {"--normals", NULL, CLI_LATER, 0, NULL, NULL, NULL, NULL, 0},
    {"--cache", NULL, CLI_LATER, 0, NULL, NULL, NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option issue_options[] = {
    {"--warning", "-W", CLI_TEXTS, MEMBER(severities), "CODE=LEVEL", "error, warning, info or off for an issue", NULL,
     NULL, 0},
    {"--werror", NULL, CLI_FLAG, MEMBER(werror), NULL, "warnings are errors", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option report_options[] = {
    {"--report", NULL, CLI_TEXT, MEMBER(report), "FILE.json", "write all issues and figures", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option pack_output_options[] = {
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "the pack (default: the input's name with .mpak)", NULL, NULL,
     0},
    OPTIONS_END,
};

static const cli_option depfile_options[] = {
    {"-MD", NULL, CLI_FLAG, MEMBER(depfile), NULL, "write which files were read, for make and ninja", NULL, NULL, 0},
    {"-MF", NULL, CLI_TEXT, MEMBER(depfile_path), "FILE", "where (default: the output's name with .d)", NULL, NULL, 0},
    {"-MT", NULL, CLI_TEXTS, MEMBER(depfile_targets), "TARGET", "the rule's target (default: the output)", NULL, NULL,
     0},
    {"-MP", NULL, CLI_FLAG, MEMBER(depfile_phony), NULL, "an empty rule for each file but the first", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option info_options[] = {
    {"--json", NULL, CLI_FLAG, MEMBER(json), NULL, "JSON (schema info.v1.json)", NULL, NULL, 0},
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "write there instead of standard output", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option pose_options[] = {
    {"--clip", NULL, CLI_TEXTS, MEMBER(clips), "NAME|#N|all", "apply a clip; repeat to apply several in order", NULL,
     NULL, 0},
    {"--time", NULL, CLI_REAL, MEMBER(time), "S", "seconds on the source's time line", NULL, NULL, 0},
    {"--weight", NULL, CLI_TEXTS, MEMBER(weights), "[NODE/]NAME=V", "set a morph weight after the clips", NULL, NULL,
     0},
    {"--lod", NULL, CLI_TEXT, MEMBER(lod), "N", "level of detail, 0 by default", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option eval_options[] = {
    {"--space", NULL, CLI_CHOICE, MEMBER(space), NULL, "world, or the mesh's own before skinning", "scene|mesh", NULL,
     0},
    {"--order", NULL, CLI_CHOICE, MEMBER(order), NULL, "number vertices as the pack or the source", "pack|source", NULL,
     0},
#ifdef MPAK_HAS_VIEWER
    {"--backend", NULL, CLI_CHOICE, MEMBER(backend), NULL, "double precision, or the runtime's code on CPU or GPU",
     "ref|cpu|gl", NULL, 0},
    {"--technique", NULL, CLI_CHOICE, MEMBER(technique), NULL, "with --backend gl: who moves vertices",
     "auto|inline|cache|cpu", NULL, 0},
#else
    {"--backend", NULL, CLI_CHOICE, MEMBER(backend), NULL, "double precision, or the runtime's own code", "ref|cpu",
     "gl", 0},
    {"--technique", NULL, CLI_LATER, 0, NULL, NULL, NULL, NULL, 0},
#endif
    {"--attributes", NULL, CLI_CHOICE, MEMBER(attributes), NULL, "all: also uv, colours, joints, weights",
     "default|all", NULL, 0},
    {"--format", NULL, CLI_CHOICE, MEMBER(format), NULL, "of the result", "json|ply|obj|glb", NULL, 0},
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "write there instead of standard output", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option bake_options[] = {
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "the GLB (default: the input's name with .baked.glb)", NULL,
     NULL, 0},
    OPTIONS_END,
};

static const cli_option diff_options[] = {
    {"--json", NULL, CLI_FLAG, MEMBER(json), NULL, "JSON (schema diff.v1.json)", NULL, NULL, 0},
    {"--tolerance", NULL, CLI_REAL, MEMBER(tolerance), "MM", "movements up to this many millimetres are none", NULL,
     NULL, 0},
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "write there instead of standard output", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option export_options[] = {
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "the GLB (default: the pack's name with .glb)", NULL, NULL, 0},
    OPTIONS_END,
};

#ifdef MPAK_HAS_VIEWER
static const cli_option sheet_options[] = {
    {"--output", "-o", CLI_TEXT, MEMBER(output), "FILE", "the PNG (default: the input's name with .png)", NULL, NULL,
     0},
    {"--columns", NULL, CLI_COUNT, MEMBER(columns), "N", "cells of a row; by itself 4 to 10", NULL, NULL, 64},
    {"--cell", NULL, CLI_COUNT, MEMBER(cell_px), "N", "side of a cell's picture in pixels, 180 by default", NULL, NULL,
     2048},
    {"--clip-frames", NULL, CLI_COUNT, MEMBER(clip_frames), "N", "frames of each clip, 4 by default", NULL, NULL, 64},
    {"--lod", NULL, CLI_TEXT, MEMBER(lod), "N", "level of detail, 0 by default", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option view_options[] = {
    {"--frames", NULL, CLI_COUNT, MEMBER(frames), "N", "draw N frames without a display, then end; needs --out", NULL,
     NULL, 1000000},
    {"--out", "-o", CLI_TEXT, MEMBER(output), "FILE", "the last frame as a PNG; needs --frames", NULL, NULL, 0},
    {"--window", NULL, CLI_FLAG, MEMBER(wants_window), NULL, "with --frames: in a window all the same", NULL, NULL, 0},
    {"--size", NULL, CLI_TEXT, MEMBER(size_px), "WxH", "of the picture in pixels, 1280x800 by default", NULL, NULL, 0},
    {"--technique", NULL, CLI_CHOICE, MEMBER(technique), NULL, "who moves vertices", "auto|inline|cache|cpu", NULL, 0},
    {"--from", NULL, CLI_CHOICE, MEMBER(camera_side), NULL, "where the camera stands",
     "three-quarter|front|back|left|right|top|sun", NULL, 0},
    {"--pass", NULL, CLI_CHOICE, MEMBER(pass), NULL, "one pass alone, on black", "all|shadow|forward|outline", NULL, 0},
    {"--show", NULL, CLI_TEXTS, MEMBER(shown), "WHAT", "wireframe, bounds, normals, normal-colours or heat", NULL, NULL,
     0},
    {"--hide", NULL, CLI_TEXTS, MEMBER(hidden), "WHAT", "ui, shadow, ground or outline", NULL, NULL, 0},
    OPTIONS_END,
};
#endif

static const cli_option man_options[] = {
    {"--man", NULL, CLI_FLAG, MEMBER(wants_man), NULL, "the manual page as roff", NULL, NULL, 0},
    OPTIONS_END,
};

static const cli_option *const cook_tables[] = {pack_output_options, cook_table,      issue_options, report_options,
                                                depfile_options,     general_options, NULL};
static const cli_option *const validate_tables[] = {cook_table, issue_options, report_options, general_options, NULL};
static const cli_option *const info_tables[] = {info_options, help_option, NULL};
static const cli_option *const eval_tables[] = {pose_options,  eval_options,    cook_table,
                                                issue_options, general_options, NULL};
static const cli_option *const bake_tables[] = {bake_options,  pose_options,    cook_table,
                                                issue_options, general_options, NULL};
static const cli_option *const diff_tables[] = {diff_options, cook_table, issue_options, general_options, NULL};
static const cli_option *const export_tables[] = {export_options, issue_options, general_options, NULL};
#ifdef MPAK_HAS_VIEWER
static const cli_option *const sheet_tables[] = {sheet_options, cook_table, issue_options, general_options, NULL};
static const cli_option *const view_tables[] = {view_options,  pose_options,    cook_table,
                                                issue_options, general_options, NULL};
#endif
static const cli_option *const help_tables[] = {man_options, help_option, NULL};
static const cli_option *const plain_tables[] = {help_option, NULL};

const cli_verb cli_verbs[] = {
    {"cook", "FILE… [-o OUT.mpak] [options]", "turn models into packs",
     "Reads each FILE (glTF, GLB, VRM, FBX and what else Assimp reads), checks it, and writes a pack. A file with an "
     "error "
     "gives no pack; the others are cooked all the same. The pack is replaced as a whole or not at all, and left alone "
     "when its bytes would not change. The same input, options and version give the same bytes. --clips takes all "
     "files up to the next option (or --) and adds their clips to each FILE: nodes and morph targets are found by "
     "name. "
     "A FILE with clips but no triangles becomes a clip pack, which the runtime plays on other packs.",
     "mpak cook hero.glb\n"
     "mpak cook hero.fbx -o build/hero.mpak --werror --report hero.json -MD -MF build/hero.d\n"
     "mpak cook hero.fbx --clips run.fbx jog.fbx -o hero.mpak --quality high --compress size",
     cook_tables, 1, MPAK_NONE, "a file to cook", cmd_cook},
    {"validate", "FILE… [options]", "check models and packs, write nothing",
     "Checks each FILE as cook would, or decodes every chunk of a pack, and reports the same issues. No output file.",
     "mpak validate hero.fbx --werror\nmpak validate build/hero.mpak", validate_tables, 1, MPAK_NONE, "a file to check",
     cmd_validate},
    {"info", "PACK [--json] [-o FILE]", "what is in a pack",
     "Lists meshes, morph targets, skins, nodes, clips, chunks, measured errors and the options it was cooked with.",
     "mpak info hero.mpak\nmpak info hero.mpak --json | jq '.meshes[].name'", info_tables, 1, 1, "one pack", cmd_info},
    {"eval", "FILE [--clip NAME] [--time S] [options]", "the vertices at a time, morphed and skinned",
     "Evaluates a pack, or a model that is cooked in memory and read back, in double precision, or by the runtime's "
     "own "
     "code on the CPU or (where mpak was built with OpenGL) on a GPU, for which no display is needed. Metres, "
     "right-handed, +Y up. A name is tried as a key, then as a name; a clip also as a number, a weight also as "
     "NODE/NAME.",
     "mpak eval hero.mpak --clip Walk --time 0.5 --weight Smile=0.7 --format obj -o walk.obj", eval_tables, 1, 1,
     "one file", cmd_eval},
    {"export", "PACK [-o OUT.glb]", "a pack as glTF for other programs",
     "Writes a pack of any quality as one GLB file: nodes, meshes with sparse morph targets, skins, clips and "
     "materials "
     "with the names of their textures. In-between shapes become targets of their own, and what else glTF says in "
     "another way is told in infos.",
     "mpak export hero.mpak\nmpak export hero.mpak -o hero.glb", export_tables, 1, 1, "one pack", cmd_export},
    {"bake", "FILE [--weight NAME=V] [options]", "a plain mesh of one moment",
     "Morphs and skins a pack, or a model that is cooked in memory, and writes the vertices as one GLB of plain meshes "
     "in "
     "scene space: with texture coordinates, colours and materials, without targets, skins and clips. A set of weights "
     "that never changes then costs nothing.",
     "mpak bake hero.mpak --weight Smile=0.7 --weight Young=1 -o hero_plain.glb\n"
     "mpak bake hero.glb --clip Idle --time 0",
     bake_tables, 1, 1, "one file", cmd_bake},
    {"diff", "A B [--json] [--tolerance MM] [options]", "what changed between two packs or models",
     "Says what was added, removed, renamed and changed from A to B: nodes, skins, materials, meshes, morph targets, "
     "clips, "
     "with the largest movement of a vertex; then bytes, when both are packs. Models are cooked in memory. The exit "
     "status "
     "is 1 when anything but bytes differs.",
     "mpak diff old/hero.mpak hero.mpak\nmpak diff hero.mpak hero.fbx --tolerance 0.1 --json", diff_tables, 2, 2,
     "two files", cmd_diff},
#ifdef MPAK_HAS_VIEWER
    {"sheet", "FILE [-o OUT.png] [options]", "a contact sheet: every morph target and clip as pictures",
     "Draws a pack, or a model that is cooked in memory, as one PNG: the model at rest, every morph target at weight 1 "
     "with its name and how far it moves vertices as colour, and frames of each clip. Needs no display, only OpenGL "
     "4.3, "
     "for which Mesa's software renderer will do. $MPAK_FONT names the font for names beyond the usual places.",
     "mpak sheet hero.mpak\nmpak sheet hero.fbx -o review/hero.png --columns 8", sheet_tables, 1, 1, "one file",
     cmd_sheet},
    {"view", "FILE [options]", "a window with the model, its targets and clips",
     "Shows a pack, or a model that is cooked in memory, with sliders for its morph targets, its clips, levels of "
     "detail, "
     "bounds, normals, displacements and what the GPU did. It is shown anew whenever the file changes; a file that is "
     "dropped on the window is cooked and shown. With --frames and --out it needs no display and writes a PNG.",
     "mpak view hero.mpak\nmpak view hero.glb --clip Walk --time 0.5 --frames 1 --out walk.png", view_tables, 1, 1,
     "one file", cmd_view},
#endif
    {"explain", "[CODE]", "what an issue means and how to repair it",
     "Explains an issue code such as MPAK-M012; the prefix may be left out. Without a code all are listed.",
     "mpak explain M012", plain_tables, 0, 1, "one code", cmd_explain},
    {"version", "", "versions of mpak, the format and the libraries", "Prints the versions.", "mpak version",
     plain_tables, 0, 0, "nothing", cmd_version},
    {"help", "[VERB] [--man]", "how to use a verb", "Prints the page of a verb, or the list of verbs.",
     "mpak help cook\nmpak help --man cook | man -l -", help_tables, 0, 1, "one verb", cmd_help},
#ifndef MPAK_HAS_VIEWER
    {"sheet", NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
    {"view", NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL},
};

const cli_verb *cli_find_verb(const char *name) {
  for (const cli_verb *verb = cli_verbs; verb->name != NULL; verb++)
    if (strcmp(verb->name, name) == 0) return verb;
  return NULL;
}

const cli_verb *cli_require_verb(cook_job *job, const char *name) {
  const cli_verb *found = cli_find_verb(name);
  if (found != NULL && found->run != NULL) return found;
  if (found != NULL) cli_fail(job, MPAK_U005, job_format(job, "mpak %s", name), NULL);
  const char *names[sizeof cli_verbs / sizeof cli_verbs[0]];
  uint32_t count = 0;
  for (const cli_verb *verb = cli_verbs; verb->name != NULL; verb++)
    if (verb->run != NULL) names[count++] = verb->name;
  cli_fail(job, MPAK_U001, name, cli_suggest(job, name, names, count));
}
