/*
 * A program with two archives of Go inside: asyncpool's and another one, each with a runtime. Names that the library has
 * for itself are the program's here.
 */
#include <stdio.h>

int plugin_lend(void);
long second_sum(long n);
long second_collect(void);
int ap__forked(void);
int apgoPoolNext(void);

int ap__forked(void) { return 7; }
int apgoPoolNext(void) { return 8; }

int main(void)
{
    for (int i = 0; i < 300; i++) {
        if (plugin_lend() != 42 || second_sum(1000) != 500500)
            return 1;
        if (i % 50 == 0)
            second_collect();
    }
    puts("both lend and add up");
    return ap__forked() == 7 && apgoPoolNext() == 8 ? 0 : 2;
}
