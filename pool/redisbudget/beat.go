package redisbudget

import (
	"context"
	"errors"
	"slices"
	"time"

	"asyncpool/pool"
)

var errAnswer = errors.New("redisbudget: Redis answers something else than a budget's script does")

// say sends the one message, and takes note of the answer.
func (b *Budget) say(ctx context.Context, want int) error {
	limited, stop := context.WithTimeout(ctx, b.config.Timeout)
	defer stop()
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-limited.Done():
		return limited.Err()
	}
	idle := b.idle()
	b.mu.Lock()
	if b.closed && want >= 0 { // it has left, or is about to
		b.mu.Unlock()
		return ErrClosed
	}
	b.number++
	// What is said not to be had is not held from here on: the answer may never come.
	b.leases = min(b.leases, max(b.used, b.config.Least))
	have, leased := b.used, 0
	sent := time.Now()
	if sent.Before(b.until) {
		leased = b.leases // also what it may use while the message is on its way
	}
	number, born := b.number, b.born
	b.mu.Unlock()

	a, err := b.send(limited, b.id, number, have, want, b.config.Least, idle, b.config.Limit,
		b.config.Lease.Milliseconds(), leased, born)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.renewals++
	if err != nil {
		b.failed++
		if ctx.Err() == nil { // else it is the caller who does not wait
			b.info.Err = err
		}
		return err
	}
	b.info.Err = nil
	if len(a) == 1 { // the client has sent it twice, and the first answer was lost
		return nil
	}
	b.born = a[8]
	b.info = Info{Grace: time.Duration(a[2]) * time.Millisecond, Limit: int(a[3]), All: int(a[4]), Place: int(a[5]),
		Processes: int(a[6])}
	// A Redis that has lost all counts what is held on when its new ledger is named: that is done at once, but not where
	// each message finds a new one.
	again := leased > 0 && b.born != born
	if again && !b.again {
		b.hurry()
	}
	if b.again = again; again {
		return nil
	}
	b.leases = int(a[0])
	b.until = sent.Add(b.config.Lease * 3 / 4)
	if a[1] > 0 {
		b.asked += int(a[1]) // Redis asks for each once
		b.owed += max(int(a[1])-idle, 0)
		b.hurry()
	}
	if want >= 0 { // that what is lent is too much is no hurry: nothing can be done about it
		b.asked = max(b.asked, b.used-b.leases)
	}
	return nil
}

// send waits for no longer than ctx lasts, also with a client that does (its option is ContextTimeoutEnabled). What is
// not waited for may arrive yet: then it counts for nothing, if a later message was there before.
func (b *Budget) send(ctx context.Context, args ...any) ([]int64, error) {
	type answer struct {
		leases []int64
		err    error
	}
	got := make(chan answer, 1)
	go func() {
		a, err := b.lua.Run(ctx, b.config.Client, b.keys, args...).Int64Slice()
		if err == nil && len(a) != 9 && !slices.Equal(a, []int64{-1}) {
			err = errAnswer
		}
		got <- answer{a, err}
	}()
	select {
	case a := <-got:
		return a.leases, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// idle is how many resources could be given up at once: pools count as idle also what is promised to who stands in line.
func (b *Budget) idle() (n int) {
	for _, p := range b.attached() {
		n += idleOf(p)
	}
	return n
}

func idleOf(p pool.Trimmer) int {
	s := p.Stats()
	return max(s.Idle-s.Reserved, 0)
}

func (b *Budget) attached() (pools []pool.Trimmer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for p := range b.pools {
		pools = append(pools, p)
	}
	return pools
}

// hurry has the heartbeat come at once.
func (b *Budget) hurry() {
	select {
	case b.prompt <- struct{}{}:
	default:
	}
}

// beat is the heartbeat: it extends the leases, gives back what is not used, and gives up what is idle for others.
func (b *Budget) beat() {
	defer close(b.ended)
	ticker := time.NewTicker(b.config.Lease / 4)
	defer ticker.Stop()
	for {
		select {
		case <-b.ends.Done():
			return
		case <-ticker.C:
		case <-b.prompt:
		}
		b.trim()
		b.mu.Lock()
		want := 0
		if !b.wanted.IsZero() && time.Since(b.wanted) < b.config.Lease/2 {
			want = 1
		} else {
			b.wanted = time.Time{} // who wanted it has not come again
		}
		b.mu.Unlock()
		if b.say(context.Background(), want) != nil { // Info tells
			b.away()
		}
	}
}

// trim gives up as many idle resources as others have asked for. Destroying them gives their places back. It may take
// long: no heartbeat waits for it.
func (b *Budget) trim() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trimming || b.asked == 0 {
		return
	}
	b.trimming = true
	go func(asked int) {
		b.giveUp(asked)
		b.pay()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.trimming, b.due = false, 0
	}(b.asked)
	b.due = b.owed
	b.asked, b.owed = 0, 0
}

// pay gives up what comes back next, where another process has less than it may always have, and nothing is idle here.
func (b *Budget) pay() {
	ctx, stop := context.WithTimeout(b.ends, b.config.Lease/4)
	defer stop()
	for _, p := range b.attached() {
		if s, can := p.(interface{ Shed(context.Context) error }); can {
			for b.owes() && p.Stats().Active > 0 && s.Shed(ctx) == nil {
			}
		}
	}
}

func (b *Budget) owes() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.due > 0
}

func (b *Budget) giveUp(asked int) {
	for _, p := range b.attached() {
		if asked <= 0 {
			return
		}
		idle := p.Stats().Idle
		_ = p.Trim(max(idle-asked, 0)) // a pool that is closed has none
		asked -= max(idle-p.Stats().Idle, 0)
	}
}

// away gives up what is idle beyond Least, if that is wished, once the leases have ended because Redis is away.
func (b *Budget) away() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.config.AwayLeast && !time.Now().Before(b.until) {
		b.asked = max(b.asked, b.used-b.config.Least) // by the next heartbeat
	}
}
