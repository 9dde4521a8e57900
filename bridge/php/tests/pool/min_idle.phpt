--TEST--
Pool: so many as minIdle says are kept idle: the first pass comes at once, and one whenever fewer are idle
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

/** Lets what was called in the background run. */
function turns(): void
{
    for ($i = 0; $i < 10; $i++) {
        suspend();
    }
}

$made = 0;
$isDown = false;
$pool = new Pool(
    factory: function () use (&$made, &$isDown): object {
        $made++;
        return $isDown ? throw new Exception('the service is down') : new stdClass();
    },
    beforeRelease: fn (object $resource) => !isset($resource->broken),
    max: 5,
    minIdle: 2,
    healthcheckInterval: 3_600_000, // so no pass comes by itself
);
$see = function (string $after) use ($pool, &$made): void {
    echo "$after: ", trim(counts($pool)), ', ';
    turns();
    echo trim(counts($pool)), ", $made made\n";
};
$see('the constructor');
$lent[] = $pool->acquire();
$see('acquire()');
$lent[] = $pool->tryAcquire();
$see('tryAcquire()');
$pool->with(fn () => $see('inside of with()'));
$see('and behind it');
$lent[] = $pool->acquire();
$lent[] = $pool->acquire();
$see('there is no room');
$pool->discard(array_pop($lent));
$see('discard()');
$lent[] = $pool->acquire();
$pool->detach(array_pop($lent));
$see('detach()');
$lent[] = $pool->acquire();
$lent[] = $pool->acquire();
end($lent)->broken = true;
$pool->release(array_pop($lent));
$see('one that is refused');
$pool->evict();
$see('evict()');
$lent[] = $pool->acquire();
$see('no room again');
$pool->resize(0, 8);
$see('resize()');

echo "where the factory fails\n";
$isDown = true;
$lent[] = $pool->acquire();
$see('one attempt');
$pool->release(array_pop($lent));
$see('as many are idle again');
$lent[] = $pool->acquire();
$see('and another attempt');
$isDown = false;
$pool->release(array_pop($lent));
$lent[] = $pool->acquire();
$see('and one that works');

echo "others in line\n";
$waits = array_map(fn () => spawn(fn () => $pool->acquire()), range(1, 4));
turns();
echo counts($pool);
array_map($pool->release(...), $lent);
array_map($pool->release(...), array_map(await(...), $waits));
echo $pool->activeCount(), " lent, {$pool->waitingCount()} wait\n";
unset($lent, $waits);
$pool->close();
$see('closed');
unset($pool, $see);
gc_collect_cycles();
echo live(), "\n";
?>
--EXPECT--
the constructor: 0/0/0, 2/0/2, 2 made
acquire(): 1/1/2, 2/1/3, 3 made
tryAcquire(): 1/2/3, 2/2/4, 4 made
inside of with(): 1/3/4, 2/3/5, 5 made
and behind it: 3/2/5, 3/2/5, 5 made
there is no room: 1/4/5, 1/4/5, 5 made
discard(): 1/3/4, 2/3/5, 6 made
detach(): 1/3/4, 2/3/5, 7 made
one that is refused: 0/4/4, 1/4/5, 8 made
evict(): 0/4/4, 1/4/5, 9 made
no room again: 0/5/5, 0/5/5, 9 made
resize(): 0/5/5, 2/5/7, 11 made
where the factory fails
one attempt: 1/6/7, 1/6/7, 12 made
as many are idle again: 2/5/7, 2/5/7, 12 made
and another attempt: 1/6/7, 1/6/7, 13 made
and one that works: 1/6/7, 2/6/8, 14 made
others in line
0/8/8
0 lent, 0 wait
closed: 0/0/0, 0/0/0, 16 made
0
