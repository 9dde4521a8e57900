package pool

import (
	"context"
	"fmt"
	"math"
	"time"

	"asyncpool/pool/core"
)

// Config says what a pool is made of. Factory and MaxSize are required.
//
// A hook runs on the goroutine of the call that needs it, with no lock held, and may use the pool. Only Factory may have
// a goroutine of its own, so that its caller can leave. Those that check say false of a resource that is not fit to be
// used any more; it is then destroyed. A hook that panics or calls [runtime.Goexit] loses no place: its resource is
// destroyed, its place goes to the next in line, and the panic goes on to the caller; that of a Factory whose caller
// has left ends the program.
type Config[T any] struct {
	// Factory makes a resource. The context has the values and the deadline of the Acquire it is made for, and ends
	// with that deadline, or when the pool closes, but not when the caller leaves: then the creation goes on, and what
	// it makes goes to the next in line, or is idle. It may end as soon as Factory has returned.
	Factory func(context.Context) (T, error)
	// Destroy ends a resource that the pool does not keep. Its context has the values of the call that it is in, and
	// does not end. Optional, as are the hooks below.
	Destroy func(context.Context, T)
	// Healthcheck looks at an idle resource, every HealthcheckInterval, which it needs. Its context ends when the pool
	// closes.
	Healthcheck func(context.Context, T) bool
	// BeforeAcquire looks at an idle resource that is about to be lent. A new one is lent unseen. The context is that
	// of the Acquire.
	BeforeAcquire func(context.Context, T) bool
	// BeforeRelease looks at a resource that comes back. Release has no context, so this one is Background.
	BeforeRelease func(context.Context, T) bool

	MinSize int // resources made by New and kept up by the healthchecks
	MaxSize int // resources at most

	// MaxWaiting is how many callers may be in line: one more is told [ErrOverloaded] at once. 0: any number.
	MaxWaiting int
	// LIFO lends what came back last, in place of what was idle longest: so a pool that is larger than it need be leaves
	// the rest alone. Healthchecks begin with what was idle longest in either case, and leave the order as it is.
	LIFO bool

	// HealthcheckInterval is the time between two passes over the idle resources; 0: there are none, but for a
	// limit of time. A pass also makes what is missing to MinSize, and looks at ages; without any of these and a
	// Healthcheck it would have nothing to do, which is [ErrConfig].
	HealthcheckInterval time.Duration

	// CreateRetry is the first pause after a Factory that has failed; 0: that fails its caller at once. With it the
	// caller waits on, first in line as before, and may be lent what comes back. No Factory is called before the pause is
	// over, then by one caller at a time, until one has succeeded. Pauses double up to CreateRetryMax (0: 32 times
	// CreateRetry), a fifth shorter or longer by chance. A [Pool.TryAcquire] is told [ErrEmpty] meanwhile.
	CreateRetry    time.Duration
	CreateRetryMax time.Duration

	// MaxLifetime is how long a resource may live, and MaxUses how often it may be lent; 0: there is no limit. What is
	// beyond is destroyed when it comes back, in place of being kept, by a pass while it is idle, or by an acquire that
	// meets it, which then takes the next. Times are kept by a coarse clock, at most 10 ms or one pass behind. Without
	// a HealthcheckInterval passes come every eighth of the limit, but at least 100 ms and at most 30 s.
	MaxLifetime time.Duration
	MaxUses     int
	// IdleTimeout is how long a resource may lie idle: then a pass destroys it, while more than MinSize exist; 0: no
	// limit. CheckAfter has BeforeAcquire asked only about what was idle for longer.
	IdleTimeout, CheckAfter time.Duration
	// LifetimeJitter is the part of MaxLifetime that is random, for each resource on its own.
	LifetimeJitter time.Duration
	// MinIdle are so many that are kept idle, beyond what is lent, while MaxSize allows: passes make them, the first of
	// which begins at once, and one comes as soon as fewer are idle. Without any other interval there is one each second.
	// IdleTimeout leaves them.
	MinIdle int

	// Timed has lends timed: [Pool.Lends] tells since when each resource is lent, [Resource.CreatedAt] how old it is, and
	// [Pool.Stats] for how long resources are lent. Acquire and Release read a clock then.
	Timed bool
	// LeakAfter is how long a resource may be lent before that is told to OnLeak, once for each lend, by a pass, and
	// counted by [Pool.Stats]; 0: never. Passes come every eighth of it, if no other limit is shorter, but at least
	// every 30 s and at most every 100 ms. Nothing else happens: the resource stays lent, and may come back as ever,
	// also just before OnLeak is called. A pool that is closed has no passes. Lends are timed then, as with Timed.
	// OnLeak is optional, and without LeakAfter it is [ErrConfig].
	LeakAfter time.Duration
	OnLeak    func(Lend)

	// CreateBehind has no Acquire run the Factory: who finds nothing idle stands in line, and is lent what comes first, a
	// resource that is released or a new one. Goroutines of the pool call the Factory, as many at once as callers in line
	// have none under way, as there are places; its context has no deadline then, and ends when the pool closes. What is
	// made is lent to who is first in line when it is there, unseen by BeforeAcquire, or is idle. A Factory that fails
	// fails who is first in line then, unless there is a CreateRetry; one that panics ends the program. A
	// [Pool.TryAcquire] has nothing made, and is told [ErrEmpty].
	CreateBehind bool

	// LazyMin has [New] return at once; passes make MinSize, the first of them at once, and come again every
	// HealthcheckInterval, with 0 and no limit of time every second. So a service that is down does not fail New.
	LazyMin bool

	// Budget is asked for a place before each Factory; other pools may share it, of other processes too. While it has none,
	// callers wait in line, as after [TryLater], and New fails, unless there are no MinSize or LazyMin is set.
	Budget Budget

	Threshold       Threshold // moves the circuit breaker; the zero value: nobody but the program
	RecoveringLimit int       // resources lent at once while the breaker recovers; 0 is taken as 1
}

// Threshold is a strategy for the circuit breaker. Failures are resources refused by BeforeRelease and
// factories that fail; what was lent before the breaker last opened counts for nothing. A resource that was lent as
// a probe and has not come back after OpenFor, or 30 seconds if that is longer, makes room for the next caller, who
// may stand in line already.
type Threshold struct {
	Failures  int           // in a row that open the breaker; 0: no strategy
	OpenFor   time.Duration // how long it stays open before a caller may probe
	Successes int           // in a row that close it again; 0 is taken as 1
	Counts    Counts        // of what; 0: factories and releases
}

// Counts is what a [Threshold] counts. With CountCreations alone only a factory that succeeds is a success, and a probe
// always calls it: if MaxSize resources exist, one that is idle is destroyed for it. With CountReleases alone a factory
// may fail as it likes.
type Counts uint32

const (
	CountCreations Counts = core.CountCreations // factories that fail
	CountReleases  Counts = core.CountReleases  // resources refused by BeforeRelease
)

// all is what is counted where nothing is chosen.
func (c Counts) all() uint32 {
	if c == 0 {
		c = CountCreations | CountReleases
	}
	return uint32(c)
}

// checkSizes says what is wrong with the sizes of a pool.
func checkSizes(least, most int) error {
	switch {
	case least < 0 || most < 0 || most > math.MaxUint32:
		return fmt.Errorf("%w: a number is negative or too large", ErrConfig)
	case most == 0 || least > most:
		return fmt.Errorf("%w: %w", ErrConfig, core.ErrSize)
	}
	return nil
}

// check says what is wrong with a config.
func (c *Config[T]) check() error {
	if err := checkSizes(c.MinSize, c.MaxSize); err != nil {
		return err
	}
	sizes := []int{c.MinIdle, c.MaxWaiting, c.MaxUses, c.Threshold.Failures, c.Threshold.Successes, c.RecoveringLimit}
	for _, size := range sizes {
		if size < 0 || size > math.MaxUint32 {
			return fmt.Errorf("%w: a number is negative or too large", ErrConfig)
		}
	}
	switch {
	case c.MinIdle > c.MaxSize:
		return fmt.Errorf("%w: MinIdle is above MaxSize", ErrConfig)
	case c.Factory == nil:
		return fmt.Errorf("%w: no Factory", ErrConfig)
	case c.Threshold.Counts&^(CountCreations|CountReleases) != 0:
		return fmt.Errorf("%w: Counts has an unknown bit", ErrConfig)
	case min(c.HealthcheckInterval, c.Threshold.OpenFor, c.MaxLifetime, c.LifetimeJitter, c.IdleTimeout, c.CheckAfter,
		c.CreateRetry, c.CreateRetryMax, c.LeakAfter) < 0:
		return fmt.Errorf("%w: a duration is negative", ErrConfig)
	case c.CreateRetryMax > 0 && (c.CreateRetry == 0 || c.CreateRetryMax < c.CreateRetry):
		return fmt.Errorf("%w: CreateRetryMax is below CreateRetry, or there is none", ErrConfig)
	case c.CheckAfter > 0 && c.BeforeAcquire == nil:
		return fmt.Errorf("%w: CheckAfter, but no BeforeAcquire to be asked", ErrConfig)
	case c.OnLeak != nil && c.LeakAfter == 0:
		return fmt.Errorf("%w: OnLeak, but no LeakAfter: it is never called", ErrConfig)
	case c.LifetimeJitter > c.MaxLifetime:
		return fmt.Errorf("%w: LifetimeJitter is above MaxLifetime", ErrConfig)
	case c.HealthcheckInterval > 0 && c.Healthcheck == nil && c.MinSize == 0 && c.MinIdle == 0 && c.shortestLimit() == 0:
		return fmt.Errorf("%w: a HealthcheckInterval, but neither Healthcheck nor MinSize nor MinIdle nor a limit to look after",
			ErrConfig)
	case c.Healthcheck != nil && c.interval() == 0:
		return fmt.Errorf("%w: a Healthcheck, but no HealthcheckInterval: it is never called", ErrConfig)
	}
	return nil
}

// shortestLimit is the shortest of those that passes look after; 0: there is none.
func (c *Config[T]) shortestLimit() (shortest time.Duration) {
	for _, limit := range []time.Duration{c.MaxLifetime, c.IdleTimeout, c.LeakAfter} {
		if limit > 0 && (shortest == 0 || limit < shortest) {
			shortest = limit
		}
	}
	return shortest
}

// interval is the time between two passes; 0: there are none.
func (c *Config[T]) interval() time.Duration {
	const least, most = 100 * time.Millisecond, 30 * time.Second
	limit := c.shortestLimit()
	switch {
	case c.HealthcheckInterval > 0:
		return c.HealthcheckInterval
	case limit == 0 && c.MinIdle == 0 && !c.LazyMin:
		return 0
	case limit == 0:
		return time.Second
	}
	return min(max(limit/8, least), most)
}

// ages tells the core how long resources live.
func (c *Config[T]) ages() core.Ages {
	return core.Ages{Lifetime: ticks(c.MaxLifetime), Jitter: jitter(c.LifetimeJitter), MaxUses: uint32(c.MaxUses),
		IdleTimeout: ticks(c.IdleTimeout), CheckAfter: ticks(c.CheckAfter), Timed: c.timed(),
		LeakAfter: ticks(c.LeakAfter)}
}

// timed is 1 if lends are timed.
func (c *Config[T]) timed() uint32 {
	if c.Timed || c.LeakAfter > 0 {
		return 1
	}
	return 0
}

// ticks is a limit as the core counts it. What is not 0 is none of 0.
func ticks(d time.Duration) uint32 {
	return core.Ticks(int64((d + time.Millisecond - 1) / time.Millisecond))
}

func jitter(d time.Duration) uint32 { return core.JitterTicks(int64(d / time.Millisecond)) }

// options tells the core what kind of pool it is.
func (c *Config[T]) options() (options uint32) {
	if c.LIFO {
		options |= core.OptionLIFO
	}
	return options
}

// asks tells the core which hooks there are. Destructions are always asked for: the handles hear of them.
func (c *Config[T]) asks() uint32 {
	asks := uint32(core.AsksDestroy)
	if c.Healthcheck != nil {
		asks |= core.AsksHealthcheck
	}
	if c.BeforeAcquire != nil {
		asks |= core.AsksBeforeAcquire
	}
	if c.BeforeRelease != nil {
		asks |= core.AsksBeforeRelease
	}
	if c.OnLeak != nil {
		asks |= core.AsksLeaked
	}
	return asks
}
