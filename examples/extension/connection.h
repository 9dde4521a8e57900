/* The connections that the extension lends, and the pool of them. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <asyncpool/pool_api.h>

typedef struct connection {
    int jobs;
} connection_t;

/* A pool of connections, NULL if there is no library or it refuses. */
pool_t *connection_pool(uint32_t places);
/* Connections that are open now. */
int connection_count(void);

#endif
