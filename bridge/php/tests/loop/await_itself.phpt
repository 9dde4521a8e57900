--TEST--
await(): a coroutine cannot await itself (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncException;

use function Async\await;
use function Async\current_coroutine;
use function Async\spawn;

$itself = spawn(function (): string {
    try {
        await(current_coroutine());
    } catch (AsyncException $error) {
        return $error->getMessage();
    }
    return 'not reached';
});
echo await($itself), "\n";
try {
    await(current_coroutine());
} catch (AsyncException $error) {
    echo 'main flow: ', $error->getMessage(), "\n";
}
?>
--EXPECT--
A coroutine cannot await itself
main flow: A coroutine cannot await itself
