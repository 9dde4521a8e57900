/*
 * What libFuzzer calls with each input. An input begins with a head of seven bytes:
 *
 *     0     max (2 bits, from 1), min (2), which hooks there are (3), whether a strategy is set
 *     1     callables or host-driven, reactor, probes: see world_open()
 *     2-5   what the hooks do: see hooks.c
 *     6     1: lanes are threads, 2: there is another pool, 4: the pool is attached to the first lane's reactor, 8: lends
 *           are timed, 16: where lanes are threads, others make what they wait for
 *
 * Then come steps of two bytes: the lane (2 bits) and what it calls (6 bits), and an argument.
 */
#include "fuzz.h"

#include <sched.h>
#include <stdio.h>

enum { HEAD = 7, STEPS = 200, ROUNDS = 10000 };

typedef struct program {
    const uint8_t *steps;
    size_t length; /* in steps */
} program;

static unsigned lane_of(const uint8_t *step) { return (step[0] >> 6) % LANES; }

static void do_step(lane *l, const uint8_t *step)
{
    uint8_t what = step[0] & 31;
    if (step[0] & 32)
        lane_op_call(l, what, step[1]);
    else
        lane_call(l, what, step[1]);
}

/* --- by turns -------------------------------------------------------------------------------------- */

static bool anybody_busy(world *w)
{
    for (int i = 0; i < LANES; i++)
        if (lane_is_busy(&w->lane[i]) || w->lane[i].holds > 0)
            return true;
    return false;
}

static void take_turns(world *w, const program *p)
{
    for (size_t i = 0; i < p->length; i++)
        do_step(&w->lane[lane_of(p->steps + 2 * i)], p->steps + 2 * i);
    /* Everything is given back, so everybody who waits must be served, or told. */
    int rounds = 0;
    do {
        for (int i = 0; i < LANES; i++)
            lane_go_on(&w->lane[i]);
        MUST(++rounds < ROUNDS);
    } while (anybody_busy(w));
}

/* --- threads --------------------------------------------------------------------------------------- */

/* The threads stay: to begin one takes longer than an input does. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned input; /* counts them */
    int running;
    world *world;
    const program *program;
} crew = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void run_lane(lane *l, const program *p)
{
    for (size_t i = 0; i < p->length; i++)
        if (&l->world->lane[lane_of(p->steps + 2 * i)] == l)
            do_step(l, p->steps + 2 * i);
    lane_release_all(l);
    for (lane_go_on(l); lane_is_busy(l); lane_go_on(l))
        lane_wait(l);
}

static void *work(void *arg)
{
    ptrdiff_t number = (ptrdiff_t)arg;
    for (unsigned seen = 0;;) {
        pthread_mutex_lock(&crew.mutex);
        while (crew.input == seen)
            pthread_cond_wait(&crew.changed, &crew.mutex);
        seen = crew.input;
        pthread_mutex_unlock(&crew.mutex);
        run_lane(&crew.world->lane[number], crew.program);
        pthread_mutex_lock(&crew.mutex);
        if (--crew.running == 0)
            pthread_cond_broadcast(&crew.changed);
        pthread_mutex_unlock(&crew.mutex);
    }
    return NULL;
}

static void run_threads(world *w, const program *p)
{
    pthread_mutex_lock(&crew.mutex);
    if (crew.input == 0)
        for (ptrdiff_t i = 0; i < LANES; i++) {
            pthread_t thread;
            MUST(pthread_create(&thread, NULL, work, (void *)i) == 0);
            pthread_detach(thread);
        }
    crew.input++;
    crew.running = LANES;
    crew.world = w;
    crew.program = p;
    pthread_cond_broadcast(&crew.changed);
    while (crew.running > 0)
        pthread_cond_wait(&crew.changed, &crew.mutex);
    pthread_mutex_unlock(&crew.mutex);
}

/* --------------------------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return -1; /* not of use */
    program p = {data + HEAD, (size - HEAD) / 2};
    if (p.length > STEPS)
        p.length = STEPS;
    static world w;
    memset(&w, 0, sizeof w);
    w.concurrent = data[6] & 1;
    if (!w.concurrent)
        clock_stop();
    if (world_open(&w, data)) {
        if (w.concurrent)
            run_threads(&w, &p);
        else
            take_turns(&w, &p);
        world_close(&w);
    }
    clock_go_on();
    return 0;
}
