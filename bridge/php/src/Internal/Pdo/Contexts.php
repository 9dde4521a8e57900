<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\AsyncException;
use Async\Coroutine;
use Async\Pool;

use function Async\current_coroutine;

/**
 * Who has which connection of an Async\PDO. A context goes with its coroutine or fiber, and its lease with it, unless
 * statements keep that.
 */
final class Contexts
{
    /** @var \WeakMap<Coroutine|\Fiber, Context> */
    private \WeakMap $contexts;

    /** The only one, where nothing is pooled. */
    private ?Context $only = null;

    /** Those that a coroutine's end concerns. @var \WeakMap<Coroutine, \WeakMap<Contexts, true>>|null */
    private static ?\WeakMap $ending = null;

    public function __construct(private readonly Template $template, private readonly ?Pool $pool)
    {
        $this->contexts = new \WeakMap();
        if ($pool === null) {
            $this->only = new Context();
            $this->only->pin(new Lease(($template->settings->connect)(), null, $this->only));
        }
    }

    /** The context of whoever calls. */
    public function current(): Context
    {
        if ($this->only !== null) {
            return $this->only;
        }
        try {
            $flow = current_coroutine();
        } catch (AsyncException) {
            $flow = \Fiber::getCurrent();
        }
        if (!isset($this->contexts[$flow])) {
            $this->contexts[$flow] = new Context();
            if ($flow instanceof Coroutine && !$flow->isCompleted()) { // the main flow may run on after its end
                $this->endWith($flow);
            }
        }

        return $this->contexts[$flow];
    }

    /**
     * The lease of whoever calls: it has one, or takes one, for which it may have to wait. Who drops it gives the
     * connection back.
     *
     * @throws \PDOException when it cannot connect, or the pool was closed
     */
    public function lease(): Lease
    {
        $context = $this->current();
        $lease = $context->lease();
        if ($lease === null) {
            $fresh = new Lease($this->acquire(), $this->pool, $context);
            // A destructor or a signal handler, in the same flow, may have taken one meanwhile.
            $lease = $context->lease() ?? $context->bind($fresh);
            $this->template->update($lease->connection);
        }

        return $lease;
    }

    private function acquire(): Connection
    {
        try {
            return $this->pool->acquire();
        } catch (\Async\PoolException $error) {
            throw $this->pool->isClosed()
                ? new \PDOException('The pool of this PDO was closed: make a new Async\PDO', previous: $error)
                : $error;
        }
    }

    private function endWith(Coroutine $coroutine): void
    {
        self::$ending ??= new \WeakMap();
        if (!isset(self::$ending[$coroutine])) {
            self::$ending[$coroutine] = $all = new \WeakMap();
            $coroutine->finally(static function (Coroutine $coroutine) use ($all): void {
                $left = [];
                foreach ($all as $contexts => $_) {
                    $left[] = $contexts;
                }
                foreach ($left as $contexts) {
                    unset($contexts->contexts[$coroutine]);
                }
            });
        }
        self::$ending[$coroutine][$this] = true;
    }
}
