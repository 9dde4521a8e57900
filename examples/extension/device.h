/* What the extension with an event loop lends: devices, which work for so long and are then readable. */
#ifndef DEVICE_H
#define DEVICE_H

#include "looper.h"

typedef struct device {
    int fd;     /* a timer of the kernel, in the loop's epoll set; in an extension of yours a socket */
    job_t *job; /* whose device it is; NULL while it is idle */
} device_t;

/* A pool of devices on the loop with this epoll set, which stays where it is. */
pool_status_t device_pool(const int *set, uint32_t places, pool_t **pool);
/* The event of a device comes after so many nanoseconds; 0: never. */
void device_alarm(device_t *device, int64_t ns);
/* Has it come? Then it is taken. */
bool device_rang(device_t *device);
/* The pool's destructor, for who drives ops. */
void device_end(pool_t *pool, void *resource);
/* Devices that there are. */
int device_count(void);

#endif
