/*
 * A few hundred tasks share a few devices, in one thread, on a plain epoll loop. A device is a
 * timer of the kernel: it is set to work for some milliseconds, and its descriptor is readable when
 * it is done. The loop waits for the devices and for the pool in one epoll set.
 *
 *     epoll_demo --tasks 300 --devices 8 --jobs 20
 */
#include "live.h"

#include <asyncpool/epoll.h>

#include <errno.h>
#include <getopt.h>
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
    live_t live;
    live_census census;
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
    live_census_created(&d->census);
    *resource = v;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    device *v = resource;
    close(v->fd);
    free(v);
    live_census_destroyed(&d->census);
}

/* ---- a task: ask, acquired, done, and again ---- */

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data);

static void ask(task *t)
{
    demo *d = t->d;
    t->asked_ns = live_now_ns();
    pool_status_t status = POOL_ERR_CLOSED;
    if (t->left > 0 && !atomic_load(&d->live.stopping)) {
        status = pool_acquire_async(d->live.pool, &t->op, ACQUIRE_TIMEOUT_MS, acquired, t);
        if (status != POOL_PENDING && status != POOL_ERR_CLOSED)
            live_fail_call(&d->live, "cannot ask for a device");
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
    live_waited(&d->live, live_now_ns() - t->asked_ns);
    if (status != POOL_OK) {
        if (status != POOL_ERR_CLOSED)
            live_fail_call(&d->live, "cannot borrow a device");
        d->running--;
        return;
    }
    long ms = 1 + (long)(t->number + t->left) % 3;
    struct itimerspec job = {.it_value.tv_nsec = ms * 1000000};
    if (v->task)
        live_fail(&d->live, "a device is lent to two tasks at once");
    v->task = t;
    timerfd_settime(v->fd, 0, &job, NULL);
    if (++d->working > d->most_working)
        d->most_working = d->working;
    live_in_flight(&d->live, d->working);
}

static void done(demo *d, device *v)
{
    uint64_t expirations;
    task *t = v->task;
    if (read(v->fd, &expirations, sizeof expirations) != (ssize_t)sizeof expirations || !t) {
        live_fail(&d->live, "a device that nobody had set was done");
        return;
    }
    v->task = NULL;
    d->working--;
    t->left--;
    live_done(&d->live);
    if (pool_release(d->live.pool, v) != POOL_OK)
        live_fail_call(&d->live, "cannot give a device back");
    ask(t);
}

/* ---- the loop ---- */

static void loop(demo *d)
{
    struct epoll_event events[EVENTS];
    while (d->running > 0) {
        int n = epoll_wait(d->set, events, EVENTS, pool_epoll_timeout(&d->watch, LIVE_TICK_MS));
        for (int i = 0; i < n; i++)
            if (events[i].data.ptr != d)
                done(d, events[i].data.ptr);
        pool_epoll_dispatch(&d->watch);
        if (live_tick(&d->live))
            pool_close(d->live.pool); /* who waits is told so */
    }
}

static int demonstrate(demo *d, unsigned devices)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "devices";
    config.factory = factory;
    config.destructor = destructor;
    config.user_data = d;
    config.max_size = devices;
    config.flags = POOL_F_REACTOR;
    d->set = epoll_create1(EPOLL_CLOEXEC);
    d->tasks = calloc(d->live.threads, sizeof *d->tasks);
    if (d->set < 0 || !d->tasks || pool_create_ex(&config, &d->live.pool) != POOL_OK) {
        live_fail_call(&d->live, "cannot create the pool");
        return live_exit_code(&d->live, false);
    }
    if (pool_epoll_add(&d->watch, d->set, d->live.pool, (epoll_data_t){.ptr = d}) != 0)
        live_fail(&d->live, "cannot watch the pool: %s", strerror(errno));
    else if (live_begin(&d->live)) {
        d->running = d->live.threads;
        for (unsigned i = 0; i < d->live.threads; i++) {
            d->tasks[i] = (task){.d = d, .number = i, .left = d->jobs};
            ask(&d->tasks[i]);
        }
        loop(d);
        live_end(&d->live);
        pool_epoll_remove(&d->watch);
    }
    pool_unref(d->live.pool);
    close(d->set);

    unsigned created = atomic_load(&d->census.created), peak = atomic_load(&d->census.peak);
    unsigned destroyed = atomic_load(&d->census.destroyed);
    bool good = live_summary(&d->live);
    good = live_check(created == destroyed && peak <= devices, "%u devices created, %u destroyed, "
                      "at most %u at once", created, destroyed, peak) && good;
    good = live_check(d->most_working <= devices && d->working == 0, "%u at work at once, none at "
                      "the end", d->most_working) && good;
    free(d->tasks);
    return live_exit_code(&d->live, good);
}

static void usage(FILE *to)
{
    fputs("Usage: epoll_demo [--tasks N] [--devices N] [--jobs N]\n"
          "Tasks on one epoll loop, in one thread, give jobs of some milliseconds to devices\n"
          "lent by a pool. Exit code 0: all went right.\n\n"
          "  -t, --tasks N     tasks (300)\n"
          "  -d, --devices N   devices at most (8)\n"
          "  -n, --jobs N      jobs of each task (20)\n"
          "  -h, --help        this text\n",
          to);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"tasks", required_argument, NULL, 't'},
                                            {"devices", required_argument, NULL, 'd'},
                                            {"jobs", required_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static demo d = {.live = {.unit = "jobs", .threads = 300, .waits_in = "the line"}, .jobs = 20};
    unsigned devices = 8;
    int option;
    while ((option = getopt_long(argc, argv, "t:d:n:h", options, NULL)) != -1) {
        if (option == 't')
            d.live.threads = live_option("--tasks", optarg, 1, 100000);
        else if (option == 'd')
            devices = live_option("--devices", optarg, 1, 500);
        else if (option == 'n')
            d.jobs = live_option("--jobs", optarg, 1, 100000);
        else {
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (optind < argc) {
        usage(stderr);
        return 2;
    }
    d.live.total = (int64_t)d.live.threads * d.jobs;
    live_setup(&d.live);
    printf("%u tasks on one thread share %u devices (asyncpool %s)\n\n", d.live.threads, devices,
           pool_version());
    return demonstrate(&d, devices);
}
