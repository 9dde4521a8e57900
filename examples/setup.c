/* What surrounds a run: options, signals, a temporary folder. */
#define _GNU_SOURCE 1 /* nftw() */
#include "run.h"

#include <argp.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 8 };

static atomic_int caught;

static void on_signal(int number) { atomic_store(&caught, number); }

int run_signal(void) { return atomic_load(&caught); }

static unsigned number(const run_option *o, const char *text, const struct argp_state *state)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < o->least || n > o->most)
        argp_error(state, "--%s: \"%s\" is not a number from %u to %u", o->name, text, o->least, o->most);
    return (unsigned)n;
}

static error_t read_option(int letter, char *argument, struct argp_state *state)
{
    const run_option *o = state->input;
    while (o->name && o->letter != letter)
        o++;
    if (!o->name)
        return ARGP_ERR_UNKNOWN;
    *o->value = argument ? number(o, argument, state) : o->most;
    return 0;
}

static void read_options(int argc, char **argv, const char *about, const run_option *options)
{
    struct argp_option all[MOST_OPTIONS + 1] = {{0}};
    char meanings[MOST_OPTIONS][96], text[512];
    for (int i = 0; options[i].name; i++) {
        const run_option *o = &options[i];
        bool alone = o->least == o->most;
        snprintf(meanings[i], sizeof meanings[i], alone ? "%s" : "%s (%u)", o->meaning, *o->value);
        all[i] = (struct argp_option){o->name, o->letter, alone ? NULL : "N", 0, meanings[i], 0};
    }
    snprintf(text, sizeof text, "%s\vExit code 0: all went right.", about);
    const struct argp parser = {all, read_option, NULL, text, NULL, NULL, NULL};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, (void *)options);
}

void run_setup(int argc, char **argv, const char *about, const run_option *options)
{
    read_options(argc, argv, about, options);
    /* SA_ONSTACK: it may arrive on a thread of the library's Go runtime, whose stacks are small. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    /* A reader of our output or a peer that goes away is an error to handle, not the end. */
    signal(SIGPIPE, SIG_IGN);
}

/* Not in TMPDIR: the path of a socket may be 107 bytes long at most. */
bool run_make_folder(char folder[64], const char *name)
{
    snprintf(folder, 64, "/tmp/asyncpool-%s-XXXXXX", name);
    if (mkdtemp(folder))
        return true;
    perror("cannot make a temporary folder");
    folder[0] = 0;
    return false;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    if (remove(path) != 0)
        perror(path);
    return 0;
}

void run_remove_folder(const char *folder)
{
    if (folder[0])
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
