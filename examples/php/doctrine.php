<?php

/**
 * Doctrine DBAL 3 in ten coroutines, over one Async\PDO with at most four connections.
 *
 * DBAL takes no PDO object, and its connection knows whether it is in a transaction. So each coroutine has a DBAL
 * connection of its own, and all of them one driver, which gives them the same Async\PDO.
 *
 * Needs doctrine/dbal (Debian: php-doctrine-dbal). php examples/php/doctrine.php [DSN [USER [PASSWORD]]] after make; without
 * a DSN it makes an SQLite file. Exit code 0: all is right, 77: there is no DBAL.
 */

declare(strict_types=1);

use Doctrine\DBAL\Connection;
use Doctrine\DBAL\Driver\AbstractPostgreSQLDriver;
use Doctrine\DBAL\Driver\AbstractSQLiteDriver;
use Doctrine\DBAL\Driver\PDO\Connection as DriverConnection;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\ParameterType;
use Doctrine\DBAL\Schema\Schema;
use Doctrine\DBAL\Types\Types;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

require __DIR__ . '/../../bridge/php/autoload.php';
foreach ([__DIR__ . '/../../vendor/autoload.php', '/usr/share/php/Doctrine/DBAL/autoload.php'] as $file) {
    is_file($file) && require_once $file;
}
if (!class_exists(DriverManager::class)) {
    echo "There is no Doctrine DBAL: composer require doctrine/dbal:^3, or apt-get install php-doctrine-dbal\n";
    exit(77);
}

/** A driver that connects to nothing: the pool does. */
trait OverPool
{
    public function connect(#[SensitiveParameter] array $params): DriverConnection
    {
        return new DriverConnection($params['driverOptions']['pdo']);
    }
}

final class PooledSqlite extends AbstractSQLiteDriver
{
    use OverPool;
}

final class PooledPostgres extends AbstractPostgreSQLDriver
{
    use OverPool;
}

[, $dsn, $user, $password] = $argv + [1 => null, null, null];
$file = null;
if ($dsn === null) {
    $file = tempnam(sys_get_temp_dir(), 'doctrine-');
    $dsn = "sqlite:$file";
}
$pdo = new Async\PDO($dsn, $user, $password, [
    Async\PDO::ATTR_POOL_MAX => 4,
    PDO::ATTR_EMULATE_PREPARES => false,
]);
$isSqlite = $pdo->getAttribute(PDO::ATTR_DRIVER_NAME) === 'sqlite';

$connect = function () use ($pdo, $isSqlite): Connection {
    $connection = DriverManager::getConnection([
        'driverClass' => $isSqlite ? PooledSqlite::class : PooledPostgres::class,
        'driverOptions' => ['pdo' => $pdo],
    ]);
    $connection->setNestTransactionsWithSavepoints(true);

    return $connection;
};

// The schema, by DBAL's own means.
$main = $connect();
$manager = $main->createSchemaManager();
$manager->tablesExist(['doctrine_orders']) && $manager->dropTable('doctrine_orders');
$schema = new Schema();
$orders = $schema->createTable('doctrine_orders');
$orders->addColumn('id', Types::INTEGER, ['autoincrement' => true]);
$orders->addColumn('customer', Types::STRING, ['length' => 40]);
$orders->addColumn('placed', Types::DATETIME_IMMUTABLE);
$orders->addColumn('items', Types::JSON);
$orders->setPrimaryKey(['id']);
$orders->addIndex(['customer']);
foreach ($schema->toSql($main->getDatabasePlatform()) as $sql) {
    $main->executeStatement($sql);
}
$columns = array_keys($manager->listTableColumns('doctrine_orders'));

// Each places three orders in a transaction, one of them in a savepoint that it takes back.
$work = function (int $number) use ($connect, $isSqlite): array {
    $connection = $connect();
    $customer = "customer $number";
    // A driver that waits for SQLite's one lock stops whoever has it: there nothing waits in a transaction.
    $think = $isSqlite ? static fn () => null : suspend(...);
    suspend();

    $insert = static function (string $what) use ($connection, $customer): void {
        $connection->insert('doctrine_orders', [
            'customer' => $customer,
            'placed' => new DateTimeImmutable('2000-01-01 12:00:00'),
            'items' => [$what, 'x' => 1],
        ], ['placed' => Types::DATETIME_IMMUTABLE, 'items' => Types::JSON]);
    };
    $connection->transactional(static function () use ($connection, $insert, $think): void {
        $insert('tea');
        $think();
        $connection->beginTransaction();
        $insert('taken back');
        $think();
        $connection->rollBack();
        $connection->transactional(static fn () => $insert('bread'));
        $think();
    });
    try {
        $connection->transactional(static function () use ($insert, $think): void {
            $insert('never');
            $think();
            throw new DomainException('changed my mind');
        });
    } catch (DomainException) {
    }
    suspend();

    $statement = $connection->prepare('SELECT items FROM doctrine_orders WHERE customer = :customer ORDER BY id');
    $statement->bindValue('customer', $customer);
    $items = array_map(
        static fn (string $json) => $connection->convertToPHPValue($json, Types::JSON)[0],
        $statement->executeQuery()->fetchFirstColumn(),
    );
    suspend();
    $count = $connection->createQueryBuilder()
        ->select('count(*)')
        ->from('doctrine_orders')
        ->where('customer IN (:customers)')
        ->setParameter('customers', [$customer, 'nobody'], Doctrine\DBAL\ArrayParameterType::STRING)
        ->fetchOne();

    return [...$items, (int) $count, $connection->isTransactionActive()];
};
$coroutines = array_map(fn (int $number) => spawn($work, $number), range(1, 10));
$results = array_map(await(...), $coroutines);

$right = count(array_filter($results, fn (array $result): bool => $result === ['tea', 'bread', 2, false]));
$all = (int) $main->fetchOne('SELECT count(*) FROM doctrine_orders WHERE id > ?', [0], [ParameterType::INTEGER]);
$manager->dropTable('doctrine_orders');
$pool = $pdo->getPool();
echo "$right of 10 coroutines found what they had ordered, of $all orders\n";
echo 'columns: ', implode(', ', $columns), "\n";
echo "connections: {$pool->count()}, in use: {$pool->activeCount()}\n";

$good = $right === 10 && $all === 20 && $pool->count() <= 4 && $pool->activeCount() === 0;
echo $good ? "all is right\n" : "something is wrong\n";
$file === null || unlink($file);
exit($good ? 0 : 1);
