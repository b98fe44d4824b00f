/// fbx_property.h: properties of FBX objects: the object's own, or else those of its class's template.
#ifndef COOK_FBX_PROPERTY_H
#define COOK_FBX_PROPERTY_H

#include "cooker/import/fbx_facts.h"

/// Up to three numbers of a property; value stays as it is, and false is returned, when neither the object nor its
/// template (in Definitions) has it.
bool fbx_property_vector(const fbx_facts *facts, uint32_t object, const char *name, double value[3]);

/// The same for a single number, enumeration or truth value.
double fbx_property_number(const fbx_facts *facts, uint32_t object, const char *name, double otherwise);

#endif
