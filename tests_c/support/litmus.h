/*
 * Litmus tests: a few threads do a few steps each at the same instant, and what they have seen is judged when all are
 * done. That is one round; there are many, each with other pauses before the steps, so that these meet in every order.
 * What must never be seen is counted. Time decides nothing: a busy machine plays fewer rounds.
 *
 * Only a processor shows its own orders. One that keeps more of them than is needed (x86), or an emulator on it, shows
 * that nothing is wrong there, and that the test works.
 */
#ifndef ASYNCPOOL_LITMUS_H
#define ASYNCPOOL_LITMUS_H

#include "check.h"

enum { LITMUS_PARTS = 3, LITMUS_ROUNDS = 10000 / CHECK_SLOWDOWN };

/* Words that travel between processors lie in lines of their own. */
typedef struct litmus_word {
    _Alignas(128) int value;
} litmus_word;

typedef struct litmus {
    void (*before)(int round);                              /* alone, before the others begin; NULL: nothing */
    void (*part[LITMUS_PARTS])(int round);                  /* at once; the first in the thread that plays */
    bool (*wrong)(int round);                               /* alone, when all are done */
    _Alignas(128) atomic_int ready, go, done[LITMUS_PARTS]; /* rounds */
} litmus;

/* Lets others run once in a while. */
static inline void litmus_await(atomic_int *word, int value)
{
    for (int looks = 1; *word < value; looks++)
        if (looks % 256 == 0)
            sched_yield();
}

static inline void litmus_pause(int times)
{
    for (int i = 0; i < times; i++)
        atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the loop */
}

typedef struct litmus_player {
    litmus *test;
    int part;
} litmus_player;

static void *litmus_other(void *arg)
{
    const litmus_player *p = arg;
    for (int round = 1;; round++) {
        atomic_fetch_add(&p->test->ready, 1);
        litmus_await(&p->test->go, round);
        if (p->test->go == INT32_MAX)
            return NULL;
        litmus_pause(round * (p->part + 6) % 61);
        p->test->part[p->part](round);
        p->test->done[p->part] = round;
    }
}

/* Plays the rounds, and answers how many went wrong. */
static inline int litmus_play(litmus *test)
{
    pthread_t threads[LITMUS_PARTS];
    litmus_player players[LITMUS_PARTS];
    int others = 0, wrong = 0, played = 0;
    for (int i = 1; i < LITMUS_PARTS && test->part[i]; i++, others++) {
        players[i] = (litmus_player){test, i};
        threads[i] = check_thread(litmus_other, &players[i]);
    }
    for (int round = 1; round <= LITMUS_ROUNDS && check_time_left(); round++, played++) {
        if (test->before)
            test->before(round);
        litmus_await(&test->ready, round * others);
        test->go = round;
        litmus_pause(round * 11 % 127);
        test->part[0](round);
        for (int i = 1; i <= others; i++)
            litmus_await(&test->done[i], round);
        wrong += test->wrong(round);
    }
    litmus_await(&test->ready, (played + 1) * others);
    test->go = INT32_MAX;
    for (int i = 1; i <= others; i++)
        check_join(threads[i]);
    CHECK(played > 0);
    return wrong;
}

#endif
