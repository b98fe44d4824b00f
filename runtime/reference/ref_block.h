/// ref_block.h: compressed tracks of the reference. Private to runtime/reference.
#ifndef MPAK_REF_BLOCK_H
#define MPAK_REF_BLOCK_H

#include "runtime/reference/mpak_reference.h"

/// Writes what the compressed tracks of a clip animate. source: as mpak_ref_sample_mapped; for a clip of the pose's own
/// pack node_of, instance_of, first_control and control_of are NULL.
void ref_sample_block(mpak_ref_pose *pose, const mpak_ref_clip_source *source, const mpak_clip *clip, double time_s);

#endif
