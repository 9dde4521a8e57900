package linear

import "strings"

// clients is how many there are at most in a history.
const clients = 12

// state is what the model knows of a pool between two steps. States are compared with ==, so whatever has a
// variable length is a string of numbers.
type state struct {
	config
	closed  bool
	drained bool // newcomers are sent away, as by a pool that is closed; who stands in line is served
	circuit uint8
	active  uint8   // places in use: lent, or in the hands of a hook
	probes  uint8   // places that are out as probes
	going   uint8   // those of them that are free once a destruction has ended
	idle    numbers // longest idle first, without what is kept for who was promised a place
	doomed  numbers // the same of those that an evict has found idle, and nobody has destroyed yet
	fresh   numbers // all that may be lent again, sorted: those that no evict has met
	bound   numbers // clients that were promised a place and a resource, in this order
	owed    numbers // and those that get what becomes idle next
	lent    numbers // sorted
	probing numbers // those of them that are probes, sorted
	leases  numbers // pairs: those of them that are lent by lease, sorted, and the number of the lease
	line    numbers // clients in line, first come first
	came    numbers // with creation behind: those whose call has been in line, as they came
	ready   numbers // clients that were promised a place or sent away; for settle
	calls   [clients]call
}

// config is what a pool was made with; a resize changes the places.
type config struct {
	places, limit uint8
	waiting       uint8 // in line at most; 0: any number
	beforeAcquire bool
	beforeRelease bool
	behind        bool // no acquire makes its resource
	settles       bool // who is promised a place takes it in the same instant, as the Go front does
}

// call is the acquire of a client that may have to wait.
type call struct {
	at       stage
	said     string // decided: what its client will hear
	resource uint8
	kept     uint8 // promised: the idle resource that goes with the place
	probe    bool  // has a slot of the breaker's present term
	made     bool  // promised: what is kept for it was made for it, and is lent unseen
	first    bool  // came when nobody was in line
	claim    bool  // got its place since the breaker last opened
	makes    bool  // its factory runs, or is about to
	spoilt   bool  // and an evict has begun meanwhile
}

type stage uint8

const (
	nowhere  stage = iota // there is none, or it has no place and is not in line
	inLine                // waits
	promised              // was promised a place
	sentAway              // by a close or by the breaker; said is why
	decided               // took its step already, and its client has yet to hear of it
	making                // makes a resource for who is in line
	leaving               // destroys what was kept for it, and nobody needs; said is what it will hear then
)

// The states of the breaker, as in snapshots.
const (
	active = iota
	inactive
	recovering
)

// numbers is a list of small numbers that can be compared.
type numbers string

func (n numbers) first() uint8         { return n[0] }
func (n numbers) push(v uint8) numbers { return n + numbers(string([]byte{v})) }
func (n numbers) has(v uint8) bool     { return strings.IndexByte(string(n), v) >= 0 }
func (n numbers) place(v uint8) int    { return strings.IndexByte(string(n), v) }
func (n numbers) without(v uint8) numbers {
	if i := strings.IndexByte(string(n), v); i >= 0 {
		return n[:i] + n[i+1:]
	}
	return n
}

// with is push for a list that is sorted.
func (n numbers) with(v uint8) numbers {
	for i := range len(n) {
		if n[i] > v {
			return n[:i] + numbers(string([]byte{v})) + n[i:]
		}
	}
	return n.push(v)
}

// pair is what stands beside a number in a list of pairs, or 0.
func (n numbers) pair(v uint8) uint8 {
	for i := 0; i < len(n); i += 2 {
		if n[i] == v {
			return n[i+1]
		}
	}
	return 0
}

// setPair puts a pair into a list that is sorted.
func (n numbers) setPair(v, beside uint8) numbers {
	at := 0
	for at < len(n) && n[at] < v {
		at += 2
	}
	return n[:at] + numbers([]byte{v, beside}) + n[at:]
}

// withoutPair takes it out.
func (n numbers) withoutPair(v uint8) numbers {
	for i := 0; i < len(n); i += 2 {
		if n[i] == v {
			return n[:i] + n[i+2:]
		}
	}
	return n
}

func (s *state) reserved() (n uint8) {
	for i := range s.calls {
		if s.calls[i].at == promised {
			n++
		}
	}
	return n
}

// surplus says whether there is a place that is neither in use nor promised.
func (s *state) surplus() bool {
	return s.active+s.reserved() < s.places
}

// admits says whether the breaker lets one more caller through.
func (s *state) admits() bool {
	return s.circuit == active || s.circuit == recovering && s.probes < s.limit
}

// claims says whether a call was promised its place before the breaker began to recover: it is no probe.
func (c *call) claims() bool {
	return c.at == promised && c.claim
}

// grant promises the places that are free to those in line.
func (s *state) grant() {
	for len(s.line) > 0 && !s.closed && s.surplus() && s.admits() && (!s.behind || len(s.idle) > 0) {
		s.grantNext()
	}
}

func (s *state) grantNext() {
	client := s.line.first()
	s.line = s.line[1:]
	s.takeSlot(client)
	s.hold(client, false)
	s.calls[client].claim = true
	s.ready = s.ready.push(client)
}

// hold promises a place to a client, and what is idle longest, or what is doomed, to make room: unless it has room, as it
// has just destroyed one.
func (s *state) hold(client uint8, hasRoom bool) {
	c := &s.calls[client]
	c.at = promised
	switch {
	case len(s.idle) > 0:
		c.kept, s.idle = s.idle.first(), s.idle[1:]
	case len(s.doomed) > 0 && !hasRoom:
		c.kept, s.doomed = s.doomed.first(), s.doomed[1:]
	default:
		s.owed = s.owed.push(client)
		return
	}
	s.bound = s.bound.push(client)
}

// serve keeps an idle resource for who is owed one; false: nobody is.
func (s *state) serve(resource uint8) bool {
	if len(s.owed) == 0 {
		return false
	}
	client := s.owed.first()
	s.owed = s.owed[1:]
	s.calls[client].kept = resource
	s.bound = s.bound.push(client)
	return true
}

// unhold ends the promise to a client, and says what was kept for it.
func (s *state) unhold(client uint8) (kept uint8) {
	s.bound, s.owed = s.bound.without(client), s.owed.without(client)
	kept, s.calls[client].kept = s.calls[client].kept, 0
	return kept
}

// lay makes a resource idle.
func (s *state) lay(resource uint8) {
	if !s.serve(resource) {
		s.idle = s.idle.push(resource)
	}
}

// takeSlot makes a call a probe, if the breaker recovers and it has no older claim.
func (s *state) takeSlot(client uint8) {
	if c := &s.calls[client]; s.circuit == recovering && !c.probe && !c.claims() {
		c.probe = true
		s.probes++
	}
}

// freeSlot gives its slot to another.
func (s *state) freeSlot(client uint8) {
	if c := &s.calls[client]; c.probe {
		c.probe = false
		s.probes--
	}
}

// leave gives up the place that is in use.
func (s *state) leave() {
	s.active--
	s.grant()
}

// end ends the call of a client: what it was promised, and its slot, go to the next.
func (s *state) end(client uint8) {
	c := &s.calls[client]
	s.freeSlot(client)
	s.came = s.came.without(client)
	s.line = s.line.without(client)
	s.ready = s.ready.without(client)
	if kept := s.unhold(client); kept != 0 && !s.serve(kept) {
		s.idle = numbers("").push(kept) + s.idle
	}
	*c = call{}
	s.grant()
}

// quit ends the call of a client that gets nothing. What was kept for it and is not kept for others it destroys first.
func (s *state) quit(client uint8, why string) (said string, resource uint8) {
	c := &s.calls[client]
	if c.kept == 0 || s.closed || s.keeps(c.kept) {
		s.end(client)
		return why, 0
	}
	s.ready = s.ready.without(client)
	resource = s.unhold(client)
	c.at, c.said, c.claim = leaving, why, false
	s.active++
	s.going++
	return "destroy", resource
}

// lend gives a resource to a client; the slot of a probe goes with it.
func (s *state) lend(in span, resource uint8) {
	s.lent = s.lent.with(resource)
	if in.lease != 0 {
		s.leases = s.leases.setPair(resource, in.lease)
	}
	if c := &s.calls[in.client]; c.probe {
		s.probing = s.probing.with(resource)
		c.probe = false
	}
	s.end(in.client)
}

// keep makes a resource idle that was in use.
func (s *state) keep(resource uint8) {
	s.lay(resource)
	s.leave()
}

// dismiss sends everybody in line away.
func (s *state) dismiss(why string) {
	for _, client := range []byte(s.line) {
		s.calls[client].at = sentAway
		s.calls[client].said = why
		s.ready = s.ready.push(client)
	}
	s.line = ""
}

func (s *state) move(circuit uint8) {
	if s.circuit == circuit {
		return
	}
	s.circuit = circuit
	s.probes = 0
	s.probing = ""
	for i := range s.calls {
		s.calls[i].probe = false
		s.calls[i].claim = s.calls[i].claim && circuit != inactive
	}
	if circuit == inactive {
		s.dismiss("ERR_UNAVAILABLE")
	}
	s.grant()
}
