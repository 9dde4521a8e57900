/* Twin: bridge/php/src/Internal/Undisturbed.php. */

/*
 * Sections in which nobody else's PHP code runs: the loop is told of something there, in the middle of what a pool does.
 * The loop's code is PHP code, and at each step of that a signal handler may run, or the collector of cycles, whose
 * destructors may use the pool and throw.
 */
#include "internal.h"

/* In place of the handlers of signals. */
static void later(zend_execute_data *execute_data) { ASYNCPOOL_G(interrupted) = true; }

void asyncpool_undisturbed(void (*body)(void *), void *argument)
{
    asyncpool_stash_t stash = asyncpool_stash();
    void (*const handlers)(zend_execute_data *) = zend_interrupt_function;
    const bool collects = gc_enable(false); /* what may be garbage is noted all the same */
    volatile bool bailed = false;
    if (handlers)
        zend_interrupt_function = later;
    /* clang-format off */
    zend_try {
        body(argument);
    } zend_catch {
        bailed = true;
    } zend_end_try();
    /* clang-format on */
    zend_interrupt_function = handlers;
    gc_enable(collects);
    if (ASYNCPOOL_G(interrupted)) {
        ASYNCPOOL_G(interrupted) = false;
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
    if (UNEXPECTED(bailed))
        zend_bailout();
    asyncpool_unstash(stash, true);
}
