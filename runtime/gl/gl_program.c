/// gl_program.c: the variants of the compute shaders, compiled when they are first needed.
#include <stdio.h>
#include <string.h>

#include "runtime/gl/gl_private.h"
#include "runtime/gl/gl_shaders.h"

#define PROGRAM_MOST_TEXTS 18 // three, and five for each of three hooks

typedef struct program_texts {
  const char *texts[PROGRAM_MOST_TEXTS];
  gl_int count;
  char defines[512];
} program_texts;

// -- Text ------------------------------------------------------------------------------------------------------------

static void program_add(program_texts *texts, const char *text) { texts->texts[texts->count++] = text; }

static void program_write_defines(const gl_variant *v, const mpak_gl_hooks *hooks, char *out, size_t capacity) {
  snprintf(out, capacity,
           "#define MPAK_LAYOUT %u\n#define MPAK_PAYLOAD %u\n#define MPAK_COMPONENTS %u\n"
           "#define MPAK_REORTHOGONALISE %u\n#define MPAK_INFLUENCES %u\n#define MPAK_SKIN_PACKED %u\n"
           "#define MPAK_OUTPUT %u\n#define MPAK_TILE %u\n%s%s%s%s",
           v->layout, v->payload, v->components, v->reorthogonalises, v->influences, v->skin_packed, v->output, v->tile,
           hooks ? "#define MPAK_HAS_HOOKS\n" : "",
           hooks && hooks->after_morph ? "#define MPAK_HOOK_AFTER_MORPH\n" : "",
           hooks && hooks->skin ? "#define MPAK_HOOK_SKIN\n" : "",
           hooks && hooks->after_skin ? "#define MPAK_HOOK_AFTER_SKIN\n" : "");
}

static void program_add_hook(program_texts *texts, const char *name, const char *body) {
  if (!body) return;
  program_add(texts, "\nvoid mpak_hook_");
  program_add(texts, name);
  program_add(texts, "(inout vec3 position, inout vec3 normal, inout vec4 tangent, uint vertex, uint individual) {\n");
  program_add(texts, body);
  program_add(texts, "\n}\n");
}

static void program_collect(const gl_variant *variant, const mpak_gl_hooks *hooks, program_texts *texts) {
  texts->count = 0;
  program_write_defines(variant, hooks, texts->defines, sizeof texts->defines);
  program_add(texts, "#version 430\n");
  program_add(texts, texts->defines);
  program_add(texts, variant->is_document_kernel ? mpak_shader_morph_csr64 : mpak_shader_deform);
  if (!hooks || variant->is_document_kernel) return;
  program_add_hook(texts, "after_morph", hooks->after_morph);
  program_add_hook(texts, "skin", hooks->skin);
  program_add_hook(texts, "after_skin", hooks->after_skin);
}

// -- Compiling -------------------------------------------------------------------------------------------------------

static mpak_result program_compile(mpak_gl *gl, const program_texts *texts, gl_uint *shader) {
  const gl_functions *f = &gl->functions;
  gl_int is_compiled = 0;
  char log[400] = "";
  *shader = f->CreateShader(GL_COMPUTE_SHADER_);
  if (*shader == 0) return gl_fail(gl, "glCreateShader", "no name");
  f->ShaderSource(*shader, texts->count, texts->texts, NULL);
  f->CompileShader(*shader);
  f->GetShaderiv(*shader, GL_COMPILE_STATUS_, &is_compiled);
  if (is_compiled) return gl_check(gl, "glCompileShader");
  f->GetShaderInfoLog(*shader, sizeof log, NULL, log);
  gl_check(gl, "glCompileShader");
  return gl_fail(gl, "glCompileShader", log);
}

static mpak_result program_link(mpak_gl *gl, gl_uint shader, gl_uint *program) {
  const gl_functions *f = &gl->functions;
  gl_int is_linked = 0;
  char log[400] = "";
  *program = f->CreateProgram();
  if (*program == 0) return gl_fail(gl, "glCreateProgram", "no name");
  f->AttachShader(*program, shader);
  f->LinkProgram(*program);
  f->GetProgramiv(*program, GL_LINK_STATUS_, &is_linked);
  if (is_linked) return gl_check(gl, "glLinkProgram");
  f->GetProgramInfoLog(*program, sizeof log, NULL, log);
  gl_check(gl, "glLinkProgram");
  return gl_fail(gl, "glLinkProgram", log);
}

static mpak_result program_build(mpak_gl *gl, const program_texts *texts, gl_uint *name) {
  gl_uint shader = 0, program = 0;
  mpak_result result = program_compile(gl, texts, &shader);
  if (result == MPAK_OK) result = program_link(gl, shader, &program);
  if (shader) gl->functions.DeleteShader(shader);
  if (result != MPAK_OK) {
    if (program) gl->functions.DeleteProgram(program);
    return result;
  }
  *name = program;
  return MPAK_OK;
}

// -- The list --------------------------------------------------------------------------------------------------------

mpak_result gl_program_get(mpak_gl *gl, const gl_variant *variant, const mpak_gl_hooks *hooks, gl_uint *name) {
  program_texts texts;
  gl_program *made;
  for (gl_program *program = gl->programs; program; program = program->next) {
    if (program->hooks != hooks || memcmp(&program->variant, variant, sizeof *variant) != 0) continue;
    *name = program->name;
    return MPAK_OK;
  }
  mpak_result result = gl_allocate(gl, 1, sizeof *made, &made);
  if (result != MPAK_OK) return result;
  program_collect(variant, hooks, &texts);
  result = program_build(gl, &texts, &made->name);
  if (result != MPAK_OK) {
    gl_release(gl, made, 1, sizeof *made);
    return result;
  }
  made->variant = *variant;
  made->hooks = hooks;
  made->next = gl->programs;
  gl->programs = made;
  ++gl->objects.programs;
  *name = made->name;
  return MPAK_OK;
}

void gl_programs_free(mpak_gl *gl, const mpak_gl_hooks *hooks) {
  for (gl_program **at = &gl->programs; *at;) {
    gl_program *program = *at;
    if (hooks && program->hooks != hooks) {
      at = &program->next;
      continue;
    }
    *at = program->next;
    if (!gl->is_lost) gl->functions.DeleteProgram(program->name);
    gl_release(gl, program, 1, sizeof *program);
    --gl->objects.programs;
  }
}
