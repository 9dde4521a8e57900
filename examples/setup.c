/* What surrounds a run: options, signals, a temporary folder. */
#define _GNU_SOURCE 1 /* nftw() */
#include "run.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 8 };

static atomic_int caught;

static void on_signal(int number) { atomic_store(&caught, number); }

int run_signal(void) { return atomic_load(&caught); }

static void usage(FILE *to, const char *about, const run_option *options)
{
    fprintf(to, "%s Exit code 0: all went right.\n\n", about);
    for (const run_option *o = options; o->name; o++)
        if (o->least == o->most)
            fprintf(to, "  -%c, --%-17s %s\n", o->letter, o->name, o->meaning);
        else
            fprintf(to, "  -%c, --%-14s N  %s (%u)\n", o->letter, o->name, o->meaning, *o->value);
    fputs("  -h, --help              this text\n", to);
    exit(to == stdout ? 0 : 2);
}

static unsigned number(const run_option *o, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < o->least || n > o->most) {
        fprintf(stderr, "--%s: \"%s\" is not a number from %u to %u\n", o->name, text, o->least, o->most);
        exit(2);
    }
    return (unsigned)n;
}

static void read_options(int argc, char **argv, const char *about, const run_option *options)
{
    struct option all[MOST_OPTIONS + 2] = {{"help", no_argument, NULL, 'h'}};
    char letters[2 * MOST_OPTIONS + 2] = "h";
    for (int i = 0; options[i].name; i++) {
        int argument = options[i].least == options[i].most ? no_argument : required_argument;
        all[i + 1] = (struct option){options[i].name, argument, NULL, options[i].letter};
        snprintf(letters + strlen(letters), 3, argument == no_argument ? "%c" : "%c:", options[i].letter);
    }
    for (int letter; (letter = getopt_long(argc, argv, letters, all, NULL)) != -1;) {
        const run_option *o = options;
        while (o->name && o->letter != letter)
            o++;
        if (!o->name)
            usage(letter == 'h' ? stdout : stderr, about, options);
        *o->value = o->least == o->most ? o->most : number(o, optarg);
    }
    if (optind < argc)
        usage(stderr, about, options);
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
