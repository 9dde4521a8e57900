/*
 * A budget whose Redis is none, or ends, or answers in small pieces, or half: the call comes back in its time, and says
 * why. What listens here is the test itself.
 */
#include "check.h"

#include <asyncpool/redis_budget.h>
#include <poll.h>
#include <sys/un.h>

static char folder[] = "/tmp/asyncpool-wire-XXXXXX", path[64];
static int listens;
static const char *answer;
static bool trickles, closes, repeats;

/* Answers whatever it hears, to one after the other, until the listener is shut down. */
static void *serve(void *ignored)
{
    (void)ignored;
    int peer;
    while ((peer = accept(listens, NULL, NULL)) >= 0) {
        char heard[4096];
        bool there = read(peer, heard, sizeof heard) > 0;
        there = there && send(peer, answer, strlen(answer), MSG_NOSIGNAL) > 0;
        while (there && trickles) { /* each byte comes soon, and there is always one more */
            struct pollfd gone = {.fd = peer, .events = POLLHUP};
            there = poll(&gone, 1, 1) == 0 && send(peer, "x", 1, MSG_NOSIGNAL) == 1;
        }
        while (there && !closes)
            there = read(peer, heard, sizeof heard) > 0 &&
                    (!repeats || send(peer, answer, strlen(answer), MSG_NOSIGNAL) > 0);
        close(peer);
    }
    return NULL;
}

static pthread_t listening(const char *what)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    answer = what;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/redis", folder);
    memcpy(address.sun_path, path, strlen(path));
    listens = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_INT(bind(listens, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_INT(listen(listens, 8), 0);
    return check_thread(serve, NULL);
}

/* How long an answer is waited for: one that does not come, and one that does, on however slow a machine. */
enum { SOON_MS = 100, COMES_MS = 60000 };

static void fails(pthread_t server, uint32_t timeout_ms, const char *why)
{
    pool_budget_config_t c = POOL_BUDGET_CONFIG_INIT;
    c.address = path;
    c.key = "b";
    c.limit = 1;
    c.lease_ms = 4 * COMES_MS;
    c.timeout_ms = timeout_ms;
    pool_budget_t *b;
    CHECK_STATUS(pool_budget_open(&c, &b), POOL_ERR_UNAVAILABLE);
    if (!strstr(pool_budget_error(), why))
        check_fail(__FILE__, __LINE__, "it says \"%s\", not \"%s\"", pool_budget_error(), why);
    shutdown(listens, SHUT_RDWR);
    check_join(server);
    close(listens);
    unlink(path);
    rmdir(folder);
}

TEST(an_answer_in_small_pieces_is_waited_for_as_long_as_one)
{
    trickles = true;
    fails(listening("$1000000\r\n"), SOON_MS, "has not answered in time");
}

TEST(half_an_answer_is_none) { fails(listening("$40\r\n1234567890"), SOON_MS, "has not answered in time"); }

TEST(a_connection_that_ends_in_an_answer_is_told)
{
    closes = true;
    fails(listening("$40\r\n1234567890"), COMES_MS, "has ended the connection");
}

TEST(what_speaks_another_protocol_is_told)
{
    fails(listening("HTTP/1.1 400 Bad Request\r\n\r\n"), COMES_MS, "does not speak its protocol");
}

TEST(what_answers_something_else_is_refused)
{
    repeats = true;
    fails(listening("*0\r\n"), COMES_MS, "answers something else");
}

/* SIGPIPE ends the process, as it does in one that has not thought of it. */
TEST(a_redis_that_has_gone_costs_no_process_its_life)
{
    signal(SIGPIPE, SIG_DFL);
    int ends[2]; /* what the pool's budget has connected to, which is gone when it says something next */
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    close(ends[1]);
    pool__budget_wire_t wire = {redisConnectFd(ends[0]), ""};
    pool__budget_why_t why = "";
    const char *words[1] = {"PING"};
    CHECK_PTR(pool__budget_command(&wire, 1, words, pool__budget_now() + 60000, why), NULL);
    CHECK_PTR(wire.redis, NULL);
    CHECK(strstr(why, "has ended the connection") != NULL);
}
