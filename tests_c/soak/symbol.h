/* A variable of a loaded library that is not exported, by the symbol table of its file. */
#ifndef ASYNCPOOL_SOAK_SYMBOL_H
#define ASYNCPOOL_SOAK_SYMBOL_H

/* known: any address in the library. NULL: the file was stripped, or has no such symbol. */
const void *symbol_find(const void *known, const char *name);

#endif
