package redisbudget

import "slices"

// normal has equal states equal: numbers are ranks, and processes have no names.
func (f *fleet) normal() fleet {
	g := *f
	g.ledger = g.ledger.normal()
	for i := range g.of {
		p, r := &g.of[i], &g.ledger.of[i]
		if p.now.state == 0 {
			p.now = sent{}
		}
		if p.late.state == 0 {
			p.late = sent{}
		}
		p.late.age = 0
		known := int8(r.number)
		numbers := []int8{p.number, p.now.number, p.late.number, known}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		rank := func(n int8) int8 {
			k := int8(slices.Index(numbers, n))
			if numbers[0] != 0 {
				k++
			}
			return k
		}
		r.number = int64(rank(known))
		p.number, p.now.number, p.late.number = rank(p.number), rank(p.now.number), rank(p.late.number)
	}
	var keys [processes]string
	for i := range g.of {
		keys[i] = string(g.one(i, nil))
	}
	for i := range g.of { // three of them: by exchange
		for j := range i {
			if keys[i] < keys[j] {
				keys[i], keys[j] = keys[j], keys[i]
				g.of[i], g.of[j] = g.of[j], g.of[i]
				g.ledger.of[i], g.ledger.of[j] = g.ledger.of[j], g.ledger.of[i]
			}
		}
	}
	return g
}

type key [64]byte

// key is the state in bytes.
func (f *fleet) key() (k key) {
	b := k[:0]
	l := &f.ledger
	b = append(b, byte(l.at), byte(l.grace)<<4|byte(l.clock), byte(f.since), byte(f.faults)<<4|byte(f.leaps)<<1|bit(f.lost))
	for i := range f.of {
		b = f.one(i, b)
	}
	if len(b) > len(k) {
		panic("the key is too short")
	}
	return k
}

func (f *fleet) one(i int, b []byte) []byte {
	p, r := &f.of[i], &f.ledger.of[i]
	b = append(b, bit(p.alive)|bit(p.wants)<<1|bit(p.slow)<<2|bit(r.known)<<3|bit(p.knows)<<4, byte(p.used)<<4|byte(p.leases), byte(p.left),
		byte(p.number)<<4|byte(r.number), byte(r.leases)|byte(r.bare)<<4, byte(r.ends), byte(r.ticket)&127|bit(r.ticket < 0)<<7)
	for _, s := range []*sent{&p.now, &p.late} {
		b = append(b, byte(s.state)|byte(s.number)<<2|bit(s.want)<<5|bit(s.named)<<6|bit(s.again)<<7, byte(s.have)|byte(s.leases)<<4, byte(s.age)|byte(s.leased)<<4)
	}
	return b
}

// fleet is the state of a key.
func (k *key) fleet(w *world) (f fleet) {
	l := &f.ledger
	if l.at = int64(k[0]); l.at != 0 {
		l.born, l.longest, l.ticket = 1, leaseTicks, processes
	}
	l.grace, l.clock, f.since = int64(k[1]>>4), int64(k[1]&15), int8(k[2])
	f.faults, f.leaps, f.lost = int8(k[3]>>4), int8(k[3]>>1&7), k[3]&1 != 0
	b := k[4:]
	for i := range f.of {
		p, r := &f.of[i], &l.of[i]
		p.alive, p.wants, p.slow, r.known = b[0]&1 != 0, b[0]&2 != 0, b[0]&4 != 0, b[0]&8 != 0
		p.knows = b[0]&16 != 0
		p.used, p.leases, p.left = int8(b[1]>>4), int8(b[1]&15), int8(b[2])
		p.number, r.number = int8(b[3]>>4), int64(b[3]&15)
		r.leases, r.bare, r.ends, r.ticket = int64(b[4]&15), int64(b[4]>>4), int64(b[5]), int64(b[6]&127)
		if b[6]&128 != 0 {
			r.ticket += first
		}
		l.sum += r.leases
		if r.known {
			r.limit = int64(w.limit)
		}
		b = b[7:]
		for _, s := range []*sent{&p.now, &p.late} {
			s.state, s.number, s.want = int8(b[0]&3), int8(b[0]>>2&7), b[0]&32 != 0
			s.named, s.again = b[0]&64 != 0, b[0]&128 != 0
			s.have, s.leases, s.age, s.leased = int8(b[1]&15), int8(b[1]>>4), int8(b[2]&15), int8(b[2]>>4)
			b = b[3:]
		}
	}
	return f
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
