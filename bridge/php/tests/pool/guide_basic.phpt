--TEST--
Pool: the guide's first programs, as printed (P39)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class HttpConnection
{
    public function __construct(private string $host)
    {
        echo "open $host\n";
    }

    public function request(string $method, string $path): string
    {
        return "$method $this->host$path";
    }

    public function close(): void
    {
        echo "close\n";
    }
}

// Pool de conexiones HTTP
$pool = new Pool(
    factory: fn() => new HttpConnection('api.example.com'),
    destructor: fn($conn) => $conn->close(),
    min: 2,
    max: 10,
);

// Una corrutina toma una conexion, la usa y la devuelve
$conn = $pool->acquire();
$response = $conn->request('GET', '/users');
$pool->release($conn);

echo "$response\n";
echo $pool->count();       // Total de recursos (libres + en uso)
echo $pool->idleCount();   // Libres, listos para ser entregados
echo $pool->activeCount(); // Actualmente siendo usados por corrutinas
echo "\n";
$pool->close();
?>
--EXPECT--
open api.example.com
open api.example.com
GET api.example.com/users
220
close
close
