/*
 * What the system knows of this process, and this program once more as a child. For C and C++, and for programs that
 * do without check.h: what cannot be read ends the process.
 */
#ifndef ASYNCPOOL_PROCESS_H
#define ASYNCPOOL_PROCESS_H

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Does the size of the process tell what the library keeps? Two sanitizers keep what is freed, or a shadow of what was
 * touched; valgrind does both. An emulator keeps something of each thread that has ended. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(POOL_UCONTEXT_VALGRIND) || \
    defined(CHECK_EMULATED)
enum { PROCESS_MEMORY_TELLS = 0 };
#else
enum { PROCESS_MEMORY_TELLS = 1 };
#endif

static inline void process_require(int there, const char *what)
{
    if (there)
        return;
    perror(what);
    abort();
}

static inline int process_entries(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    process_require(dir != NULL, folder);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static inline int process_threads(void) { return process_entries("/proc/self/task"); }
static inline int process_descriptors(void) { return process_entries("/proc/self/fd") - 1; } /* that of the folder */

/* Address space, and what of it is in memory. */
static inline void process_memory(long *size_kb, long *resident_kb)
{
    long page_kb = sysconf(_SC_PAGESIZE) / 1024;
    FILE *statm = fopen("/proc/self/statm", "re");
    process_require(statm && fscanf(statm, "%ld %ld", size_kb, resident_kb) == 2, "/proc/self/statm");
    fclose(statm);
    *size_kb *= page_kb;
    *resident_kb *= page_kb;
}

static inline long process_resident_kb(void)
{
    long size_kb, resident_kb;
    process_memory(&size_kb, &resident_kb);
    return resident_kb;
}

static inline int process_tid(void) { return (int)syscall(SYS_gettid); }

/* Does a thread of this process sleep in the kernel? */
static inline int process_sleeps(int tid)
{
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE *f = fopen(path, "re");
    if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = '?';
    if (f)
        fclose(f);
    return state == 'S';
}

/* Runs this program again, with arguments as the shell reads them and a variable in its environment that says so.
 * What it prints comes out of the file, which pclose() ends. */
static inline FILE *process_again(const char *variable, const char *arguments)
{
    char self[PATH_MAX], command[PATH_MAX + 512];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self);
    process_require(length > 0, "/proc/self/exe");
    snprintf(command, sizeof command, "%s=1 '%.*s' %s", variable, (int)length, self, arguments);
    FILE *child = popen(command, "r");
    process_require(child != NULL, command);
    return child;
}

#endif
