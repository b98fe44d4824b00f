/// version.h: the version of mpak, the one place where it stands.
#ifndef COOK_VERSION_H
#define COOK_VERSION_H

#define MPAK_VERSION_MAJOR 1
#define MPAK_VERSION_MINOR 0
#define MPAK_VERSION_PATCH 0
#define MPAK_VERSION       "1.0.0"

#endif
