<?php

declare(strict_types=1);

namespace Async\Internal\Budget;

use Async\PoolException;

/**
 * The connection to the Redis of a budget, by ext-redis, and the one script that is run there.
 *
 * ext-redis blocks. Each step is given what is left of the time; a server that sends its answer in bits may take longer,
 * as ext-redis bounds the wait for each. A connection that has failed is dropped: its answer might come later, and be
 * taken for that to the next question.
 */
final class Connection
{
    /** What to do about what Redis, or the way to it, says. */
    private const ADVICE = [
        '/^(NOAUTH|WRONGPASS|ERR AUTH|ERR invalid password|ERR Client sent AUTH|.*unauthenticated)/'
            => 'check user and password',
        '/^NOPERM/'
            => 'the user must be allowed the keys of the budget, EVAL and EVALSHA, and all that the script calls',
        '/^WRONGTYPE/' => 'the key is of another kind: choose another, or delete what is there',
        '/^READONLY/' => 'this is a replica: name the primary',
        '/^(LOADING|BUSY|CLUSTERDOWN)/' => 'it is not ready: try again',
        '/^(ERR unknown command|MISCONF|OOM|.*Error (running|compiling))/i'
            => 'the budget needs a Redis that may write, of version 5 or newer',
        '/(protocol error|none of the budget)/' => 'is it a Redis, and are all processes of one version?',
        '/(refused|no such file|getaddrinfo|timed out|read error|socket error|lost|went away)/i' => 'is redis-server '
            . 'there, and can it be reached from here?',
    ];

    private ?\Redis $redis = null;

    private readonly string $sha;

    /**
     * @param string $address as RedisBudget is given it
     */
    public function __construct(
        private readonly string $address,
        private readonly ?string $user,
        #[\SensitiveParameter] private readonly ?string $password,
    ) {
        $this->sha = \sha1(Script::TEXT);
    }

    /**
     * Runs the script.
     *
     * @param list<string> $keys
     * @param list<int|string> $arguments
     * @param int $endNs until then, by the monotonic clock
     * @return list<int> its answer
     * @throws PoolException why there is none, and what to do
     */
    public function run(array $keys, array $arguments, int $endNs): array
    {
        $isFine = false;
        \set_error_handler(static fn (): bool => true); // what is warned of, the exception says, too
        try {
            $redis = $this->redis ??= $this->connect($endNs);
            $words = [...$keys, ...$arguments];
            $answer = self::ask($redis, $endNs, fn () => $redis->evalSha($this->sha, $words, \count($keys)));
            if ($answer === false && \str_starts_with((string) $redis->getLastError(), 'NOSCRIPT')) {
                $answer = self::ask($redis, $endNs, fn () => $redis->eval(Script::TEXT, $words, \count($keys)));
            }
            if (!\is_array($answer) || \array_filter($answer, \is_int(...)) !== $answer) {
                throw new \RedisException($redis->getLastError() ?? 'the answer is none of the budget\'s script');
            }
            $isFine = true;

            return $answer;
        } catch (\RedisException $error) {
            throw $this->failure($error);
        } finally {
            \restore_error_handler();
            if (!$isFine) {
                $this->redis = null;
            }
        }
    }

    /** Lets it go. Its socket alone: in a forked child the connection is the parent's. */
    public function drop(): void
    {
        $this->redis = null;
    }

    private function connect(int $endNs): \Redis
    {
        $redis = new \Redis();
        if (\str_starts_with($this->address, '/')) {
            $redis->connect($this->address, 0, self::left($endNs));
        } elseif (\preg_match('~^(\w+://)?(?|\[(.*)]|([^:]*))(?::(\d+))?$~D', $this->address, $parts) === 1) {
            $redis->connect($parts[1] . $parts[2], (int) ($parts[3] ?? 6379), self::left($endNs));
        } else { // IPv6
            $redis->connect($this->address, 6379, self::left($endNs));
        }
        if (\defined('Redis::OPT_MAX_RETRIES')) { // each would have the time of one
            $redis->setOption(\Redis::OPT_MAX_RETRIES, 0);
        }
        if ($this->password !== null) {
            $secret = $this->user === null ? $this->password : [$this->user, $this->password];
            self::ask($redis, $endNs, static fn () => $redis->auth($secret))
                || throw new \RedisException($redis->getLastError() ?? 'AUTH failed');
        }

        return $redis;
    }

    private static function ask(\Redis $redis, int $endNs, \Closure $question): mixed
    {
        $redis->clearLastError();
        $redis->setOption(\Redis::OPT_READ_TIMEOUT, self::left($endNs));

        return $question();
    }

    /** Seconds; 0 would be for ever. */
    private static function left(int $endNs): float
    {
        return \max(0.001, ($endNs - \hrtime(true)) / 1e9);
    }

    private function failure(\RedisException $error): PoolException
    {
        $why = \preg_replace('/ script: \w+, on @\w+:\d+|[. \n]+$/', '', $error->getMessage());
        foreach (self::ADVICE as $pattern => $advice) {
            if (\preg_match($pattern, $why) === 1) {
                return new PoolException("$this->address: $why: $advice", previous: $error);
            }
        }

        return new PoolException("$this->address: $why", previous: $error);
    }
}
