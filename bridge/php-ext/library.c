/*
 * Reaching the library: by pool_api_load() at the first use, since Go's runtime starts with it and does not
 * survive a fork. Built with --enable-asyncpool-link it is linked instead, for hosts that do not fork.
 */
#include "internal.h"

#include "zend_exceptions.h"

asyncpool_library_t asyncpool_lib;

#ifdef ASYNCPOOL_LINKED

zend_string *asyncpool_load(void)
{
    if (!asyncpool_lib.table) {
#define ASYNCPOOL_TAKE(name) asyncpool_lib.name = name;
        ASYNCPOOL_FUNCTIONS(ASYNCPOOL_TAKE)
#undef ASYNCPOOL_TAKE
        if (!pool_api_register(pool_api(POOL_ABI_VERSION)) || !pool_api_current())
            return zend_strpprintf(0, "the linked one is of another ABI version; build the extension anew");
        asyncpool_lib.table = pool_api_current();
        asyncpool_lib.pool_register_wrapper(asyncpool_object_of);
    }
    return NULL;
}

static const char *file(void) { return "that is linked"; }

#else

/* The environment, the ini file, or what the system's loader finds: as the package for PHP does. */
static const char *file(void)
{
    const char *named = getenv("ASYNCPOOL_LIBRARY");
    if (named && *named)
        return named;
    return *ASYNCPOOL_G(library) ? ASYNCPOOL_G(library) : "libasyncpool.so.1";
}

/* Ops are not in the table; they are the same library's. */
static const char *take_functions(void)
{
    void *library = dlopen(file(), RTLD_NOW | RTLD_NOLOAD);
#define ASYNCPOOL_TAKE(name)                                                  \
    if (!library || !(*(void **)&asyncpool_lib.name = dlsym(library, #name))) \
        return "it has no " #name "(), so it is older than this extension; update the library";
    ASYNCPOOL_FUNCTIONS(ASYNCPOOL_TAKE)
#undef ASYNCPOOL_TAKE
    return NULL;
}

zend_string *asyncpool_load(void)
{
    if (asyncpool_lib.table)
        return NULL;
    pool_status_t status = pool_api_load(file());
    const char *why = status == POOL_OK ? take_functions() : pool_api_error();
    if (why) {
        pool_api_register(NULL); /* so that the next attempt may find another one */
        return zend_string_init(why, strlen(why), 0);
    }
    asyncpool_lib.table = pool_api_current();
    asyncpool_lib.pool_register_wrapper(asyncpool_object_of);
    return NULL;
}

#endif

/* What a user of PHP can do where the words of pool_api.h are for those who call it. */
static const char *advice(const char *why)
{
    unsigned abi;
    const char *of_version = strstr(why, "of ABI version ");
    if (strstr(why, "cannot be opened"))
        return "; install it (make install, then ldconfig), or name its file by the ini "
               "setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY";
    if (strstr(why, "is no asyncpool"))
        return "; name another file by the ini setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY";
    if (of_version && sscanf(of_version, "of ABI version %u", &abi) == 1)
        return abi > POOL_ABI_VERSION ? "; update the extension" : "; update the library";
    return "";
}

bool asyncpool_load_or_throw(void)
{
    zend_string *why = asyncpool_load();
    if (EXPECTED(!why))
        return true;
    const char *named = getenv("ASYNCPOOL_LIBRARY");
    zend_throw_exception_ex(
        asyncpool_ce_async_exception, 0,
        "asyncpool: cannot use the library %s: %s%s (wanted: ABI version %u; ASYNCPOOL_LIBRARY %s; "
        "asyncpool.library is \"%s\")",
        file(), ZSTR_VAL(why), advice(ZSTR_VAL(why)), POOL_ABI_VERSION,
        named && *named ? "names the file" : "is not set", ASYNCPOOL_G(library));
    zend_string_release(why);
    return false;
}
