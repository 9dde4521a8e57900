--TEST--
Pool: the guide's programs of acquire, tryAcquire, release and the breaker, as printed (P39)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

use Async\CircuitBreakerState;

class Resource
{
    public function __call(string $name, array $arguments): bool
    {
        return $name !== 'isBroken';
    }
}

function createResource(): Resource
{
    return new Resource();
}

function doWork(Resource $resource): void
{
    echo "work\n";
}

$pool = new Pool(
    factory:            fn() => createResource(),       // Como crear un recurso
    destructor:         fn($r) => $r->close(),          // Como destruir un recurso
    healthcheck:        fn($r) => $r->ping(),           // El recurso esta vivo?
    beforeAcquire:      fn($r) => $r->isValid(),        // Verificar antes de entregar
    beforeRelease:      fn($r) => !$r->isBroken(),      // Verificar antes de devolver
    min:                2,                               // Pre-crear 2 recursos
    max:                10,                              // Maximo 10 recursos
    healthcheckInterval: 30000,                          // Verificar cada 30 seg
);

$resource = $pool->tryAcquire();

if ($resource === null) {
    echo "Todos los recursos estan ocupados, intentemos despues\n";
} else {
    // Usar el recurso
    $pool->release($resource);
}

$resource = $pool->acquire(timeout: 5000);

try {
    doWork($resource);
} finally {
    // IMPORTANTE: siempre devuelve el recurso al pool!
    $pool->release($resource);
}

// Verificar estado
$state = $pool->getState(); // CircuitBreakerState::ACTIVE
var_dump($state === CircuitBreakerState::ACTIVE);

// Control manual
$pool->deactivate();  // Cambiar a INACTIVE
$pool->recover();     // Cambiar a RECOVERING
$pool->activate();    // Cambiar a ACTIVE
echo counts($pool);
$pool->close();
?>
--EXPECT--
work
bool(true)
2/0/2
