<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Runtime;
use Async\Internal\Streams;
use Async\Internal\Timers;
use Async\Internal\Together;

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
 * Waits until all of them have ended.
 *
 * @param iterable<Coroutine> $coroutines none waits before all that it has to give were taken from it
 * @return array<mixed> what they returned, by their keys there
 * @throws \Throwable what the one threw that failed first; the others go on to their ends before
 * @throws DeadlockError as {@see await()}
 */
function await_all(iterable $coroutines): array
{
    return Together::all(__FUNCTION__, $coroutines);
}

/**
 * Waits until one of them has returned. The others go on.
 *
 * @param iterable<Coroutine> $coroutines
 * @return mixed what it returned
 * @throws AsyncException when none does; the exception that came first is its previous one
 * @throws DeadlockError as {@see await()}
 */
function await_any(iterable $coroutines): mixed
{
    return Together::any(__FUNCTION__, $coroutines);
}

/**
 * Waits until a stream has data, a connection, or its end, to be read without blocking. If it has already, those run
 * before that are ready now.
 *
 * It is a hint: of several that wait for one stream the first may read it all. So set the stream to non-blocking.
 *
 * @param resource $stream a socket, a pipe: what stream_select() can wait for
 * @param int $timeout milliseconds to wait at most; 0: for ever
 * @return bool false: nothing came in time
 * @throws AsyncException when it is closed meanwhile, or its descriptor is too high for select() (1024 and more)
 * @throws \ValueError when it is none that can be waited for, as those in memory
 */
function readable($stream, int $timeout = 0): bool
{
    return Streams::await(__FUNCTION__, $stream, false, $timeout);
}

/**
 * Waits until a stream takes data without blocking, as {@see readable()}; of one that connects, until it is connected
 * or has failed.
 *
 * @param resource $stream
 * @param int $timeout milliseconds to wait at most; 0: for ever
 * @return bool false: it took none in time
 * @throws AsyncException|\ValueError as {@see readable()}
 */
function writable($stream, int $timeout = 0): bool
{
    return Streams::await(__FUNCTION__, $stream, true, $timeout);
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
    // A coroutine runs in the loop that spawned it.
    if (!Runtime::$watched || Runtime::$loop?->passOwn() !== true) {
        Runtime::loop()->pass();
    }
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
