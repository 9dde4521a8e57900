/*
 * Runs a program without membarrier(2):
 *
 *     without_membarrier COMMAND [ARGUMENT...]
 */
#include "refuse.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: without_membarrier COMMAND [ARGUMENT...]\n");
        return 2;
    }
    if (!refuse_membarrier()) {
        perror("without_membarrier: the filter");
        return 2;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 2;
}
