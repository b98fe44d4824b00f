/// mt_fixtures.h: test support: the fixture that issues.def names for an issue.
#ifndef MT_FIXTURES_H
#define MT_FIXTURES_H

#include "format/mpak_issue.h"

const char *mt_fixture_of(mpak_issue_id id);

#endif
