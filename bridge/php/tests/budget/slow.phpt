--TEST--
RedisBudget: a Redis that answers slowly, half, or nonsense holds up nobody for longer than is said
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

/** A server that answers each message with these bytes, and one that is no Redis at all. */
final class Fake
{
    public readonly string $socket;
    private $process;

    public function __construct(string $answer)
    {
        $this->socket = sys_get_temp_dir() . '/asyncpool-fake-' . bin2hex(random_bytes(6));
        $code = '$server = stream_socket_server("unix://$argv[1]"); for ($all = []; ;) {
            $read = [$server, ...$all]; $none = []; stream_select($read, $none, $none, null);
            foreach ($read as $one) {
                if ($one === $server) { $all[] = stream_socket_accept($server); continue; }
                if ((string) fread($one, 65536) !== "") { fwrite($one, $argv[2]); }
                else { unset($all[array_search($one, $all, true)]); fclose($one); }
            } }';
        $null = ['file', '/dev/null', 'r+'];
        $this->process = proc_open(['setpriv', '--pdeathsig', 'KILL', PHP_BINARY, '-n', '-r', $code, $this->socket, $answer],
            [$null, $null, $null], $pipes);
        waitFor(fn() => (bool) @stream_socket_client("unix://$this->socket"));
    }

    public function __destruct()
    {
        proc_terminate($this->process, SIGKILL);
        proc_close($this->process);
        unlink($this->socket);
    }
}

foreach (['nothing' => '', 'half' => "*9\r\n:1\r\n", 'a word' => "+OK\r\n", 'no Redis' => "HTTP/1.1 400 Bad Request\r\n\r\n",
    'texts' => "*1\r\n+x\r\n", 'an error' => "-BUSY Redis is busy running a script\r\n",
] as $what => $answer) {
    $fake = new Fake($answer);
    echo "$what: ", preg_replace('~/\S+asyncpool-fake-\w+~', 'SOCKET', thrown(
        fn() => new Async\RedisBudget($fake->socket, 'b', 2, leaseMs: LEASE, timeoutMs: 100),
    ));
}

// a server that has stopped: who has a deadline is not held up beyond it by a message, and nobody asks again at once
$server = new Server();
$budget = $server->budget();
$pool = poolOf($budget);
$pool->release($pool->acquire());
$lent = $pool->acquire();
$server->signal(SIGSTOP);
var_dump(str_contains(thrown(fn() => $pool->acquire(5)), 'The budget "b" has no place: '));
waitFor(fn() => $budget->info()->error !== null);
$pool->release($lent);
$lent = $pool->acquire();
var_dump($budget->info()->used);
$server->signal(SIGCONT);
waitFor(fn() => $budget->info()->error === null && !$budget->info()->expired);
$more = $pool->acquire();
var_dump($budget->info()->used);
?>
--EXPECT--
nothing: Async\PoolException: The budget "b" cannot be joined: SOCKET: socket error on read socket: is redis-server there, and can it be reached from here?
half: Async\PoolException: The budget "b" cannot be joined: SOCKET: protocol error, couldn't parse MULTI-BULK response: is it a Redis, and are all processes of one version?
a word: Async\PoolException: The budget "b" cannot be joined: SOCKET: the answer is none of the budget's script: is it a Redis, and are all processes of one version?
no Redis: Async\PoolException: The budget "b" cannot be joined: SOCKET: protocol error, got 'H' as reply-type byte: is it a Redis, and are all processes of one version?
texts: Async\PoolException: The budget "b" cannot be joined: SOCKET: the answer is none of the budget's script: is it a Redis, and are all processes of one version?
an error: Async\PoolException: The budget "b" cannot be joined: SOCKET: BUSY Redis is busy running a script: it is not ready: try again
bool(true)
int(1)
int(2)
