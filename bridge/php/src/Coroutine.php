<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Loop;
use Async\Internal\Runtime;

/**
 * A function that runs beside others on this thread: {@see spawn()}. It lets the others run whenever it
 * waits, in {@see await()}, {@see delay()}, {@see suspend()} or {@see Pool::acquire()}.
 */
final class Coroutine implements \Stringable
{
    private static int $last = 0;

    /** How many have ended. */
    private static int $ended = 0;

    private readonly int $id;
    private ?\Fiber $fiber = null;
    private bool $started = false;
    /** It has ended, as which one of all; 0: not yet. */
    private int $end = 0;
    private ?AsyncCancellation $cancellation = null;
    private mixed $result = null;
    private ?\Throwable $error = null;

    /**
     * By the ids of the waits of those who await this: is its end the one that they wait for? null: it is.
     *
     * @var array<int, (\Closure(self): bool)|null>
     */
    private array $waiters = [];

    /** Nobody needs to be told what it throws. */
    private bool $excused = false;

    /** @var list<\Closure(self): void> what is called at its end */
    private array $ends = [];

    private function __construct(private readonly bool $isMain)
    {
        $this->id = ++self::$last;
    }

    /**
     * @internal use spawn()
     * @param array<mixed> $arguments
     */
    public static function start(callable $task, array $arguments): self
    {
        $coroutine = new self(false);
        Runtime::loop()->spawn(static fn () => $coroutine->run($task, $arguments));
        return $coroutine;
    }

    /**
     * @internal use current_coroutine()
     */
    public static function ofMainFlow(): self
    {
        $coroutine = new self(true);
        $coroutine->started = true;
        return $coroutine;
    }

    /**
     * @internal
     */
    public function endOfMainFlow(): void
    {
        if ($this->isMain && $this->end === 0) {
            $this->complete();
        }
    }

    /**
     * A number, different for each coroutine of this script.
     */
    public function getId(): int
    {
        return $this->id;
    }

    /**
     * Ends its wait, or its next one, with an AsyncCancellation; if it has not started yet, it never runs.
     *
     * The coroutine may catch it, clean up, wait for other things meanwhile, and go on. Without effect on one
     * that is completed.
     *
     * @param AsyncCancellation|null $cancellation what is thrown there; null: one is made
     */
    public function cancel(?AsyncCancellation $cancellation = null): void
    {
        if ($this->end !== 0 || $this->cancellation !== null) {
            return;
        }
        $cancellation ??= new AsyncCancellation('The coroutine was cancelled');
        $this->cancellation = $cancellation;
        if (!$this->started) { // and it does not start any more
            $this->error = $cancellation;
            $this->complete();
        } else {
            Runtime::loop()->interrupt($this->fiber, $this->cancellation);
        }
    }

    /** Has it begun to run? */
    public function isStarted(): bool
    {
        return $this->started;
    }

    /** Is it the one that runs now? */
    public function isRunning(): bool
    {
        return Runtime::current() === $this;
    }

    /** Has it begun, and waits? */
    public function isSuspended(): bool
    {
        return $this->started && $this->end === 0 && !$this->isRunning();
    }

    /** Has it ended, in whatever way? */
    public function isCompleted(): bool
    {
        return $this->end !== 0;
    }

    /** Has somebody called cancel() before it had ended? */
    public function isCancellationRequested(): bool
    {
        return $this->cancellation !== null;
    }

    /** Has it ended with an AsyncCancellation? */
    public function isCancelled(): bool
    {
        return $this->end !== 0 && $this->error instanceof AsyncCancellation;
    }

    /** What it returned; null before it has ended, and if it threw. */
    public function getResult(): mixed
    {
        return $this->result;
    }

    /** What it threw; null before it has ended, and if it returned. Who asks has been told. */
    public function getException(): ?\Throwable
    {
        if ($this->error !== null) {
            Runtime::told($this->error);
        }
        return $this->error;
    }

    /**
     * @internal use await()
     */
    public function await(): mixed
    {
        $this->join();
        $error = $this->getException();
        return $error === null ? $this->result : throw $error;
    }

    /**
     * Waits for its end, whichever it is.
     *
     * @internal
     */
    public function join(): void
    {
        if ($this->end !== 0) {
            return;
        }
        if ($this->isRunning()) {
            throw new AsyncException('A coroutine cannot await itself');
        }
        $loop = Runtime::loop();
        $wait = $loop->waitId();
        $this->follow($wait, null);
        try {
            $loop->suspend($wait, Loop::NEVER, $this, follows: true);
        } finally {
            $this->unfollow($wait);
        }
    }

    /**
     * Has its end resume a wait.
     *
     * @internal
     * @param (\Closure(self): bool)|null $isEnough is asked before, with this; only code of the package
     */
    public function follow(int $wait, ?\Closure $isEnough): void
    {
        $this->waiters[$wait] = $isEnough;
        if ($this->end !== 0) { // since it was asked
            $this->tell($wait, $isEnough);
        }
    }

    /**
     * @internal
     */
    public function unfollow(int $wait): void
    {
        unset($this->waiters[$wait]);
    }

    /**
     * Whoever awaited this does not need it any more: what it throws, or has thrown, is nobody's concern.
     *
     * @internal
     */
    public function excuse(): void
    {
        $this->excused = true;
        $this->getException();
    }

    /**
     * @internal
     */
    public function hasFailed(): bool
    {
        return $this->error !== null;
    }

    /**
     * Has it ended before the other one?
     *
     * @internal
     */
    public function isBefore(?self $other): bool
    {
        return $other === null || $this->end < $other->end;
    }

    /**
     * Has a function called at its end, in whatever way it ends, before those go on who await it. One whose fiber is
     * dropped has no end: what only it holds goes with it.
     *
     * @internal what belongs to a coroutine is let go so: see {@see Internal\Pdo\Contexts}
     * @param \Closure(self): void $callback called in the order of the calls; must neither throw nor wait
     */
    public function finally(\Closure $callback): void
    {
        if ($this->end !== 0) {
            $callback($this);
        } else {
            $this->ends[] = $callback;
        }
    }

    public function __serialize(): array
    {
        throw new \Exception("Serialization of 'Async\\Coroutine' is not allowed");
    }

    public function __unserialize(array $data): void
    {
        throw new \Exception("Unserialization of 'Async\\Coroutine' is not allowed");
    }

    /** A fiber runs once. */
    private function __clone()
    {
    }

    /** For messages. */
    public function __toString(): string
    {
        return $this->isMain ? 'the end of the main flow' : "the end of coroutine $this->id";
    }

    /**
     * @param array<mixed> $arguments
     */
    private function run(callable $task, array $arguments): void
    {
        $this->fiber = \Fiber::getCurrent();
        $this->started = true;
        if ($this->cancellation !== null) { // before it started
            $this->started = false;
            $this->error = $this->cancellation;
            $this->complete();
            return;
        }
        Runtime::enter($this);
        try {
            $this->result = $task(...$arguments);
        } catch (\Throwable $error) {
            $this->error = $error;
            if (!$error instanceof AsyncCancellation && !$this->excused) {
                Runtime::failed($error); // until somebody asks
            }
        }
        Runtime::enter(null);
        $this->complete();
    }

    private function complete(): void
    {
        $this->end = ++self::$ended;
        $this->fiber = null;
        foreach ($this->ends as $callback) {
            $callback($this);
        }
        $this->ends = [];
        foreach ($this->waiters as $wait => $isEnough) {
            $this->tell($wait, $isEnough);
        }
    }

    private function tell(int $wait, ?\Closure $isEnough): void
    {
        if ($isEnough === null || $isEnough($this)) {
            Runtime::loop()->resume($wait);
        }
    }
}
