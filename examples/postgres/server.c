#include "server.h"
#include "process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { LOOK_MS = 10, START_MS = 60000, END_MS = 60000, ADMIN_MS = 30000 };

static void print_log(const pg_server *s)
{
    char line[512];
    FILE *log = fopen(s->log, "r");
    fputs("\nThe server said:\n\n", stderr);
    while (log && fgets(line, sizeof line, log))
        fputs(line, stderr);
    if (log)
        fclose(log);
}

static bool fail(pg_server *s, run_t *run, const char *what)
{
    if (run_signal())
        return false;
    run_fail(run, "%s", what);
    print_log(s);
    return false;
}

/* ---- started, and ended ---- */

static bool make_files(pg_server *s, run_t *run)
{
    char *const initdb[] = {"initdb",     "--pgdata", s->data,    "--username", "asyncpool", "--auth", "trust",
                            "--encoding", "UTF8",     "--locale", "C",          "--no-sync", NULL};
    int code = -1;
    if (!process_start(s, initdb, &s->process))
        return fail(s, run, "cannot start initdb");
    while (!process_has_ended(&s->process, &code)) {
        if (run_signal())
            kill(-s->process, SIGKILL); /* and what it has started */
        run_sleep_ms(LOOK_MS);
    }
    return code == 0 || fail(s, run, "initdb did not make the server's files");
}

bool pg_server_up(pg_server *s, run_t *run)
{
    /* No TCP, and no fsync: that matters only when the whole machine crashes. */
    char *const postgres[] = {"postgres", "-D", s->data, "-k", s->folder, "-h", "", "-F", "-N", "100", NULL};
    char text[128];
    if (!process_start(s, postgres, &s->process))
        return fail(s, run, "cannot start postgres");
    for (int waited_ms = 0; waited_ms < START_MS && !run_signal(); waited_ms += LOOK_MS) {
        connection *c = connection_open(s->folder, ADMIN_MS, text);
        if (c) {
            connection_close(c);
            return true;
        }
        if (process_has_ended(&s->process, NULL))
            return fail(s, run, "the server has ended by itself");
        run_sleep_ms(LOOK_MS);
    }
    return fail(s, run, "the server did not get ready");
}

bool pg_server_down(pg_server *s, run_t *run, int signal)
{
    if (process_has_ended(&s->process, NULL))
        return fail(s, run, "the server had ended by itself");
    kill(s->process, signal);
    for (int waited_ms = 0; waited_ms < END_MS; waited_ms += LOOK_MS) {
        if (process_has_ended(&s->process, NULL))
            return true;
        run_sleep_ms(LOOK_MS);
    }
    return fail(s, run, "the server did not end");
}

void pg_server_stop(pg_server *s)
{
    pg_server_thaw(s);
    if (s->process)
        kill(s->process, SIGQUIT);
    for (int waited_ms = 0; waited_ms < END_MS && !process_has_ended(&s->process, NULL); waited_ms += LOOK_MS)
        run_sleep_ms(LOOK_MS);
    if (s->process) {
        kill(s->process, SIGKILL);
        waitpid(s->process, NULL, 0);
        s->process = 0;
    }
    run_remove_folder(s->folder);
}

/* ---- asked ---- */

int64_t pg_server_number(pg_server *s, run_t *run, const char *query)
{
    char text[128];
    int64_t number = -1;
    connection *c = connection_open(s->folder, ADMIN_MS, text);
    if (!c) {
        run_fail(run, "cannot connect beside the pool: %s", text);
        return -1;
    }
    PGresult *result = PQexec(c->pg, query);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1)
        number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    else
        run_fail(run, "%s: %s", query, PQerrorMessage(c->pg));
    PQclear(result);
    connection_close(c);
    return number;
}

bool pg_server_start(pg_server *s, run_t *run)
{
    char query[512];
    bool ready = process_find(s) && run_make_folder(s->folder, "postgres") && process_give_folder(s);
    snprintf(s->data, sizeof s->data, "%s/data", s->folder);
    snprintf(s->log, sizeof s->log, "%s/log", s->folder);
    /* The answer of work() is on its way only when the count is in the server's log: lost is what was running. */
    snprintf(query, sizeof query,
             "CREATE TABLE done AS SELECT worker, 0 AS times FROM generate_series(1, %u) AS worker;"
             "CREATE FUNCTION work(who int) RETURNS int LANGUAGE sql AS"
             " 'SELECT pg_sleep(0.005); UPDATE done SET times = times + 1 WHERE worker = who RETURNING times';"
             "SELECT count(*) FROM done",
             run->workers);
    ready = ready && make_files(s, run) && pg_server_up(s, run) && pg_server_number(s, run, query) == run->workers;
    if (!ready && !run_signal())
        atomic_store(&run->failed, true);
    return ready;
}

/* ---- troubled ---- */

/* All are told to end, then each is waited for. */
bool pg_server_kill_sessions(pg_server *s, run_t *run)
{
    return pg_server_number(s, run,
                            "SELECT count(pg_terminate_backend(pid, 30000)) FROM unnest(("
                            "  SELECT array_agg(pid) FROM ("
                            "    SELECT pid, pg_terminate_backend(pid) AS told FROM pg_stat_activity"
                            "    WHERE application_name = 'pool' AND pid <> pg_backend_pid()"
                            "  ) AS session WHERE told)) AS pid") >= 0;
}

/* Once its first process stands still there are no new ones, and the numbers of those that end are not given away. */
bool pg_server_freeze(pg_server *s, run_t *run)
{
    if (process_has_ended(&s->process, NULL))
        return fail(s, run, "the server had ended by itself");
    int status = 0;
    kill(s->process, SIGSTOP);
    if (waitpid(s->process, &status, WUNTRACED) == s->process && !WIFSTOPPED(status)) {
        s->process = 0;
        return fail(s, run, "the server has ended by itself");
    }
    s->stopped_count = process_children(s->process, s->stopped, SERVER_PROCESSES);
    for (unsigned i = 0; i < s->stopped_count; i++)
        kill(s->stopped[i], SIGSTOP);
    return s->stopped_count > 0 || fail(s, run, "the server has no processes that /proc knows");
}

void pg_server_thaw(pg_server *s)
{
    for (; s->stopped_count > 0; s->stopped_count--)
        kill(s->stopped[s->stopped_count - 1], SIGCONT);
    if (s->process)
        kill(s->process, SIGCONT);
}
