#define _GNU_SOURCE /* dladdr() */

#include "symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const ElfW(Sym) *find(const char *file, const char *name)
{
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const ElfW(Sym) *symbols = (const void *)(file + sections[i].sh_offset);
        const char *names = file + sections[sections[i].sh_link].sh_offset;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
            if (strcmp(names + symbols[k].st_name, name) == 0)
                return &symbols[k];
    }
    return NULL;
}

const void *symbol_find(const void *known, const char *name)
{
    Dl_info info;
    struct stat status;
    const void *found = NULL;
    if (!dladdr(known, &info))
        return NULL;
    int fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return NULL;
    void *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return NULL;
    const ElfW(Sym) *symbol = find(file, name);
    if (symbol)
        found = (const char *)info.dli_fbase + symbol->st_value;
    munmap(file, (size_t)status.st_size);
    return found;
}
