<?php

declare(strict_types=1);

namespace Async\Internal;

use FFI;

/**
 * The operations of one pool that are under way, and letting those go on that can.
 *
 * The library names whoever can go on once. A destructor or a signal handler may hear of others in the middle of that,
 * so it is a hint: who is told looks whether it is so, and who waits is told by everybody who hears of it.
 */
final class Books
{
    /** By their keys. @var array<int, Op> */
    public array $busy = [];

    /**
     * How many flows wait. While one waits in line nothing can be taken, and what comes back is handed on.
     *
     * @var int without a type of PHP's, which costs a check at each change where there is a reference
     */
    public $waiting = 0;

    /** The first of those that are done, for the next operations. */
    private ?Op $spare = null;

    /** Who makes what those in line wait for; null: they make it themselves. */
    public ?Makers $makers = null;

    /** Who keeps so many idle; null: nobody does. */
    public ?Maintenance $maintenance = null;

    /** Those in line may have to look before their time is up: creations are put off, or there is a threshold. */
    public bool $looks = false;

    /** Why the last creation failed, for those who are told of it and have not called the factory. */
    public ?\Throwable $failure = null;

    /** Of a failure that is let go what it said. */
    public ?string $reason = null;

    /**
     * @param int $handle the pool as the library knows it; 0 from when it is let go: its address may be another's then
     */
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        public int $handle,
    ) {
    }

    /**
     * An operation, in the books. Its flow has it begun by the library, runs it, reads how it ended, and leaves it,
     * however that goes.
     *
     * @param bool $fragile a destructor's exception ends it
     */
    public function op(bool $fragile): Op
    {
        $op = $this->spare;
        $this->spare = $op?->next; // nothing can come between these two: there is neither a call nor a jump
        $op ??= new Op($this->library, $this->loop->newWait());
        $op->next = null;
        $op->fragile = $fragile;
        $op->isPlain = false;

        return $this->busy[$op->key] = $op;
    }

    /** Keeps one that is done for the next. */
    public function spare(Op $op): void
    {
        $isLent = $op->number !== 0;
        $op->isPlain || $op->reset();
        $op->next = $this->spare;
        $this->spare = $op;
        $this->maintenance?->look($this, $isLent);
        if ($this->failure !== null && $this->busy === []) {
            $this->reason = $this->failure->getMessage();
            $this->failure = null; // its trace may know the pool
        }
    }

    /** Releases a resource to the flow that has waited longest, if there is nothing to ask. */
    public function handOn(int $number): bool
    {
        if ($this->busy === []) {
            return false;
        }
        try {
            $address = $this->library->pool_hand_on($this->handle, $number);
            if ($address === 0) {
                return false;
            }
            $op = $this->busy[$address >> Op::KEY_BITS] ?? null; // as tell() does
            if ($op !== null) {
                $this->loop->resumeFrom($op->wait);
            }
        } catch (\Throwable $error) {
            $this->tellAll();
            throw $error;
        }

        return true;
    }

    /**
     * Lets the flows go on that were granted a place or sent away. To be called after whatever may have
     * done that. They run later.
     */
    public function wake(): void
    {
        try {
            while ($this->busy !== [] && ($address = $this->library->pool_op_woken($this->handle)) !== 0) {
                $this->tell($address >> Op::KEY_BITS);
            }
        } catch (\Throwable $error) {
            $this->tellAll();
            throw $error;
        }
        $this->makers?->call($this);
    }

    /** Lets a flow look whether its op can go on. It may have ended meanwhile, and the op be another's. */
    private function tell(int $key): void
    {
        $op = $this->busy[$key] ?? null;
        if ($op !== null) {
            $this->loop->resumeFrom($op->wait);
        }
    }

    /** A signal handler has thrown, and whom the library named is not known: it names nobody twice. */
    private function tellAll(): void
    {
        foreach ($this->busy as $key => $op) {
            $this->tell($key);
        }
    }
}
