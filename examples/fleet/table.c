#include "table.h"

#include <stdio.h>
#include <unistd.h>

static const char connected[] = "################################", idle[] = "oooooooooooooooooooooooooooooooo",
                  waiting[] = "................................";

/* In a table of the width of a half, or alone. */
static void put_member(const member *m)
{
    unsigned used = m->has < m->busy ? m->has : m->busy;
    unsigned spare = m->has - used, lacking = m->busy - used, rest = used + spare + lacking;
    printf("  %-6s %2u  %.*s%.*s%.*s%*s", m->name, m->has, (int)used, connected, (int)spare, idle, (int)lacking,
           waiting, rest < 18 ? (int)(18 - rest) : 0, "");
}

static void put_head(const story *s, const pool_budget_info_t *info)
{
    printf("%6.1f s  %3u of %u connected, %2u leased  %-30s", (double)(run_now_ns() - s->run.began_ns) / 1e9,
           s->crew.connected, s->run.places, info->all, atomic_load(&s->run.happens));
}

static void put_table(const story *s, const pool_budget_info_t *info, bool again)
{
    unsigned half = s->crew.count / 2;
    if (again)
        printf("\033[%uA\r", half + 1);
    put_head(s, info);
    puts("");
    for (unsigned i = 0; i < half; i++) {
        put_member(&s->crew.of[i]);
        put_member(&s->crew.of[half + i]);
        puts("");
    }
}

static void put_line(const story *s, const pool_budget_info_t *info)
{
    put_head(s, info);
    for (unsigned i = 0; i < s->crew.count; i++)
        printf("%s%2u", i == s->crew.count / 2 ? " |" : "", s->crew.of[i].has);
    puts("");
}

void table_draw(story *s, bool last)
{
    bool terminal = isatty(STDOUT_FILENO), again = s->run.draw_ns != 0;
    int64_t now = run_now_ns();
    const char *happens = atomic_load(&s->run.happens);
    if (now < s->run.draw_ns && happens == s->run.drawn && !last)
        return;
    s->run.draw_ns = now + (terminal ? RUN_TICK_MS : 1000) * INT64_C(1000000);
    s->run.drawn = happens;
    pool_budget_info_t info = story_info(s);
    if (terminal)
        put_table(s, &info, again);
    else
        put_line(s, &info);
    if (fflush(stdout) != 0)
        run_fail(&s->run, "cannot write to the standard output");
}
