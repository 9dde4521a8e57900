#include "leaving.h"

#include "watcher.h"

/*
 * resume() of a scheduler leaves: whoever else was to be told is told all the same, and who was to be told by the call
 * that left goes on as if it had returned.
 */

enum { IN_LINE = 20 }; /* more than are told between two times under the lock */

static const leaving *way;
static pool_t *pool;
static watcher observer;
static pool_op_t line[IN_LINE];
static int told[IN_LINE], resumes, leaves_at, ended;
static int word;

static bool make(pool_t *self, void **resource)
{
    (void)self;
    *resource = &word;
    return true;
}

static void end(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    ended++;
}

static bool no_suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    check_fail(__FILE__, __LINE__, "the test drives the ops");
}

static void resume_or_leave(void *ctx, pool_op_t *op)
{
    (void)ctx;
    told[op - line]++;
    if (++resumes == leaves_at)
        way->leave();
}

static void get_in_line(void)
{
    pool_ask_t ask = POOL_ASK_INIT;
    resumes = 0;
    for (int i = 0; i < IN_LINE; i++) {
        told[i] = 0;
        line[i].data = NULL;
        CHECK_STATUS(pool_op_acquire(pool, &line[i], 0), POOL_OK);
        CHECK_INT(pool_op_next(&line[i], NULL, &ask), POOL_ASK_WAIT);
    }
}

/* All places are lent, and many are in line; resume() will leave at the call of this number. */
static void begin(const leaving *by, int at)
{
    static const pool_scheduler_t scheduler = {no_suspend, resume_or_leave, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    void *r;
    way = by;
    leaves_at = at;
    ended = 0;
    observer = (watcher){.script = NULL};
    config.factory = make;
    config.destructor = end;
    config.max_size = 1;
    config.scheduler = &scheduler;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(watcher_add(&observer, pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    get_in_line();
}

static void check_all_told(pool_status_t status)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(resumes, IN_LINE);
    for (int i = 0; i < IN_LINE; i++) {
        CHECK_INT(told[i], 1);
        CHECK_INT(pool_op_next(&line[i], NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, status);
    }
}

static void finish(void)
{
    CHECK_STATUS(pool_release(pool, &word), POOL_OK);
    pool_unref(pool);
    CHECK_INT(ended, 1);
    CHECK_INT(observer.disposed, 1);
    CHECK_INT(pool_debug_live(), 0);
}

static void open_breaker(void)
{
    pool_deactivate(pool);
    check_fail(__FILE__, __LINE__, "pool_deactivate() returned");
}

static void of_a_breaker(const leaving *by, int at)
{
    begin(by, at);
    way->run(open_breaker);
    check_all_told(POOL_ERR_UNAVAILABLE);
    leaves_at = 0; /* once more: nobody leaves it to the one who has left */
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    get_in_line();
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    check_all_told(POOL_ERR_UNAVAILABLE);
    finish();
}

static void close_pool(void)
{
    pool_close(pool);
    check_fail(__FILE__, __LINE__, "pool_close() returned");
}

static void of_a_close(const leaving *by, int at)
{
    begin(by, at);
    way->run(close_pool);
    CHECK_INT(observer.told[POOL_EVENT_CLOSED], 1);
    check_all_told(POOL_ERR_CLOSED);
    finish();
}

static void release(void)
{
    pool_release(pool, &word);
    check_fail(__FILE__, __LINE__, "pool_release() returned");
}

static void of_a_release(const leaving *by)
{
    pool_ask_t ask = POOL_ASK_INIT;
    begin(by, 1);
    way->run(release);
    CHECK_INT(resumes, 1);
    CHECK_INT(pool_op_next(&line[0], NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, &word);
    CHECK_COUNTS(pool, 0, 1, IN_LINE - 1);
    for (int i = 1; i < IN_LINE; i++)
        CHECK_STATUS(pool_op_cancel(&line[i]), POOL_OK);
    finish();
}

void leaving_resume(const leaving *by)
{
    of_a_release(by);
    for (int at = 1; at <= IN_LINE; at++) {
        of_a_breaker(by, at);
        of_a_close(by, at);
    }
}
