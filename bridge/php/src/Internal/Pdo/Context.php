<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/**
 * What one coroutine, foreign fiber or the main flow has of an Async\PDO: at most one connection, and what PDO says
 * about its last call.
 */
final class Context
{
    public const NO_ERROR = [\PDO::ERR_NONE, null, null];

    /** Of the last call. @var array{string, ?int, ?string} */
    public array $error = self::NO_ERROR;

    /** Of the last row that was inserted, by sqlite and mysql. */
    public string|false $insertId = '0';

    /** The lease, if others have it. @var \WeakReference<Lease>|null */
    private ?\WeakReference $lease = null;

    /** The lease, if the context itself keeps it: for a transaction, or a pin. */
    private ?Lease $kept = null;

    private bool $pinned = false;

    /**
     * With a success some drivers tell what failed before on that connection, in whatever context.
     *
     * @param array{string, ?int, ?string} $error as a statement's errorInfo() has it
     *
     * @return array{string, ?int, ?string}
     */
    public static function ownError(array $error): array
    {
        return $error[0] === '' || $error[0] === \PDO::ERR_NONE ? [$error[0], null, null] : $error;
    }

    /** The lease of now; null: it has no connection. */
    public function lease(): ?Lease
    {
        $lease = $this->kept ?? $this->lease?->get();

        return $lease?->over === false ? $lease : null;
    }

    public function bind(Lease $lease): Lease
    {
        $this->lease = \WeakReference::create($lease);
        $this->kept = $this->pinned ? $lease : null;

        return $lease;
    }

    public function pin(Lease $lease): void
    {
        $this->pinned = true;
        $this->kept = $lease;
    }

    public function unpin(): void
    {
        $this->pinned = false;
        if ($this->kept?->connection->inTransaction() === false) {
            $this->kept = null;
        }
    }

    /** After a call with one of its leases: a statement may have one of before. */
    public function settle(Lease $lease, string $sql): void
    {
        if ($this->lease() !== $lease) {
            return;
        }
        $connection = $lease->connection;
        if ($connection->lost) {
            $this->lease = $this->kept = null; // and its transaction is over
            return;
        }
        $this->kept = $this->pinned || $connection->inTransaction() ? $lease : null;
        if ($sql !== '' && Connection::knowsInsertId($connection->driver)) {
            $this->noteInsertId($connection, $sql);
        }
    }

    /** The connection may still know the id of a row that another context has inserted. */
    private function noteInsertId(Connection $connection, string $sql): void
    {
        $id = $connection->lastInsertId();
        if ($id !== $connection->insertId || \preg_match('/insert|replace/i', $sql) === 1) {
            $this->insertId = $connection->insertId = $id;
        }
    }
}
