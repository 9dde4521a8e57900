/* Runs inputs, those of files and of folders, one after the other: where there is no libFuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int inputs;

static void replay(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        perror(path);
        exit(2);
    }
    if (S_ISDIR(about.st_mode)) {
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
            char inner[4096];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            if (entry->d_name[0] != '.')
                replay(inner);
        }
        if (folder)
            closedir(folder);
        return;
    }
    /* Of the exact size, so that the sanitizer sees a read beyond the end. */
    size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size ? size : 1);
    FILE *file = fopen(path, "rb");
    MUST(data && file && fread(data, 1, size, file) == size);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    inputs++;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%d inputs\n", inputs);
    return inputs == 0;
}
