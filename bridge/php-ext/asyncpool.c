/* The module: what is registered when PHP starts. The library is loaded later, see library.c. */
#include "internal.h"

#include "ext/standard/info.h"
#include "functions_arginfo.h"

ZEND_DECLARE_MODULE_GLOBALS(asyncpool)

PHP_INI_BEGIN()
STD_PHP_INI_ENTRY("asyncpool.library", "", PHP_INI_SYSTEM, OnUpdateString, library, zend_asyncpool_globals,
                  asyncpool_globals)
PHP_INI_END()

static PHP_GINIT_FUNCTION(asyncpool) { memset(asyncpool_globals, 0, sizeof *asyncpool_globals); }

static PHP_MINIT_FUNCTION(asyncpool)
{
    REGISTER_INI_ENTRIES();
    asyncpool_exceptions_register();
    asyncpool_breaker_register();
    asyncpool_budget_register();
    asyncpool_pool_register();
    asyncpool_stats_register();
    asyncpool_ref_register();
    asyncpool_coroutine_register();
    asyncpool_loop_register();
    asyncpool_runtime_register();
    return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(asyncpool)
{
    UNREGISTER_INI_ENTRIES();
    return SUCCESS;
}

static PHP_RINIT_FUNCTION(asyncpool)
{
    ASYNCPOOL_G(makers) = NULL; /* a fatal error in the end of a request may have left some */
    asyncpool_runtime_begin();
    return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(asyncpool)
{
    asyncpool_waits_abandon();
    asyncpool_runtime_end();
    return SUCCESS;
}

static PHP_MINFO_FUNCTION(asyncpool)
{
    php_info_print_table_start();
    php_info_print_table_row(2, "asyncpool", PHP_ASYNCPOOL_VERSION);
#ifdef ASYNCPOOL_LINKED
    php_info_print_table_row(2, "the library", "linked");
#else
    php_info_print_table_row(2, "the library", asyncpool_lib.table ? "loaded" : "is loaded at the first use");
#endif
    php_info_print_table_end();
    DISPLAY_INI_ENTRIES();
}

zend_module_entry asyncpool_module_entry = {
    STANDARD_MODULE_HEADER,
    "asyncpool",
    ext_functions,
    PHP_MINIT(asyncpool),
    PHP_MSHUTDOWN(asyncpool),
    PHP_RINIT(asyncpool),
    PHP_RSHUTDOWN(asyncpool),
    PHP_MINFO(asyncpool),
    PHP_ASYNCPOOL_VERSION,
    PHP_MODULE_GLOBALS(asyncpool),
    PHP_GINIT(asyncpool),
    NULL,
    NULL,
    STANDARD_MODULE_PROPERTIES_EX,
};

#ifdef COMPILE_DL_ASYNCPOOL
ZEND_GET_MODULE(asyncpool)
#endif
