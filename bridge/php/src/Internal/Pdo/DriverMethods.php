<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\PDO;

/**
 * What drivers add to PDO, as far as it makes sense with many connections: what is registered goes to all of them, what
 * is done in one call is done on any, and what belongs to a session needs a connection that the context keeps.
 */
final class DriverMethods
{
    /** By names in lower case: PHP's own, and those of its classes Pdo\Sqlite, Pdo\Pgsql and Pdo\Mysql. */
    private const METHODS = [
        'sqlite' => [
            'createfunction' => ['register', 'sqliteCreateFunction'],
            'createaggregate' => ['register', 'sqliteCreateAggregate'],
            'createcollation' => ['register', 'sqliteCreateCollation'],
            'loadextension' => ['refuse', 'open a \PDO of your own for it'],
            'openblob' => ['refuse', 'bind the value with PDO::PARAM_LOB'],
            'setauthorizer' => ['refuse', 'open a \PDO of your own for it'],
        ],
        'pgsql' => [
            'copyfromarray' => ['call', 'pgsqlCopyFromArray'],
            'copyfromfile' => ['call', 'pgsqlCopyFromFile'],
            'copytoarray' => ['call', 'pgsqlCopyToArray'],
            'copytofile' => ['call', 'pgsqlCopyToFile'],
            'getnotify' => ['callPinned', 'pgsqlGetNotify'],
            'getpid' => ['callPinned', 'pgsqlGetPid'],
            'lobcreate' => ['callPinned', 'pgsqlLOBCreate'],
            'lobopen' => ['callPinned', 'pgsqlLOBOpen'],
            'lobunlink' => ['callPinned', 'pgsqlLOBUnlink'],
            'escapeidentifier' => ['escapeIdentifier', ''],
            'setnoticecallback' => ['refuse', 'open a \PDO of your own for it'],
        ],
        'mysql' => [
            'getwarningcount' => ['countWarnings', ''],
        ],
    ];

    /**
     * @param list<mixed> $arguments
     * @param \Closure(string, mixed...): mixed $do calls a method of the context's connection
     *
     * @throws \Error for a method that the driver does not have
     * @throws \PDOException for one that is bound to a connection, while the context keeps none
     */
    public static function call(
        Template $template,
        Context $context,
        string $name,
        array $arguments,
        \Closure $do,
    ): mixed {
        $driver = $template->settings->driver;
        $key = \strtolower($name);
        $key = \str_starts_with($key, $driver) ? \substr($key, \strlen($driver)) : $key;
        [$how, $what] = self::METHODS[$driver][$key]
            ?? throw new \Error('Call to undefined method ' . PDO::class . "::$name()");
        switch ($how) {
            case 'register':
                $template->register($what, self::keyOf($what, $name, $arguments), $arguments);

                return true;
            case 'callPinned':
                if ($context->lease() === null) {
                    $text = "$name() belongs to one connection: call pin() before, or begin a transaction";
                    throw new \PDOException($text);
                }
                // no break
            case 'call':
                return $do($what, ...$arguments);
            case 'countWarnings':
                return self::countWarnings($context);
            case 'escapeIdentifier':
                return '"' . \str_replace('"', '""', (string) $arguments[0]) . '"';
            default:
                throw new \PDOException("$name() belongs to one connection, and this PDO has many: $what");
        }
    }

    /**
     * What two of them must not have in common: functions and aggregates of a name may differ in how many arguments
     * they take.
     *
     * @param list<mixed> $arguments
     */
    private static function keyOf(string $method, string $name, array $arguments): string
    {
        if (!\array_is_list($arguments)) {
            throw new \TypeError("$name() takes its arguments by position, not by name");
        }
        [$function, $callback] = $arguments + ['', null];
        if (!\is_string($function) || !\is_callable($callback)) {
            throw new \TypeError("$name() needs a name and a callable");
        }
        $function = \strtolower($function);
        if ($method === 'sqliteCreateCollation') {
            return "the collation $function";
        }
        $count = $arguments[$method === 'sqliteCreateAggregate' ? 3 : 2] ?? -1;

        return "the function $function" . ($count < 0 ? '' : " with $count arguments");
    }

    private static function countWarnings(Context $context): int
    {
        $statement = $context->lease()?->connection->query('SELECT @@warning_count');

        return $statement instanceof \PDOStatement ? (int) $statement->fetchColumn() : 0;
    }
}
