/* What is told: a line now and then, all of it at the end, and what to do about a failure (soak_fail()). */
#ifndef ASYNCPOOL_SOAK_REPORT_H
#define ASYNCPOOL_SOAK_REPORT_H

#include "soak.h"

extern int64_t report_began_ns;
extern unsigned report_epochs; /* that are over */

double report_elapsed(void); /* seconds */
void report_progress(void);  /* every second on a terminal, every 30 seconds elsewhere */
bool report_end(void);       /* false: a gauge has grown */

#endif
