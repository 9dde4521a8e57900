<?php

// Twin: bridge/php-ext/stats.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\Lend;
use Async\PoolStats;
use FFI;

/**
 * What a pool tells: its counts, and who has what.
 */
final class Stats
{
    public function __construct(
        private readonly FFI $library,
        private readonly Books $books,
        private readonly Store $store,
    ) {
    }

    public function stats(): PoolStats
    {
        $stats = $this->library->new('pool_stats_t');
        $stats->struct_size = FFI::sizeof($stats);
        $status = $this->library->pool_stats($this->books->handle, FFI::addr($stats));
        if ($status !== Status::OK) {
            throw Exceptions::of($this->library, $this->books->handle === 0 ? Status::CLOSED : $status);
        }
        $counts = [];
        foreach ((new \ReflectionClass(PoolStats::class))->getProperties() as $property) {
            $name = $property->getName();
            $field = \strtolower(\preg_replace('/[A-Z]/', '_$0', $name));
            $counts[$name] = $stats->$field;
            if (!\is_int($counts[$name])) {
                $counts[$name] = \array_map(static fn (int $i): int => $stats->$field[$i], \range(0, 31));
            }
        }

        return new PoolStats($counts);
    }

    /** @return list<Lend> */
    public function lends(): array
    {
        $all = [];
        $was = Undisturbed::begin(); // else one of them may have gone before its turn to be told of
        foreach ($this->told() as $lend) {
            $all[] = $this->lend($lend);
        }
        Undisturbed::end($was);

        return $all;
    }

    /** @return list<int> the leases of what is lent of a number; 0, for what is lent without, comes first */
    public function leases(int $number): array
    {
        $leases = [];
        foreach ($this->told() as $lend) {
            if ($lend->resource === $number) {
                $leases[] = $lend->lease;
            }
        }
        \sort($leases);

        return $leases;
    }

    /** A lend as the library tells it. */
    public function lend(FFI\CData $lend): Lend
    {
        $number = $lend->resource;
        [$place, $coroutine] = $this->store->borrowers[$number] ?? [null, null];

        return new Lend($this->store->values[$number] ?? null, $lend->ms, $lend->uses, $place, $coroutine);
    }

    /** Notes who has acquired this. Of identical values the last one is told of. */
    public function note(int $number): void
    {
        $inside = \dirname(__DIR__) . DIRECTORY_SEPARATOR;
        foreach (\debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $frame) {
            if (isset($frame['file']) && !\str_starts_with($frame['file'], $inside)) {
                $this->store->borrowers[$number] = ["$frame[file]:$frame[line]", Runtime::current()?->getId()];

                return;
            }
        }
        unset($this->store->borrowers[$number]);
    }

    /** @return iterable<FFI\CData> what is lent, as the library tells it */
    private function told(): iterable
    {
        $count = $this->library->pool_lends($this->books->handle, null, 0);
        if ($count === 0) {
            return;
        }
        $lends = $this->library->new("pool_lend_t[$count]");
        $lends[0]->struct_size = FFI::sizeof($lends[0]);
        $told = \min($count, $this->library->pool_lends($this->books->handle, $lends, $count));
        for ($i = 0; $i < $told; $i++) {
            yield $lends[$i];
        }
    }
}
