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

/* What FakeDb\borrow() has borrowed last. */
extern void *fakedb_borrowed;

PHP_FUNCTION(FakeDb_table); /* table.c */
PHP_FUNCTION(FakeDb_keep);  /* pointers.c, as those that follow */
PHP_FUNCTION(FakeDb_kept);
PHP_FUNCTION(FakeDb_healthy);
PHP_FUNCTION(FakeDb_stand);
PHP_FUNCTION(FakeDb_take);
PHP_FUNCTION(FakeDb_copy);
PHP_FUNCTION(FakeDb_interrupt); /* interrupt.c, as those that follow */
PHP_FUNCTION(FakeDb_interrupts);
void fakedb_interrupt_start(void);

#endif
