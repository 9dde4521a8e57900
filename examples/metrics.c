/*
 * Many threads query an SQLite database through a few connections that the pool lends them, and a thread more answers
 * who scrapes: what pool_metrics() says, by HTTP on the loopback. At the end the program scrapes itself, and checks that
 * the numbers are what the threads did.
 *
 *     metrics --queries 1000000 --port 9464 &
 *     curl http://127.0.0.1:9464/metrics
 */
#include "run.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
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
    int listener;
    unsigned port;
    atomic_bool unserved; /* nobody is to be answered any more */
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

static bool send_all(int fd, const char *text, size_t length)
{
    for (ssize_t n; length > 0; text += n, length -= (size_t)n)
        if ((n = send(fd, text, length, MSG_NOSIGNAL)) <= 0)
            return false;
    return true;
}

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

/* One request: all that matters is its first line. */
static void answer(int fd)
{
    static const char metrics[] = "GET /metrics ";
    char request[1024] = "", head[256];
    size_t length = 0;
    if (recv(fd, request, sizeof request - 1, 0) <= 0)
        return;
    char *text = strncmp(request, metrics, sizeof metrics - 1) == 0 ? metrics_text(&length) : NULL;
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %s\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"
                     "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                     text ? "200 OK" : "404 Not Found", length);
    if (send_all(fd, head, (size_t)n) && text)
        send_all(fd, text, length);
    free(text);
}

static void *serve(void *context)
{
    demo *d = context;
    while (!atomic_load(&d->unserved)) {
        struct pollfd listener = {.fd = d->listener, .events = POLLIN};
        if (poll(&listener, 1, RUN_TICK_MS) <= 0)
            continue;
        int fd = accept(d->listener, NULL, NULL);
        if (fd < 0)
            continue;
        struct timeval patience = {.tv_sec = 1}; /* with who connects and says nothing */
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        answer(fd);
        close(fd);
    }
    return NULL;
}

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
}

/* Port 0: the kernel chooses one. */
static bool open_listener(demo *d)
{
    struct sockaddr_in address = loopback(d->port);
    socklen_t size = sizeof address;
    const int on = 1;
    d->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (d->listener < 0 || setsockopt(d->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        bind(d->listener, (struct sockaddr *)&address, sizeof address) || listen(d->listener, 16) ||
        getsockname(d->listener, (struct sockaddr *)&address, &size))
        return false;
    d->port = ntohs(address.sin_port);
    return true;
}

/* ---- the check ---- */

/* What a scraper gets, to be freed. */
static char *scrape(const demo *d)
{
    enum { SIZE = 1 << 18 };
    static const char request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct sockaddr_in address = loopback(d->port);
    char *page = calloc(1, SIZE);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t length = 0;
    if (page && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && send_all(fd, request, strlen(request)))
        for (ssize_t n; length < SIZE - 1 && (n = recv(fd, page + length, SIZE - 1 - length, 0)) > 0;)
            length += (size_t)n;
    close(fd);
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
    pthread_t server;
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
    if (pthread_create(&server, NULL, serve, d)) {
        run_fail(&d->run, "cannot start a thread for the endpoint");
        pool_unref(d->run.pool);
        return;
    }
    run_threads(&d->run, worker, d);
    check_metrics(d);
    atomic_store(&d->unserved, true);
    pthread_join(server, NULL);
    pool_unref(d->run.pool);
    run_summary(&d->run);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "queries", .resources = "connections", .workers = 32, .places = 4},
                     .listener = -1};
    unsigned queries = 100000;
    const run_option options[] = {
        {"threads", 't', &d.run.workers, 1, 1000, "threads that want a connection"},
        {"connections", 'c', &d.run.places, 1, 1000, "connections at most"},
        {"queries", 'n', &queries, 1, 100000000, "queries in all"},
        {"port", 'p', &d.port, 0, 65535, "of the endpoint; 0: any that is free"},
        {0}};
    run_setup(argc, argv,
              "Threads query an SQLite database in a temporary folder, through connections lent by a pool, whose\n"
              "metrics can be scraped meanwhile.",
              options);
    d.run.total = queries;
    if (!open_listener(&d))
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
    if (d.listener >= 0)
        close(d.listener);
    return run_result(&d.run);
}
