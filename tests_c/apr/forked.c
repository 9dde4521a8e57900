/* Lists that are created before a fork, as servers do. */
#include "story.h"

#include <sys/wait.h>
#include <unistd.h>

/* A child is without the threads of its parent, which the leak checker would look for at exit. */
int __lsan_is_turned_off(void);
static bool is_child;
int __lsan_is_turned_off(void) { return is_child; }

/* Plays the rest in a child, and waits for that. */
static void in_child(void (*play)(void))
{
    int status;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        is_child = true;
        play();
        fflush(NULL);
        _exit(0);
    }
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void serve(void)
{
    thing_t *a = take(), *b = take(), *c = take();
    say("a worker has three");
    CHECK_INT(give(a), APR_SUCCESS);
    CHECK_INT(give(b), APR_SUCCESS);
    CHECK_INT(apr_reslist_invalidate(story.list, c), APR_SUCCESS);
    story.quiet = true; /* the order */
    story_end();
}

TEST(workers_use_a_list_that_their_master_has_created)
{
    CHECK_INT(story_begin(2, 3, 4, 0), APR_SUCCESS);
    story.quiet = true;
    for (int i = 0; i < 3; i++)
        in_child(serve);
    serve(); /* at last the master does */
}

static void end_it(void)
{
    say("a worker that had nothing to do ends");
    story_end();
}

TEST(workers_that_do_not_use_it_end_it)
{
    CHECK_INT(story_begin(1, 3, 4, 0), APR_SUCCESS);
    in_child(end_it);
    story_end();
}
