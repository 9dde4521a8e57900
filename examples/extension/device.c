/* The resources, and the pool of them. All of this runs on the loop's thread. */
#define POOL_API_NAMES /* pool_create_ex() goes through the table */
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int count;

static bool device_make(pool_t *pool, void **resource)
{
    const int *set = pool->user_data;
    device_t *device = calloc(1, sizeof *device);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = device};
    if (device)
        device->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (!device || device->fd < 0 || epoll_ctl(*set, EPOLL_CTL_ADD, device->fd, &event) != 0) {
        pool_set_error(pool, errno, strerror(errno));
        if (device && device->fd >= 0)
            close(device->fd);
        free(device);
        return false;
    }
    count++;
    *resource = device;
    return true;
}

void device_end(pool_t *pool, void *resource)
{
    (void)pool;
    close(((device_t *)resource)->fd); /* and it is in no epoll set any more */
    free(resource);
    count--;
}

pool_status_t device_pool(const int *set, uint32_t places, pool_t **pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "devices";
    config.factory = device_make;
    config.destructor = device_end;
    config.user_data = (void *)set;
    config.max_size = places;
    /* No thread of the library calls a hook: when the loop has ended, nothing calls into the extension any more, and it
     * can be unloaded. */
    config.flags = POOL_F_REACTOR;
    return pool_create_ex(&config, pool);
}

void device_alarm(device_t *device, int64_t ns)
{
    struct itimerspec at = {.it_value = {ns / 1000000000, ns % 1000000000}};
    timerfd_settime(device->fd, 0, &at, NULL);
}

bool device_rang(device_t *device)
{
    uint64_t times;
    return read(device->fd, &times, sizeof times) == (ssize_t)sizeof times;
}

int device_count(void) { return count; }
