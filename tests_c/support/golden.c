#include "golden.h"
#include "check.h"

void golden_check(const char *(*name)(int i), int count)
{
    char line[128], exported[128];
    int n = 0;
    FILE *golden = fopen("abi/symbols.txt", "r");
    CHECK(golden != NULL); /* tests run in the root of the project */
    while (fgets(line, sizeof line, golden)) {
        if (sscanf(line, "T %127[a-z_]", exported) != 1)
            continue;
        CHECK(n < count);
        CHECK_STR(name(n), exported);
        n++;
    }
    fclose(golden);
    CHECK_INT(n, count);
}
