<?php

// Twin: bridge/php-ext/op.c.

declare(strict_types=1);

namespace Async\Internal;

use FFI;
use FFI\CData;
use FFI\CType;

/**
 * One operation on a pool, in memory that C code can keep the address of; used again and again.
 *
 * What it is asked and what it answers is its own: while a flow looks at it, others may drive theirs, wherever PHP
 * runs a destructor or a signal handler.
 *
 * What each wait in line writes stands first, in as few lines of the processor's cache as it takes.
 */
final class Op
{
    /** An op is longer than so many bits address. */
    public const KEY_BITS = 8;

    /** Where the op is; the functions of the library take it as a number. */
    public readonly int $address;

    /**
     * What it is found by in the books: its address without the bits in which those of all ops are alike. They lie at
     * multiples of a power of two, and PHP's arrays tell numbers apart by their last bits.
     */
    public readonly int $key;

    /**
     * What the flow which drives it waits in: resumed when the op can go on, perhaps, since it was granted a place or
     * sent away.
     */
    public readonly Wait $wait;

    /** The next one that is done, in the books. */
    public ?self $next = null;

    /** It is done, and as it was before: nothing was written that the next operation must not find. */
    public bool $isPlain = false;

    /** A destructor's exception ends it; otherwise it goes on to its end with it. */
    public bool $fragile = false;

    /** It is to be cancelled, instead of answering its ask. */
    public bool $cancelling = false;

    /** The pool was destructed, and this with it, while its flow was elsewhere. */
    public bool $ended = false;

    /** Nothing can end its wait, so the loop says; unless something has ended it, it is thrown this. */
    public ?\Throwable $verdict = null;

    /** What the library asked last; of an op that it has asked nothing yet, that it is done. */
    public readonly CData $ask;
    public readonly CData $askAt;

    /** What it is told next. */
    public readonly CData $answer;
    public readonly CData $answerAt;

    /** How it ended, once it is done. */
    public int $status = Status::OK;

    /** The number of what it acquired; 0: nothing. */
    public int $number = 0;

    /** What it has made, until the library was certainly told; 0: nothing. */
    public int $made = 0;

    /** It was ended before the library had done anything for it. */
    public bool $untouched = false;

    /** What its caller is thrown whatever the status is: what a hook threw, or a cancellation. */
    public ?\Throwable $error = null;

    /** Why what it has begun to make was not made; thrown, if it ends with that. */
    public ?\Throwable $failure = null;

    /** It makes what others wait for. */
    public bool $isBehind = false;

    /** When its caller waits no longer, where a budget is to know that. */
    public int $untilNs = Loop::NEVER;

    /** Why its resource is not kept, of a release; null: it is, or nobody could say. */
    public ?\Throwable $refusal = null;

    /** Read once: PHP's parser of C takes as long as all the rest. */
    private static ?CType $type = null;

    /** Op, ask, answer, and the lease that it ends. It must not go before the library is done with the op. */
    private readonly CData $memory;

    public function __construct(FFI $library, Wait $wait)
    {
        $this->wait = $wait;
        $type = self::$type ?? $library->type('struct { pool_op_t op; pool_ask_t ask; pool_answer_t answer; pool_lease_t lease; }');
        self::$type ??= $type;
        $this->memory = $library->new($type);
        $this->address = FFI::cast('uintptr_t', FFI::addr($this->memory))->cdata;
        $this->key = $this->address >> self::KEY_BITS;
        $this->ask = $this->memory->ask;
        $this->ask->struct_size = FFI::sizeof($this->ask);
        $this->askAt = FFI::addr($this->ask);
        $this->answer = $this->memory->answer;
        $this->answer->struct_size = FFI::sizeof($this->answer);
        $this->answerAt = FFI::addr($this->answer);
    }

    /** Makes it ready for the next operation. Errors are let go: their traces may know resources and the pool. */
    public function reset(): void
    {
        $this->cancelling = $this->ended = $this->untouched = $this->isBehind = false;
        $this->number = $this->made = 0;
        $this->untilNs = Loop::NEVER;
        $this->error = $this->failure = $this->verdict = $this->refusal = null;
        $this->wait->resumed = false;
        $this->wait->error = $this->wait->verdict = null;
    }

    /** Milliseconds that its caller has left; null: there is no deadline that a budget is to know. */
    public function timeLeft(): ?int
    {
        return $this->untilNs === Loop::NEVER
            ? null
            : \max(0, \intdiv($this->untilNs - \hrtime(true) + 999_999, 1_000_000));
    }

    /** A lease, as it is handed to the library. */
    public function lease(int $number, int $id): CData
    {
        $lease = $this->memory->lease;
        $lease->resource = $number;
        $lease->id = $id;

        return FFI::addr($lease);
    }

    /** The number of what it was asked to destroy; 0: somebody else has begun to, who ended it meanwhile. */
    public function claim(): int
    {
        $was = Undisturbed::begin();
        $number = $this->ask->resource;
        $this->ask->resource = 0;
        Undisturbed::end($was);

        return $number;
    }

    /**
     * Notes an error. The last one is what the caller sees; the others are its previous ones, as PHP does it
     * for an exception that is thrown while another is on its way.
     */
    public function fail(\Throwable $error): void
    {
        $this->error = self::chain($this->error, $error);
    }

    /** $last with $first at the end of its chain of previous exceptions. */
    public static function chain(?\Throwable $first, \Throwable $last): \Throwable
    {
        if ($first === null || $first === $last) {
            return $last;
        }
        try {
            try {
                throw $first;
            } finally {
                throw $last; // PHP links the two
            }
        } catch (\Throwable $chained) {
            return $chained;
        }
    }
}
