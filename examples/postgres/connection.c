#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Waits until its socket can be read, or written; false: not by then. */
static bool is_ready(const PGconn *pg, short events, int64_t until_ns)
{
    for (;;) {
        struct pollfd socket = {.fd = PQsocket(pg), .events = events};
        int64_t left_ms = (until_ns - run_now_ns() + 999999) / 1000000;
        int n = left_ms > 0 ? poll(&socket, 1, (int)left_ms) : 0;
        if (n >= 0 || errno != EINTR)
            return n > 0;
    }
}

static void say_nothing(void *context, const char *message) { (void)context, (void)message; }

/* The first line of what libpq says; what follows guesses why. */
static void copy_reason(char reason[128], const PGconn *pg)
{
    const char *text = pg ? PQerrorMessage(pg) : "out of memory";
    snprintf(reason, 128, "%.*s", (int)strcspn(text, "\n"), text);
}

connection *connection_open(const char *folder, int64_t limit_ms, char reason[128])
{
    const char *const keys[] = {"host", "user", "dbname", "application_name", NULL};
    const char *const values[] = {folder, "asyncpool", "postgres", "pool", NULL};
    int64_t until_ns = run_now_ns() + limit_ms * 1000000;
    connection *c = calloc(1, sizeof *c);
    PGconn *pg = PQconnectStartParams(keys, values, 0);
    PostgresPollingStatusType next = PGRES_POLLING_WRITING; /* libpq wants it to be taken so at first */
    bool in_time = true;
    if (c && pg && PQstatus(pg) != CONNECTION_BAD)
        while (in_time && next != PGRES_POLLING_OK && next != PGRES_POLLING_FAILED)
            if ((in_time = is_ready(pg, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until_ns)))
                next = PQconnectPoll(pg);
    if (c && next == PGRES_POLLING_OK) {
        PQsetNoticeProcessor(pg, say_nothing, NULL);
        *c = (connection){.pg = pg, .lent_ns = run_now_ns()};
        return c;
    }
    if (in_time)
        copy_reason(reason, c ? pg : NULL);
    else
        snprintf(reason, 128, "the server did not answer within %lld ms", (long long)limit_ms);
    PQfinish(pg);
    free(c);
    return NULL;
}

void connection_close(connection *c)
{
    PQfinish(c->pg);
    free(c);
}

bool connection_is_quiet(const connection *c)
{
    struct pollfd socket = {.fd = PQsocket(c->pg), .events = POLLIN};
    return PQstatus(c->pg) == CONNECTION_OK && poll(&socket, 1, 0) == 0;
}

/* A query of no words, whose results are read as they come. */
bool connection_answers(const connection *c, int64_t limit_ms)
{
    int64_t until_ns = run_now_ns() + limit_ms * 1000000;
    bool answers = PQsendQuery(c->pg, "") == 1;
    for (bool more = answers; more;) {
        while (answers && PQisBusy(c->pg))
            answers = is_ready(c->pg, POLLIN, until_ns) && PQconsumeInput(c->pg);
        PGresult *result = answers ? PQgetResult(c->pg) : NULL;
        more = result != NULL;
        answers = answers && (!more || PQresultStatus(result) == PGRES_EMPTY_QUERY);
        PQclear(result);
    }
    return answers;
}

/* 57P01, 57P02 and so on: the session is ended by the administrator, or by a crash. */
bool connection_survives(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state && strncmp(state, "57P", 3) != 0;
}
