<?php

declare(strict_types=1);

namespace Async\Internal\Budget;

use Async\BudgetInfo;
use Async\PoolException;

/**
 * What this process has of a budget, and what it says of it to Redis: the other side of budget.lua, as
 * redis_budget_member.h is in C and beat.go in Go.
 *
 * A signal handler may take and give in the midst of everything here, so what is compared is what was just written; and
 * one message is under way at a time, whoever comes meanwhile is told that there is no answer. Times are nanoseconds of
 * the monotonic clock: no leap of the machine's time matters.
 */
final class Member
{
    /** After a failure nothing is said for a while, which doubles from and to these parts of a lease. */
    private const PAUSE_LEAST = 16;
    private const PAUSE_MOST = 2;

    /** How many places are in use. */
    public int $used = 0;

    /** How many resources others have asked for, which are to be given up. */
    public int $asked = 0;

    /** So many of these also if nothing is idle. */
    public int $owed = 0;

    /** What is owed, while it is given up: nothing is taken then. */
    public int $due = 0;

    /** The next message is not to wait for its time. */
    public bool $isPrompted = false;

    /** When somebody last wanted a place in vain; 0: nobody does. */
    public int $wantedNs = 0;

    /** Nothing is said before. */
    public int $quietUntilNs = 0;

    /** @var list<string> the keys in Redis */
    private readonly array $keys;

    private readonly string $id;
    private int $number = 0;
    private int $leases = 0;

    /** Which ledger it was that answered last; 0: none yet. */
    private int $born = 0;

    /** When the leases end: earlier than Redis has it. */
    private int $untilNs = 0;

    private int $pauseNs = 0;
    private bool $isTalking = false;

    /** @var array{int, int, int, int, int} what was answered last: grace, limit, all, place, processes */
    private array $told;

    private ?string $error = null;

    /** The last answer did not count what is held on. */
    private bool $isAgain = false;

    /** Of what it counts. */
    private int $granted = 0;
    private int $refused = 0;
    private int $renewals = 0;
    private int $renewalsFailed = 0;

    public function __construct(
        private readonly Connection $connection,
        private readonly string $key,
        private readonly int $limit,
        private readonly int $shareMin,
        private readonly int $leaseMs,
    ) {
        $this->keys = ['{' . $key . '}', '{' . $key . '}:line', '{' . $key . '}:ends', '{' . $key . '}:limits'];
        $this->id = \bin2hex(\random_bytes(16));
        $this->told = [0, $limit, 0, 0, 0];
    }

    /** The part of a lease. */
    public function part(int $divisor, int $times = 1): int
    {
        return \intdiv($this->leaseMs * 1_000_000 * $times, $divisor);
    }

    /** Uses a lease that is held and not used. */
    public function use(): bool
    {
        if (++$this->used <= $this->leases && $this->due === 0 && \hrtime(true) < $this->untilNs) {
            $this->wantedNs = 0;
            $this->granted++;

            return true;
        }
        $this->used--;

        return false;
    }

    /** Somebody wanted one in vain. */
    public function refuse(int $nowNs): void
    {
        $this->wantedNs = $nowNs;
        $this->refused++;
    }

    /** One is of no more use. One that was never taken changes nothing. */
    public function giveBack(): void
    {
        if (--$this->used < 0) {
            $this->used++;
        } elseif ($this->due > 0) { // it goes to another, and its lease with it
            $this->due--;
            $this->leases = \max($this->leases - 1, 0);
        }
    }

    /** May somebody wait for what this process has? Then Redis is told at once. */
    public function isScarce(): bool
    {
        [, $limit, $all] = $this->told;

        return $all >= $limit && $this->error === null;
    }

    /** Have its leases ended? */
    public function isExpired(): bool
    {
        return \hrtime(true) >= $this->untilNs;
    }

    /** Is what one pool of this process gives up another one's? */
    public function isMovable(): bool
    {
        return $this->asked === 0 && $this->used <= $this->leases && !$this->isExpired();
    }

    /** How much more is used than shareMin. */
    public function surplus(): int
    {
        return \max($this->used - $this->shareMin, 0);
    }

    /**
     * Says what this process has and wants, and hears how many leases it holds from now on.
     *
     * @param int $want 0, 1, or -1: it leaves
     * @param int $idle resources that could be given up at once
     * @param int $ms for so long at most
     * @param bool $isOwnTime that is all the time that there is for a message, not that of who is in a hurry
     * @return bool false: there was no answer
     */
    public function say(int $want, int $idle, int $ms, bool $isOwnTime = true): bool
    {
        $startNs = \hrtime(true);
        if ($this->isTalking || $startNs < $this->quietUntilNs) {
            return false;
        }
        $this->isTalking = true;
        $this->renewals++;
        $endNs = $startNs + $ms * 1_000_000;
        try {
            // What is said not to be had is not held from here on: the answer may never come.
            $this->leases = \min($this->leases, \max($this->used, $this->shareMin));
            $leased = $startNs < $this->untilNs ? $this->leases : 0; // also what may be used meanwhile
            $this->hear($startNs, $want, $idle, $leased, $this->connection->run($this->keys, [
                $this->id,
                ++$this->number,
                $this->used,
                $want,
                $this->shareMin,
                $idle,
                $this->limit,
                $this->leaseMs,
                $leased,
                $this->born,
            ], $endNs));

            return true;
        } catch (PoolException $error) {
            $this->renewalsFailed++;
            if ($isOwnTime || \hrtime(true) < $endNs) {
                $this->error = $error->getMessage();
                $this->pauseNs = \min(
                    \max(2 * $this->pauseNs, $this->part(self::PAUSE_LEAST)),
                    $this->part(self::PAUSE_MOST),
                );
                $this->quietUntilNs = \hrtime(true) + $this->pauseNs;
            }

            return false;
        } finally {
            $this->isTalking = false;
        }
    }

    /** Lets the connection go. */
    public function hangUp(): void
    {
        $this->connection->drop();
    }

    public function info(): BudgetInfo
    {
        [$graceMs, $limit, $all, $place, $processes] = $this->told;

        return new BudgetInfo(
            \max($this->used, 0),
            $this->leases,
            $limit,
            $all,
            $processes,
            $place,
            $graceMs,
            $this->isExpired(),
            $this->error,
            $this->wantedNs > 0,
            $this->granted,
            $this->refused,
            $this->renewals,
            $this->renewalsFailed,
            \max(\intdiv($this->untilNs - \hrtime(true) + 999_999, 1_000_000), 0),
        );
    }

    /** Why there is no place. */
    public function why(): string
    {
        [$graceMs, $limit, $all, $place] = $this->told;

        return "The budget \"$this->key\" has no place: " . match (true) {
            $this->error !== null => $this->error,
            $graceMs > 0 => "Redis is new or has lost all, and nothing is granted for $graceMs ms",
            default => "$all of $limit are in use" . ($place > 0 ? ", number $place in line" : ''),
        };
    }

    /**
     * @param int $sentNs when it was asked: the lease began later
     * @param int $idle resources that it was said to have to give up
     * @param int $leased leases that it was said to hold on
     * @param list<int> $answer see budget.lua
     */
    private function hear(int $sentNs, int $want, int $idle, int $leased, array $answer): void
    {
        $this->error = null;
        $this->pauseNs = 0;
        if (\count($answer) < 9) { // a later message was there before
            return;
        }
        [$leases, $asked, $graceMs, $limit, $all, $place, $processes, , $born] = $answer;
        $this->told = [$graceMs, $limit, $all, $place, $processes];
        $named = $this->born;
        $this->born = $born;
        // A Redis that has lost all counts what is held on when its new ledger is named: that is done at once, but not
        // where each message finds a new one.
        $isAgain = $leased > 0 && $born !== $named;
        $this->isPrompted = $isAgain && !$this->isAgain;
        $this->isAgain = $isAgain;
        if ($isAgain) {
            return;
        }
        $this->leases = $leases;
        $this->untilNs = $sentNs + $this->part(4, 3);
        $this->asked += $asked; // Redis asks for each once
        $this->owed += \max($asked - $idle, 0);
        $this->isPrompted = $asked > 0;
        if ($want >= 0) { // most of it may be lent
            $this->asked = \max($this->asked, $this->used - $leases);
        }
    }
}
