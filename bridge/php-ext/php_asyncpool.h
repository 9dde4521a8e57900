/*
 * Async\Pool as a PHP extension: what other extensions may use.
 *
 * An extension includes this and is not linked with libasyncpool. In its MINIT it registers the table, and from
 * then on it uses the macros of pool_api.h:
 *
 *     pool_api_register(php_asyncpool_api());
 *     ...
 *     pool_t *pool = POOL_NEW(connect, disconnect, NULL, NULL, NULL, 0, 8, 0);
 *     zend_object *object = POOL_NEW_OBJ(pool); // for PHP code: counts, the breaker, close()
 *
 * Let ZEND_MOD_REQUIRED("asyncpool") stand among its dependencies.
 */
#ifndef PHP_ASYNCPOOL_H
#define PHP_ASYNCPOOL_H

#include "php.h"

#include <asyncpool/pool_api.h>

#define PHP_ASYNCPOOL_VERSION POOL_VERSION

extern zend_module_entry asyncpool_module_entry;
#define phpext_asyncpool_ptr &asyncpool_module_entry

#if defined(__GNUC__) && __GNUC__ >= 4
#define PHP_ASYNCPOOL_API __attribute__((visibility("default")))
#else
#define PHP_ASYNCPOOL_API
#endif

BEGIN_EXTERN_C()

/*
 * The table of the library's functions. It may be asked for when an extension is loaded: its functions load the
 * library at the first call that makes a pool, so a server that forks its workers loads nothing before.
 *
 * A pool made in PHP may be used through it, too, on PHP's thread: its resources are zval *, which stay the
 * pool's. What its hooks throw is thrown when the caller returns to PHP.
 */
PHP_ASYNCPOOL_API const pool_api_t *php_asyncpool_api(void);

/*
 * For pool_config_t.scheduler of a pool that is used on PHP's thread only: POOL_ACQUIRE() then lets other
 * coroutines of PHP run while it waits. It answers POOL_ERR_DEADLOCK if the wait was ended by an exception,
 * which is thrown when the caller returns to PHP. POOL_OK may come with one, too: when the resource was granted
 * before. Then the caller has both, and may have to give the resource back.
 *
 * It is also that of pools made in PHP. Of an op that C code drives by itself data must be NULL: nobody is woken then,
 * the op is asked.
 */
PHP_ASYNCPOOL_API const pool_scheduler_t *php_asyncpool_scheduler(void);

/* The class Async\Pool; and the pool behind an object of it, borrowed: NULL if it is gone, or of another class. */
PHP_ASYNCPOOL_API zend_class_entry *php_asyncpool_ce(void);
PHP_ASYNCPOOL_API pool_t *php_asyncpool_pool(zend_object *object);

END_EXTERN_C()

#endif
