<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * A wait: who waits, for what, and how it ends. Plain fields, since one is made for each; but for those of a pool,
 * whose ops use theirs again.
 */
final class Wait
{
    /** A report of a deadlock names so many. */
    private const NAMED = 20;

    /** Never the same twice. */
    public int $id = 0;
    public Flow $flow;
    /** Its fiber, until it has gone on; null: the main flow's. */
    public ?\Fiber $fiber = null;
    /** From when its flow waits until it goes on. */
    public bool $parked = false;
    /** It will go on: its suspend() returns $value, or throws $error. */
    public bool $resumed = false;
    public ?\Stringable $for = null;
    public ?\Throwable $error = null;
    /** It is a deadlock: it will go on and throw this, unless it is resumed before its turn comes. */
    public ?\Throwable $verdict = null;
    public mixed $value = null;

    /** It waits for the end of another flow. */
    public bool $follows = false;
    /** The main flow's turn has come. */
    public bool $reached = false;
    /** The loop's own means to wake it, where it needs one. */
    public ?object $handle = null;

    /** Can its flow go on? */
    public function isOver(): bool
    {
        return $this->resumed || $this->verdict !== null;
    }

    /**
     * @param non-empty-array<Wait> $waits
     */
    public static function report(array $waits): string
    {
        $count = count($waits);
        $lines = [$count === 1
            ? 'Deadlock: nothing can run any more that could end this wait'
            : "Deadlock: nothing can run any more that could end these $count waits"];
        foreach (array_slice($waits, 0, self::NAMED) as $wait) {
            $lines[] = sprintf(
                '  %s waits for %s at %s',
                $wait->flow->isMain ? 'the main flow' : 'a coroutine',
                $wait->for ?? 'being resumed',
                $wait->place(),
            );
        }
        if ($count > self::NAMED) {
            $lines[] = sprintf('  and %d more', $count - self::NAMED);
        }
        return implode("\n", $lines);
    }

    /**
     * The line outside this package from which the wait was entered. To be asked on the main flow's stack.
     */
    private function place(): string
    {
        $trace = $this->fiber === null
            ? debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS)
            : (new \ReflectionFiber($this->fiber))->getTrace(DEBUG_BACKTRACE_IGNORE_ARGS);
        $inside = dirname(__DIR__) . DIRECTORY_SEPARATOR;
        $entered = false; // above it may lie frames of another loop
        foreach ($trace as $frame) {
            if (str_starts_with($frame['file'] ?? '', $inside)) {
                $entered = true;
            } elseif ($entered && isset($frame['file'])) {
                return $frame['file'] . ':' . $frame['line'];
            }
        }
        return 'an unknown place';
    }
}
