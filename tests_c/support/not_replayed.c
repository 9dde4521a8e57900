/* Which scenarios a world does not replay: why, and not_replayed.txt, which must say the same. */
#include "replay.h"

#define LIST "tests_c/support/not_replayed.txt" /* from the root, where the tests run */

#define is scenario_is

/* What holds for all worlds, and what the world says itself; NULL: it is replayed. */
static const char *reason_for(const replay_world *world, const scenario *s)
{
    const char *verb[SCENARIO_ACTORS] = {NULL}, *ask[SCENARIO_ACTORS] = {NULL};
    int filler = -1;
    for (int i = 0; i < s->count; i++) {
        const scenario_step *step = &s->steps[i];
        int n = step->actor;
        if (replay_begins(step))
            verb[n] = step->verb;
        if (is(step->verb, "fill") && i == 0)
            filler = n;
        if ((is(step->verb, "fill") && i > 0) || (filler >= 0 && n != filler))
            return "a pool with hooks is filled before anybody has it";
        if (filler >= 0 && strstr(step->ask, "done"))
            filler = strstr(step->ask, "done OK") ? -1 : SCENARIO_ACTORS;
        if (is(step->verb, "sweep"))
            return "a pool with hooks has its passes itself";
        if (is(step->verb, "next"))
            return "a call is not left half-way";
        if (is(step->verb, "cancel") && (!world->cancel || (!is(verb[n], "acquire") && !is(verb[n], "drain"))))
            return "a call is not left half-way";
        if (is(step->verb, "cancel") && !strstr(ask[n], "wait") && !strstr(ask[n], "done"))
            return "an op whose hook runs hears of a cancel when the hook is back";
        ask[n] = step->ask;
    }
    if (filler >= 0)
        return "a pool with hooks is filled before anybody has it";
    return world->left_out ? world->left_out(s) : NULL;
}

/* Is a word in a list with commas? */
static bool among(const char *list, const char *word)
{
    for (size_t n; *list; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        if (n == strlen(word) && strncmp(list, word, n) == 0)
            return true;
    }
    return false;
}

/* How many scenarios of a file are in the list for a world; and the reason of one of them, which stays empty when it is
 * not there. */
static int listed(const replay_world *world, const char *name, const char *title, char *why)
{
    char text[SCENARIO_LINE], reason[SCENARIO_LINE] = "", file[32], worlds[64];
    int count = 0;
    FILE *list = fopen(LIST, "r");
    CHECK(list != NULL);
    while (fgets(text, sizeof text, list)) {
        int at = 0;
        text[strcspn(text, "\n")] = 0;
        if (*text && *text != ' ' && *text != '#')
            strcpy(reason, text);
        if (sscanf(text, "    %31s %63[^:]: %n", file, worlds, &at) != 2 || !is(file, name) ||
            !among(worlds, world->name))
            continue;
        count++;
        if (is(text + at, title))
            strcpy(why, reason);
    }
    fclose(list);
    return count;
}

int replay_to_leave_out(const replay_world *world, const char *name)
{
    char why[SCENARIO_LINE];
    return listed(world, name, "", why);
}

bool replay_leaves_out(const replay_world *world, const char *name, const scenario *s)
{
    const char *reason = reason_for(world, s);
    char why[SCENARIO_LINE] = "", what[SCENARIO_LINE];
    listed(world, name, s->title, why);
    snprintf(what, sizeof what, "why %s leave it out, in %s", world->name, LIST);
    check_str(name, s->steps[0].line, what, why, reason ? reason : "");
    if (reason)
        printf("left out of %s: %s: %s\n", world->name, s->title, reason);
    return reason != NULL;
}
