/* The errors of this thread: see error.c. */
#ifndef ASYNCPOOL_ERROR_H
#define ASYNCPOOL_ERROR_H

#include "../include/asyncpool/pool.h"

typedef struct ap_pool ap_pool_t;

#pragma GCC visibility push(hidden)

typedef struct ap_error {
    bool set;
    int code;
    int64_t later_ns; /* pool_try_later(): for so long; 0: it was not called */
    char message[256];
} ap_error_t;

/* Remembers a failure of this call, with a text "<function>: <why>", and answers its status. */
pool_status_t ap__fail(pool_status_t status, const char *function, const char *why);
/* Why a handle is refused: this process may not use it, or it is none, which the text says. */
void ap__fail_handle(const char *function, const char *why);
/* As ap__fail() for the outcome of an op: the hook's error if there is one. */
pool_status_t ap__fail_op(pool_status_t status, const char *name, const ap_error_t *hook);
/* Around a hook: forgets what was set before, and takes what the hook has set if it failed. */
void ap__error_clear(void);
/* This is what the hook has set that has just come back. */
void ap__error_said(const ap_pool_t *pool, const ap_error_t *error);
void ap__error_take(ap_pool_t *pool, bool failed, ap_error_t *into);
/* The op is done with POOL_ERR_FACTORY: what its driver tells if no hook of the op's own has said why. NULL: nothing. */
void ap__error_of_factory(const ap_error_t *error);
/* A call has succeeded, with a remark (NULL: none) for who asks pool_last_error(). */
void ap__remark(const char *function, const char *remark);

#pragma GCC visibility pop

#endif
