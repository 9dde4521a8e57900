package redisbudget

// ledger is budget.lua in Go, with an instant given in place of Redis's time: what the search explores. TestTwin
// shows that both answer alike.
type ledger struct {
	born                      int64
	at, clock, grace, longest int64
	sum, ticket               int64
	asked, askedAt            int64
	blind                     bool // a defect: it grants what others have without a lease
	of                        [3]record
}

// record is what the ledger knows of a process.
type record struct {
	known                 bool
	number, leases, limit int64
	bare                  int64 // what it has without a lease
	ends                  int64
	ticket                int64 // 0: not in line
}

// message is what a process says.
type message struct {
	number, have, want, least, idle, limit, lease, leased, born int64
}

// answer is what it is told.
type answer struct {
	leases, ask, grace, limit, sum, place, processes, clock, born int64
}

var stale = answer{leases: -1}

// first is added to the tickets of those who have less than they may always have.
const first = -1 << 52

func (l *ledger) beat(now int64, id int, m message) answer {
	if r := &l.of[id]; r.known && r.number >= m.number {
		return stale
	}
	if l.at == 0 {
		*l = ledger{born: now * 1000, at: now, grace: m.lease, blind: l.blind}
	}
	if m.born != l.born {
		m.leased = 0
	}
	l.longest = max(l.longest, m.lease)
	if l.clock < l.grace {
		l.grace = max(l.grace, m.lease)
	}
	l.clock += min(max(now-l.at, 0), l.longest/4)
	l.at = now

	for i := range l.of {
		if r := &l.of[i]; r.known && r.ends <= l.clock {
			l.sum -= r.leases
			*r = record{}
		}
	}
	r := &l.of[id]
	known, held := r.known, r.leases
	l.sum -= held
	r.known, r.leases, r.bare = false, 0, 0
	bare := l.bare()

	smallest := m.limit
	for i := range l.of {
		if l.of[i].known {
			smallest = min(smallest, l.of[i].limit)
		}
	}
	var leases, place int64
	if m.want < 0 {
		*r = record{}
	} else {
		target := max(m.have+m.want, m.least)
		if known {
			keeps := target
			if _, below := l.waiting(); below > 0 {
				keeps = max(m.have, m.least)
			}
			leases = min(keeps, held)
			if l.clock < l.grace {
				leases = min(max(m.have, m.leased), held)
			}
		}
		claim := m.have
		if l.clock < l.grace {
			claim = m.leased
		}
		leases += max(min(claim, smallest-l.sum)-leases, 0)
		room := max(smallest-l.sum-bare-leases, 0)
		if l.blind {
			room = max(smallest-l.sum-leases, 0)
		}
		stand := func(wanted int64, below bool) {
			place = l.stand(id, below)
			if l.clock >= l.grace && room >= place {
				more := min(wanted-leases, room-place+1)
				leases, room = leases+more, room-more
			}
		}
		if leases < m.least {
			stand(m.least, true)
		}
		if leases >= m.least && leases < target {
			stand(target, false)
		}
		if leases >= target {
			r.ticket, place = 0, 0
		}
		r.bare = max(m.have-leases, 0)
		bare += r.bare
		l.sum += leases
		r.known, r.number, r.leases, r.limit, r.ends = true, m.number, leases, m.limit, l.clock+m.lease
	}

	free, over := max(smallest-l.sum-bare, 0), max(l.sum+bare-smallest, 0)
	waiting, below := l.waiting()
	lacking, urgent := max(waiting-free, 0)+over, max(below-free, 0)
	if l.clock-l.askedAt >= l.longest/4 {
		l.asked, l.askedAt = 0, l.clock
	}
	if known {
		l.asked = max(l.asked-max(held-leases, 0), 0)
	}
	ask := max(min(leases-m.least, max(m.idle, urgent-l.asked), lacking-l.asked), 0)
	l.asked += ask
	var processes int64
	for i := range l.of {
		if l.of[i].known {
			processes++
		}
	}
	return answer{leases, ask, max(l.grace-l.clock, 0), smallest, l.sum, place, processes, l.clock, l.born}
}

// stand gives the process a ticket, if it has none of its class, and says which place it has.
func (l *ledger) stand(id int, below bool) int64 {
	r := &l.of[id]
	if r.ticket == 0 || (r.ticket < 0) != below {
		l.ticket++
		r.ticket = l.ticket
		if below {
			r.ticket += first
		}
	}
	place := int64(1)
	for i := range l.of {
		if t := l.of[i].ticket; t != 0 && t < r.ticket {
			place++
		}
	}
	return place
}

// waiting is how many stand in line, and how many of them have less than they may always have.
func (l *ledger) waiting() (all, below int64) {
	for i := range l.of {
		if t := l.of[i].ticket; t != 0 {
			all++
			if t < 0 {
				below++
			}
		}
	}
	return all, below
}

// bare is what all have without a lease.
func (l *ledger) bare() (n int64) {
	for i := range l.of {
		n += l.of[i].bare
	}
	return n
}

// normal is the same ledger with the clock at 0 and the smallest numbers: two that answer alike from now on are equal.
func (l ledger) normal() ledger {
	if l.at == 0 {
		return l
	}
	l.born, l.at = 1, 1       // the search tells by itself how long ago that was, and who knows it
	l.asked, l.askedAt = 0, 0 // they change no lease
	shift := l.clock
	if l.clock < l.grace {
		shift = 0 // it is as old as its clock says
	} else {
		l.grace = 0
	}
	var ranks [3]int64
	for i := range l.of {
		r := &l.of[i]
		if r.known {
			r.ends -= shift
		}
		if r.ticket != 0 {
			ranks[i] = 1
			for j := range l.of {
				if t := l.of[j].ticket; t != 0 && t < r.ticket && (t < 0) == (r.ticket < 0) {
					ranks[i]++
				}
			}
			if r.ticket < 0 {
				ranks[i] += first
			}
		}
	}
	for i := range l.of {
		l.of[i].ticket = ranks[i]
	}
	l.clock, l.ticket = l.clock-shift, 3
	return l
}
