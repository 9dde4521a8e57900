<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Runtime;
use Async\Internal\Timers;

/**
 * Starts a coroutine. It runs as soon as the current one, or the script's main flow, waits or ends.
 *
 * What it throws is thrown by {@see await()}; if nobody awaits it, the script ends with it as uncaught. The
 * script ends when all coroutines have.
 *
 * @param callable $task what it runs
 * @param mixed ...$arguments what $task is given
 */
function spawn(callable $task, mixed ...$arguments): Coroutine
{
    return Coroutine::start($task, $arguments);
}

/**
 * Waits for the end of a coroutine.
 *
 * @return mixed what it returned
 * @throws \Throwable what it threw; an AsyncCancellation if it was cancelled
 * @throws DeadlockError when nothing can run any more that could end it
 */
function await(Coroutine $coroutine): mixed
{
    return $coroutine->await();
}

/**
 * Lets others run for so long.
 *
 * @param int $ms milliseconds; 0: only those run before that are ready now
 */
function delay(int $ms): void
{
    if ($ms < 0) {
        throw new \ValueError('Async\delay(): Argument #1 ($ms) must be >= 0');
    }
    if ($ms === 0) {
        suspend();
        return;
    }
    $loop = Runtime::loop();
    $loop->suspend($loop->waitId(), Timers::in($ms));
}

/**
 * Lets those run that are ready now, then goes on.
 */
function suspend(): void
{
    Runtime::loop()->pass();
}

/**
 * The coroutine that runs now. The script's main flow is one too.
 *
 * @throws AsyncException in a fiber that spawn() did not make
 */
function current_coroutine(): Coroutine
{
    return Runtime::current() ?? throw new AsyncException('This fiber is not a coroutine');
}
