<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Budget\Connection;
use Async\Internal\Budget\Member;
use Async\Internal\Runtime;
use Async\Internal\StrictProperties;

/**
 * One budget for a fleet, kept in Redis: so many resources at most, for the pools of many processes on many machines.
 * Processes in PHP, C (asyncpool/redis_budget.h) and Go (pool/redisbudget) share one under the same key.
 *
 *     $budget = new RedisBudget('redis.example:6379', key: 'orders-db', limit: 100);
 *     $pool = new Pool(
 *         factory: fn() => new Connection(),
 *         destructor: fn($c) => $c->close(),
 *         max: 20,
 *         budget: $budget,
 *     );
 *
 * Needs the extension redis. Places are held by leases, which end unless they are extended. A heartbeat does that, each
 * quarter of a lease: in the background while some flow waits, and with the pool's acquire() and release(). A script
 * that does neither for three quarters of a lease takes nothing new, and others may have its places, until its next
 * heartbeat claims what it still has: so a lease should be longer than its longest job. Messages block, for $timeoutMs
 * at most.
 *
 * Where Redis was never used with this key, or has lost all, nothing is granted for a lease: make min later (lazyMin).
 * While it is away nothing new is granted, and what there is goes on. In a forked child a budget is a new member with
 * nothing, from its first call on. The rules are in docs/fleet.md.
 */
final class RedisBudget implements Budget
{
    use StrictProperties;

    private const MOST = 0xFFFFFFFF;

    /** Parts of a lease: a heartbeat, one by a pool where the loop had none, and until a factory is asked again. */
    private const BEAT = 4;
    private const LATE = 16;
    private const LATER = 16;

    private readonly int $timeout;
    private Member $member;

    /** The process whose member it is. */
    private int $process = 0;

    /** Those that have asked, for as long as they are there. @var \WeakMap<Pool, true> */
    private \WeakMap $pools;

    /** A pool has it beat from then on. */
    private int $dueNs = 0;

    /** The loop's timer. */
    private int $timer = 0;

    /** The loop was told to have it beat at once, and has not. */
    private bool $isCalled = false;

    /** What was asked for is being given up. */
    private bool $isTrimming = false;

    /** Nothing new is taken. */
    private bool $isClosed = false;

    /** Redis was told so, when nothing was in use any more. */
    private bool $hasLeft = false;

    /**
     * Joins a budget.
     *
     * @param string $address of Redis: host or host:port, also [IPv6]:port and tls://host:port, or the path of a
     *                        socket, which begins with /
     * @param string $key the budget's name; four keys of Redis are made of it
     * @param int $limit how many there may be, for all processes together; of several limits the smallest holds
     * @param int $shareMin how many this process may always have; all processes' together should be within $limit
     * @param int $leaseMs milliseconds that a lease lasts; the same in all processes
     * @param int $timeoutMs milliseconds for one message to Redis, at most a quarter of $leaseMs; 0: an eighth of it
     * @param string|null $user for Redis; null: the default one
     * @param string|null $password for Redis; null: none
     * @param bool $awayMin while Redis is away for longer than a lease, only $shareMin are kept of what is idle
     *
     * @throws \ValueError when an argument is out of range
     * @throws PoolException when Redis cannot be reached, or refuses; it says what to do
     */
    public function __construct(
        private readonly string $address,
        private readonly string $key,
        private readonly int $limit,
        private readonly int $shareMin = 0,
        private readonly int $leaseMs = 10_000,
        int $timeoutMs = 0,
        private readonly ?string $user = null,
        #[\SensitiveParameter] private readonly ?string $password = null,
        private readonly bool $awayMin = false,
    ) {
        $fault = match (true) {
            $address === '' => '#1 ($address) must not be empty',
            \str_contains($address, "\0") => '#1 ($address) must not contain null bytes',
            $key === '' => '#2 ($key) must not be empty',
            \str_contains($key, "\0") => '#2 ($key) must not contain null bytes',
            \strlen($key) > 100 => '#2 ($key) must be <= 100 bytes',
            $limit < 1 => '#3 ($limit) must be >= 1',
            $limit > self::MOST => '#3 ($limit) must be <= ' . self::MOST,
            $shareMin < 0 => '#4 ($shareMin) must be >= 0',
            $shareMin > $limit => '#4 ($shareMin) must be <= limit',
            $leaseMs < 100 => '#5 ($leaseMs) must be >= 100',
            $leaseMs > self::MOST => '#5 ($leaseMs) must be <= ' . self::MOST,
            $timeoutMs < 0 => '#6 ($timeoutMs) must be >= 0',
            $timeoutMs > \intdiv($leaseMs, 4) => '#6 ($timeoutMs) must be <= a quarter of leaseMs',
            default => null,
        };
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . "(): Argument $fault");
        }
        if (!\extension_loaded('redis')) {
            throw new PoolException(self::class . ' needs the extension redis: install it (Debian: php8.2-redis)');
        }
        $this->timeout = $timeoutMs > 0 ? $timeoutMs : \intdiv($leaseMs, 8);
        $this->begin();
        if (!$this->member->say(0, 0, $this->timeout)) {
            $this->isClosed = $this->hasLeft = true;
            $this->stop();
            throw new PoolException("The budget \"$key\" cannot be joined: {$this->member->info()->error}");
        }
    }

    /**
     * Takes a place for a pool. Mostly it asks Redis, once; not when a lease is held that nothing uses.
     *
     * @throws TryLater when there is none, or Redis is away; it says which
     * @throws PoolException when the budget is closed
     */
    public function take(Pool $pool, ?int $timeLeft): void
    {
        $this->here();
        if ($this->isClosed) {
            throw new PoolException("The budget \"$this->key\" is closed: make a new one for a new pool");
        }
        $this->pools[$pool] = true;
        if ($this->member->use()) {
            return;
        }
        $ms = \min($timeLeft ?? $this->timeout, $this->timeout);
        if ($ms > 0 && $this->member->due === 0 && $this->member->say(1, $this->idle(), $ms, $ms === $this->timeout)) {
            $this->heard();
        }
        if ($this->member->use()) {
            return;
        }
        $this->move($pool);
        $nowNs = \hrtime(true);
        $this->member->refuse($nowNs);
        $laterNs = \max($this->member->part(self::LATER), $this->member->quietUntilNs - $nowNs);
        throw new TryLater(\intdiv($laterNs, 1_000_000), $this->member->why());
    }

    /**
     * Gives a place back: the owner of what was detached, once it is closed. Pools do it by themselves.
     *
     * It asks nobody: Redis hears of it by the next heartbeat, which comes at once where others may wait.
     */
    public function give(): void
    {
        if ($this->process !== \getmypid()) {
            return; // what a child inherits is its parent's
        }
        $this->member->giveBack();
        if ($this->isClosed) {
            $this->leave();
        } elseif ($this->isTrimming || $this->member->isScarce()) {
            $this->hurry();
        }
    }

    /**
     * Sends a heartbeat, if one is due. For a script that for long neither waits nor acquires.
     */
    public function beat(): void
    {
        if (\hrtime(true) >= $this->dueNs) {
            $this->here();
            $this->giveUp();
            $this->heartbeat();
        }
    }

    /** How things stand. */
    public function info(): BudgetInfo
    {
        $this->here();

        return $this->member->info();
    }

    /**
     * Leaves: nothing new is taken, and Redis is told as soon as all places have been given back, so that others have
     * them at once. The end of the object does the same. Leases that are left end by themselves.
     */
    public function close(): void
    {
        $this->isClosed = true;
        $this->process === \getmypid() && $this->leave();
    }

    public function __destruct()
    {
        if (isset($this->member)) { // else its constructor has not run
            $this->close();
            $this->process === \getmypid() && $this->stop(); // a child's loop has its own timers
        }
    }

    public function __serialize(): array
    {
        throw new \Exception("Serialization of 'Async\\RedisBudget' is not allowed");
    }

    public function __unserialize(array $data): void
    {
        throw new \Exception("Unserialization of 'Async\\RedisBudget' is not allowed");
    }

    public function __debugInfo(): array
    {
        return ['address' => $this->address, 'key' => $this->key] + (array) $this->member->info();
    }

    private function __clone()
    {
    }

    /** A forked child is another member. */
    private function here(): void
    {
        $this->isClosed || $this->process === \getmypid() || $this->begin();
    }

    /** Begins as a member with nothing. */
    private function begin(): void
    {
        $connection = new Connection($this->address, $this->user, $this->password);
        $this->member = new Member($connection, $this->key, $this->limit, $this->shareMin, $this->leaseMs);
        $this->process = \getmypid();
        $this->pools = new \WeakMap();
        $this->isCalled = $this->isTrimming = false;
        $this->dueNs = \hrtime(true) + $this->member->part(self::LATE, 5);
        $this->timer = Runtime::loop()->every(\intdiv($this->leaseMs, self::BEAT), self::later($this));
    }

    /** The loop has it beat: what is given up may take long, so that has a fiber of its own. */
    private function tick(): void
    {
        $this->isCalled = false;
        if ($this->process !== \getmypid() || $this->timer === 0) {
            return;
        }
        if ($this->member->asked + $this->member->owed > 0 && !$this->isTrimming) {
            $weak = \WeakReference::create($this);
            Runtime::loop()->spawn(static function () use ($weak): void {
                try {
                    $weak->get()?->giveUp(true);
                } catch (AsyncCancellation) { // of a fiber that nobody knows
                }
            }, background: true);
        }
        $this->heartbeat();
    }

    /** Extends the leases, and gives back what is not used. */
    private function heartbeat(): void
    {
        $member = $this->member;
        $this->dueNs = \hrtime(true) + $member->part(self::LATE, 5);
        if ($member->wantedNs > 0 && \hrtime(true) - $member->wantedNs >= $member->part(2)) {
            $member->wantedNs = 0; // who wanted it has not come again
        }
        if ($member->say($member->wantedNs > 0 ? 1 : 0, $this->idle(), $this->timeout)) {
            $this->heard();
        } elseif ($this->awayMin && $member->isExpired()) {
            $member->asked = $member->surplus(); // by the next one
        }
    }

    /**
     * A pool that was refused and has nothing idle may have what another pool of this process has: of that the ledger,
     * which asks who has more than its share, knows nothing. No lease changes hands.
     */
    private function move(Pool $pool): void
    {
        if ($this->member->isMovable() && $pool->idleCount() === 0 && $this->idle() > 0) { // it is in others, then
            $this->member->asked = 1;
            $this->hurry();
        }
    }

    /** Where others have just asked for what is idle, or Redis has lost all, the next message comes at once. */
    private function heard(): void
    {
        if ($this->member->isPrompted) {
            $this->member->isPrompted = false;
            $this->hurry();
        }
    }

    private function hurry(): void
    {
        $this->dueNs = 0;
        if (!$this->isCalled) {
            $this->isCalled = true;
            Runtime::loop()->spawn(self::later($this), background: true);
        }
    }

    /**
     * Gives up as many idle resources as others have asked for, and what is owed. Destroying them gives their places back.
     */
    private function giveUp(bool $mayWait = false): void
    {
        if ($this->isTrimming || $this->member->asked + ($mayWait ? $this->member->owed : 0) <= 0) {
            return;
        }
        $this->isTrimming = true;
        $asked = $this->member->asked;
        $this->member->asked = 0;
        if ($mayWait) {
            $this->member->due = $this->member->owed;
            $this->member->owed = 0;
        }
        try {
            foreach ($this->pools() as $pool) {
                $idle = $asked > 0 ? $pool->idleCount() : 0;
                $idle > 0 && self::trim($pool, \max($idle - $asked, 0));
                $asked -= \max($idle - $pool->idleCount(), 0);
            }
            $mayWait && $this->pay();
        } finally {
            $this->isTrimming = false;
            $this->member->due = 0;
        }
    }

    /** Stands in line for what comes back next, and discards it: another has less than its shareMin. */
    private function pay(): void
    {
        $endNs = \hrtime(true) + $this->member->part(self::BEAT);
        foreach ($this->pools() as $pool) {
            while (
                $this->member->due > 0 && $pool->activeCount() > 0
                && ($ms = \intdiv($endNs - \hrtime(true), 1_000_000)) > 0
            ) {
                try {
                    $pool->discard($pool->acquire($ms));
                } catch (AsyncCancellation $cancellation) {
                    throw $cancellation;
                } catch (\Throwable) { // it is asked for again
                    break;
                }
            }
        }
    }

    /** Nobody is there to be told what its destructors throw, or that it is closed. */
    private static function trim(Pool $pool, int $keepIdle): void
    {
        try {
            $pool->trim($keepIdle);
        } catch (AsyncCancellation $cancellation) {
            throw $cancellation;
        } catch (\Throwable) {
        }
    }

    /** How many could be given up at once: pools count as idle also what is promised to who stands in line. */
    private function idle(): int
    {
        return \array_sum(\array_map(
            static fn (Pool $pool): int => \max($pool->idleCount() - $pool->waitingCount(), 0),
            $this->pools(),
        ));
    }

    /** @return list<Pool> */
    private function pools(): array
    {
        $pools = [];
        foreach ($this->pools as $pool => $_) {
            $pools[] = $pool;
        }

        return $pools;
    }

    /** Says that it leaves, when nothing is in use any more. */
    private function leave(): void
    {
        if (!$this->hasLeft && $this->member->used === 0) {
            $this->hasLeft = true;
            $this->stop();
            $this->member->say(-1, 0, $this->timeout);
            $this->member->hangUp();
        }
    }

    private function stop(): void
    {
        Runtime::loop()->cancel($this->timer);
        $this->timer = 0;
        $this->dueNs = PHP_INT_MAX;
    }

    /** What the loop is given to call: it knows the budget weakly, and keeps it while it runs. */
    private static function later(self $budget): \Closure
    {
        $weak = \WeakReference::create($budget);

        return static function () use ($weak): void {
            $weak->get()?->tick();
        };
    }
}
