<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\Pool;

/**
 * A connection in the hands of one context. It goes back when nothing refers to the lease any more: neither a statement
 * of it, nor the context, for a transaction or a pin, nor a call that is under way.
 */
final class Lease
{
    /** By their statements. A statement has let go of the connection when its lease is dropped. */
    private static ?\WeakMap $ofStatements = null;

    /** It goes back at this moment. */
    public bool $over = false;

    /** @var \WeakReference<Context> */
    private readonly \WeakReference $context;

    /** @param Pool|null $pool null: there is no pool, and one connection for all */
    public function __construct(
        public readonly Connection $connection,
        private readonly ?Pool $pool,
        Context $context,
    ) {
        $this->context = \WeakReference::create($context);
    }

    /** The lease that a statement keeps; null: its connection was not lent by an Async\PDO. */
    public static function of(\PDOStatement $statement): ?self
    {
        return self::$ofStatements[$statement] ?? null;
    }

    /** Lasts from now on at least as long as a statement. */
    public function keepFor(\PDOStatement $statement): void
    {
        if ($statement instanceof CachedStatement) {
            $statement->keep($this);

            return;
        }
        self::$ofStatements ??= new \WeakMap();
        self::$ofStatements[$statement] = $this;
    }

    /**
     * Sees after a call how things are: is the connection lost, is it in a transaction, what was inserted?
     *
     * @param string $sql what was run; empty: nothing
     * @param \PDOStatement|null $statement what ran it, and has its errors for itself; null: the connection
     */
    public function settle(string $sql, ?\PDOStatement $statement = null): void
    {
        $error = $statement === null ? $this->connection->takeError() : $statement->errorInfo();
        $hasFailed = ($error[0] ?? '') !== '' && $error[0] !== \PDO::ERR_NONE;
        if ($hasFailed && $this->pool !== null) {
            $this->connection->examine($error);
        }
        $context = $this->context->get();
        if ($context !== null) {
            if ($statement === null) {
                $context->error = $hasFailed ? $error : Context::NO_ERROR;
            }
            $context->settle($this, $hasFailed ? '' : $sql);
        }
    }

    /** Gives the connection back. This may run where fibers cannot switch, and nothing in it waits. */
    public function __destruct()
    {
        $this->over = true;
        try {
            $this->pool?->release($this->connection);
        } catch (\Throwable) {
            // The pool has it no more, in a forked child for one; or a hook of the user's has thrown, and whoever let
            // go of the last statement is nobody to be told.
        }
    }
}
