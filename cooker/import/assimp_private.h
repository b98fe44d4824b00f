/// assimp_private.h: what the assimp_*.c files share. The only header that includes Assimp's.
///
/// Nothing here may leave the job (job_fail, out of memory) while Assimp's code is on the stack: a longjmp over C++
/// frames is undefined. The callbacks in assimp_files.c catch it with a job_run of their own.
#ifndef COOK_ASSIMP_PRIVATE_H
#define COOK_ASSIMP_PRIVATE_H

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "cooker/import/import.h"
#include "cooker/import/sniff.h"

// -- assimp.c: how Assimp is asked ------------------------------------------------------------------------------------

/// Every other step loses or merges something that shapes and skins need.
#define ASSIMP_STEPS ((unsigned)aiProcess_Triangulate | (unsigned)aiProcess_ValidateDataStructure)

/// Helper nodes stay, so that we collapse them ourselves; nothing is read that a pack does not hold, and nothing made
/// up: Assimp would draw joints where a file has no mesh. NULL when there is no memory. The caller releases them.
struct aiPropertyStore *assimp_properties(void);

// -- assimp_files.c: what Assimp may read -----------------------------------------------------------------------------

#define ASSIMP_FILES_MAX 256 ///< files that one source may consist of

/// One file that Assimp has opened or may open.
typedef struct assimp_file {
  const char *name; ///< as Assimp asked for it
  const char *path; ///< where it lies
  const uint8_t *bytes;
  uint64_t byte_count;
  const uint8_t *shown_bytes; ///< what Assimp gets to see: the same, or what the pre-pass made of it
  uint64_t shown_byte_count;
} assimp_file;

/// Assimp's view of the disk: the source, which is in memory already, and files in the source's folder.
typedef struct assimp_files {
  struct aiFileIO io; ///< given to Assimp
  cook_job *job;
  const char *folder; ///< "" or ending in '/'
  uint32_t file_count;
  assimp_file files[ASSIMP_FILES_MAX]; ///< the source first
  const char *source_name;             ///< the source, as Assimp is asked to open it
  const char *refused;                 ///< the first name that leads out of the folder
} assimp_files;

/// The source under a name that tells Assimp its kind.
void assimp_files_begin(assimp_files *files, cook_job *job, const char *path, const uint8_t *bytes, uint64_t byte_count,
                        sniff_kind kind);

/// Shows Assimp something else in place of the source.
void assimp_files_show(assimp_files *files, const uint8_t *bytes, uint64_t byte_count);

// -- assimp_formats.c: what is to be known of single formats ----------------------------------------------------------

/// Reports what Assimp leaves out of files with this suffix (I052).
void assimp_report_format(cook_job *job, const char *suffix);

/// Fails the job for a file that was cut, where Assimp would not see it, or look for the end for ever.
void assimp_check_format(cook_job *job, const char *suffix, const uint8_t *bytes, uint64_t byte_count);

/// Does Assimp draw the joints of such a file, where it can have no mesh?
bool assimp_draws_joints(const char *suffix);

/// Sets what Assimp gets to see of a file: its bytes, or for some formats what it reads better.
void assimp_show_format(cook_job *job, assimp_file *file);

// -- assimp_log.c: what Assimp says -----------------------------------------------------------------------------------

#define ASSIMP_LOG_LINES      64
#define ASSIMP_LOG_LINE_BYTES 512

/// One line, and how many more were like it but for their numbers.
typedef struct assimp_log_line {
  char text[ASSIMP_LOG_LINE_BYTES];
  uint32_t repeats;
} assimp_log_line;

/// Warnings and errors of one import, without repeats.
typedef struct assimp_log {
  struct aiLogStream stream; ///< attached while Assimp works
  uint32_t line_count;
  assimp_log_line lines[ASSIMP_LOG_LINES];
} assimp_log;

void assimp_log_begin(assimp_log *log);
void assimp_log_end(assimp_log *log);

/// Reports the lines: those that mean lost data as errors (I011), the rest as remarks (I012) if wanted.
void assimp_log_report(const assimp_log *log, cook_job *job, bool with_remarks);

#endif
