/*
 * The pool's event: observers that are added and removed at any time and from anywhere, their
 * disposal, the references, and the text. Each case shows P35.
 */
#include "watcher.h"

/* ---- Adding and removing -------------------------------------------------------------------- */

TEST(observers_are_counted_and_all_are_told)
{
    enum { N = 20 };
    watcher w[N] = {0};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_INT(pool->event.callback_count, 0);
    for (int i = 0; i < N; i++) {
        CHECK_STATUS(watcher_add(&w[i], pool), POOL_OK);
        CHECK_INT(pool->event.callback_count, i + 1);
    }
    fx_give(pool, fx_take(pool));
    for (int i = 0; i < N; i++)
        CHECK_TOLD(&w[i], 1, 0);
    for (int i = 0; i < N; i += 2) {
        CHECK_STATUS(watcher_del(&w[i]), POOL_OK);
        CHECK_INT(w[i].disposed, 1);
    }
    CHECK_INT(pool->event.callback_count, N / 2);
    fx_give(pool, fx_take(pool));
    for (int i = 0; i < N; i++)
        CHECK_TOLD(&w[i], i % 2, 0);
    fx_finish(pool);
    for (int i = 0; i < N; i++) {
        CHECK_TOLD(&w[i], 0, i % 2);
        CHECK_INT(w[i].disposed, 1);
    }
}

/* Shows P07. */
TEST(bad_observers_are_refused_and_not_disposed_of)
{
    watcher w = {0}, never = {0};
    pool_t *pool = fx_pool(0, 0, 1), *other = fx_pool(0, 0, 1);
    pool_event_t *event = &pool->event;
    CHECK_STATUS(event->add_callback(event, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(event->add_callback(NULL, &w.callback), POOL_ERR_INVALID);
    CHECK_STATUS(event->add_callback(event, &never.callback), POOL_ERR_INVALID); /* no function */
    CHECK_STATUS(event->del_callback(event, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(event->del_callback(NULL, &w.callback), POOL_ERR_INVALID);
    CHECK_STATUS(event->del_callback(event, &never.callback), POOL_ERR_INVALID);
    event->dispose(NULL); /* as pool_unref(NULL) */
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&w, pool), POOL_ERR_INVALID);
    CHECK_INT(event->callback_count, 1);
    CHECK_STATUS(other->event.del_callback(&other->event, &w.callback), POOL_ERR_INVALID);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 0); /* once, though added twice */
    CHECK_INT(w.disposed, 0);
    CHECK_STATUS(watcher_del(&w), POOL_OK);
    CHECK_STATUS(watcher_del(&w), POOL_ERR_INVALID);
    CHECK_INT(w.disposed, 1);
    w.disposed = 0; /* may be added again */
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 0);
    pool_unref(other);
    fx_finish(pool);
    CHECK_INT(w.disposed, 1);
    CHECK_INT(never.disposed, 0);
}

TEST(a_closed_pool_takes_no_observer_and_lets_go_of_those_it_has)
{
    watcher w = {0}, late = {0}, kept = {0};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&kept, pool), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(watcher_add(&late, pool), POOL_ERR_CLOSED);
    CHECK_INT(late.disposed, 0);
    pool_status_t status = watcher_del(&w); /* INVALID, if the close let it go already */
    CHECK(status == POOL_OK || status == POOL_ERR_INVALID);
    CHECK_INT(w.disposed, 1);
    fx_finish(pool);
    CHECK_INT(w.disposed, 1);
    CHECK_INT(kept.disposed, 1);
    CHECK_INT(late.disposed, 0);
}

TEST(an_observer_without_dispose_is_let_go_in_silence)
{
    watcher deleted = {0}, kept = {0};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&deleted, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&kept, pool), POOL_OK);
    deleted.callback.dispose = kept.callback.dispose = NULL;
    CHECK_STATUS(watcher_del(&deleted), POOL_OK);
    fx_finish(pool);
    CHECK_TOLD(&kept, 0, 1);
}

/* ---- From inside observers ------------------------------------------------------------------ */

static void remove_itself(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)pool, (void)kind;
    CHECK_STATUS(watcher_del(self), POOL_OK);
    CHECK_STATUS(watcher_del(self), POOL_ERR_INVALID);
    CHECK_INT(self->disposed, 0); /* not while this call of it runs */
}

TEST(an_observer_may_remove_itself)
{
    watcher w = {.script = remove_itself}, other = {0};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&other, pool), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 0);
    CHECK_INT(w.disposed, 1);
    CHECK_TOLD(&other, 1, 0);
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 0, 0);
    CHECK_TOLD(&other, 1, 0);
    CHECK_INT(pool->event.callback_count, 1);
    fx_finish(pool);
}

static void free_it(pool_event_callback_t *self) { free(self); }

static void remove_itself_unseen(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)pool, (void)kind;
    CHECK_STATUS(watcher_del(self), POOL_OK);
}

TEST(an_observer_that_removes_itself_may_be_freed_by_its_dispose)
{
    pool_t *pool = fx_pool(0, 0, 1);
    watcher *w = calloc(1, sizeof *w);
    w->script = remove_itself_unseen;
    CHECK_STATUS(watcher_add(w, pool), POOL_OK);
    w->callback.dispose = free_it;
    fx_give(pool, fx_take(pool));
    CHECK_INT(pool->event.callback_count, 0);
    fx_finish(pool);
}

static void remove_the_other(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)pool, (void)kind;
    CHECK_STATUS(watcher_del(self->other), POOL_OK);
    CHECK_INT(self->other->disposed, 1); /* no call of it runs */
}

TEST(an_observer_removed_by_another_is_not_told_any_more)
{
    watcher a = {.script = remove_the_other}, b = {.script = remove_the_other};
    a.other = &b;
    b.other = &a;
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&a, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&b, pool), POOL_OK);
    fx_give(pool, fx_take(pool)); /* whoever is told first removes the other */
    CHECK_INT(a.told[POOL_EVENT_AVAILABLE] + b.told[POOL_EVENT_AVAILABLE], 1);
    CHECK_INT(a.disposed + b.disposed, 1);
    CHECK_INT(pool->event.callback_count, 1);
    CHECK_STATUS(watcher_del(a.disposed ? &b : &a), POOL_OK);
    fx_finish(pool);
    CHECK_INT(a.disposed, 1);
    CHECK_INT(b.disposed, 1);
}

static void add_the_other(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    if (kind == POOL_EVENT_AVAILABLE && self->told[kind] == 1)
        CHECK_STATUS(watcher_add(self->other, pool), POOL_OK);
}

TEST(an_observer_added_by_another_is_told_from_the_next_change_on)
{
    watcher late[40] = {0}, w[40] = {0}; /* many, so that the vector of observers has to grow */
    pool_t *pool = fx_pool(0, 0, 1);
    for (int i = 0; i < 40; i++) {
        w[i].script = add_the_other;
        w[i].other = &late[i];
        CHECK_STATUS(watcher_add(&w[i], pool), POOL_OK);
    }
    fx_give(pool, fx_take(pool));
    for (int i = 0; i < 40; i++) {
        CHECK_INT(w[i].told[POOL_EVENT_AVAILABLE], 1);
        late[i].told[POOL_EVENT_AVAILABLE] = 0; /* of the change itself it may be told or not */
    }
    CHECK_INT(pool->event.callback_count, 80);
    fx_give(pool, fx_take(pool));
    for (int i = 0; i < 40; i++)
        CHECK_TOLD(&late[i], 1, 0);
    fx_finish(pool);
    for (int i = 0; i < 40; i++) {
        CHECK_TOLD(&late[i], 0, 1);
        CHECK_INT(late[i].disposed + w[i].disposed, 2);
    }
}

static void use_the_pool(pool_event_callback_t *self)
{
    watcher *w = (watcher *)self;
    fx_give(w->pool, fx_take(w->pool));
    watcher_disposed(self);
}

TEST(a_dispose_may_use_the_pool)
{
    watcher w = {0}, self_remover = {.script = remove_itself}, counter = {0};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    CHECK_STATUS(watcher_add(&counter, pool), POOL_OK);
    w.callback.dispose = use_the_pool;
    CHECK_STATUS(watcher_del(&w), POOL_OK);
    CHECK_TOLD(&counter, 1, 0);
    CHECK_STATUS(watcher_add(&self_remover, pool), POOL_OK);
    self_remover.callback.dispose = use_the_pool;
    fx_give(pool, fx_take(pool));
    CHECK_INT(self_remover.disposed, 1);
    CHECK_TOLD(&counter, 2, 0);
    fx_finish(pool);
}

/* ---- From other threads --------------------------------------------------------------------- */

static check_gate gate = CHECK_GATE_INIT;
static atomic_int left_the_script, about_to_remove;

static void stay_at_gate(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)self, (void)pool;
    if (kind == POOL_EVENT_AVAILABLE) {
        check_gate_pass(&gate);
        left_the_script++;
    }
}

static void *take_and_give(void *pool)
{
    fx_give(pool, fx_take(pool));
    return NULL;
}

static void *remove_it(void *arg)
{
    watcher *w = arg;
    about_to_remove = 1;
    CHECK_STATUS(watcher_del(w), POOL_OK);
    CHECK_INT(left_the_script, 1); /* its call has returned */
    CHECK_INT(w->disposed, 1);
    memset(w, 0xdd, sizeof *w);
    return NULL;
}

TEST(removing_waits_for_a_call_on_another_thread)
{
    static watcher w = {.script = stay_at_gate};
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    pthread_t teller = check_thread(take_and_give, pool);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    pthread_t remover = check_thread(remove_it, &w);
    WAIT_FOR(about_to_remove);
    for (int i = 0; i < 200; i++) { /* the pool goes on; time for the remover to get there */
        fx_resource *r = fx_take(pool);
        CHECK_COUNTS(pool, 0, 1, 0);
        sched_yield();
        w.script = NULL;
        fx_give(pool, r);
    }
    check_gate_open(&gate);
    check_join(teller);
    check_join(remover);
    fx_finish(pool);
}

/* ---- The event itself ----------------------------------------------------------------------- */

/* Shows B155. */
TEST(references_are_counted_truthfully)
{
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_PTR(pool_ref(pool), pool);
    CHECK_INT(pool->event.ref_count, 2);
    fx_resource *r = fx_take(pool);
    CHECK_INT(pool->event.ref_count, 2); /* what is lent is no reference */
    pool->event.dispose(&pool->event);
    CHECK_INT(pool->event.ref_count, 1);
    fx_give(pool, r);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_INT(pool->event.ref_count, 1);
    CHECK_INT(pool_debug_live(), 1);
    pool->event.dispose(&pool->event);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
}

TEST(start_and_stop_do_nothing)
{
    watcher w = {0};
    pool_t *pool = fx_pool(FX_WITH_ALL, 1, 1);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_log_clear();
    pool->event.stop(&pool->event);
    pool->event.start(&pool->event);
    pool->event.stop(&pool->event);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STR(fx_log(), "");
    fx_give(pool, fx_take(pool));
    CHECK_TOLD(&w, 1, 0);
    fx_finish(pool);
}

static void check_info(pool_t *pool, const char *want)
{
    char text[256];
    int length = (int)strlen(want);
    CHECK_INT(pool->event.info(&pool->event, text, sizeof text), length);
    CHECK_STR(text, want);
    CHECK_INT(pool->event.info(&pool->event, NULL, 0), length);
    for (size_t size = 1; size <= (size_t)length + 1; size++) {
        char *cut = malloc(size); /* exactly this large: an address sanitizer sees one byte more */
        memset(cut, '#', size);
        CHECK_INT(pool->event.info(&pool->event, cut, size), length);
        CHECK_INT(strlen(cut), size - 1);
        CHECK_INT(strncmp(cut, want, size - 1), 0);
        free(cut);
    }
    text[0] = '#';
    CHECK_INT(pool->event.info(&pool->event, text, 0), length);
    CHECK_INT(text[0], '#'); /* size 0 writes nothing */
}

/* Shows B91. */
TEST(the_text_tells_all_counts_and_is_cut_as_snprintf_does)
{
    pool_op_t ops[3];
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    check_info(pool, "Pool(idle=0, active=0, reserved=0, waiting=0, max=1)");
    fx_resource *r = fx_take(pool);
    check_info(pool, "Pool(idle=0, active=1, reserved=0, waiting=0, max=1)");
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(pool_op_acquire(pool, &ops[i], 0), POOL_OK);
        CHECK_INT(pool_op_next(&ops[i], NULL, &ask), POOL_ASK_WAIT);
    }
    check_info(pool, "Pool(idle=0, active=1, reserved=0, waiting=3, max=1)");
    fx_give(pool, r);
    check_info(pool, "Pool(idle=1, active=0, reserved=1, waiting=2, max=1)");
    for (int i = 2; i >= 0; i--)
        CHECK_STATUS(pool_op_cancel(&ops[i]), POOL_OK);
    check_info(pool, "Pool(idle=1, active=0, reserved=0, waiting=0, max=1)");
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_info(pool, "Pool(idle=0, active=0, reserved=0, waiting=0, max=1)");
    fx_finish(pool);
    pool = fx_pool(0, 0, UINT32_MAX);
    check_info(pool, "Pool(idle=0, active=0, reserved=0, waiting=0, max=4294967295)");
    fx_finish(pool);
}
