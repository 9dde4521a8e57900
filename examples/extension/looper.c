/*
 * An extension that runs an event loop and lends in it, and does not link the pool library: what it calls, and what the
 * adapter for epoll calls, goes through the table that it loads at its first use.
 */
#define POOL_API_NAMES /* pool_acquire_async() is pool_api_acquire_async() from here on */
#include "looper.h"

#include "device.h"

#include <asyncpool/epoll.h>

#include <string.h>
#include <time.h>
#include <unistd.h>

static int set = -1; /* the loop: an epoll set with the devices and the pool in it */
static pool_t *pool;
static pool_epoll_t watch;
static LIST_HEAD(, job) jobs = LIST_HEAD_INITIALIZER(jobs);
static char reason[512];

/* ---- jobs ---- */

static void end(job_t *job, pool_status_t status)
{
    device_t *device = job->device;
    LIST_REMOVE(job, others);
    if (device) {
        device->job = NULL;
        pool_release(pool, device);
    }
    job->done(job, status);
}

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    job_t *job = data;
    (void)op;
    if (status != POOL_OK) {
        end(job, status);
        return;
    }
    job->device = resource;
    job->device->job = job;
    device_alarm(job->device, (int64_t)job->ms * 1000000);
}

static pool_status_t start(job_t *job, int64_t patience_ms)
{
    job->device = NULL;
    job->status = POOL_OK;
    pool_status_t status = pool_acquire_async(pool, &job->op, patience_ms, acquired, job);
    if (status != POOL_PENDING)
        return status;
    LIST_INSERT_HEAD(&jobs, job, others);
    return POOL_OK;
}

/* What works on a job is done at once, so that it is told by the loop, as ever. */
static void interrupt(job_t *job, pool_status_t status)
{
    job->status = status;
    device_alarm(job->device, 1);
}

static void cancel(job_t *job)
{
    if (job->device)
        interrupt(job, POOL_ERR_CANCELLED);
    else
        pool_op_cancel(&job->op);
}

/* ---- the loop ---- */

/* One event at a time: what is done for the first could end the device of the second. */
static void turn_within(int ms)
{
    struct epoll_event event;
    if (epoll_wait(set, &event, 1, pool_epoll_timeout(&watch, ms)) == 1 && event.data.ptr != &watch) {
        device_t *device = event.data.ptr;
        if (device_rang(device) && device->job)
            end(device->job, device->job->status);
    }
    pool_epoll_dispatch(&watch); /* acquired() is called from here, and the hooks */
}

static bool turn(void)
{
    if (!LIST_EMPTY(&jobs))
        turn_within(-1);
    return !LIST_EMPTY(&jobs);
}

/* Milliseconds until then, rounded up; -1: for ever. */
static int left_ms(int64_t until_ns)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ns = until_ns - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    return until_ns == INT64_MAX ? -1 : ns <= 0 ? 0 : ns > 1000000000 ? 1000 : (int)((ns + 999999) / 1000000);
}

/* pool_drain() would have this thread sleep, and who stands in line is served by this thread: so the loop turns while
 * the drain waits. */
static pool_status_t drain(int64_t within_ms)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_status_t status = pool_op_drain(pool, &op, within_ms);
    if (status != POOL_OK)
        return status;
    pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
    for (; kind != POOL_ASK_DONE; kind = pool_op_next(&op, &answer, &ask))
        if (kind == POOL_ASK_DESTROY)
            device_end(pool, ask.resource);
        else
            turn_within(left_ms(ask.until_ns));
    return ask.status;
}

/* ---- begin and end ---- */

static pool_status_t fail(pool_status_t status, const char *why)
{
    snprintf(reason, sizeof reason, "%s", why);
    return status;
}

static void end_loop(void)
{
    pool_unref(pool); /* the last reference: no hook is called after this */
    pool = NULL;
    close(set);
}

static pool_status_t open_it(const char *library, uint32_t devices)
{
    char why[256];
    pool_status_t status = pool_api_load(library);
    if (status != POOL_OK)
        return fail(status, pool_api_error());
    if (!POOL_API_HAS(pool_api_current(), op_drain)) /* the newest of what is called here */
        return fail(POOL_ERR_UNAVAILABLE, "the library is older than this extension, which needs pool_op_drain()");
    set = epoll_create1(EPOLL_CLOEXEC);
    status = device_pool(&set, devices, &pool);
    if (status == POOL_OK && pool_epoll_add(&watch, set, pool, (epoll_data_t){.ptr = &watch}) == 0)
        return POOL_OK;
    if (status == POOL_OK)
        status = fail(POOL_ERR_UNAVAILABLE, strerror(errno));
    else
        fail(pool_last_error(NULL, why, sizeof why), why);
    end_loop();
    return status;
}

static const char *why_not(void) { return reason; }

static pool_status_t close_it(int64_t within_ms)
{
    if (!pool)
        return POOL_ERR_INVALID; /* it is not open */
    pool_status_t status = drain(within_ms);
    pool_close(pool); /* as the drain has done, unless it could not begin; who stands in line hears of it by itself */
    for (job_t *job = LIST_FIRST(&jobs); job; job = LIST_NEXT(job, others))
        if (job->device)
            interrupt(job, POOL_ERR_CLOSED);
    while (turn())
        ;
    pool_epoll_remove(&watch);
    end_loop();
    return status;
}

__attribute__((visibility("default"))) const looper_t *looper_entry(void)
{
    static const looper_t looper = {open_it, why_not, start, cancel, turn, close_it, device_count};
    return &looper;
}
