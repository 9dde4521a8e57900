package redisbudget

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"asyncpool/pool"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// Config says which budget it is, and what this process may have of it. Client, Key and Limit are required.
type Config struct {
	Client redis.UniversalClient // stays the caller's, and open for as long as the budget
	Key    string                // the budget's name; it takes four keys in one slot of a cluster
	Limit  int                   // how many there may be, for all processes together; of several limits the smallest holds
	Least  int                   // how many this process may always have: nobody asks for them back. All processes' together at most Limit

	// Lease is how long what a process has stays its own when nothing is heard of it, and how long a Redis that is new,
	// or has lost all, grants nothing; 0: 10 seconds. A heartbeat comes each quarter of it. All processes have the same.
	Lease time.Duration
	// Timeout is how long one message to Redis may take; 0: an eighth of Lease.
	Timeout time.Duration
	// AwayLeast has a process that could not reach Redis for a lease give up what is idle beyond Least, since others may
	// have its leases by now, if it is the process that is cut off. Otherwise it keeps what it has. It takes nothing new in
	// either case.
	AwayLeast bool
}

// ErrConfig is why there is no budget, ErrClosed why nothing is to be had of one.
var (
	ErrConfig = errors.New("redisbudget: wrong configuration")
	ErrClosed = errors.New("redisbudget: the budget is closed")
)

// Budget is a process's part of a budget. Its methods may be called by any goroutine.
type Budget struct {
	config Config
	id     string
	keys   []string
	lua    *redis.Script
	turn   chan struct{} // one message at a time
	prompt chan struct{} // the heartbeat shall come now
	ends   context.Context
	end    context.CancelFunc
	ended  chan struct{}

	mu     sync.Mutex
	number int64
	born   int64     // which ledger it was that answered last
	again  bool      // it did not count what is held on
	used   int       // places that resources of this process have, or are being given
	leases int       // leases held
	until  time.Time // when they end, as far as this process believes
	wanted time.Time // when somebody last wanted one, in vain; zero: nobody does
	pools  map[pool.Trimmer]struct{}
	info   Info
	asked  int // to be given up
	owed   int // so many of these also if nothing is idle
	due    int // what is owed, while it is given up: nothing is taken then
	closed bool

	granted, refused, renewals, failed uint64

	trimming bool // what was asked for is being given up
}

// Open joins a budget. It fails when Redis cannot be reached, or refuses: ErrConfig when the key is of another kind.
func Open(ctx context.Context, config Config) (*Budget, error) {
	if config.Lease == 0 {
		config.Lease = 10 * time.Second
	}
	if config.Timeout == 0 {
		config.Timeout = config.Lease / 8
	}
	switch {
	case config.Client == nil:
		return nil, fmt.Errorf("%w: no Client", ErrConfig)
	case config.Key == "":
		return nil, fmt.Errorf("%w: no Key", ErrConfig)
	case config.Limit < 1:
		return nil, fmt.Errorf("%w: Limit is %d, and must be at least 1", ErrConfig, config.Limit)
	case config.Least < 0 || config.Least > config.Limit:
		return nil, fmt.Errorf("%w: Least is %d, and must be 0 to Limit", ErrConfig, config.Least)
	case config.Lease < 100*time.Millisecond:
		return nil, fmt.Errorf("%w: Lease is %v, and must be at least 100ms", ErrConfig, config.Lease)
	case config.Timeout < 0 || config.Timeout > config.Lease/4:
		return nil, fmt.Errorf("%w: Timeout is %v, and must be at most a quarter of Lease", ErrConfig, config.Timeout)
	}
	key := "{" + config.Key + "}"
	b := &Budget{config: config, id: uuid.NewString(), keys: []string{key, key + ":line", key + ":ends", key + ":limits"},
		lua: redis.NewScript(script), turn: make(chan struct{}, 1), prompt: make(chan struct{}, 1), ended: make(chan struct{}),
		pools: map[pool.Trimmer]struct{}{}}
	if err := b.say(ctx, 0); err != nil {
		switch {
		case redis.HasErrorPrefix(err, "WRONGTYPE"):
			err = fmt.Errorf("%w: %q, or one of its kin, is a key of another kind: %w", ErrConfig, key, err)
		case redis.HasErrorPrefix(err, "NOAUTH"), strings.Contains(err.Error(), "unauthenticated"):
			err = fmt.Errorf("redisbudget: Redis wants a password: %w", err)
		}
		return nil, err
	}
	b.ends, b.end = context.WithCancel(context.Background())
	go b.beat()
	return b, nil
}

// Attach has the budget ask a pool to destroy what is idle when others need it; pools with a Config.Budget do so by
// themselves. A pool is attached once, however often this is called, and the result, of any of the calls, ends that: the
// pool may go before the budget does, and is not kept by it any more. One that has a method Shed, as [pool.Pool] has, gives
// up what comes back next where another process has less than its Least, and nothing is idle.
func (b *Budget) Attach(p pool.Trimmer) (detach func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pools[p] = struct{}{}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.pools, p)
	}
}

// Take takes a place, before a Factory connects. Its error is for the Factory to return: [pool.TryLater] when
// there is none, so that the caller waits on, or [ErrClosed]. Mostly it asks Redis, once; not when a lease is held that
// nothing uses.
func (b *Budget) Take(ctx context.Context) error {
	if taken, err := b.take(false); taken || err != nil {
		return err
	}
	if !b.owes() {
		_ = b.say(ctx, 1) // Info tells
	}
	if taken, err := b.take(true); taken || err != nil {
		return err
	}
	return pool.TryLater(b.config.Lease / 16)
}

// take uses a lease that is held and not used. Who asked in vain wants one.
func (b *Budget) take(asked bool) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return false, ErrClosed
	case b.used < b.leases && b.due == 0 && time.Now().Before(b.until):
		b.used++
		b.granted++
		b.wanted = time.Time{}
		return true, nil
	case asked:
		b.refused++
		b.wanted = time.Now()
	}
	return false, nil
}

// Refused is told by a pool that was refused a place. If it has nothing idle, it may have what another pool of this process
// has: of that the ledger, which asks who has more than its share, knows nothing. No lease changes hands.
func (b *Budget) Refused(p pool.Trimmer) {
	others := slices.DeleteFunc(b.attached(), func(other pool.Trimmer) bool { return other == p || idleOf(other) == 0 })
	if len(others) == 0 || idleOf(p) > 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked == 0 && b.used <= b.leases && time.Now().Before(b.until) {
		b.asked = 1
		b.hurry()
	}
}

// Give gives a place back: in Destroy, after the connection is closed, and when a Factory that took one has failed. Pools
// with a Config.Budget do so by themselves; of what was detached its owner does. It
// asks nobody: Redis hears of it by the next heartbeat, which comes at once where others wait. One without a Take
// changes nothing.
func (b *Budget) Give() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used == 0 {
		return
	}
	b.used--
	if b.due > 0 { // it goes to another, and its lease with it
		b.due--
		b.leases = max(b.leases-1, 0)
	}
	if b.info.Err == nil && (b.info.All >= b.info.Limit || b.trimming) {
		b.hurry()
	}
}

// Close leaves the budget. Close the pools before: what they still have is no longer counted.
func (b *Budget) Close() {
	b.mu.Lock()
	closed := b.closed
	b.closed = true
	b.mu.Unlock()
	if !closed {
		b.end()
		<-b.ended
		_ = b.say(context.Background(), -1) // else its leases end by themselves
	}
}
