// morph_blk64.glsl: sums of a block's deltas in the blk64 layout. The headers of up to 64 entries are read at once, those
// with a weight go into a list in shared memory, in their order (the rank is a count of bits, so sums are the same in
// every run), and all lanes walk the list with a few loads in flight. Bits of a lane: format/morph_payload.h.
#if MPAK_LAYOUT == 2

#if MPAK_PAYLOAD == 36
#define MPAK_LANE_WORDS MPAK_COMPONENTS
#elif MPAK_COMPONENTS == 3 || MPAK_PAYLOAD == 8
#define MPAK_LANE_WORDS 2
#elif MPAK_COMPONENTS == 6 || MPAK_PAYLOAD == 12
#define MPAK_LANE_WORDS 3
#else
#define MPAK_LANE_WORDS 4
#endif

#if MPAK_TILE == 1
#define MPAK_IN_FLIGHT 4
#else
#define MPAK_IN_FLIGHT 2
#endif
#define MPAK_LIST_LENGTH (MPAK_BLOCK_LANES + MPAK_IN_FLIGHT)

layout(std430, binding = MPAK_BIND_OFFSETS) readonly buffer MorphBlockBuffer { uvec4 mpak_blocks[]; };
layout(std430, binding = MPAK_BIND_DELTAS) readonly buffer MorphPayloadBuffer { uint mpak_payload[]; };
layout(std430, binding = MPAK_BIND_ENTRIES) readonly buffer MorphEntryBuffer { uvec4 mpak_entries[]; };

// The list. x: word of the first plane in the bound range; y, z: lanes; w: how many lanes these are.
shared uvec4 mpak_list[MPAK_LIST_LENGTH];
shared vec3 mpak_list_scales[MPAK_LIST_LENGTH]; // of positions, normals, tangents; tile 1: times the weight
#if MPAK_TILE > 1
shared float mpak_list_weights[MPAK_TILE][MPAK_LIST_LENGTH];
#endif
shared uint mpak_list_bits[2]; // bit e: entry e of these 64 is in the list

// -- One lane of one entry ----------------------------------------------------------------------------------------------

struct mpak_lane {
  uint words[MPAK_LANE_WORDS];
  bool is_moved; // by this entry
};

// Reads also where the entry does not move the lane, some other lane's words: loads need no branch.
mpak_lane mpak_load_lane(uint i, uint lane) {
  uvec4 entry = mpak_list[i];
  uint bit = 1u << (lane & 31u);
  uint rank = lane < 32u ? bitCount(entry.y & (bit - 1u)) : bitCount(entry.y) + bitCount(entry.z & (bit - 1u));
  mpak_lane loaded;
  loaded.is_moved = ((lane < 32u ? entry.y : entry.z) & bit) != 0u;
  uint word = entry.x + min(rank, entry.w - 1u);
  for (int w = 0; w < MPAK_LANE_WORDS; ++w) loaded.words[w] = mpak_payload[word + uint(w) * entry.w];
  return loaded;
}

// `bits` bits of a word from bit `first` on as a signed number.
float mpak_number(uint word, int first, int bits) { return float(bitfieldExtract(int(word), first, bits)); }

#if MPAK_PAYLOAD == 36
#define MPAK_FLOATS(c)                                                                                                 \
  vec3(uintBitsToFloat(lane.words[c]), uintBitsToFloat(lane.words[c + 1]), uintBitsToFloat(lane.words[c + 2]))
vec3 mpak_position_delta(mpak_lane lane) { return MPAK_FLOATS(0); }
#if MPAK_COMPONENTS >= 6
vec3 mpak_normal_delta(mpak_lane lane) { return MPAK_FLOATS(3); }
#endif
#if MPAK_COMPONENTS == 9
vec3 mpak_tangent_delta(mpak_lane lane) { return MPAK_FLOATS(6); }
#endif

#elif MPAK_PAYLOAD == 8
vec3 mpak_position_delta(mpak_lane lane) {
  return vec3(mpak_number(lane.words[0], 0, 12), mpak_number(lane.words[0], 12, 12), mpak_number(lane.words[1], 0, 12));
}
#if MPAK_COMPONENTS >= 6
vec3 mpak_normal_delta(mpak_lane lane) {
  float z = 2.0 * mpak_number(lane.words[0], 24, 8) + float(lane.words[1] >> 31);
  return vec3(mpak_number(lane.words[1], 12, 9), mpak_number(lane.words[1], 21, 9), z);
}
#endif

#else
vec3 mpak_position_delta(mpak_lane lane) {
  return vec3(mpak_number(lane.words[0], 0, 16), mpak_number(lane.words[0], 16, 16), mpak_number(lane.words[1], 0, 16));
}
#if MPAK_PAYLOAD == 12 && MPAK_COMPONENTS >= 6
vec3 mpak_normal_delta(mpak_lane lane) {
  return vec3(mpak_number(lane.words[1], 16, 8), mpak_number(lane.words[1], 24, 8), mpak_number(lane.words[2], 0, 8));
}
#endif
#if MPAK_PAYLOAD == 12 && MPAK_COMPONENTS == 9
vec3 mpak_tangent_delta(mpak_lane lane) {
  return vec3(mpak_number(lane.words[2], 8, 8), mpak_number(lane.words[2], 16, 8), mpak_number(lane.words[2], 24, 8));
}
#endif
#if MPAK_PAYLOAD == 16
vec3 mpak_three_of_10(uint word) {
  return vec3(mpak_number(word, 0, 10), mpak_number(word, 10, 10), mpak_number(word, 20, 10));
}
#if MPAK_COMPONENTS >= 6
vec3 mpak_normal_delta(mpak_lane lane) { return mpak_three_of_10(lane.words[2]); }
#endif
#if MPAK_COMPONENTS == 9
vec3 mpak_tangent_delta(mpak_lane lane) { return mpak_three_of_10(lane.words[3]); }
#endif
#endif
#endif

// Adds entry i of the list.
void mpak_add_lane(uint i, mpak_lane lane, inout mpak_sums sums) {
  if (!lane.is_moved) return;
  vec3 scales = mpak_list_scales[i];
#if MPAK_TILE == 1
  sums.touched = 1u;
  sums.position[0] += scales.x * mpak_position_delta(lane);
#if MPAK_COMPONENTS >= 6
  sums.normal[0] += scales.y * mpak_normal_delta(lane);
#endif
#if MPAK_COMPONENTS == 9
  sums.tangent[0] += scales.z * mpak_tangent_delta(lane);
#endif
#else
  for (int j = 0; j < MPAK_TILE; ++j) {
    float weight = mpak_list_weights[j][i];
    if (weight != 0.0) sums.touched |= 1u << uint(j);
    sums.position[j] += weight * scales.x * mpak_position_delta(lane);
#if MPAK_COMPONENTS >= 6
    sums.normal[j] += weight * scales.y * mpak_normal_delta(lane);
#endif
#if MPAK_COMPONENTS == 9
    sums.tangent[j] += weight * scales.z * mpak_tangent_delta(lane);
#endif
  }
#endif
}

// -- Up to 64 entries ---------------------------------------------------------------------------------------------------

// An entry that moves no lane, so that the list may be walked in steps. Its loads hit the start of the bound range.
void mpak_list_nothing(uint i) {
  mpak_list[i] = uvec4(0u, 0u, 0u, 1u);
  mpak_list_scales[i] = vec3(0.0);
#if MPAK_TILE > 1
  for (int j = 0; j < MPAK_TILE; ++j) mpak_list_weights[j][i] = 0.0;
#endif
}

// An entry as it is stored.
struct mpak_entry {
  uvec4 header; // shape, payload word, lanes
  uvec4 scales;
};

void mpak_list_entry(uint i, mpak_entry entry, float weights[MPAK_TILE]) {
  uint count = uint(bitCount(entry.header.z) + bitCount(entry.header.w));
  mpak_list[i] = uvec4(entry.header.y - uMpak[MPAK_PARAM_DELTA_SHIFT], entry.header.zw, max(count, 1u));
#if MPAK_PAYLOAD == 36
  vec3 scales = vec3(1.0);
#else
  vec3 scales = uintBitsToFloat(entry.scales.xyz);
#endif
#if MPAK_TILE == 1
  mpak_list_scales[i] = weights[0] * scales;
#else
  mpak_list_scales[i] = scales;
  for (int j = 0; j < MPAK_TILE; ++j) mpak_list_weights[j][i] = weights[j];
#endif
}

// The list of those entries of [first, first + 64), before end, that have a weight. Returns how many. All lanes of the
// work group call it; the first barrier keeps the list until everyone has read the one before.
uint mpak_make_list(uint first, uint end, uint lane, uint individuals[MPAK_TILE]) {
  float weights[MPAK_TILE];
  mpak_entry entry;
  bool is_active = false;
  if (lane < 2u) mpak_list_bits[lane] = 0u;
  barrier();
  if (first + lane < end) {
    uint at = 2u * (first + lane - uMpak[MPAK_PARAM_ENTRY_SHIFT]);
    entry = mpak_entry(mpak_entries[at], mpak_entries[at + 1u]);
    for (int j = 0; j < MPAK_TILE; ++j) {
      weights[j] = mpak_weight(individuals[j], entry.header.x);
      is_active = is_active || weights[j] != 0.0;
    }
    if (is_active) atomicOr(mpak_list_bits[lane >> 5], 1u << (lane & 31u));
  }
  barrier();
  uint low = mpak_list_bits[0], high = mpak_list_bits[1], below = (1u << (lane & 31u)) - 1u;
  uint rank = uint(lane < 32u ? bitCount(low & below) : bitCount(low) + bitCount(high & below));
  uint count = uint(bitCount(low) + bitCount(high));
  if (is_active) mpak_list_entry(rank, entry, weights);
  if (lane < uint(MPAK_IN_FLIGHT)) mpak_list_nothing(count + lane);
  barrier();
  return count;
}

void mpak_add_list(uint count, uint lane, inout mpak_sums sums) {
  for (uint first = 0u; first < count; first += uint(MPAK_IN_FLIGHT)) {
    mpak_lane lanes[MPAK_IN_FLIGHT];
    for (int k = 0; k < MPAK_IN_FLIGHT; ++k) lanes[k] = mpak_load_lane(first + uint(k), lane);
    for (int k = 0; k < MPAK_IN_FLIGHT; ++k) mpak_add_lane(first + uint(k), lanes[k], sums);
  }
}

uvec4 mpak_block_at(uint i) { return mpak_blocks[i]; }

// block: its number; is_real: false for groups past the last one, which have no entries.
mpak_sums mpak_morph_block(uint block, bool is_real, uint lane, uint individuals[MPAK_TILE]) {
  mpak_sums sums = mpak_no_sums();
  uint first = mpak_blocks[block].y, end = is_real ? mpak_blocks[block + 1u].y : first;
  for (uint entry = first; entry < end; entry += uint(MPAK_BLOCK_LANES)) {
    uint count = mpak_make_list(entry, end, lane, individuals);
    mpak_add_list(count, lane, sums);
  }
  return sums;
}
#endif
