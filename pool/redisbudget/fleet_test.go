package redisbudget

// The search tries every order of what can happen to a small fleet: three processes, messages that come late, twice as
// late as a newer one, or never, answers that get lost, processes that die, a Redis that loses everything but the
// connections, a clock that leaps, and one that goes slow. Time is in ticks; a lease is four of them, so that a quarter is one.

const (
	leaseTicks = 4
	processes  = 3
)

// process is one as it sees itself.
type process struct {
	alive  bool
	used   int8 // places that it uses
	leases int8 // leases that it holds, as far as it knows
	left   int8 // ticks until they end, by its own clock
	wants  bool
	robbed bool // its valid leases were not extended
	crowds bool // it was granted a place that another has said to have
	slow   bool // its clock has missed a tick since the last answer
	knows  bool // the ledger that there is by its name: it has heard from it
	number int8 // of its last message
	now    sent // the message on its way, or answered
	late   sent // one that it has given up; it may arrive yet
}

// sent is a message on its way, or its answer.
type sent struct {
	state  int8 // 0: none, 1: on its way, 2: answered
	number int8
	have   int8
	want   bool
	leased int8 // the valid leases that it holds on
	named  bool // it names the ledger that there is; so does its answer
	again  bool // answered: what it holds on did not count, since it named another
	age    int8 // ticks since it was sent
	leases int8 // answered: so many
}

// fleet is all of it, as the search knows it.
type fleet struct {
	ledger ledger
	since  int8 // ticks since the ledger heard of anybody, at most 1
	of     [processes]process
	lost   bool // somebody's leases ended while it used places, or it was stopped while it did
	faults int8 // how many there may be yet
	leaps  int8
}

// world is what may happen.
type world struct {
	limit, least         int8
	faults, leaps        int8 // deaths, losses and late messages; leaps of the clock
	deaths, losses, late bool
	slow                 bool
	without              int8 // so many processes fewer
	cutOff               bool // one whose leases have ended may go on using what it has
	defects              defects
}

// defects are what a fleet could do wrong, to see that the search finds it.
type defects struct {
	keepsLeases bool // a process holds what it has said that it does not have
	longLease   bool // it believes that its leases last as long as Redis does
	saysValid   bool // it says that its leases are valid when they have ended
	noGrace     bool // a ledger that has lost all grants at once
	noNumbers   bool // messages that come late count
	noNames     bool // those do that were sent to a ledger that is lost
	freeClock   bool // the ledger's clock leaps as far as Redis's does
	blind       bool // what processes have without a lease is granted to others
}

type event struct {
	what string
	id   int
}

func (w *world) start() fleet {
	f := fleet{faults: w.faults, leaps: w.leaps}
	for i := range f.of {
		f.of[i].alive = i >= int(w.without)
	}
	return f
}

// next calls what may come after f.
func (w *world) next(f *fleet, each func(event, fleet)) {
	do := func(what string, id int, change func(*fleet)) {
		g := *f
		change(&g)
		each(event{what, id}, g)
	}
	do("tick", -1, func(g *fleet) { g.tick(-1) })
	if f.leaps > 0 && f.ledger.at != 0 {
		do("the clock leaps", -1, func(g *fleet) {
			g.leaps--
			g.since = 1
			if w.defects.freeClock {
				g.ledger.clock += leaseTicks
			}
		})
	}
	if f.faults > 0 && w.losses && f.ledger.at != 0 {
		do("redis loses all", -1, func(g *fleet) {
			g.faults--
			g.ledger, g.since = ledger{}, 0
			for i := range g.of { // no connection ends: what is on its way may arrive
				p := &g.of[i]
				p.knows, p.now.named, p.late.named = false, false, false
			}
		})
	}
	for i := range f.of {
		p := &f.of[i]
		if p.late.state == 1 {
			do("is heard late", i, func(g *fleet) { w.hear(g, i, &g.of[i].late); g.of[i].late = sent{} })
		}
		if !p.alive {
			continue
		}
		if p.used < p.leases && p.left > 0 {
			do("takes", i, func(g *fleet) { g.of[i].used++; g.of[i].wants = false })
		}
		if p.used >= p.leases && !p.wants && p.used < w.limit {
			do("wants", i, func(g *fleet) { g.of[i].wants = true })
		}
		if p.used > 0 {
			do("gives", i, func(g *fleet) { g.of[i].used-- })
		}
		if p.now.state == 0 {
			do("says and hears", i, func(g *fleet) { w.says(&g.of[i]); w.hear(g, i, &g.of[i].now); w.hears(&g.of[i]) })
			if w.late && f.faults > 0 {
				do("says, which takes time", i, func(g *fleet) { g.faults--; w.says(&g.of[i]) })
			}
		}
		if p.now.state == 1 && p.now.age <= 1 { // later, it has been given up: Timeout is at most a quarter of a lease
			do("is heard", i, func(g *fleet) { w.hear(g, i, &g.of[i].now) })
		}
		if p.now.state == 2 && p.now.age <= 1 {
			do("hears", i, func(g *fleet) { w.hears(&g.of[i]) })
		}
		if p.now.state != 0 {
			do("gives up waiting", i, func(g *fleet) {
				q := &g.of[i]
				if q.now.state == 1 {
					q.late = q.now
				}
				q.now = sent{}
			})
		}
		if w.deaths && f.faults > 0 {
			do("dies", i, func(g *fleet) { g.faults--; g.of[i] = process{late: inFlight(&g.of[i])} })
		}
		if w.slow && !p.slow {
			do("tick, but its clock", i, func(g *fleet) { g.tick(i); g.of[i].slow = true })
		}
	}
}

// inFlight is what Redis may yet hear of one that dies.
func inFlight(p *process) sent {
	if p.now.state == 1 {
		return p.now
	}
	return p.late
}

// tick lets time pass, for all but the one whose clock is slow.
func (f *fleet) tick(slow int) {
	f.since = min(f.since+1, 1)
	for i := range f.of {
		p := &f.of[i]
		if p.now.state != 0 && i != slow {
			p.now.age = min(p.now.age+1, leaseTicks)
		}
		if p.left > 0 && i != slow {
			p.left--
			if p.left == 0 && p.used > 0 {
				f.lost = true
			}
		}
	}
}

// says sends a message: what it has, and what it wants. What it does not use it holds no longer.
func (w *world) says(p *process) {
	if !w.defects.keepsLeases {
		p.leases = min(p.leases, max(p.used, w.least))
	}
	p.number++
	p.now = sent{state: 1, number: p.number, have: p.used, want: p.wants, named: p.knows}
	switch {
	case w.defects.saysValid:
		p.now.leased = p.used
	case p.left > 0:
		p.now.leased = p.leases
	}
}

// hear is the ledger's part.
func (w *world) hear(f *fleet, id int, s *sent) {
	m := message{number: int64(s.number), have: int64(s.have), least: int64(w.least), limit: int64(w.limit),
		lease: leaseTicks, leased: int64(s.leased), born: -1}
	if s.want {
		m.want = 1
	}
	l := &f.ledger
	if s.named || w.defects.noNames {
		m.born = l.born
	}
	if w.defects.noNumbers {
		l.of[id].number = -1
	}
	now := int64(1)
	if l.at != 0 {
		now = l.at + int64(f.since)
	}
	was := *l
	if was.at == 0 && w.defects.noGrace {
		*l = ledger{at: now}
	}
	l.blind = w.defects.blind
	a := l.beat(now, id, m)
	l.blind = false
	if held := was.of[id].leases; a.leases > max(held, m.have) && l.sum+l.bare() > int64(w.limit) {
		f.of[id].crowds = true
	}
	f.since = 0
	s.state, s.leases = 2, int8(a.leases)
	s.again, s.named = s.leased > 0 && m.born != a.born, true
	if a == stale {
		*s = sent{}
	}
}

// hears is when a process gets its answer. Its leases have lasted since it asked, and it allows for a clock of its own
// that is slow.
func (w *world) hears(p *process) {
	if p.knows = p.now.named; p.now.again { // it has its leases as before, and says so again
		p.now = sent{}
		return
	}
	if p.left > 0 && p.now.leases < min(p.now.leased, p.leases) {
		p.robbed = true
	}
	p.leases, p.slow = p.now.leases, false
	p.left = max(leaseTicks-1-p.now.age, 0)
	if w.defects.longLease {
		p.left = leaseTicks
	}
	p.now = sent{}
}
