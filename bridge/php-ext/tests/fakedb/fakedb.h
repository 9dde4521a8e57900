/* A driver of a database that is not there: pools of C pointers, lent to PHP code as objects. */
#ifndef FAKEDB_H
#define FAKEDB_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <php_asyncpool.h>

typedef struct fakedb_connection {
    int number;
    bool broken;
} fakedb_connection_t;

extern zend_class_entry *fakedb_ce_connection;
void fakedb_connection_register(void);
/* An object that gives the connection back to the pool when it goes. */
zend_object *fakedb_connection_object(pool_t *pool, fakedb_connection_t *connection);

#endif
