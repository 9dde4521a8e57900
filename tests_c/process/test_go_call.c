/*
 * First calls into Go (bridge/go.c), with a function of the test in place of the core: one thread at a time is inside
 * for the first time, it makes the calls of those who come meanwhile, in order and once, and another takes over after
 * so many. Each case shows P15.
 */
#include "check.h"

#include "../../bridge/go.c"

int ap__forked;

enum { MANY = 600, MOST_FOR_ONE = 32 };

static atomic_int entries, inside, calls;
static atomic_int order[MANY + 1]; /* which call was the n-th */
static check_gate gate = CHECK_GATE_INIT;

static void enter_once(void)
{
    CHECK_INT(atomic_fetch_add(&inside, 1), 0);
    atomic_fetch_add(&entries, 1);
    atomic_fetch_sub(&inside, 1);
}

static int nth_call(uint32_t number)
{
    order[atomic_fetch_add(&calls, 1)] = (int)number;
    if (number == 0)
        check_gate_pass(&gate); /* whoever is first stays until all others have come */
    return (int)number + 1;
}

/* Each call has what its function takes, and answers with its own number if that came through. */
void apgoCall(ap_go_call_t *c)
{
    bool known = c->core == &calls;
    switch (c->what) {
    case AP_GO_ENTER:
        enter_once();
        break;
    case AP_GO_NEW:
        c->core = c->state;
        break;
    case AP_GO_FREE:
        *(int *)c->core = 1;
        break;
    case AP_GO_NEXT:
        c->status = known && c->op == c->core && (void *)c->answer == &inside && (void *)c->ask == &entries ? 11 : 0;
        break;
    case AP_GO_CANCEL:
        c->status = known && c->op == c->core ? 12 : 0;
        break;
    case AP_GO_SET_CIRCUIT:
        c->status = known && c->circuit == UINT32_MAX && c->ns == INT64_MAX ? 13 : 0;
        break;
    case AP_GO_SET_THRESHOLD:
        c->status = known && c->failures == 1 && c->successes == UINT32_MAX && c->ns == INT64_MAX ? 14 : 0;
        break;
    case AP_GO_SET_STRATEGY:
        c->status = nth_call(c->asks);
        break;
    }
}

static int in_line(void)
{
    int n = 0;
    ap__lock_take(&lock);
    for (const ap_go_call_t *c = head; c; c = c->next)
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

/* Nobody is inside afterwards, and who has been makes its calls itself. */
TEST(each_function_of_the_core_is_called_with_its_arguments)
{
    static ap_pool_t pool;
    for (int round = 0; round < 2; round++) {
        int freed = 0;
        pool_answer_t *answer = (pool_answer_t *)&inside;
        pool_ask_t *ask = (pool_ask_t *)&entries;
        ap_op_t *op = (ap_op_t *)&calls;
        for (int function = 0; function < 6; function++) {
            ap__entered = round > 0; /* in the first round each one enters */
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
                CHECK_INT(ap__go_set_threshold(&calls, POOL_COUNT_CREATIONS, 1, UINT32_MAX, INT64_MAX), 14);
                break;
            }
        }
        CHECK_INT(entries, 6);
    }
}
