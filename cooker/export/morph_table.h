/// morph_table.h: the deltas of a part shape by shape, whatever its layout and payload.
#ifndef EXPORT_MORPH_TABLE_H
#define EXPORT_MORPH_TABLE_H

#include "cooker/base/job.h"
#include "runtime/mpak.h"

/// What a shape does to one vertex: position in metres, normal, tangent.
typedef struct morph_delta {
  uint32_t vertex;
  float delta[9];
} morph_delta;

/// The deltas of shape s are deltas[starts[s]] … deltas[starts[s] + counts[s] - 1], vertices ascending.
typedef struct morph_table {
  uint64_t *starts;
  uint64_t *counts;
  morph_delta *deltas;
} morph_table;

/// In the job's arena. data: of the part.
morph_table morph_table_make(cook_job *job, const mpak_pack *pack, uint32_t part, const mpak_part_data *data);

#endif
