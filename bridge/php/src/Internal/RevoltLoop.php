<?php

declare(strict_types=1);

namespace Async\Internal;

use Revolt\EventLoop;
use Revolt\EventLoop\Driver\StreamSelectDriver;
use Revolt\EventLoop\Suspension;

/**
 * Waits in Revolt's event loop, together with everything else that does.
 *
 * What is to run goes through EventLoop::defer(), one tick each: what queue() is given runs before any timer, so
 * coroutines that take turns there would hold everything else up.
 */
final class RevoltLoop extends WaitLoop
{
    /** How the message of the \Error begins that {main} gets when Revolt's loop has nothing to do any more. */
    private const RUN_DRY = 'Event loop terminated without resuming';

    /** Of what it throws where a stream that is watched was closed. */
    private const OF_STREAMS = 'stream_select()';

    /** Of the \Error where a suspension is to be suspended that is already. */
    private const IS_SUSPENDED = 'Must call resume()';

    /** @var array<int, string> what every() gave out, and Revolt's name for its timer at present; '': none yet */
    private array $periodic = [];

    private int $lastPeriodic = 0;

    /** @var array<int, array{string, resource}> by waits: Revolt's names for their watchers, and what they watch */
    private array $watched = [];

    /** It will be looked whether any of them was closed. */
    private bool $isLooking = false;

    /** Of {main}, while it is suspended. */
    private ?Suspension $main = null;

    private bool $finishing = false;

    /** exit() was called while the loop ran. */
    private bool $isExited = false;

    /** Notes it. */
    private readonly \Closure $onExit;

    public function __construct()
    {
        parent::__construct();
        $this->onExit = function (): void {
            $this->isExited = true;
            $this->main = null; // nobody resumes it any more: Revolt makes {main} another one if nobody has this one
        };
    }

    public function every(int $milliseconds, \Closure $callback): int
    {
        $number = ++$this->lastPeriodic;
        $this->periodic[$number] = '';
        $this->arm($number, $milliseconds, $callback);
        return $number;
    }

    public function cancel(int $timer): void
    {
        if (isset($this->periodic[$timer])) {
            EventLoop::cancel($this->periodic[$timer]);
            unset($this->periodic[$timer]);
        }
    }

    public function finish(): bool
    {
        if ($this->isExited) {
            return false;
        }
        $this->finishing = true;
        $this->run(fn (): bool => $this->alive === 0);
        $this->finishing = false;
        return true;
    }

    public function passOwn(): bool
    {
        return false;
    }

    protected function wake(Wait $wait): void
    {
        self::defer(function () use ($wait): void {
            if (!$wait->parked) {
                return;
            }
            if ($wait->fiber === null) {
                $wait->reached = true;
                $this->resumeMain();
            } else {
                $handle = $wait->handle;
                $wait->handle = null; // it may be told again before the fiber runs
                $handle?->resume();
            }
        });
    }

    protected function start(\Closure $body): void
    {
        self::defer(fn () => $this->guarded($body));
    }

    protected function watch(int $id, $stream, bool $toWrite): void
    {
        $resume = fn () => $this->resume($id, true);
        $this->watched[$id] = [
            $toWrite ? EventLoop::onWritable($stream, $resume) : EventLoop::onReadable($stream, $resume),
            $stream,
        ];
    }

    protected function unwatch(int $id): void
    {
        if (isset($this->watched[$id])) {
            EventLoop::cancel($this->watched[$id][0]);
            unset($this->watched[$id]);
        }
    }

    protected function isSelect(): bool
    {
        return EventLoop::getDriver() instanceof StreamSelectDriver;
    }

    protected function ended(): void
    {
        $this->look();
        if ($this->finishing && $this->alive === 0) {
            $this->resumeMain();
        }
    }

    protected function wait(Wait $wait, int $untilNs): void
    {
        $timer = $untilNs === self::NEVER ? null : EventLoop::delay(
            max(0, $untilNs - hrtime(true)) / 1e9,
            fn () => $this->resumeFrom($wait),
        );
        $this->look();
        try {
            if ($wait->fiber === null) {
                $wait->reached = false;
                $this->run(static fn (): bool => $wait->reached);
            } else {
                $wait->handle = EventLoop::getSuspension();
                $wait->handle->suspend();
            }
        } finally {
            if ($timer !== null) {
                EventLoop::cancel($timer);
            }
        }
    }

    /**
     * Runs it in the next tick. A destructor may ask for that in the midst of Revolt's own steps, which lose what is
     * deferred there, but nothing that is queued. Always by way of the queue, so that the order stays.
     */
    private static function defer(\Closure $what): void
    {
        EventLoop::queue(static function () use ($what): void {
            EventLoop::defer($what);
        });
    }

    /**
     * Tells those whose streams the flow has closed that ran up to here. Revolt's drivers would not: they must not
     * see such a stream, so this comes before they look at any.
     */
    private function look(): void
    {
        if ($this->watched === [] || $this->isLooking) {
            return;
        }
        $this->isLooking = true;
        EventLoop::queue(function (): void {
            $this->isLooking = false;
            $this->tellClosed();
        });
    }

    /** @return bool true: somebody waited for a stream that is closed, and goes on */
    private function tellClosed(): bool
    {
        $told = false;
        foreach ($this->watched as $id => [, $stream]) {
            if (!\is_resource($stream)) {
                $this->unwatch($id);
                $this->throw($id, Streams::closed());
                $told = true;
            }
        }
        return $told;
    }

    /** Unless it was cancelled. What the collector destroys on the way might do that, and the timer would stay. */
    private function arm(int $number, int $milliseconds, \Closure $callback): void
    {
        $was = Undisturbed::begin();
        if (isset($this->periodic[$number])) {
            $this->periodic[$number] = EventLoop::unreference(EventLoop::delay(
                $milliseconds / 1000,
                fn () => $this->spawn(function () use ($number, $milliseconds, $callback): void {
                    if (isset($this->periodic[$number])) {
                        $callback();
                        $this->arm($number, $milliseconds, $callback);
                    }
                }, background: true),
            ));
        }
        Undisturbed::end($was);
    }

    /**
     * Suspends {main} until it is done, telling those who wait when nothing can run.
     *
     * @param \Closure(): bool $done
     */
    private function run(\Closure $done): void
    {
        while (!$done()) {
            $isLeft = $this->main !== null; // by a fatal error, which takes no frame with it
            try {
                $this->guarded(function (): void {
                    $this->main = EventLoop::getSuspension();
                    $this->main->suspend();
                });
            } catch (\Throwable $error) { // also a signal handler's
                $this->main = null; // let go, as at an exit
                if ($isLeft && $error instanceof \Error && str_starts_with($error->getMessage(), self::IS_SUSPENDED)) {
                    continue; // with another one, since nobody has that
                }
                if (str_starts_with($error->getMessage(), self::OF_STREAMS) && $this->tellClosed()) {
                    continue; // a signal handler has closed it, or a callback of others, after it was looked for
                }
                $isDry = $error instanceof \Error && str_starts_with($error->getMessage(), self::RUN_DRY);
                if ($isDry && ($done() || $this->collect() || $this->deadlock())) {
                    continue;
                }
                if ($isDry && $this->finishing) {
                    return; // what is left was suspended by others, who let it go
                }
                throw $error;
            }
        }
    }

    private function resumeMain(): void
    {
        $main = $this->main;
        $this->main = null;
        $main?->resume();
    }

    /** Calls what lets the loop run, or is run by it. */
    private function guarded(\Closure $what): void
    {
        $guard = new ExitGuard($this->onExit);
        try {
            $what();
        } finally {
            $guard->isPassed = true;
        }
    }
}
