/// mt_gltf.h: test support: small glTF and GLB files, made in memory.
///
/// A file grows by adding elements to its top-level arrays and bytes to its one buffer; patches then change single
/// places of the JSON text, so that a test spoils a sound file in exactly one way. A mistake in a test ends the program
/// with a message.
#ifndef MT_GLTF_H
#define MT_GLTF_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mt_gltf mt_gltf;

mt_gltf *mt_gltf_new(void);
void mt_gltf_free(mt_gltf *gltf);

// -- Building --------------------------------------------------------------------------------------------------------

/// Adds an element (JSON text, as printf) to a top-level array such as "nodes". Returns its index.
uint32_t mt_gltf_add(mt_gltf *gltf, const char *array, const char *format, ...) __attribute__((format(printf, 3, 4)));
/// Adds a top-level member, "'scene':0".
void mt_gltf_member(mt_gltf *gltf, const char *text);
/// Adds bytes to the buffer, 4-byte aligned, and a bufferView for them. more: further members, ",'byteStride':8" or
/// "".
uint32_t mt_gltf_view(mt_gltf *gltf, const void *bytes, uint32_t byte_count, const char *more);
/// A view and an accessor for it. component: 5126 and so on; type: "VEC3"; more as above, for the accessor.
uint32_t mt_gltf_accessor(mt_gltf *gltf, const void *bytes, uint32_t byte_count, int component, const char *type,
                          uint32_t count, const char *more);
uint32_t mt_gltf_floats(mt_gltf *gltf, const char *type, const float *values, uint32_t count);
uint32_t mt_gltf_shorts(mt_gltf *gltf, const char *type, const uint16_t *values, uint32_t count);
/// The bytes of a view, to be changed in place.
uint8_t *mt_gltf_view_bytes(mt_gltf *gltf, uint32_t view);

/// When the file is written, `from`, which must occur exactly once in the JSON, becomes `to`.
void mt_gltf_patch(mt_gltf *gltf, const char *from, const char *to);

/// A sound character that the reader has nothing to say about. Accessor i is the only one of view i:
///   0 POSITION, 1 NORMAL, 2 TANGENT, 3 TEXCOORD_0, 4 COLOR_0, 5 JOINTS_0 (u8), 6 WEIGHTS_0, 7 indices (u16),
///   8 and 9 POSITION and NORMAL of target Smile, 10 POSITION of target Blink, 11 inverse binds, 12 key times,
///   13 rotation keys of Spine, 14 weight keys of Body
/// nodes 0 Root, 1 Hips, 2 Spine, 3 Body (mesh 0, skin 0); 4 vertices, 2 triangles, material Skin, clip Idle.
void mt_gltf_character(mt_gltf *gltf);

// -- Writing ---------------------------------------------------------------------------------------------------------

/// The file as GLB, as .gltf with a data: URI, or as .gltf that names uri. malloc'ed; the caller frees.
uint8_t *mt_gltf_to_glb(const mt_gltf *gltf, uint64_t *byte_count);
uint8_t *mt_gltf_to_embedded(const mt_gltf *gltf, uint64_t *byte_count);
uint8_t *mt_gltf_to_text(const mt_gltf *gltf, const char *uri, uint64_t *byte_count);
/// The buffer itself, for the file that uri names.
const uint8_t *mt_gltf_buffer(const mt_gltf *gltf, uint64_t *byte_count);

#endif
