<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncException;

/**
 * The streams that flows wait for, by the ids of their waits, and the one select() over all of them.
 */
final class Streams
{
    /** @var array<int, resource> */
    private array $toRead = [];

    /** @var array<int, resource> */
    private array $toWrite = [];

    /** The last select() has warned of something: what it was is looked for afterwards. */
    private bool $hasWarned = false;

    private readonly \Closure $onWarning;

    public function __construct()
    {
        $this->onWarning = fn (): bool => $this->hasWarned = true;
    }

    /**
     * Has the current flow wait for a stream.
     *
     * @param string $function who is called so
     * @return bool false: it was not ready in so many milliseconds
     */
    public static function await(string $function, mixed $stream, bool $toWrite, int $timeout): bool
    {
        if (!\is_resource($stream) || !\str_ends_with(\get_resource_type($stream), 'stream')) {
            throw new \TypeError(\sprintf(
                '%s(): Argument #1 ($stream) must be an open stream, %s given',
                $function,
                \get_debug_type($stream),
            ));
        } elseif ($timeout < 0) {
            throw new \ValueError("$function(): Argument #2 (\$timeout) must be >= 0");
        }
        return Runtime::loop()->suspendOn($stream, $toWrite, $timeout === 0 ? Loop::NEVER : Timers::in($timeout));
    }

    /**
     * Is a stream ready at this moment?
     *
     * @param resource $stream an open one
     * @return bool|null null: its descriptor is too high a number for select()
     * @throws \Throwable a \ValueError when it cannot be waited for, and what its wrapper throws
     */
    public static function probe($stream, bool $toWrite): ?bool
    {
        $read = $toWrite ? [] : [$stream];
        $write = $toWrite ? [$stream] : [];
        $except = $warning = null;
        $was = Undisturbed::begin();
        \set_error_handler(static function (int $_, string $text) use (&$warning): bool {
            $warning = $text;
            return true;
        });
        try {
            $count = \stream_select($read, $write, $except, 0);
        } catch (\ValueError $error) { // it is none for select(): the warning said why
            $count = false;
            $error->getPrevious() === null || throw $error->getPrevious(); // its wrapper's stream_cast() did
        } finally {
            \restore_error_handler();
            Undisturbed::end($was);
        }
        if ($count !== false || \str_contains($warning ?? '', '[4]')) { // a signal
            return $count === 1;
        } elseif (\str_contains($warning ?? '', 'FD_SETSIZE')) {
            return null;
        }
        $why = \str_contains($warning ?? '', '[9]')
            ? 'its descriptor is closed'
            : \str_replace('stream_select(): ', '', $warning ?? 'it is closed');
        throw new \ValueError("This stream cannot be waited for: $why");
    }

    /** What is thrown to who waits for a stream of which probe() says null. */
    public static function beyondSelect(): AsyncException
    {
        return new AsyncException(\sprintf(
            'This stream cannot be waited for by select(), which knows descriptors below %d only (FD_SETSIZE): '
            . 'install Revolt with one of the extensions ev, event or uv, or the extension asyncpool',
            \PHP_FD_SETSIZE,
        ));
    }

    /** What is thrown to who waits for a stream that somebody closes. */
    public static function closed(): AsyncException
    {
        return new AsyncException('The stream was closed while a coroutine waited for it');
    }

    /** @param resource $stream of which probe() did not say null */
    public function add(int $wait, $stream, bool $toWrite): void
    {
        if ($toWrite) {
            $this->toWrite[$wait] = $stream;
        } else {
            $this->toRead[$wait] = $stream;
        }
    }

    public function remove(int $wait): void
    {
        unset($this->toRead[$wait], $this->toWrite[$wait]);
    }

    public function isEmpty(): bool
    {
        return $this->toRead === [] && $this->toWrite === [];
    }

    /**
     * Waits until something is to be told, or so long. To be called undisturbed: meanwhile PHP's error handler is not
     * the script's.
     *
     * @param int $ns nanoseconds; Loop::NEVER: without end
     * @return array<int, \Throwable|null> by waits: why they fail; null: their streams are ready
     */
    public function select(int $ns): array
    {
        $told = $this->lost();
        if ($told !== [] || $this->isEmpty()) {
            return $told;
        }
        $read = $this->toRead;
        $write = $this->toWrite;
        if (!$this->look($read, $write, $ns)) {
            return $this->faults();
        }
        // With data in PHP's own buffers, PHP has looked at nothing else. Who leaves it there holds nobody up.
        $first = \array_key_first($read);
        if ($first !== null && \stream_get_meta_data($read[$first])['unread_bytes'] > 0) {
            $others = \array_diff_key($this->toRead, $read);
            $write = $this->toWrite;
            if ($others !== [] || $write !== []) {
                $read += $this->look($others, $write, 0) ? $others : [];
            }
        }
        return \array_fill_keys(\array_keys($read + $write), null);
    }

    /**
     * Leaves those that are ready.
     *
     * @param array<int, resource> $read
     * @param array<int, resource> $write
     * @return bool false: a signal came, or one of them cannot be waited for any more
     */
    private function look(array &$read, array &$write, int $ns): bool
    {
        $except = null;
        $us = $ns === Loop::NEVER ? null : \intdiv($ns + 999, 1000);
        $this->hasWarned = false;
        \set_error_handler($this->onWarning);
        try {
            return \stream_select(
                $read,
                $write,
                $except,
                $us === null ? null : \intdiv($us, 1_000_000),
                $us === null ? null : $us % 1_000_000,
            ) !== false && !$this->hasWarned;
        } catch (\ValueError) { // none of them can be
            return false;
        } finally {
            \restore_error_handler();
        }
    }

    /** @return array<int, \Throwable> by waits: of streams that were closed */
    private function lost(): array
    {
        $told = [];
        foreach ([$this->toRead, $this->toWrite] as $streams) {
            foreach ($streams as $wait => $stream) {
                if (!\is_resource($stream)) {
                    $told[$wait] = self::closed();
                }
            }
        }
        return $told;
    }

    /** @return array<int, \Throwable> by waits: of streams that cannot be waited for any more */
    private function faults(): array
    {
        $told = [];
        foreach ([$this->toRead, $this->toWrite] as $toWrite => $streams) {
            foreach ($streams as $wait => $stream) {
                try {
                    self::probe($stream, $toWrite === 1);
                } catch (\Throwable $fault) {
                    $told[$wait] = $fault;
                }
            }
        }
        return $told;
    }
}
