package redisbudget

import (
	"context"
	"time"
)

// say sends the one message, and takes note of the answer.
func (b *Budget) say(ctx context.Context, want int) error {
	ctx, stop := context.WithTimeout(ctx, b.config.Timeout)
	defer stop()
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	idle := b.idle()
	b.mu.Lock()
	b.number++
	// What is said not to be had is not held from here on: the answer may never come.
	b.leases = min(b.leases, max(b.used, b.config.Least))
	have, leased := b.used, 0
	sent := time.Now()
	if sent.Before(b.until) {
		leased = min(b.used, b.leases)
	}
	number := b.number
	b.mu.Unlock()

	a, err := b.lua.Run(ctx, b.config.Client, b.keys, b.id, number, have, want, b.config.Least, idle, b.config.Limit,
		b.config.Lease.Milliseconds(), leased).Int64Slice()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.info.Err = err; err != nil {
		return err
	}
	if len(a) < 8 { // a later message was there before: impossible, as long as one is sent at a time
		return nil
	}
	b.leases = int(a[0])
	b.until = sent.Add(b.config.Lease * 3 / 4)
	b.info = Info{Grace: time.Duration(a[2]) * time.Millisecond, Limit: int(a[3]), All: int(a[4]), Place: int(a[5]),
		Processes: int(a[6])}
	b.asked = int(a[1])
	if over := b.used - b.leases; want >= 0 && over > 0 {
		b.asked = max(b.asked, over)
	}
	if b.asked > 0 {
		b.hurry()
	}
	return nil
}

// idle is how many resources could be given up at once.
func (b *Budget) idle() (n int) {
	for _, p := range b.attached() {
		n += p.Stats().Idle
	}
	return n
}

func (b *Budget) attached() (pools []Pool) {
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
		if b.say(b.ends, want) != nil { // Info tells
			b.away()
		}
	}
}

// trim gives up as many idle resources as others have asked for. Destroying them gives their places back.
func (b *Budget) trim() {
	b.mu.Lock()
	asked := b.asked
	b.asked = 0
	b.mu.Unlock()
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
		b.asked = max(b.used-b.config.Least, 0) // by the next heartbeat
	}
}
