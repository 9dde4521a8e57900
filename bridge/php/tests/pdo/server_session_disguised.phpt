--TEST--
PDO: however the SQL that alters a session is written, a reset cleans it; without one it stays, and pins nothing (B216)
--EXTENSIONS--
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
require __DIR__ . '/servers.inc';
skipWithoutServers();
?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

use Async\PDO;

[$postgres, $maria] = servers();
$postgres->admin()->exec("CREATE FUNCTION {$postgres->database}.alters() RETURNS void LANGUAGE sql
    AS $$ SELECT set_config('application_name', 'altered', false), pg_advisory_lock(7) $$");
$maria->native()->exec("CREATE PROCEDURE alters() BEGIN SET @name = 'altered'; DO GET_LOCK('mine', 0); END");

$cases = [
    'pgsql' => [
        $postgres,
        'DISCARD ALL',
        "SELECT current_setting('application_name') = '' AND NOT EXISTS (
            SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())",
        [
            'bare' => "SET application_name = 'altered'",
            'in lower case' => "set session application_name to 'altered'",
            'behind a block comment' => "/* SELECT 1; */ SET application_name = 'altered'",
            'behind one in another' => "/* /* SELECT */ 1 */ SET/**/application_name = 'altered'",
            'behind a line comment' => "-- SELECT 1\nSET application_name = 'altered'",
            'second of a batch' => "SELECT 1; SET application_name = 'altered'",
            'by a call' => "SELECT set_config('application_name', 'altered', false)",
            'in a block' => "DO $$ BEGIN EXECUTE 'SET application_name = ' || quote_literal('altered'); END $$",
            'in a function' => 'SELECT alters()',
        ],
    ],
    'mysql' => [
        $maria,
        'SET @name = NULL; DO RELEASE_ALL_LOCKS()',
        "SELECT @name IS NULL AND IS_USED_LOCK('mine') IS NULL",
        [
            'bare' => "SET @name = 'altered'",
            'in lower case' => "set @name := 'altered'",
            'behind a block comment' => "/* SELECT 1; */ SET @name = 'altered'",
            'behind a line comment' => "-- SELECT 1\nSET @name = 'altered'",
            'behind a hash' => "# SELECT 1\nSET @name = 'altered'",
            'in a comment with a version' => "/*!50000 SET @name = 'altered' */",
            "in a comment of MariaDB's" => "/*M!100000 SET @name = 'altered' */",
            'second of a batch' => "DO 1; SET @name = 'altered'",
            'in a query' => "SELECT @name := 'altered'",
            'in a block' => "BEGIN NOT ATOMIC EXECUTE IMMEDIATE CONCAT('SET @name = ', QUOTE('altered')); END",
            'in a procedure' => 'CALL alters()',
        ],
    ],
];
foreach ($cases as $name => [$server, $reset, $look, $disguises]) {
    $cleaned = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_RESET => $reset]);
    $id = $server->idOf($cleaned);
    foreach ($disguises as $disguise => $sql) {
        $kept = $server->pdo([PDO::ATTR_POOL_MAX => 1]); // to see that it is altered at all
        foreach ([[$cleaned, true], [$kept, false]] as [$pdo, $isClean]) {
            together(fn () => $pdo->exec($sql));
            $isPinned = used($pdo) !== "1/0/1\n";
            [$seen] = together(fn () => (bool) $pdo->query($look)->fetchColumn());
            if ($seen !== $isClean || $isPinned) {
                echo "$name, $disguise: ", $isClean ? 'not cleaned' : 'not altered', ', ', used($pdo);
            }
        }
    }
    echo "$name: ", count($disguises), ' disguises, ', $server->idOf($cleaned) === $id ? 'one connection' : 'others', "\n";
}
?>
--EXPECT--
pgsql: 9 disguises, one connection
mysql: 11 disguises, one connection
