/*
 * The descriptor of a reactor. It is an epoll descriptor over two others: one that is readable while there is work,
 * and a timer that is readable from a deadline on. It works in poll(), in select(), and in an epoll of the host's.
 *
 * Who sleeps on it, and until when, is not known, and cannot be: any thread may ask how long to sleep, for another
 * one as well, any thread may dispatch, and any number may sleep. So nothing is kept about them. While there is a
 * descriptor, its timer is set to a time that is not after the next deadline of the wheel. That holds at every
 * moment, and whatever a sleeper was told is kept by it:
 *
 *     a loop asks (three seconds, or never) and sleeps; another thread asks or dispatches; a third one begins an op
 *     with a nearer deadline: that sets the timer, and the loop wakes up by it;
 *     the timer has gone off, another thread dispatches before the loop has woken up: the deadline has been served,
 *     the timer stands at the next, and the loop goes on to sleep until then;
 *     a deadline is cleared before it comes: the timer stays, and goes off for nothing, once. What comes then, a
 *     dispatch or the question how long to sleep, sets it to the deadline that is next. To set it back with each op
 *     that is served would be a system call for each; as it is, loops whose deadlines are all equally far make one in
 *     as long a time as that.
 */
#include "reactor.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

void ap__alarm_init(ap_alarm_t *alarm)
{
    *alarm = (ap_alarm_t){.fd = -1, .work_fd = -1, .time_fd = -1, .at_ns = AP_NEVER};
}

/* close() is a cancellation point, as read() and write() are, which go by number below. It does not: checkers shall see
 * that the descriptor may be another's from here on. */
static void drop(int fd)
{
    int state;
    if (fd < 0)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    close(fd);
    pthread_setcancelstate(state, NULL);
}

void ap__alarm_close(ap_alarm_t *alarm)
{
    drop(alarm->fd);
    drop(alarm->work_fd);
    drop(alarm->time_fd);
    ap__alarm_init(alarm);
}

static bool watches(int fd, int other)
{
    struct epoll_event event = {.events = EPOLLIN};
    return other >= 0 && epoll_ctl(fd, EPOLL_CTL_ADD, other, &event) == 0;
}

bool ap__alarm_open(ap_alarm_t *alarm)
{
    if (alarm->fd >= 0)
        return true;
    alarm->fd = epoll_create1(EPOLL_CLOEXEC);
    if (alarm->fd >= 0)
        alarm->work_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (alarm->work_fd >= 0)
        alarm->time_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (watches(alarm->fd, alarm->work_fd) && watches(alarm->fd, alarm->time_fd))
        return true;
    int saved = errno;
    ap__alarm_close(alarm);
    errno = saved;
    return false;
}

void ap__alarm_ring(ap_alarm_t *alarm, bool work)
{
    if (alarm->fd < 0 || work == alarm->rung)
        return;
    int saved = errno;
    uint64_t count = 1;
    while (syscall(work ? SYS_write : SYS_read, alarm->work_fd, &count, sizeof count) < 0 && errno == EINTR)
        ;
    alarm->rung = work;
    errno = saved;
}

void ap__alarm_set(ap_alarm_t *alarm, int64_t at_ns)
{
    if (alarm->fd < 0 || at_ns == alarm->at_ns)
        return;
    int saved = errno;
    struct itimerspec when = {{0, 0}, {0, 0}}; /* never */
    if (at_ns != AP_NEVER)
        when.it_value = (struct timespec){.tv_sec = at_ns / 1000000000, .tv_nsec = at_ns % 1000000000};
    timerfd_settime(alarm->time_fd, TFD_TIMER_ABSTIME, &when, NULL); /* if it was readable, it is not any more */
    alarm->at_ns = at_ns;
    errno = saved;
}
