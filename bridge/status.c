/* Names and texts of statuses, versions. */
#include "internal.h"

const char *pool_strerror(pool_status_t status)
{
    switch (status) {
#define TEXT(name, number, text) \
    case POOL_##name:            \
        return text;
        POOL_STATUS_MAP(TEXT)
#undef TEXT
    }
    return "unknown status";
}

const char *pool_status_name(pool_status_t status)
{
    switch (status) {
#define NAME(name, number, text) \
    case POOL_##name:            \
        return "POOL_" #name;
        POOL_STATUS_MAP(NAME)
#undef NAME
    }
    return "POOL_?";
}

const char *pool_version(void) { return POOL_VERSION; }

uint32_t pool_abi_version(void) { return POOL_ABI_VERSION; }
