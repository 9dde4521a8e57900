--TEST--
Pool: the guide's Redis program, as printed (P39)
--SKIPIF--
<?php
if (!extension_loaded('redis')) die('skip php-redis is not installed');
if (exec('command -v redis-server') === '') die('skip redis-server is not installed');
?>
--FILE--
<?php
namespace Guide;

require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\spawn;
use function Async\await;

/** Goes to the server of this test, whatever may be on the port that the guide names. */
class Redis extends \Redis
{
    public function connect(...$address): bool
    {
        return parent::connect($GLOBALS['socket']);
    }
}

$socket = sys_get_temp_dir() . '/asyncpool-' . getmypid() . '.sock';
$null = ['file', '/dev/null', 'r+'];
$server = proc_open(['setpriv', '--pdeathsig', 'KILL', 'redis-server', '--port', '0', '--unixsocket', $socket, '--save', ''], [$null, $null, $null], $pipes);
for ($tries = 0; $tries < 6000 && !($probe = @fsockopen("unix://$socket")); $tries++) {
    usleep(10_000); // until the server listens
}
(function (): void {
    $conn = new Redis();
    $conn->connect('127.0.0.1', 6379);
    for ($i = 0; $i < 100; $i++) {
        $conn->set("key:$i", "value $i");
    }
})();

$redis = new Pool(
    factory: function() {
        $conn = new Redis();
        $conn->connect('127.0.0.1', 6379);
        return $conn;
    },
    destructor: fn($conn) => $conn->close(),
    healthcheck: fn($conn) => $conn->ping(),
    min: 2,
    max: 20,
    healthcheckInterval: 15000,
);

// 100 corrutinas leen concurrentemente de Redis a traves de 20 conexiones
$coroutines = [];
for ($i = 0; $i < 100; $i++) {
    $coroutines[] = spawn(function() use ($redis, $i) {
        $conn = $redis->acquire(timeout: 3000);
        try {
            return $conn->get("key:$i");
        } finally {
            $redis->release($conn);
        }
    });
}

$results = array_map(fn($c) => await($c), $coroutines);
$redis->close();

echo count($results), ' ', $results[0], ' ', $results[99], "\n";
echo counts($redis);
proc_terminate($server);
proc_close($server);
?>
--EXPECT--
100 value 0 value 99
0/0/0
