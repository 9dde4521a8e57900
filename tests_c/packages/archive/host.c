/*
 * Opens plugins, has each lend, and closes them, as often as it is told:
 *
 *     host TIMES PLUGIN...
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int times = argc > 2 ? atoi(argv[1]) : 0;
    for (int i = 0; i < times; i++)
        for (int k = 2; k < argc; k++) {
            void *plugin = dlopen(argv[k], RTLD_NOW | RTLD_LOCAL);
            int (*lend)(void) = NULL;
            if (plugin)
                *(void **)&lend = dlsym(plugin, "plugin_lend");
            if (!lend) {
                fprintf(stderr, "%s\n", dlerror());
                return 1;
            }
            if (lend() != 42 || dlclose(plugin) != 0)
                return 2;
        }
    printf("%d times %d\n", times, argc - 2);
    return times ? 0 : 2;
}
