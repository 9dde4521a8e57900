/* Faults of a host that finds out by trying, as collectors and interpreters do; and signal stacks. */
#include "signals_host.h"

#include <setjmp.h>
#include <sys/wait.h>

static sigjmp_buf back;
static volatile char *const nowhere = (char *)8;

static void jump_back(int number)
{
    calls++;
    siglongjmp(back, number);
}

static void fault(void)
{
    for (volatile int i = 0; i < 100; i++) {
        int before = calls;
        if (sigsetjmp(back, 1) == 0) {
            *nowhere = 1;
            REQUIRE(!"a fault");
        }
        REQUIRE(calls == before + 1);
    }
}

void faults_are_handled(void)
{
    handle(SIGSEGV, jump_back, 0);
    load();
    everywhere(fault);
    use();
    handle(SIGSEGV, jump_back, SA_ONSTACK);
    everywhere(fault);
    use();
}

static void die_by_a_fault(void)
{
    handle(SIGSEGV, SIG_DFL, 0); /* a sanitizer has its own */
    load();
    *nowhere = 1;
}

static void fault_once(void) { *nowhere = 1; }

static void die_by_a_fault_in_a_hook(void)
{
    handle(SIGSEGV, SIG_DFL, 0);
    load();
    in_hook = fault_once;
    use();
}

void faults_kill(void)
{
    static void (*const ways[])(void) = {die_by_a_fault, die_by_a_fault_in_a_hook};
    for (int i = 0; i < 2; i++) {
        int status = in_a_child(ways[i]);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    }
}

/* ---- the thread's own signal stack ---- */

static char own_stack[64 << 10];
static volatile bool was_on_it;

static void look_where(int number)
{
    char here = 0;
    (void)number;
    was_on_it = &here >= own_stack && &here < own_stack + sizeof own_stack;
}

static void keep_stack(void)
{
    stack_t given = {.ss_sp = own_stack, .ss_size = sizeof own_stack}, now, none = {.ss_flags = SS_DISABLE};
    REQUIRE(sigaltstack(&given, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        use();
        REQUIRE(sigaltstack(NULL, &now) == 0 && now.ss_sp == own_stack && now.ss_size == sizeof own_stack);
        was_on_it = false;
        raise(SIGUSR1);
        REQUIRE(was_on_it);
    }
    REQUIRE(sigaltstack(&none, NULL) == 0);
    use();
}

void signal_stacks_are_kept(void)
{
    handle(SIGUSR1, look_where, SA_ONSTACK);
    load();
    on_a_thread(keep_stack); /* whose first call comes after it has the stack */
    keep_stack();
}
