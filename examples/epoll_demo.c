/*
 * A few hundred tasks share a few devices, in one thread, on a plain epoll loop. A device is a
 * timer of the kernel: it is set to work for some milliseconds, and its descriptor is readable when
 * it is done. The loop waits for the devices and for the pool in one epoll set.
 *
 *     epoll_demo --tasks 300 --devices 8 --jobs 20
 */
#include "run.h"

#include <asyncpool/epoll.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define ACQUIRE_TIMEOUT_MS 60000
#define EVENTS 64

typedef struct demo demo;

typedef struct task {
    demo *d;
    unsigned number, left; /* jobs to do */
    int64_t asked_ns;
    pool_op_t op;
} task;

/* What the pool lends. */
typedef struct device {
    int fd;
    task *task; /* whose job it does */
} device;

struct demo {
    run_t run;
    int set;
    pool_epoll_t watch;
    task *tasks;
    unsigned jobs;    /* of each task */
    unsigned running; /* tasks that have not ended */
    unsigned working, most_working;
};

/* ---- the hooks ---- */

static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    device *v = calloc(1, sizeof *v);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = v};
    if (v)
        v->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (!v || v->fd < 0 || epoll_ctl(d->set, EPOLL_CTL_ADD, v->fd, &event) != 0) {
        pool_set_error(pool, errno, strerror(errno));
        if (v && v->fd >= 0)
            close(v->fd);
        free(v);
        return false;
    }
    run_created(&d->run);
    *resource = v;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    device *v = resource;
    close(v->fd);
    free(v);
    run_destroyed(&d->run);
}

/* ---- a task: ask, acquired, done, and again ---- */

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data);

static void ask(task *t)
{
    demo *d = t->d;
    t->asked_ns = run_now_ns();
    pool_status_t status = POOL_ERR_CLOSED;
    if (t->left > 0 && !atomic_load(&d->run.stopping)) {
        status = pool_acquire_async(d->run.pool, &t->op, ACQUIRE_TIMEOUT_MS, acquired, t);
        if (status != POOL_PENDING && status != POOL_ERR_CLOSED)
            run_fail_call(&d->run, "cannot ask for a device");
    }
    if (status != POOL_PENDING)
        d->running--;
}

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    task *t = data;
    demo *d = t->d;
    device *v = resource;
    (void)op;
    if (!run_acquired(&d->run, t->asked_ns, status)) {
        d->running--;
        return;
    }
    long ms = 1 + (long)(t->number + t->left) % 3;
    struct itimerspec job = {.it_value.tv_nsec = ms * 1000000};
    if (v->task)
        run_fail(&d->run, "a device is lent to two tasks at once");
    v->task = t;
    timerfd_settime(v->fd, 0, &job, NULL);
    if (++d->working > d->most_working)
        d->most_working = d->working;
}

static void done(demo *d, device *v)
{
    uint64_t expirations;
    task *t = v->task;
    if (read(v->fd, &expirations, sizeof expirations) != (ssize_t)sizeof expirations || !t) {
        run_fail(&d->run, "a device that nobody had set was done");
        return;
    }
    v->task = NULL;
    d->working--;
    t->left--;
    atomic_fetch_add(&d->run.done, 1);
    run_released(&d->run, pool_release(d->run.pool, v));
    ask(t);
}

/* ---- the loop ---- */

static void loop(demo *d)
{
    struct epoll_event events[EVENTS];
    while (d->running > 0) {
        int n = epoll_wait(d->set, events, EVENTS, pool_epoll_timeout(&d->watch, RUN_TICK_MS));
        for (int i = 0; i < n; i++)
            if (events[i].data.ptr != d)
                done(d, events[i].data.ptr);
        pool_epoll_dispatch(&d->watch);
        run_tick(&d->run);
    }
}

static void demonstrate(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "devices";
    config.factory = factory;
    config.destructor = destructor;
    config.user_data = d;
    config.max_size = d->run.places;
    config.flags = POOL_F_REACTOR;
    if (pool_create_ex(&config, &d->run.pool) != POOL_OK) {
        run_fail_call(&d->run, "cannot create the pool");
        return;
    }
    run_begin(&d->run);
    if (pool_epoll_add(&d->watch, d->set, d->run.pool, (epoll_data_t){.ptr = d}) != 0)
        run_fail(&d->run, "cannot watch the pool: %s", strerror(errno));
    else {
        d->running = d->run.workers;
        for (unsigned i = 0; i < d->run.workers; i++) {
            d->tasks[i] = (task){.d = d, .number = i, .left = d->jobs};
            ask(&d->tasks[i]);
        }
        loop(d);
        pool_epoll_remove(&d->watch);
    }
    run_end(&d->run);
    pool_unref(d->run.pool);
    run_summary(&d->run);
    run_check(&d->run, d->most_working <= d->run.places && d->working == 0, "%u at work at once, none at the end",
              d->most_working);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "jobs", .resources = "devices", .workers = 300, .places = 8}, .jobs = 20};
    const run_option options[] = {{"tasks", 't', &d.run.workers, 1, 100000, "tasks"},
                                  {"devices", 'd', &d.run.places, 1, 500, "devices at most"},
                                  {"jobs", 'n', &d.jobs, 1, 100000, "jobs of each task"},
                                  {0}};
    run_setup(argc, argv,
              "Tasks on one epoll loop, in one thread, give jobs of some milliseconds to devices lent by a pool.",
              options);
    d.run.total = (int64_t)d.run.workers * d.jobs;
    d.set = epoll_create1(EPOLL_CLOEXEC);
    d.tasks = calloc(d.run.workers, sizeof *d.tasks);
    printf("%u tasks on one thread share %u devices (asyncpool %s)\n\n", d.run.workers, d.run.places, pool_version());
    if (d.set >= 0 && d.tasks)
        demonstrate(&d);
    else
        run_fail(&d.run, "%s", strerror(errno));
    close(d.set);
    free(d.tasks);
    return run_result(&d.run);
}
