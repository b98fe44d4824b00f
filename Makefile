# mpak: one non-recursive Makefile. `make help` lists the targets.
#
# config=release|debug|sanitize|coverage|fuzz   what to build; objects go to build/CONFIG
# BUILD=folder                                  where everything goes (default build)
# CC=gcc|clang   V=1 (show commands)   werror=1 (warnings are errors)

# ASSIMP=0   a cooker of glTF alone, into build/noassimp, with static libraries where there are any: it runs elsewhere

config ?= release
ASSIMP ?= 1
BUILD ?= $(if $(filter 0,$(ASSIMP)),build/noassimp,build)
OUT := $(BUILD)/$(config)
V ?= 0
werror ?= 0
-include Makefile.config

CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
AR ?= ar
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@echo "  $(1)  $(2)")

# -- Flags ---------------------------------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
WARN += $(if $(filter 1,$(werror)),-Werror)
CFLAGS_release := -O2 -DNDEBUG
CFLAGS_debug := -O0 -g
CFLAGS_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
CFLAGS_thread := -O1 -g -fsanitize=thread
CFLAGS_coverage := -O0 -g --coverage
CFLAGS_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
ifeq ($(origin CFLAGS_$(config)),undefined)
$(error config=$(config) is none of release debug sanitize thread coverage fuzz)
endif
CSTD := -std=c17 -D_GNU_SOURCE -ffp-contract=off
ALL_CFLAGS = $(CSTD) $(WARN) $(CFLAGS_$(config)) -fPIC -fvisibility=default -pthread -I. $(FILE_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(filter -fsanitize% --coverage,$(subst fuzzer-no-link$(comma),,$(CFLAGS_$(config)))) -pthread $(LDFLAGS)
comma := ,

LIBS_zstd := -lzstd -lm
LIBS_cooker := -lassimp -lmeshoptimizer -ljansson -lseccomp -lz -lzstd -lstdc++ -lm
NOT_BUILT := cooker/import/no_assimp.c
ifeq ($(ASSIMP),0)
# A library as an archive where there is one. The rest (libmeshoptimizer) lies in $(BUILD)/lib, where programs look first.
archive = $(if $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
LIBS_zstd := $(call archive,zstd) -lm
LIBS_cooker := $(foreach name,meshoptimizer jansson seccomp z zstd,$(call archive,$(name))) -lm
LIBS_cooker += -Wl,-rpath,'$$ORIGIN/lib:$$ORIGIN/../lib:$$ORIGIN/../../lib'
NOT_BUILT := $(wildcard cooker/import/assimp*.c) tools/bench_assimp.c tools/bench_fbx.c
endif

# -- GL=1|0: with or without the verbs `sheet` and `view`; by itself 1 where their packages are installed -----------------
# Neither EGL nor GLFW is linked: the program opens them when it needs them (samples/viewer/README.md).

GL ?= $(if $(filter 0,$(ASSIMP)),0,$(shell command -v glad >/dev/null && pkg-config --exists imgui libpng glfw3 egl 2>/dev/null && echo 1 || echo 0))
CXX ?= g++
SRC_viewer := $(wildcard samples/viewer/*.c)
SHADERS_viewer := $(wildcard samples/viewer/shaders/*)
ifeq ($(GL),0)
NOT_BUILT += cooker/cli/cmd_sheet.c cooker/cli/cmd_view.c cooker/cli/view_source.c cooker/cli/eval_gl.c samples/minimal.c samples/hooks.c tools/picture_diff.c
else
LIB_viewer = $(OUT)/libmpak_viewer.a
LIBS_cooker := -limgui -Wl,-Bstatic -lstb -Wl,-Bdynamic -lpng -ldl -lstdc++ $(LIBS_cooker)
GLAD := $(BUILD)/glad/include/glad/gl.h
endif

# -- Modules: one static library each; what a module may use is in tools/check_layers.sh ------------------------------------

SRC_format := $(wildcard format/*.c)
SRC_runtime := $(wildcard runtime/pack/*.c runtime/pose/*.c runtime/deform/*.c)
SRC_gl := $(wildcard runtime/gl/*.c)
SRC_reference := $(wildcard runtime/reference/*.c)
SRC_cooker := $(filter-out $(NOT_BUILT),$(wildcard cooker/*.c cooker/base/*.c cooker/import/*.c cooker/scene/*.c cooker/check/*.c cooker/build/*.c cooker/pack/*.c cooker/measure/*.c cooker/export/*.c cooker/report/*.c))
SRC_cli := $(filter-out cooker/cli/main.c $(NOT_BUILT),$(wildcard cooker/cli/*.c))
SRC_main := cooker/cli/main.c
SRC_support := $(wildcard tests/support/mt_*.c)
TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
SAMPLES := $(patsubst samples/%.c,%,$(filter-out $(NOT_BUILT),$(wildcard samples/*.c)))
TOOLS := $(patsubst tools/%.c,%,$(filter-out $(NOT_BUILT),$(wildcard tools/*.c)))

objects = $(patsubst %.c,$(OUT)/%.o,$(1))
LIB_format := $(OUT)/libmpak_format.a
LIB_runtime := $(OUT)/libmpak.a
LIB_gl := $(OUT)/libmpak_gl.a
SHADER_OBJECT := $(OUT)/shaders/gl_shaders.o
LIB_reference := $(OUT)/libmpak_reference.a
LIB_cooker := $(OUT)/libmpak_cooker.a
LIB_cli := $(OUT)/libmpak_cli.a
LIB_support := $(OUT)/libmpak_test_support.a
COOKER_LIBS = $(LIB_cli) $(LIB_viewer) $(LIB_cooker) $(LIB_gl) $(LIB_reference) $(LIB_runtime) $(LIB_format)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all force help shader_texts runtime test check layers clean format lint samples tools bench bench-cpu bench-gpu bench-load bench-lods bench-pose bench-segments bench-size soak fuzz install man unit_tests

## all: build/mpak, build/libmpak.a, build/libmpak_gl.a, build/libmpak.so and the samples (the default)
all: $(BUILD)/mpak $(BUILD)/libmpak.a $(BUILD)/libmpak_gl.a $(BUILD)/libmpak.so samples $(if $(filter 0,$(ASSIMP)),$(BUILD)/lib)

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

define static_library
$(1): $(call objects,$(2))
	@mkdir -p $$(@D)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $$(AR) rcsD $$@ $$^
endef
$(eval $(call static_library,$(LIB_format),$(SRC_format)))
$(eval $(call static_library,$(LIB_runtime),$(SRC_runtime) $(SRC_format)))
$(eval $(call static_library,$(LIB_reference),$(SRC_reference)))
$(eval $(call static_library,$(LIB_cooker),$(SRC_cooker)))
$(eval $(call static_library,$(LIB_cli),$(SRC_cli)))
$(eval $(call static_library,$(LIB_support),$(SRC_support)))

OBJECTS_viewer := $(call objects,$(SRC_viewer)) $(OUT)/samples/viewer/imgui_shim.o $(OUT)/glad/gl.o $(SHADERS_viewer:%=$(OUT)/%.o)
$(OUT)/libmpak_viewer.a: $(OBJECTS_viewer)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
$(BUILD)/glad/include/glad/gl.h:
	$(call say,GLAD,$@)
	$(Q)glad --reproducible --api gl:core=4.5 --extensions "" --out-path $(BUILD)/glad c >/dev/null 2>&1
$(OUT)/glad/gl.o: $(GLAD)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 $(CFLAGS_$(config)) -fPIC -I$(BUILD)/glad/include -c $(BUILD)/glad/src/gl.c -o $@
$(call objects,$(SRC_viewer)): private FILE_CFLAGS := -isystem $(BUILD)/glad/include $(shell pkg-config --cflags libpng 2>/dev/null)
$(call objects,$(SRC_viewer)): | $(GLAD)
$(OUT)/samples/viewer/imgui_shim.o: samples/viewer/imgui_shim.cpp
	@mkdir -p $(@D)
	$(call say,CXX,$<)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -fno-exceptions -fno-rtti -Wall -Wextra $(if $(filter 1,$(werror)),-Werror) -isystem $(shell pkg-config --variable=includedir imgui) -I. -MMD -MP -c $< -o $@
$(OUT)/samples/viewer/shaders/%.c: samples/viewer/shaders/% tools/embed.sh
	@mkdir -p $(@D)
	$(Q)sh tools/embed.sh view_$(subst .,_,$*) $< >$@
$(OUT)/samples/viewer/shaders/%.o: $(OUT)/samples/viewer/shaders/%.c
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@
# The table of verbs knows which there are, and eval which backends: they are made anew when GL is another.
$(OUT)/gl.stamp: force
	@mkdir -p $(@D) && { echo $(GL) | cmp -s - $@ || echo $(GL) >$@; }
force:
$(OUT)/cooker/cli/verbs.o $(OUT)/cooker/cli/eval_mesh.o: $(OUT)/gl.stamp
$(OUT)/cooker/cli/verbs.o $(OUT)/cooker/cli/eval_mesh.o: private FILE_CFLAGS := $(if $(filter 0,$(GL)),,-DMPAK_HAS_VIEWER)

$(OUT)/mpak: $(call objects,$(SRC_main)) $(COOKER_LIBS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $(call objects,$(SRC_main)) $(COOKER_LIBS) $(ALL_LDFLAGS) $(LIBS_cooker)

$(OUT)/libmpak.so: $(call objects,$(SRC_runtime) $(SRC_gl) $(SRC_format)) $(SHADER_OBJECT)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,libmpak.so.0 -o $@ $^ $(ALL_LDFLAGS) $(LIBS_zstd)

# The products under their plain names: build/mpak is the one of the last build.
$(BUILD)/%: $(OUT)/%
	$(Q)cp -f $< $@
# Programs look for the library under its soname when they start.
$(BUILD)/libmpak.so: $(OUT)/libmpak.so
	$(Q)cp -f $< $@ && ln -sf libmpak.so $@.0

# The shared libraries of a cooker without Assimp that are not part of every system.
$(BUILD)/lib: $(OUT)/mpak
	$(Q)rm -rf $@ && mkdir -p $@ && ldd $< | awk '/meshoptimizer|jansson|seccomp|zstd/ {print $$3}' | xargs -r cp -Lft $@ && touch $@

# -- Shaders: joined in this order, and put into programs as text (runtime/gl/gl_shaders.h) ---------------------------------

SHADER_TEXTS := deform morph_csr64 $(foreach n,4 8 12,skin_$(n) skin_texture_$(n))
SHADER_FILES_deform := mpak_gpu_layout.h parameters.glsl vectors.glsl octahedral.glsl move_vertex.glsl morph_sums.glsl morph_none.glsl morph_csr_rows.glsl morph_blk64.glsl skin.glsl store.glsl deform.comp
SHADER_FILES_morph_csr64 := mpak_gpu_layout.h parameters.glsl morph_csr64.comp
SHADER_FILES_skin := mpak_gpu_layout.h vectors.glsl octahedral.glsl move_vertex.glsl skin_vertex.glsl

$(OUT)/shaders/deform.glsl $(OUT)/shaders/morph_csr64.glsl: $(OUT)/shaders/%.glsl: $(wildcard shaders/*)
	@mkdir -p $(@D)
	$(Q)cat $(addprefix shaders/,$(SHADER_FILES_$*)) > $@
$(OUT)/shaders/skin_%.glsl: $(wildcard shaders/*)
	@mkdir -p $(@D)
	$(Q){ printf '#define MPAK_INFLUENCES %s\n' $(lastword $(subst _, ,$*)); \
	  $(if $(findstring texture,$*),printf '#define MPAK_PALETTE_TEXTURE\n';) \
	  cat $(addprefix shaders/,$(SHADER_FILES_skin)); } > $@

shader_texts: $(SHADER_TEXTS:%=$(OUT)/shaders/%.glsl)
$(OUT)/shaders/gl_shaders.c: $(SHADER_TEXTS:%=$(OUT)/shaders/%.glsl) tools/embed.sh
	$(Q){ $(foreach t,$(SHADER_TEXTS),sh tools/embed.sh mpak_shader_$(t) $(OUT)/shaders/$(t).glsl &&) :; } > $@
$(SHADER_OBJECT): $(OUT)/shaders/gl_shaders.c
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -c $< -o $@

# The GL runtime: a library of its own, over libmpak.a; it links nothing, its functions come from the caller's context.
$(LIB_gl): $(call objects,$(SRC_gl)) $(SHADER_OBJECT)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

samples: $(addprefix $(OUT)/samples/,$(SAMPLES))
$(OUT)/samples/%: $(OUT)/samples/%.o $(LIB_runtime)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $< $(LIB_runtime) $(ALL_LDFLAGS) $(LIBS_zstd)

$(OUT)/samples/minimal: $(OUT)/samples/minimal.o $(OUT)/glad/gl.o $(LIB_gl) $(LIB_runtime)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -lglfw $(LIBS_zstd)
$(OUT)/samples/hooks: $(OUT)/samples/hooks.o $(OUT)/samples/viewer/offscreen.o $(OUT)/glad/gl.o $(LIB_gl) $(LIB_runtime)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl $(LIBS_zstd)
$(OUT)/samples/minimal.o $(OUT)/samples/hooks.o: private FILE_CFLAGS := -isystem $(BUILD)/glad/include
$(OUT)/samples/minimal.o $(OUT)/samples/hooks.o: | $(GLAD)

tools: $(addprefix $(OUT)/tools/,$(TOOLS)) $(if $(filter 0,$(GL)),,$(OUT)/tests/fake/libglfw.so.3)
$(OUT)/tools/%: $(OUT)/tools/%.o $(LIB_support) $(COOKER_LIBS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $< $(LIB_support) $(COOKER_LIBS) $(ALL_LDFLAGS) $(LIBS_cooker)

$(OUT)/tests/unit/%: $(OUT)/tests/unit/%.o $(LIB_support) $(LIB_gl) $(COOKER_LIBS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $< $(LIB_support) $(LIB_gl) $(COOKER_LIBS) $(ALL_LDFLAGS) -lcmocka $(LIBS_cooker)

# A libglfw.so.3 that needs no display (tests/run_pictures.py).
$(OUT)/tests/fake/libglfw.so.3: tests/support/fake_glfw.c
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARN) -O1 -fPIC -shared -Wl,-soname,libglfw.so.3 -o $@ $< -lEGL

unit_tests: $(addprefix $(OUT)/tests/unit/,$(TESTS))

## test: everything that must pass, with ASan and UBSan where it matters; ends with "N passed, N failed"
test:
	$(Q)sh tests/run_all.sh

## layers: does any module include what it may not?
layers:
	$(Q)sh tools/check_layers.sh

## format: clang-format over all C files
format:
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

## lint: clang-format, cppcheck, gcc -fanalyzer and clang-tidy report nothing
lint:
	$(Q)sh tools/lint.sh

## bench: cook and load times, memory and bytes, beside Assimp and raw glb, and the FBX pre-pass, in one run
bench:
	$(Q)sh tools/bench.sh

## bench-load: time until a model is ready for upload, beside a raw glb and Assimp, in one run
bench-load:
	$(Q)$(MAKE) --no-print-directory all tools
	$(Q)python3 tools/bench_load.py

## bench-cpu: morph and skin on one core, ns a vertex: blk64 beside csr64, and each level of vector code (ASSETS=folder)
bench-cpu: $(OUT)/tools/bench_cpu $(OUT)/tools/gen_face
	$(Q)$(OUT)/tools/gen_face $(OUT)/tools/face.glb
	$(Q)$< $(ASSETS) $(OUT)/tools/face.glb

## bench-size: bytes and measured errors beside gltfpack and glTF-Transform (npm ci in tools/node first)
bench-size:
	$(Q)$(MAKE) --no-print-directory all tools
	$(Q)python3 tools/bench_size.py
## bench-lods: triangles of made levels at 0.5, 1, 2 and 5 mm, and the memory of making them
bench-lods:
	$(Q)$(MAKE) --no-print-directory all tools
	$(Q)python3 tools/bench_lods.py
## bench-pose: compressed clips: bytes, error, ns a joint (ASSETS=folder)
ASSETS ?= ../shared/assets
bench-pose: $(OUT)/tools/bench_pose
	$(Q)$< $(ASSETS)

## bench-gpu: morph and skin on the GPU, csr64 beside blk64, GB/s beside a copy kernel (ASSETS=folder)
bench-gpu: all $(OUT)/tools/bench_gpu $(OUT)/tools/gen_gpu_case
	$(Q)python3 tools/bench_gpu.py --build $(BUILD) $(GPU_OPTIONS) samples/assets/face60.glb $(wildcard $(ASSETS)/*/run.glb)

## bench-segments: would segments or reduced keys make compressed clips smaller? Bytes of each beside uniform rows (ASSETS=folder)
bench-segments: $(OUT)/tools/bench_segments
	$(Q)$< $(ASSETS)

## soak: the full determinism matrix, long fuzzing, all mutations
soak:
	$(Q)sh tests/soak.sh

## fuzz: libFuzzer targets (needs clang); build/fuzz/tests/fuzz/fuzz_*
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	$(Q)$(MAKE) --no-print-directory config=fuzz CC=clang $(addprefix $(BUILD)/fuzz/tests/fuzz/,$(FUZZERS))
$(BUILD)/fuzz/tests/fuzz/%: $(BUILD)/fuzz/tests/fuzz/%.o $(LIB_support) $(COOKER_LIBS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $< $(LIB_support) $(COOKER_LIBS) -fsanitize=fuzzer,address,undefined -pthread $(LIBS_cooker)

## man: the manual pages, from the same tables as --help
man: $(BUILD)/mpak
	$(Q)sh tools/make_man.sh $(BUILD)/mpak $(BUILD)/man

PREFIX ?= /usr/local
## install: mpak, libmpak and headers to $(DESTDIR)$(PREFIX)
install: all man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include/mpak/runtime/gl $(DESTDIR)$(PREFIX)/include/mpak/format
	install -m 755 $(BUILD)/mpak $(DESTDIR)$(PREFIX)/bin/mpak
	install -m 644 $(BUILD)/libmpak.a $(DESTDIR)$(PREFIX)/lib/libmpak.a
	install -m 644 $(BUILD)/libmpak_gl.a $(DESTDIR)$(PREFIX)/lib/libmpak_gl.a
	install -m 755 $(BUILD)/libmpak.so $(DESTDIR)$(PREFIX)/lib/libmpak.so
	ln -sf libmpak.so $(DESTDIR)$(PREFIX)/lib/libmpak.so.0
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 runtime/*.h $(DESTDIR)$(PREFIX)/include/mpak/runtime
	install -m 644 runtime/gl/mpak_gl.h $(DESTDIR)$(PREFIX)/include/mpak/runtime/gl
	install -m 644 format/mpak_*.h $(DESTDIR)$(PREFIX)/include/mpak/format

## clean: removes build/
clean:
	rm -rf $(BUILD)

## help: this list
help:
	@sed -n 's/^## /  /p' $(MAKEFILE_LIST)

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
