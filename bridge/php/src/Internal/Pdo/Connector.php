<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/** Opens connections. It has the password, and no dump shows it: what a closure has of its own, dumps do show. */
final class Connector
{
    /**
     * @param int $cacheSize how many prepared statements each connection keeps
     * @param array<int, mixed> $options each connection's
     */
    public function __construct(
        private readonly string $driver,
        private readonly int $cacheSize,
        private readonly string $dsn,
        private readonly ?string $username,
        #[\SensitiveParameter] private readonly ?string $password,
        private readonly array $options,
    ) {
    }

    public function connect(): Connection
    {
        return new Connection(
            $this->driver,
            $this->cacheSize,
            $this->dsn,
            $this->username,
            $this->password,
            $this->options,
        );
    }

    public function __debugInfo(): array
    {
        return ['driver' => $this->driver];
    }
}
