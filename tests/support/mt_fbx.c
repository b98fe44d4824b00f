#include "tests/support/mt_fbx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mt_cook.h"

static const char character[] =
    "; FBX 7.4.0 project file\n"
    "FBXHeaderExtension:  {\n  FBXHeaderVersion: 1003\n  FBXVersion: 7400\n  Creator: \"mpak tests\"\n}\n"
    "GlobalSettings:  {\n  Version: 1000\n  Properties70:  {\n"
    "    P: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
    "    P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "    P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n"
    "    P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "    P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
    "    P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "    P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n"
    "    P: \"TimeMode\", \"enum\", \"\", \"\",6\n  }\n}\n"
    "Definitions:  {\n  Version: 100\n  Count: 0\n}\n"
    "Objects:  {\n"
    // the mesh
    "  Geometry: 100, \"Geometry::BodyMesh\", \"Mesh\" {\n"
    "    Vertices: *12 {\n      a: 0,0,0,2,0,0,2,2,0,0,2,0\n    }\n"
    "    PolygonVertexIndex: *4 {\n      a: 0,1,2,-4\n    }\n"
    "    LayerElementNormal: 0 {\n      Version: 101\n      Name: \"\"\n"
    "      MappingInformationType: \"ByPolygonVertex\"\n      ReferenceInformationType: \"Direct\"\n"
    "      Normals: *12 {\n        a: 0,0,1,0,0,1,0,0,1,0,0,1\n      }\n    }\n"
    "    LayerElementUV: 0 {\n      Version: 101\n      Name: \"UVMap\"\n"
    "      MappingInformationType: \"ByPolygonVertex\"\n      ReferenceInformationType: \"Direct\"\n"
    "      UV: *8 {\n        a: 0,0,1,0,1,1,0,0.75\n      }\n    }\n"
    "    LayerElementMaterial: 0 {\n      Version: 101\n      Name: \"\"\n"
    "      MappingInformationType: \"AllSame\"\n      ReferenceInformationType: \"IndexToDirect\"\n"
    "      Materials: *1 {\n        a: 0\n      }\n    }\n"
    "    Layer: 0 {\n      Version: 100\n"
    "      LayerElement:  {\n        Type: \"LayerElementMaterial\"\n        TypedIndex: 0\n      }\n"
    "      LayerElement:  {\n        Type: \"LayerElementNormal\"\n        TypedIndex: 0\n      }\n"
    "      LayerElement:  {\n        Type: \"LayerElementUV\"\n        TypedIndex: 0\n      }\n    }\n  }\n"
    // its shapes
    "  Geometry: 101, \"Geometry::SmileShape\", \"Shape\" {\n    Version: 100\n"
    "    Indexes: *2 {\n      a: 2,3\n    }\n    Vertices: *6 {\n      a: 0,0.5,0,0,0.25,0\n    }\n"
    "    Normals: *6 {\n      a: 0,0,0,0,0,0\n    }\n  }\n"
    "  Geometry: 102, \"Geometry::BlinkShape\", \"Shape\" {\n    Version: 100\n"
    "    Indexes: *1 {\n      a: 0\n    }\n    Vertices: *3 {\n      a: -1,0,0\n    }\n"
    "    Normals: *3 {\n      a: 0,0,-0\n    }\n  }\n"
    "  Deformer: 110, \"Deformer::Face\", \"BlendShape\" {\n    Version: 100\n  }\n"
    "  Deformer: 111, \"SubDeformer::Smile\", \"BlendShapeChannel\" {\n    Version: 100\n    DeformPercent: 25\n"
    "    FullWeights: *1 {\n      a: 100\n    }\n  }\n"
    "  Deformer: 112, \"SubDeformer::Blink\", \"BlendShapeChannel\" {\n    Version: 100\n    DeformPercent: 0\n"
    "    FullWeights: *1 {\n      a: 100.0\n    }\n  }\n"
    // its skin
    "  Deformer: 120, \"Deformer::Rig\", \"Skin\" {\n    Version: 101\n    Link_DeformAcuracy: 50\n  }\n"
    "  Deformer: 121, \"SubDeformer::HipsCluster\", \"Cluster\" {\n    Version: 100\n    UserData: \"\", \"\"\n"
    "    Indexes: *4 {\n      a: 0,1,2,3\n    }\n    Weights: *4 {\n      a: 1,1,0.5,0.5\n    }\n"
    "    Transform: *16 {\n      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n    }\n"
    "    TransformLink: *16 {\n      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n    }\n  }\n"
    "  Deformer: 122, \"SubDeformer::SpineCluster\", \"Cluster\" {\n    Version: 100\n    UserData: \"\", \"\"\n"
    "    Indexes: *2 {\n      a: 2, 3\n    }\n    Weights: *2 {\n      a: 0.5,0.5\n    }\n"
    "    Transform: *16 {\n      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1\n    }\n"
    "    TransformLink: *16 {\n      a: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1\n    }\n  }\n"
    // nodes
    "  Model: 1, \"Model::Body\", \"Mesh\" {\n    Version: 232\n    Properties70:  {\n"
    "      P: \"Body\", \"bool\", \"\", \"\",1\n    }\n    Shading: T\n  }\n"
    "  Model: 2, \"Model::Hips\", \"LimbNode\" {\n    Version: 232\n    Properties70:  {\n"
    "      P: \"Hips\", \"bool\", \"\", \"\",1\n    }\n    Shading: T\n  }\n"
    "  Model: 3, \"Model::Spine\", \"LimbNode\" {\n    Version: 232\n    Properties70:  {\n"
    "      P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n    }\n    Shading: T\n  }\n"
    "  Material: 50, \"Material::Skin\", \"\" {\n    Version: 102\n    ShadingModel: \"lambert\"\n    Properties70:  "
    "{\n"
    "      P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.25,0.5,0.75\n    }\n  }\n"
    // the clip
    "  AnimationStack: 60, \"AnimStack::Act\", \"\" {\n    Properties70:  {\n"
    "      P: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n"
    "      P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n    }\n  }\n"
    "  AnimationLayer: 61, \"AnimLayer::Base\", \"\" {\n  }\n"
    "  AnimationCurveNode: 62, \"AnimCurveNode::T\", \"\" {\n    Properties70:  {\n"
    "      P: \"d|X\", \"Number\", \"\", \"A\",0\n    }\n  }\n"
    "  AnimationCurveNode: 63, \"AnimCurveNode::DeformPercent\", \"\" {\n    Properties70:  {\n"
    "      P: \"d|DeformPercent\", \"Number\", \"\", \"A\",0\n    }\n  }\n"
    "  AnimationCurve: 64, \"AnimCurve::\", \"\" {\n    Default: 0\n    KeyVer: 4008\n"
    "    KeyTime: *2 {\n      a: 0,46186158000\n    }\n    KeyValueFloat: *2 {\n      a: 0,4\n    }\n"
    "    KeyAttrFlags: *1 {\n      a: 24836\n    }\n    KeyAttrDataFloat: *4 {\n      a: 0,0,0,0\n    }\n"
    "    KeyAttrRefCount: *1 {\n      a: 2\n    }\n  }\n"
    "  AnimationCurve: 65, \"AnimCurve::\", \"\" {\n    Default: 0\n    KeyVer: 4009\n"
    "    KeyTime: *2 {\n      a: 0, 46186158000\n    }\n    KeyValueFloat: *2 {\n      a: 0,100\n    }\n"
    "    KeyAttrFlags: *1 {\n      a: 24836 \n    }\n    KeyAttrDataFloat: *4 {\n      a: 0,0,0, 0\n    }\n"
    "    KeyAttrRefCount: *1 {\n      a: 2 \n    }\n  }\n"
    "}\n"
    "Connections:  {\n"
    "  C: \"OO\",1,0\n  C: \"OO\",2,0\n  C: \"OO\",3,2\n"
    "  C: \"OO\",100,1\n  C: \"OO\",50,1\n"
    "  C: \"OO\",110,100\n  C: \"OO\",111,110\n  C: \"OO\",112,110\n  C: \"OO\",101,111\n  C: \"OO\",102,112\n"
    "  C: \"OO\",120,100\n  C: \"OO\",121,120\n  C: \"OO\",122,120\n  C: \"OO\",2,121\n  C: \"OO\",3,122\n"
    "  C: \"OO\",61,60\n  C: \"OO\",62,61\n  C: \"OO\",63,61\n"
    "  C: \"OP\",62,2, \"Lcl Translation\"\n  C: \"OP\",63,111, \"DeformPercent\"\n"
    "  C: \"OP\",64,62, \"d|X\"\n  C: \"OP\",65,63, \"d|DeformPercent\"\n"
    "}\n";

static void fbx_mistake(const char *what, const char *text) {
  fprintf(stderr, "mt_fbx: %s: %s\n", what, text);
  exit(1);
}

static char *apply(char *text, const mt_patch *patch) {
  char *found = strstr(text, patch->from);
  if (found == NULL) fbx_mistake("not there", patch->from);
  if (strstr(found + 1, patch->from) != NULL) fbx_mistake("more than once", patch->from);
  const size_t before = (size_t)(found - text), from_length = strlen(patch->from), to_length = strlen(patch->to);
  char *patched = malloc(strlen(text) + to_length + 1);
  if (patched == NULL) fbx_mistake("out of memory", "");
  memcpy(patched, text, before);
  memcpy(patched + before, patch->to, to_length);
  strcpy(patched + before + to_length, found + from_length);
  free(text);
  return patched;
}

char *mt_fbx_character(const mt_patch *patches) {
  char *text = malloc(sizeof character);
  if (text == NULL) fbx_mistake("out of memory", "");
  memcpy(text, character, sizeof character);
  for (; patches != NULL && patches->from != NULL; patches++) text = apply(text, patches);
  return text;
}

const char *mt_fbx_file(const char *name, const mt_patch *patches) {
  static char paths[4][1024];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s.fbx", mt_scratch(), name);
  char *text = mt_fbx_character(patches);
  if (!mt_write(path, text, strlen(text))) fbx_mistake("cannot write", path);
  free(text);
  return path;
}
