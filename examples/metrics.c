/*
 * Many threads query an SQLite database through a few connections that the pool lends them, and a server of
 * libmicrohttpd on the loopback answers who scrapes with what pool_metrics() says. At the end the program scrapes itself,
 * and checks that the numbers are what the threads did.
 *
 *     metrics --queries 1000000 --port 9464 &
 *     curl http://127.0.0.1:9464/metrics
 */
#include "run.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct demo {
    run_t run;
    char folder[64];
    char path[96];
    atomic_llong next; /* number of the next query, from 0 */
    struct MHD_Daemon *server;
    unsigned port;
} demo;

/* ---- the hooks ---- */

static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)) {
        pool_set_error(pool, sqlite3_errcode(db), sqlite3_errmsg(db));
        sqlite3_close(db);
        return false;
    }
    run_created(&d->run);
    *resource = db;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    sqlite3_close(resource);
    run_destroyed(&d->run);
}

/* ---- the work ---- */

static void worker(void *context, unsigned thread)
{
    demo *d = context;
    (void)thread;
    while (run_go_on(&d->run) && atomic_fetch_add(&d->next, 1) < d->run.total) {
        void *db;
        int64_t began_ns = run_now_ns();
        if (!run_acquired(&d->run, began_ns, pool_acquire(d->run.pool, &db, 0)))
            return;
        if (sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL))
            run_fail(&d->run, "a query failed: %s", sqlite3_errmsg(db));
        run_released(&d->run, pool_release(d->run.pool, db));
        atomic_fetch_add(&d->run.done, 1);
    }
}

/* ---- the endpoint ---- */

/* What all pools tell, to be freed. Numbers may grow between two calls: then there is another. */
static char *metrics_text(size_t *length)
{
    size_t size = 4096;
    char *text = NULL;
    for (;;) {
        char *larger = realloc(text, size);
        if (!larger)
            break;
        text = larger;
        *length = pool_metrics(text, size);
        if (*length < size)
            return text;
        size = *length + *length / 8;
    }
    free(text);
    return NULL;
}

/* On the server's own thread. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request)
{
    (void)context, (void)version, (void)upload, (void)upload_size, (void)request;
    size_t length = 0;
    bool asked = strcmp(method, MHD_HTTP_METHOD_GET) == 0 && strcmp(url, "/metrics") == 0;
    char *text = asked ? metrics_text(&length) : NULL;
    struct MHD_Response *response = MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(
        response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    enum MHD_Result queued = MHD_queue_response(connection, text ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND, response);
    MHD_destroy_response(response);
    return queued;
}

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
}

/* Port 0: the kernel chooses one. */
static bool start_server(demo *d)
{
    struct sockaddr_in address = loopback(d->port);
    d->server = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, d, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_CONNECTION_TIMEOUT, 1u, MHD_OPTION_END);
    if (!d->server)
        return false;
    d->port = MHD_get_daemon_info(d->server, MHD_DAEMON_INFO_BIND_PORT)->port;
    return true;
}

/* ---- the check ---- */

/* What a scraper gets, to be freed. */
static char *scrape(const demo *d)
{
    struct sockaddr_in address = loopback(d->port);
    char *page = NULL, part[4096];
    size_t length = 0;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *all = open_memstream(&page, &length);
    if (all && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        dprintf(fd, "GET /metrics HTTP/1.0\r\n\r\n") > 0)
        for (ssize_t n; (n = recv(fd, part, sizeof part, 0)) > 0;)
            fwrite(part, 1, (size_t)n, all);
    close(fd);
    if (all)
        fclose(all);
    return page;
}

/* The value of a sample; -1: there is none. */
static long long sample(const char *page, const char *name)
{
    const char *found = page ? strstr(page, name) : NULL;
    return found ? atoll(found + strlen(name)) : -1;
}

static void check_metrics(demo *d)
{
    char *page = scrape(d);
    long long lends = sample(page, "\nasyncpool_lends_total{pool=\"sqlite\"} "), done = d->run.done;
    long long count = sample(page, "\nasyncpool_count{pool=\"sqlite\"} "), alive = d->run.census.alive;
    long long waits = sample(page, "\nasyncpool_wait_seconds_count{pool=\"sqlite\"} ");
    long long waited = sample(page, "\nasyncpool_waited_total{pool=\"sqlite\"} ");
    run_check(&d->run, lends == done, "%lld queries, %lld lends in the metrics", done, lends);
    run_check(&d->run, count == alive, "%lld connections, %lld in the metrics", alive, count);
    run_check(&d->run, waits == waited && waited >= 0, "%lld lends after a wait, %lld of them timed", waited, waits);
    free(page);
}

/* ---- the program ---- */

static void demonstrate(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "sqlite";
    config.factory = factory;
    config.destructor = destructor;
    config.user_data = d;
    config.max_size = d->run.places;
    if (pool_create_ex(&config, &d->run.pool) != POOL_OK) {
        run_fail_call(&d->run, "cannot create the pool");
        return;
    }
    run_threads(&d->run, worker, d);
    check_metrics(d);
    pool_unref(d->run.pool);
    run_summary(&d->run);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "queries", .resources = "connections", .workers = 32, .places = 4}};
    unsigned queries = 100000;
    const run_option options[] = {
        {"threads", 't', &d.run.workers, 1, 1000, "threads that want a connection"},
        {"connections", 'c', &d.run.places, 1, 1000, "connections at most"},
        {"queries", 'n', &queries, 1, 100000000, "queries in all"},
        {"port", 'p', &d.port, 0, 65535, "of the endpoint; 0: any that is free"},
        {0}};
    run_setup(argc, argv,
              "Threads query an SQLite database in a temporary folder, through connections lent by a pool, whose "
              "metrics can be scraped meanwhile.",
              options);
    d.run.total = queries;
    if (!start_server(&d))
        run_fail(&d.run, "cannot listen on port %u of the loopback", d.port);
    else if (!run_make_folder(d.folder, "metrics"))
        run_fail(&d.run, "cannot make a folder for the database");
    else {
        snprintf(d.path, sizeof d.path, "%s/empty.db", d.folder);
        printf("%u threads share %u SQLite connections: curl http://127.0.0.1:%u/metrics\n\n", d.run.workers,
               d.run.places, d.port);
        demonstrate(&d);
    }
    run_remove_folder(d.folder);
    if (d.server)
        MHD_stop_daemon(d.server);
    return run_result(&d.run);
}
