/*
 * Scenarios in which a hook, a report or an observer does not return but leaves: by longjmp, by
 * the end of its thread, by an exception. What is checked afterwards is the same for all ways:
 *
 * - who unwinds (the end of a thread, an exception) loses nothing: the hook counts as failed, its
 *   place goes to the next in line, and every resource is ended exactly once;
 * - longjmp may lose the one place; the pool goes on with the others and can be closed.
 */
#ifndef ASYNCPOOL_LEAVING_H
#define ASYNCPOOL_LEAVING_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The address sanitizer marks the frames of its functions. It removes the marks of those that
 * are skipped by longjmp, pthread_exit or an exception, but it does not see a thread being
 * cancelled: call this before.
 */
#ifdef __SANITIZE_ADDRESS__
void __asan_handle_no_return(void);
static inline void leaving_unmark_stack(void) { __asan_handle_no_return(); }
#else
static inline void leaving_unmark_stack(void) {}
#endif

typedef struct leaving {
    void (*run)(void (*body)(void)); /* calls body, and returns when body was left */
    void (*leave)(void);             /* leaves; called inside a hook */
    int loses_place;                 /* it does not unwind */
} leaving;

void leaving_factory(const leaving *way);
void leaving_factory_of_a_creation(const leaving *way);
void leaving_before_acquire(const leaving *way);
void leaving_before_release(const leaving *way);
void leaving_destructor(const leaving *way);
void leaving_destructor_of_close(const leaving *way);
void leaving_report_success(const leaving *way);
void leaving_report_failure(const leaving *way);
void leaving_should_recover(const leaving *way);
void leaving_observer(const leaving *way);
void leaving_observer_of_close(const leaving *way); /* not by longjmp */
void leaving_resume(const leaving *way);            /* not by longjmp */
/* Many times out of the factory, of a pool with many places. */
void leaving_often(const leaving *way);

#ifdef __cplusplus
}
#endif

#endif
