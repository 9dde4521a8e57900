/*
 * Who has how many, while it happens: on a terminal a table that is redrawn, elsewhere a line each second, and one for
 * each thing that happens. A connection is # if a task needs it, o if not; a task that waits for one is a dot.
 */
#ifndef EXAMPLES_FLEET_TABLE_H
#define EXAMPLES_FLEET_TABLE_H

#include "story.h"

/* Draws when it is time to. */
void table_draw(story *s, bool last);

#endif
