package redisbudget

import "time"

// Info is what a process knows of the budget, and what has happened: the numbers for an exporter.
type Info struct {
	Used, Leases int           // places that it uses; leases that it holds
	Limit        int           // the smallest of all processes'; differs from the Config's where another's is smaller
	All          int           // leases of all processes
	Processes    int           // that hold some, or have heartbeats
	Place        int           // in line; 0: it does not stand there
	Wanted       bool          // somebody wants a place in vain
	Grace        time.Duration // for so long nothing is granted yet: Redis is new, or has lost all
	Left         time.Duration // until its leases end, unless they are extended
	Expired      bool          // its leases have ended, since Redis could not be reached: it takes nothing new
	Err          error         // why the last message failed; nil: it did not

	Granted, Refused uint64 // places that were taken, and that were not to be had
	Renewals, Failed uint64 // messages to Redis, each of which extends the leases; those that were not answered
}

// State is how it is with the leases of a process.
type State string

const (
	Fine    State = "fine"
	New     State = "new"     // the ledger in Redis grants nothing yet
	Away    State = "away"    // the last message was not answered: nothing new is granted
	Expired State = "expired" // the leases have ended because of that: others may have them
)

// State is how it is with the leases, in a word.
func (i Info) State() State {
	switch {
	case i.Expired:
		return Expired
	case i.Err != nil:
		return Away
	case i.Grace > 0:
		return New
	}
	return Fine
}

// Info says how things stand.
func (b *Budget) Info() Info {
	b.mu.Lock()
	defer b.mu.Unlock()
	info := b.info
	info.Used, info.Leases, info.Wanted = b.used, b.leases, !b.wanted.IsZero()
	info.Left = max(time.Until(b.until), 0)
	info.Expired = info.Left == 0
	info.Granted, info.Refused, info.Renewals, info.Failed = b.granted, b.refused, b.renewals, b.failed
	return info
}
