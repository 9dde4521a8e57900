#include "spans.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Thread_local client_t *self;

int64_t span_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void span_heard(const char *what, uintptr_t resource)
{
    if (self->count == MAX_SPANS) {
        fprintf(stderr, "record: a history is too long\n");
        exit(2);
    }
    self->spans[self->count] = (span_t){.heard = what, .heard_resource = resource, .from = span_now()};
}

void span_heard_by_lease(const char *what, uintptr_t resource, int lease)
{
    span_heard(what, resource);
    self->spans[self->count].lease = lease;
}

void span_said(const char *what, uintptr_t resource)
{
    span_t *span = &self->spans[self->count++];
    span->to = span_now();
    span->said = what;
    span->said_resource = resource;
}

void span_status(pool_status_t status, uintptr_t resource)
{
    span_said(pool_status_name(status) + strlen("POOL_"), status == POOL_OK ? resource : 0);
}

void spans_print(const client_t *client)
{
    for (int i = 0; i < client->count; i++) {
        const span_t *s = &client->spans[i];
        printf("%d %" PRId64 " %" PRId64 " %s", client->number, s->from, s->to, s->heard);
        if (s->lease)
            printf("#%d", s->lease);
        printf(" %zu %s %zu", (size_t)s->heard_resource, s->said, (size_t)s->said_resource);
        if (s->snapshot.struct_size)
            printf(" %u %u %u %u %d %d %u", s->snapshot.idle, s->snapshot.active, s->snapshot.reserved,
                   s->snapshot.waiting, (int)s->snapshot.state, s->snapshot.closed, s->snapshot.max);
        printf("\n");
    }
}

unsigned any(unsigned n)
{
    self->random = self->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(self->random >> 33) % n;
}
