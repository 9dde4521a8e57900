<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\PgException;
use PgSql\Result;

/**
 * What ext-pgsql answers, as exceptions and as values of PHP.
 */
final class PgResults
{
    /** The numbers of PostgreSQL's own types that are other than strings in PHP. They never change. */
    private const BOOL = 16;
    private const BYTES = 17;
    private const INTEGERS = [20, 21, 23, 26];
    private const FLOATS = [700, 701];

    /** What a function of the extension answers; it warns, and answers false, when it fails. */
    public static function of(\Closure $function, string $failure): mixed
    {
        $answer = self::quietly($function, $warning);
        return $answer !== false ? $answer : throw new PgException(
            $failure . ($warning === null ? '' : ': ' . \preg_replace('/^pg_\w+\(\): /', '', $warning)),
            '08000',
        );
    }

    /** What it answers, without what it warns of. */
    public static function quietly(\Closure $function, ?string &$warning = null): mixed
    {
        $warning = null;
        \set_error_handler(static function (int $_, string $text) use (&$warning): bool {
            $warning = $text;
            return true;
        });
        try {
            return $function();
        } finally {
            \restore_error_handler();
        }
    }

    /** A COPY has begun, which only its data would end. */
    public static function isCopy(Result $result): bool
    {
        return \in_array(\pg_result_status($result), [PGSQL_COPY_IN, PGSQL_COPY_OUT], true);
    }

    /** What the server refused; null: nothing. */
    public static function error(Result $result): ?PgException
    {
        return match (\pg_result_status($result)) {
            PGSQL_COMMAND_OK, PGSQL_TUPLES_OK, PGSQL_EMPTY_QUERY => null,
            PGSQL_BAD_RESPONSE, PGSQL_FATAL_ERROR => new PgException(
                \trim((string) \pg_result_error($result)),
                \pg_result_error_field($result, PGSQL_DIAG_SQLSTATE) ?: '08006',
            ),
            default => new PgException('COPY is not possible here: use INSERT or SELECT', '0A000'),
        };
    }

    /** @return list<array<string, mixed>> */
    public static function rows(Result $result): array
    {
        $convert = [];
        for ($field = \pg_num_fields($result) - 1; $field >= 0; $field--) {
            $type = (int) \pg_field_type_oid($result, $field);
            $convert[\pg_field_name($result, $field)] = match (true) {
                $type === self::BOOL => static fn (string $text): bool => $text === 't',
                $type === self::BYTES => \pg_unescape_bytea(...),
                \in_array($type, self::INTEGERS, true) => \intval(...),
                \in_array($type, self::FLOATS, true) => self::float(...),
                default => null,
            };
        }
        $convert = \array_filter($convert);
        $rows = \pg_fetch_all($result);
        foreach ($convert === [] ? [] : $rows as $index => $row) {
            foreach ($convert as $name => $as) {
                if ($row[$name] !== null) {
                    $rows[$index][$name] = $as($row[$name]);
                }
            }
        }
        return $rows;
    }

    private static function float(string $text): float
    {
        return match ($text) {
            'Infinity' => \INF,
            '-Infinity' => -\INF,
            'NaN' => \NAN,
            default => (float) $text,
        };
    }

    private function __construct()
    {
    }
}
