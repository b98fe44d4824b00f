/// mt_importers.h: test support: importers that misbehave, to be started as worker processes.
///
/// A test program that uses them begins its main with
///     if (mt_is_importer(argc, argv)) return mt_importer_main(argc, argv);
/// and starts itself as the worker. What the worker does is said by the file name that it is asked to import:
/// "crash", "hang" and so on; the table in mt_importers.c has them all. Files of these names need not exist.
#ifndef MT_IMPORTERS_H
#define MT_IMPORTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "cooker/scene/scene.h"
#include "cooker/base/job.h"

/// Was this program started as a worker?
bool mt_is_importer(int argc, char **argv);

/// The worker: speaks the protocol of worker.h, or breaks it. Returns the exit code.
int mt_importer_main(int argc, char **argv);

/// The scene that the importer "good" sends back.
cook_scene *mt_importer_scene(cook_job *job);

#endif
