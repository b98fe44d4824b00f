/// mt_import.h: test support: importing one file in this process, and looking at what was reported.
#ifndef MT_IMPORT_H
#define MT_IMPORT_H

#include "cooker/import/import.h"

/// Imports a file into the job. NULL when the job was left; options NULL: the defaults. Always in this process.
cook_scene *mt_import(cook_job *job, const char *path, const cook_options *options);

/// The codes of all warnings and errors, each once, in the order of the table: "I014 I022". Infos too when with_infos.
/// Lives in the job.
const char *mt_codes(cook_job *job, bool with_infos);

/// The first issue of this id, NULL when there is none.
const cook_issue *mt_issue(cook_job *job, mpak_issue_id id);

#endif
