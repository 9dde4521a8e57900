/*
 * Waiting for streams, by one poll() over all that are awaited: any number of them, whichever descriptors they have.
 *
 * A wait for a stream is among the watched from before it is parked until its flow has gone on. PHP's own buffers are
 * looked at, too; so is whether somebody has closed the stream.
 */
#include "internal.h"

#include "zend_exceptions.h"
#include "php_network.h"

#include <poll.h>
#include <signal.h>

static asyncpool_watchers_t *watchers(void) { return &ASYNCPOOL_G(loop).watchers; }

static bool is_open(const zend_resource *resource) { return resource->type >= 0 && resource->ptr; }

static bool has_buffered(const php_stream *stream, bool to_write)
{
    return !to_write && stream->writepos - stream->readpos > 0;
}

/* ---- one stream ---- */

/* Its descriptor; -1 and a ValueError: it has none that can be waited for. */
static int descriptor(php_stream *stream)
{
    php_socket_t fd = -1;
    const char *type = stream->ops->label; /* a wrapper's stream_cast() may close it */
    int flags = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;
    if (php_stream_cast(stream, flags, (void *)&fd, 0) == SUCCESS && fd != -1)
        return (int)fd;
    if (!EG(exception))
        zend_value_error("This stream cannot be waited for: Cannot represent a stream of type %s as a select()able "
                         "descriptor",
                         type);
    return -1;
}

static short events(bool to_write) { return to_write ? POLLOUT : POLLIN; }

/* Is it ready at this moment? A ValueError: somebody has closed its descriptor, behind the stream's back. */
static bool probe(php_stream *stream, int fd, bool to_write)
{
    struct pollfd one = {.fd = fd, .events = events(to_write)};
    if (has_buffered(stream, to_write))
        return true;
    if (poll(&one, 1, 0) != 1)
        return false;
    if (!(one.revents & POLLNVAL))
        return true;
    zend_value_error("This stream cannot be waited for: its descriptor is closed");
    return false;
}

static void throw_closed(void)
{
    zend_throw_exception(asyncpool_ce_async_exception, "The stream was closed while a coroutine waited for it", 0);
}

/* ---- all that are awaited ---- */

static void watch(asyncpool_wait_t *wait, zend_resource *stream, int fd, bool to_write)
{
    asyncpool_watchers_t *w = watchers();
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 16;
        w->waits = safe_erealloc(w->waits, room, sizeof *w->waits, 0);
        w->fds = safe_erealloc(w->fds, room, sizeof *w->fds, 0);
        w->room = room;
    }
    w->fds[w->count] = (struct pollfd){.fd = fd, .events = events(to_write)};
    w->waits[w->count] = wait;
    wait->watched = ++w->count;
    wait->stream = stream;
    wait->writes = to_write;
}

void asyncpool_unwatch(asyncpool_wait_t *wait)
{
    asyncpool_watchers_t *w = watchers();
    if (wait->watched == 0)
        return;
    size_t place = wait->watched - 1, last = --w->count;
    wait->watched = 0;
    w->fds[place] = w->fds[last];
    w->waits[place] = w->waits[last];
    if (place != last)
        w->waits[place]->watched = place + 1;
    if (wait->watcher)
        asyncpool_revolt_unwatch(wait);
}

bool asyncpool_watchers_any(void) { return watchers()->count > 0; }

static void make_ready(asyncpool_wait_t *wait)
{
    zval yes;
    ZVAL_TRUE(&yes);
    asyncpool_resume(wait, &yes);
}

bool asyncpool_watchers_look_at_streams(void)
{
    asyncpool_watchers_t *w = watchers();
    bool any = false;
    for (size_t i = 0; i < w->count; i++) {
        asyncpool_wait_t *wait = w->waits[i];
        if (!wait->watcher && asyncpool_is_over(wait)) { /* its flow goes on later: others may sleep meanwhile */
            w->fds[i].fd = -1;
            continue;
        }
        if (is_open(wait->stream) && !has_buffered(wait->stream->ptr, wait->writes))
            continue;
        make_ready(wait); /* which looks what it is */
        any = true;
    }
    return any;
}

void asyncpool_watchers_let_go(void)
{
    asyncpool_watchers_t *w = watchers();
    for (size_t i = 0; i < w->count; i++) {
        if (w->waits[i]->watcher && asyncpool_is_over(w->waits[i]))
            asyncpool_revolt_unwatch(w->waits[i]);
    }
}

void asyncpool_watchers_ready(zend_string *watcher)
{
    asyncpool_watchers_t *w = watchers();
    for (size_t i = 0; i < w->count; i++) {
        if (w->waits[i]->watcher && zend_string_equals(w->waits[i]->watcher, watcher))
            make_ready(w->waits[i]);
    }
}

static void look(const struct timespec *time, const sigset_t *signals)
{
    asyncpool_watchers_t *w = watchers();
    int ready = ppoll(w->fds, w->count, time, signals);
    for (size_t i = 0; ready > 0 && i < w->count; i++) {
        if (!w->fds[i].revents)
            continue;
        if (w->fds[i].revents & POLLNVAL)
            asyncpool_resume(w->waits[i], NULL); /* it is probed once more, which says why */
        else
            make_ready(w->waits[i]);
        ready--;
    }
}

void asyncpool_watchers_look(void)
{
    static const struct timespec at_once = {0, 0};
    if (EXPECTED(watchers()->count == 0) || asyncpool_watchers_look_at_streams())
        return;
    look(&at_once, NULL);
}

/* What PHP does between two instructions, if a signal has come. */
static void handle_signals(void)
{
    if (!zend_atomic_bool_load_ex(&EG(vm_interrupt)))
        return;
    zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
    if (zend_atomic_bool_load_ex(&EG(timed_out)))
        zend_timeout();
    else if (zend_interrupt_function)
        zend_interrupt_function(EG(current_execute_data));
}

/* The signals are let in only while it sleeps: one that comes just before is not slept over. */
void asyncpool_watchers_sleep(void)
{
    int64_t until = asyncpool_timers_next(), ns = until - asyncpool_now();
    ns = MAX(ns, 0);
    struct timespec time = {ns / 1000000000, ns % 1000000000};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (!zend_atomic_bool_load_ex(&EG(vm_interrupt)))
        look(until == ASYNCPOOL_NEVER ? NULL : &time, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    handle_signals();
}

/* ---- for whoever waits ---- */

/* Waits until the stream is ready; what it holds is kept open by the caller's reference, not against fclose(). */
static bool wait_for(zend_resource *resource, int fd, bool to_write, int64_t until_ns, zval *stream)
{
    zval value;
    asyncpool_wait_t *wait = asyncpool_wait_new();
    if (!wait)
        return false;
    if (!is_open(resource)) { /* while the loop was being looked for */
        asyncpool_wait_free(wait);
        return false;
    }
    watch(wait, resource, fd, to_write);
    if (ASYNCPOOL_G(loop).has_revolt && !asyncpool_revolt_watch(wait, stream, fd)) {
        asyncpool_wait_free(wait);
        return false;
    }
    ZVAL_NULL(&value);
    return asyncpool_suspend(wait, until_ns, NULL, false, &value) && Z_TYPE(value) == IS_TRUE;
}

/* Null if it was closed. */
static php_stream *still_open(zend_resource *resource)
{
    if (is_open(resource))
        return resource->ptr;
    throw_closed();
    return NULL;
}

/* stream: an open one. */
static bool await(zval *stream, bool to_write, int64_t until_ns)
{
    zend_resource *resource = Z_RES_P(stream);
    int fd = descriptor(resource->ptr);
    if (fd < 0 || !still_open(resource))
        return false;
    bool is_ready = probe(resource->ptr, fd, to_write);
    if (EG(exception))
        return false;
    if (is_ready)
        asyncpool_pass();
    else
        is_ready = wait_for(resource, fd, to_write, until_ns, stream);
    php_stream *now = EG(exception) ? NULL : still_open(resource);
    return now && (is_ready || probe(now, fd, to_write)); /* the time may have come long ago */
}

zend_string *asyncpool_type_of(zval *value)
{
    if (Z_TYPE_P(value) == IS_OBJECT)
        return zend_string_copy(Z_OBJCE_P(value)->name);
    if (Z_TYPE_P(value) != IS_RESOURCE)
        return zend_string_init(zend_zval_type_name(value), strlen(zend_zval_type_name(value)), 0);
    const char *type = zend_rsrc_list_get_rsrc_type(Z_RES_P(value));
    return zend_strpprintf(0, "resource (%s)", type ? type : "closed");
}

static bool is_stream(zval *value)
{
    if (Z_TYPE_P(value) != IS_RESOURCE || !is_open(Z_RES_P(value)))
        return false;
    return Z_RES_P(value)->type == php_file_le_stream() || Z_RES_P(value)->type == php_file_le_pstream();
}

void asyncpool_await_stream(zend_execute_data *execute_data, bool to_write, zval *return_value)
{
    zval *stream, kept;
    zend_long timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_ZVAL(stream)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (!is_stream(stream)) {
        zend_string *type = asyncpool_type_of(stream);
        zend_argument_type_error(1, "must be an open stream, %s given", ZSTR_VAL(type));
        zend_string_release(type);
        return;
    }
    if (timeout < 0) {
        zend_argument_value_error(2, "must be >= 0");
        return;
    }
    ZVAL_COPY(&kept, stream);
    bool is_ready = await(&kept, to_write, timeout == 0 ? ASYNCPOOL_NEVER : asyncpool_in(timeout));
    zval_ptr_dtor(&kept);
    RETVAL_BOOL(is_ready);
}
