<?php

declare(strict_types=1);

namespace Async\Internal;

use FFI;
use FFI\CData;

/**
 * One operation on a pool, in memory that C code can keep the address of; used again and again.
 */
final class Op
{
    /** Where the op is; the functions of the library take it as a number. */
    public readonly int $address;

    /** What the flow that drives it waits with, see {@see Loop::ticket()}; 0: it does not wait. */
    public int $ticket = 0;

    /** How it ended, once it is done. */
    public int $status = Status::OK;

    /** What its caller is thrown whatever the status is: what a hook threw, or a cancellation. */
    public ?\Throwable $error = null;

    /** A destructor's exception ends it; otherwise it goes on to its end with it. */
    public bool $fragile = false;

    /** Why its resource is not kept, of a release; null: it is, or nobody could say. */
    public ?\Throwable $refusal = null;

    /** It is to be cancelled, instead of answering its ask. */
    public bool $leaving = false;

    /** The pool was destructed, and this with it, while its flow was in a hook or in line. */
    public bool $ended = false;

    /** It must not go before the library is done with the op. */
    private readonly CData $memory;

    public function __construct(FFI $library)
    {
        $this->memory = $library->new('pool_op_t');
        $this->address = FFI::cast('uintptr_t', FFI::addr($this->memory))->cdata;
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
