/// info.h: the contents of a pack as JSON (cooker/report/schema/info.v1.json) and as text.
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cooker/cli/pack_file.h"
#include "cooker/report/json_out.h"
#include "runtime/mpak.h"

void info_put_json(json_out *json, const pack_file *file);
void info_put_text(text_out *text, const pack_file *file);

/// "blk64", "csr64" or "none".
const char *info_layout_name(const mpak_part *part);

/// "major.minor.patch" of the cooker that wrote the pack, in the job's arena.
const char *info_cooker_version(cook_job *job, const mpak_pack *pack);

/// The stream's name: "position", "delta_normal" …
const char *info_stream_name(uint32_t stream);

#endif
