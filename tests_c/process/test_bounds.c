/*
 * The Go runtime asks for the bounds of a thread's stack when the thread comes for the first time, does not look
 * whether there was memory for the answer, and frees it in any case.
 */
#include "check.h"

#include <dlfcn.h>
#include <errno.h>

static _Thread_local bool short_of_memory;
static atomic_int refused;

/*
 * In place of the C library's, which has freed the attributes too when it answers that memory is short. The runtime
 * of the thread sanitizer calls it before it knows the thread.
 */
__attribute__((no_sanitize("thread"))) int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    int (*real)(pthread_t, pthread_attr_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_getattr_np");
    int error = real(thread, attr);
    if (error || !short_of_memory)
        return error;
    pthread_attr_destroy(attr);
    atomic_fetch_add(&refused, 1);
    return ENOMEM;
}

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return true;
}

static void *come_first(void *unused)
{
    void *resource;
    short_of_memory = true;
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 1, 1, 0);
    short_of_memory = false;
    CHECK(pool != NULL);
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    pool_unref(pool);
    return unused;
}

TEST(a_thread_comes_first_when_there_is_no_memory_for_its_bounds)
{
    for (int i = 1; i <= 20; i++) {
        check_join(check_thread(come_first, NULL));
        CHECK(atomic_load(&refused) >= i);
    }
    CHECK_INT(pool_debug_live(), 0);
}
