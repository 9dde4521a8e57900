/* This library with bounded barging, at its default limit. */
#include <asyncpool/pool.h>

static const char bench_name[] = "asyncpool_barging";
#define ASYNCPOOL_FLAGS POOL_F_BARGING
#include "pool_asyncpool.h"
