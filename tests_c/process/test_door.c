/*
 * The door to Go (bridge/door.c), with functions of the test in place of the core: one thread at a time is
 * inside for the first time, it makes the calls of those who come meanwhile, in order and once, and another
 * takes over after so many.
 */
#include "check.h"

#include "../../bridge/door.c"

int ap__forked;

enum { MANY = 600, MOST_FOR_ONE = 32 };

static atomic_int entries, inside, calls;
static atomic_int order[MANY + 1]; /* which call was the n-th */
static check_gate gate = CHECK_GATE_INIT;

void apgoEnter(void)
{
    CHECK_INT(atomic_fetch_add(&inside, 1), 0);
    atomic_fetch_add(&entries, 1);
    atomic_fetch_sub(&inside, 1);
}

int apgoSetStrategy(void *core, uint32_t number)
{
    (void)core;
    order[atomic_fetch_add(&calls, 1)] = (int)number;
    if (number == 0)
        check_gate_pass(&gate); /* whoever is first stays until all others have come */
    return (int)number + 1;
}

void *apgoNew(ap_state_t *state) { return state; }
void apgoFree(void *core) { *(int *)core = 1; }

int apgoNext(void *core, ap_op_t *op, void *answer, void *ask)
{
    return core == &calls && op == core && answer == &inside && ask == &entries ? 11 : 0;
}

int apgoCancel(void *core, ap_op_t *op)
{
    return core == &calls && op == core ? 12 : 0;
}

int apgoSetCircuit(void *core, uint32_t to, int64_t now)
{
    return core == &calls && to == UINT32_MAX && now == INT64_MAX ? 13 : 0;
}

int apgoSetThreshold(void *core, uint32_t failures, uint32_t successes, int64_t open_for)
{
    return core == &calls && failures == 1 && successes == UINT32_MAX && open_for == INT64_MAX ? 14 : 0;
}

static int in_line(void)
{
    int n = 0;
    ap__lock_take(&lock);
    for (const ap_call_t *c = head; c; c = c->next)
        n++;
    ap__lock_give(&lock);
    return n;
}

static atomic_int served; /* threads whose call another one made */

static void *call_with(void *arg)
{
    uint32_t number = (uint32_t)(uintptr_t)arg;
    CHECK_INT(ap__go_set_strategy(NULL, number), number + 1);
    CHECK_INT(ap__crossings, ap__entered ? 2 : 1);
    if (!ap__entered)
        atomic_fetch_add(&served, 1);
    return NULL;
}

TEST(who_is_inside_makes_the_calls_of_those_who_come_meanwhile_in_order)
{
    pthread_t threads[MANY + 1];
    threads[0] = check_thread(call_with, NULL);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    for (int i = 1; i <= MANY; i++) {
        threads[i] = check_thread(call_with, (void *)(uintptr_t)i);
        WAIT_FOR(in_line() == i);
    }
    CHECK_INT(entries, 1); /* nobody else has gone in */
    check_gate_open(&gate);
    for (int i = 0; i <= MANY; i++)
        check_join(threads[i]);
    CHECK_INT(calls, MANY + 1);
    for (int i = 0; i <= MANY; i++)
        CHECK_INT(order[i], i);
    CHECK_INT(entries, MANY / MOST_FOR_ONE + 1); /* each took over from the one before */
    CHECK_INT(served, MANY + 1 - entries);
}

/* The door is free again afterwards, and who has been inside does not use it. */
TEST(each_function_of_the_core_is_called_with_its_arguments)
{
    static ap_pool_t pool;
    for (int round = 0; round < 2; round++) {
        int freed = 0;
        pool_answer_t *answer = (pool_answer_t *)&inside;
        pool_ask_t *ask = (pool_ask_t *)&entries;
        ap_op_t *op = (ap_op_t *)&calls;
        for (int function = 0; function < 6; function++) {
            ap__entered = round > 0; /* the first round goes through the door each time */
            pool.core = NULL;
            switch (function) {
            case 0:
                CHECK(ap__go_new(&pool));
                CHECK_PTR(pool.core, &pool.state);
                break;
            case 1:
                ap__go_free(&freed);
                CHECK_INT(freed, 1);
                break;
            case 2:
                CHECK_INT(ap__go_next(&calls, op, answer, ask), 11);
                break;
            case 3:
                CHECK_INT(ap__go_cancel(&calls, op), 12);
                break;
            case 4:
                CHECK_INT(ap__go_set_circuit(&calls, UINT32_MAX, INT64_MAX), 13);
                break;
            case 5:
                CHECK_INT(ap__go_set_threshold(&calls, 1, UINT32_MAX, INT64_MAX), 14);
                break;
            }
        }
        CHECK_INT(entries, 6);
    }
}
