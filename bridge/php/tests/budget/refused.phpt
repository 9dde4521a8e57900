--TEST--
RedisBudget: what makes none is refused, and the text says what to do
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

use Async\RedisBudget;

$server = new Server(['--requirepass', 'secret']);
$refused = fn(mixed ...$arguments) => print(str_replace($server->socket, 'SOCKET', thrown(fn() => new RedisBudget(...[
    'address' => $server->socket, 'key' => 'b', 'limit' => 2, 'leaseMs' => LEASE, ...$arguments,
]))));

$refused(address: '');
$refused(key: '');
$refused(address: "/run/redis\0");
$refused(key: "b\0");
$refused(key: str_repeat('k', 101));
$refused(limit: 0);
$refused(limit: 0x100000000);
$refused(shareMin: -1);
$refused(shareMin: 3);
$refused(leaseMs: 99);
$refused(leaseMs: 0x100000000);
$refused(timeoutMs: -1);
$refused(timeoutMs: intdiv(LEASE, 4) + 1);

$refused(address: '/nowhere/redis');
$refused(address: '127.0.0.1:1');
$refused();
$refused(password: 'wrong');
$refused(user: 'nobody', password: 'wrong');
$redis = $server->redis();
$redis->auth('secret');
$redis->set('{b}', 'text');
$refused(password: 'secret');
$redis->del('{b}');
$redis->rawCommand('ACL', 'SETUSER', 'reader', 'on', '>r', '~*', '+get');
$refused(user: 'reader', password: 'r');

$budget = new RedisBudget($server->socket, 'b', 2, leaseMs: LEASE, password: 'secret');
$budget->close();
$budget->close();
echo thrown(fn() => (new Async\Pool(fn() => 1, budget: $budget))->acquire());
echo thrown(fn() => serialize($budget));
echo thrown(fn() => clone $budget);
echo thrown(fn() => $budget->other = 1);
var_dump(str_contains(print_r($budget, true), 'secret'));
?>
--EXPECT--
ValueError: Async\RedisBudget::__construct(): Argument #1 ($address) must not be empty
ValueError: Async\RedisBudget::__construct(): Argument #2 ($key) must not be empty
ValueError: Async\RedisBudget::__construct(): Argument #1 ($address) must not contain null bytes
ValueError: Async\RedisBudget::__construct(): Argument #2 ($key) must not contain null bytes
ValueError: Async\RedisBudget::__construct(): Argument #2 ($key) must be <= 100 bytes
ValueError: Async\RedisBudget::__construct(): Argument #3 ($limit) must be >= 1
ValueError: Async\RedisBudget::__construct(): Argument #3 ($limit) must be <= 4294967295
ValueError: Async\RedisBudget::__construct(): Argument #4 ($shareMin) must be >= 0
ValueError: Async\RedisBudget::__construct(): Argument #4 ($shareMin) must be <= limit
ValueError: Async\RedisBudget::__construct(): Argument #5 ($leaseMs) must be >= 100
ValueError: Async\RedisBudget::__construct(): Argument #5 ($leaseMs) must be <= 4294967295
ValueError: Async\RedisBudget::__construct(): Argument #6 ($timeoutMs) must be >= 0
ValueError: Async\RedisBudget::__construct(): Argument #6 ($timeoutMs) must be <= a quarter of leaseMs
Async\PoolException: The budget "b" cannot be joined: /nowhere/redis: No such file or directory: is redis-server there, and can it be reached from here?
Async\PoolException: The budget "b" cannot be joined: 127.0.0.1:1: Connection refused: is redis-server there, and can it be reached from here?
Async\PoolException: The budget "b" cannot be joined: SOCKET: ERR Protocol error: unauthenticated multibulk length: check user and password
Async\PoolException: The budget "b" cannot be joined: SOCKET: WRONGPASS invalid username-password pair or user is disabled: check user and password
Async\PoolException: The budget "b" cannot be joined: SOCKET: WRONGPASS invalid username-password pair or user is disabled: check user and password
Async\PoolException: The budget "b" cannot be joined: SOCKET: WRONGTYPE Operation against a key holding the wrong kind of value: the key is of another kind: choose another, or delete what is there
Async\PoolException: The budget "b" cannot be joined: SOCKET: NOPERM this user has no permissions to run the 'evalsha' command: the user must be allowed the keys of the budget, EVAL and EVALSHA, and all that the script calls
Async\PoolException: The budget "b" is closed: make a new one for a new pool
Exception: Serialization of 'Async\RedisBudget' is not allowed
Error: Call to private Async\RedisBudget::__clone() from global scope
Error: Cannot create dynamic property Async\RedisBudget::$other
bool(false)
