/*
 * A program on APR that has never heard of asyncpool: threads send bytes through pipes that they share by a resource
 * list. Alone it runs on apr_reslist of libaprutil; with LD_PRELOAD=libasyncpool-apr.so, the same file, on asyncpool.
 */
#include <apr_file_io.h>
#include <apr_general.h>
#include <apr_reslist.h>
#include <apr_thread_proc.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 16, JOBS = 2000, MIN = 1, SMAX = 2, HMAX = 4, BREAKS = 500 };

/* A resource: a pipe with a pool of its own. */
typedef struct channel {
    apr_pool_t *pool;
    apr_file_t *in, *out;
    int jobs;
} channel_t;

static apr_reslist_t *list;
static int made, closed, open_at_most; /* the list calls one constructor or destructor at a time */
static int lost;

static apr_status_t open_channel(void **resource, void *params, apr_pool_t *parent)
{
    apr_pool_t *pool;
    apr_status_t rv = apr_pool_create(&pool, parent);
    (void)params;
    if (rv != APR_SUCCESS)
        return rv;
    channel_t *channel = apr_pcalloc(pool, sizeof *channel);
    channel->pool = pool;
    rv = apr_file_pipe_create(&channel->in, &channel->out, pool);
    if (rv != APR_SUCCESS) {
        apr_pool_destroy(pool);
        return rv;
    }
    made++;
    if (made - closed > open_at_most)
        open_at_most = made - closed;
    *resource = channel;
    return APR_SUCCESS;
}

static apr_status_t close_channel(void *resource, void *params, apr_pool_t *parent)
{
    (void)params, (void)parent;
    closed++;
    apr_pool_destroy(((channel_t *)resource)->pool); /* closes both ends */
    return APR_SUCCESS;
}

static int send_a_byte(channel_t *channel)
{
    char byte = 0;
    return apr_file_putc('x', channel->out) == APR_SUCCESS && apr_file_getc(&byte, channel->in) == APR_SUCCESS &&
           byte == 'x';
}

static void *APR_THREAD_FUNC work(apr_thread_t *thread, void *data)
{
    int *done = data;
    for (int i = 0; i < JOBS; i++) {
        void *channel;
        if (apr_reslist_acquire(list, &channel) != APR_SUCCESS)
            continue;
        *done += send_a_byte(channel);
        /* One time in so many it is taken for broken. */
        int broken = ++((channel_t *)channel)->jobs % BREAKS == 0;
        apr_status_t rv = broken ? apr_reslist_invalidate(list, channel) : apr_reslist_release(list, channel);
        if (rv != APR_SUCCESS)
            __atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
    }
    apr_thread_exit(thread, APR_SUCCESS);
    return NULL;
}

int main(void)
{
    apr_pool_t *pool, *channels;
    apr_thread_t *threads[THREADS];
    apr_status_t rv;
    Dl_info whose;
    int done[THREADS] = {0}, all = 0;
    if (apr_initialize() != APR_SUCCESS || apr_pool_create(&pool, NULL) != APR_SUCCESS ||
        apr_pool_create(&channels, pool) != APR_SUCCESS)
        return 2;
    if (apr_reslist_create(&list, MIN, SMAX, HMAX, apr_time_from_sec(1), open_channel, close_channel, NULL, channels) !=
        APR_SUCCESS)
        return 2;
    apr_reslist_cleanup_order_set(list, APR_RESLIST_CLEANUP_FIRST); /* before the pools of the channels */
    for (int i = 0; i < THREADS; i++)
        if (apr_thread_create(&threads[i], NULL, work, &done[i], pool) != APR_SUCCESS)
            return 2;
    for (int i = 0; i < THREADS; i++) {
        apr_thread_join(&rv, threads[i]);
        all += done[i];
    }
    apr_uint32_t lent = apr_reslist_acquired_count(list);
    apr_pool_destroy(channels);
    if (dladdr((void *)apr_reslist_create, &whose))
        printf("apr_reslist of %s:\n", whose.dli_fname);
    printf("%d threads did %d jobs over at most %d pipes; %d were made, %d closed\n", THREADS, all, open_at_most, made,
           closed);
    apr_terminate();
    return all == THREADS * JOBS && lent == 0 && lost == 0 && made == closed && open_at_most <= HMAX ? 0 : 1;
}
