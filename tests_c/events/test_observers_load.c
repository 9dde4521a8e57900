/*
 * Observers under load: threads lend and return while others add and remove observers, whose
 * memory is gone as soon as they are let go, and consumers live on what observers are told
 * alone. Each case shows P35.
 */
#include "watcher.h"

enum { THREADS = 3, CHURN = 400 };

static pool_t *shared;
static atomic_bool stop;
static atomic_int told, added, disposed;

static bool refuse_some(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 8 != 0;
}

static void count(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event;
    CHECK_PTR(self->data, self); /* its memory is still its own */
    if (kind == POOL_EVENT_AVAILABLE)
        told++;
}

static void count_once(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    count(event, self, kind);
    event->del_callback(event, self); /* another call of it may have been first */
}

static void count_disposed(pool_event_callback_t *self)
{
    CHECK_PTR(self->data, self);
    memset(self, 0xdd, sizeof *self);
    free(self);
    disposed++;
}

static pool_event_callback_t *new_observer(bool once, bool dispose)
{
    pool_event_callback_t *o = malloc(sizeof *o);
    o->callback = once ? count_once : count;
    o->dispose = dispose ? count_disposed : NULL;
    o->data = o;
    return o;
}

static void *lend(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop))
        fx_give(shared, fx_take(shared));
    return NULL;
}

static void *come_and_go(void *arg)
{
    pool_event_t *event = &shared->event;
    for (int i = 0; i < CHURN; i++) {
        bool once = i % 4 == 3, dispose = once || i % 2;
        pool_event_callback_t *o = new_observer(once, dispose);
        CHECK_STATUS(event->add_callback(event, o), POOL_OK);
        added++;
        int before = told;
        if (once)
            continue; /* it removes itself when it is told, or ends with the pool */
        if (i % 16 == 0)
            WAIT_FOR(told > before); /* this one has been told something: it is in use */
        CHECK_STATUS(event->del_callback(event, o), POOL_OK);
        if (!dispose) {
            memset(o, 0xdd, sizeof *o);
            free(o);
            disposed++;
        }
    }
    return arg;
}

/* With lending threads that wait for one place, so that some releases are told and some are not. */
TEST(observers_come_and_go_under_load_and_are_gone_when_removed)
{
    pthread_t lenders[THREADS], churners[THREADS];
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = refuse_some;
    shared = fx_pool(FX_WITH_RELEASE, 0, 2);
    for (int i = 0; i < THREADS; i++) {
        lenders[i] = check_thread(lend, NULL);
        churners[i] = check_thread(come_and_go, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        check_join(churners[i]);
    stop = true;
    for (int i = 0; i < THREADS; i++)
        check_join(lenders[i]);
    CHECK_INT(added, THREADS * CHURN);
    CHECK_INT(shared->event.callback_count, added - disposed);
    fx_finish(shared);
    CHECK_INT(disposed, added);
}

enum { RELEASES = 5000 };

static void *lend_many(void *arg)
{
    for (int i = 0; i < RELEASES; i++)
        fx_give(shared, fx_take(shared));
    return arg;
}

/* As many places as threads: nobody ever waits, so no place is owed to anybody. */
TEST(every_release_of_many_threads_is_told_exactly_once)
{
    fx.quiet = true;
    fx.script[FX_BEFORE_RELEASE] = refuse_some;
    for (unsigned hooks = 0; hooks <= FX_WITH_RELEASE; hooks += FX_WITH_RELEASE) {
        pthread_t threads[THREADS];
        shared = fx_pool(hooks, 0, THREADS);
        pool_event_callback_t *o = new_observer(false, true);
        CHECK_STATUS(shared->event.add_callback(&shared->event, o), POOL_OK);
        told = 0;
        for (int i = 0; i < THREADS; i++)
            threads[i] = check_thread(lend_many, NULL);
        for (int i = 0; i < THREADS; i++)
            check_join(threads[i]);
        CHECK_INT(told, THREADS * RELEASES);
        fx_finish(shared);
    }
}

/* ---- Consumers that try, and wait for the event when the pool is empty ---------------------- */

static pthread_mutex_t news_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news_cond = PTHREAD_COND_INITIALIZER;
static unsigned news;

static void spread(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self, (void)pool, (void)kind;
    pthread_mutex_lock(&news_mutex);
    news++;
    pthread_cond_broadcast(&news_cond);
    pthread_mutex_unlock(&news_mutex);
}

static unsigned read_news(void)
{
    pthread_mutex_lock(&news_mutex);
    unsigned n = news;
    pthread_mutex_unlock(&news_mutex);
    return n;
}

static void *live_on_news(void *arg)
{
    for (int done = 0; done < 300;) {
        pool_status_t status;
        unsigned seen = read_news();
        fx_resource *r = fx_try(shared, &status);
        if (r) {
            sched_yield();
            fx_give(shared, r);
            done++;
        } else if (status == POOL_EMPTY) {
            pthread_mutex_lock(&news_mutex);
            while (news == seen)
                pthread_cond_wait(&news_cond, &news_mutex);
            pthread_mutex_unlock(&news_mutex);
        } else {
            CHECK_STATUS(status, POOL_ERR_FACTORY);
        }
    }
    return arg;
}

static void *queue_up(void *arg)
{
    for (int i = 0; i < 300; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(shared, 1 + i % 2, &status); /* sometimes gives up in line */
        if (r)
            fx_give(shared, r);
    }
    return arg;
}

/* A host that checks what is idle, of which every eighth is found dead. */
static void *sweep(void *arg)
{
    unsigned checked = 0;
    while (!atomic_load(&stop)) {
        pool_op_t op;
        pool_ask_t ask = POOL_ASK_INIT;
        pool_answer_t answer = POOL_ANSWER_INIT;
        CHECK_STATUS(pool_op_sweep(shared, &op), POOL_OK);
        pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
        while (kind != POOL_ASK_DONE) {
            if (kind == POOL_ASK_DESTROY) {
                atomic_fetch_add(&fx.destroyed, 1);
                free(ask.resource);
            } else {
                CHECK_INT(kind, POOL_ASK_HEALTHCHECK);
            }
            answer.ok = ++checked % 8 != 0;
            sched_yield();
            kind = pool_op_next(&op, &answer, &ask);
        }
    }
    return arg;
}

TEST(consumers_that_wait_for_the_event_alone_are_never_forgotten)
{
    pthread_t threads[2 * THREADS + 1];
    watcher w = {.script = spread};
    fx.quiet = true;
    fx.script[FX_FACTORY] = fx.script[FX_BEFORE_ACQUIRE] = refuse_some;
    fx.script[FX_BEFORE_RELEASE] = refuse_some;
    shared = fx_pool(FX_WITH_ALL, 0, 1);
    CHECK_STATUS(watcher_add(&w, shared), POOL_OK);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = check_thread(live_on_news, NULL);
        threads[THREADS + i] = check_thread(queue_up, NULL);
    }
    threads[2 * THREADS] = check_thread(sweep, NULL);
    for (int i = 0; i < 2 * THREADS; i++)
        check_join(threads[i]);
    stop = true;
    check_join(threads[2 * THREADS]);
    fx_finish(shared);
    CHECK_INT(w.disposed, 1);
}

/* ---- The end of the pool -------------------------------------------------------------------- */

static atomic_int closed_told;

static void count_closed(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event;
    CHECK_PTR(self->data, self);
    closed_told += kind == POOL_EVENT_CLOSED;
}

static void *add_until_closed(void *arg)
{
    pool_event_t *event = &shared->event;
    for (;;) {
        pool_event_callback_t *o = new_observer(false, true);
        o->callback = count_closed;
        pool_status_t status = event->add_callback(event, o);
        if (status == POOL_ERR_CLOSED) {
            free(o);
            return arg;
        }
        CHECK_STATUS(status, POOL_OK);
        added++;
        if (added % 3 == 0)
            event->del_callback(event, o); /* INVALID when the pool let it go before */
    }
}

TEST(observers_added_while_the_pool_closes_are_each_disposed_of_once)
{
    for (int round = 0; round < 50; round++) {
        pthread_t threads[THREADS];
        added = disposed = closed_told = 0;
        shared = fx_pool(0, 1, 1);
        for (int i = 0; i < THREADS; i++)
            threads[i] = check_thread(add_until_closed, NULL);
        WAIT_FOR(added >= 10);
        CHECK_STATUS(pool_close(shared), POOL_OK);
        for (int i = 0; i < THREADS; i++)
            check_join(threads[i]);
        CHECK(closed_told >= 1 && closed_told <= added);
        fx_finish(shared);
        CHECK_INT(disposed, added);
    }
}
