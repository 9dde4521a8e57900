package linear

// span is one step of the pool for a client: what it heard, what it said, and what it did not say but time does.
type span struct {
	client   uint8
	call     string // acquire, try, release, close, ...: the call that it belongs to
	before   string // what the pool heard in the span before, within the same call
	heard    string
	resource uint8
	lease    uint8 // the number of the lend that the call begins or ends; 0: by word
	overdue  bool  // the deadline of the acquire had passed when the span ended
	part     part
}

// part says which half of a span this is. An acquire that blocks may join the line at one instant and be served at
// another; the span is then two steps.
type part uint8

const (
	whole part = iota
	joining
	ending
)

// reply is what the pool said, and about what.
type reply struct {
	said     string
	resource uint8
	counts   counts
}

// counts are those of a snapshot.
type counts struct {
	idle, active, reserved, waiting, circuit, places uint8
	closed                                           bool
}

// step says whether the pool may answer like this, and what it is like then.
func (s state) step(in span, out reply) (bool, state) {
	ok := s.answers(in, out)
	if ok && s.settles {
		s.settle()
	}
	s.tidy()
	return ok, s
}

func (s *state) answers(in span, out reply) bool {
	switch in.heard {
	case "acquire", "step":
		return s.acquire(in, out)
	case "try":
		return s.decide(in, out)
	case "back":
		if in.call == "drain" {
			return s.drainOn(in, out, in.overdue)
		}
		return s.goOn(in, out)
	case "cancel":
		return s.cancel(in, out)
	case "drain":
		s.drained = s.drained || !s.closed
		return s.drainOn(in, out, false)
	case "make":
		return s.make(in, out)
	case "take":
		return out.said == "PENDING" ||
			len(s.line) == 0 && s.circuit == active && !s.beforeAcquire && s.decide(in, out)
	case "release", "discard", "detach":
		return s.release(in, out)
	case "resize":
		if s.closed || s.drained {
			return out.said == "ERR_CLOSED"
		}
		s.resize(in.resource)
		return s.purge(out)
	case "evict":
		if s.closed || s.drained {
			return out.said == "ERR_CLOSED"
		}
		s.evict()
		return s.purge(out)
	case "close":
		if !s.closed {
			s.closed = true
			s.dismiss("ERR_CLOSED")
		}
		return s.purge(out)
	case "activate", "deactivate", "recover":
		if s.closed {
			return out.said == "ERR_CLOSED"
		}
		s.move(map[string]uint8{"activate": active, "deactivate": inactive, "recover": recovering}[in.heard])
		return out.said == "OK"
	case "look":
		return out.counts == s.counts()
	}
	return s.hook(in, out)
}

// acquire begins one. If it blocks and has to wait, its end is a step of its own.
func (s *state) acquire(in span, out reply) bool {
	c := &s.calls[in.client]
	if in.part == ending {
		return s.goOn(in, out)
	}
	next, said, resource := s.next(in, false)
	if s.settles && out.said == "ERR_TIMEOUT" && said != "wait" {
		// The context had ended before the pool was asked.
		*c = call{at: decided, said: out.said}
		return true
	}
	*s = next
	return s.tell(in, out, said, resource)
}

// tell says what a call hears, be it later, as its end is a step of its own.
func (s *state) tell(in span, out reply, said string, resource uint8) bool {
	if in.part == joining {
		if said == "wait" {
			return true
		}
		c := &s.calls[in.client]
		c.at, c.said, c.resource = decided, said, resource
	}
	return said == out.said && resource == out.resource
}

// goOn comes back to a call that may have waited.
func (s *state) goOn(in span, out reply) bool {
	c := &s.calls[in.client]
	if c.at == decided {
		return s.settled(in, out)
	}
	if c.at == inLine {
		if out.said == "wait" {
			return true
		}
		said, resource := s.quit(in.client, "ERR_TIMEOUT")
		return in.overdue && out == reply{said: said, resource: resource}
	}
	return c.at != nowhere && s.decide(in, out)
}

// decide takes the step that an acquire must take now.
func (s *state) decide(in span, out reply) bool {
	next, said, resource := s.next(in, false)
	if in.overdue && (out.said == "ERR_TIMEOUT" || out.said == "destroy") && (said != "wait" || in.part == whole) {
		next, said, resource = s.next(in, true)
	}
	*s = next
	return s.tell(in, out, said, resource)
}

// next is the order of decisions.
func (s state) next(in span, timeout bool) (after state, said string, resource uint8) {
	c := &s.calls[in.client]
	may := c.probe || c.claims() || s.admits()
	waits := c.at != promised && !s.surplus() || s.behind && c.kept == 0 && len(s.idle) == 0
	switch {
	case c.at == sentAway:
		said = c.said
	case s.closed || s.drained && c.at == nowhere:
		said = "ERR_CLOSED"
	case !may:
		said = "ERR_UNAVAILABLE"
	case timeout:
		said = "ERR_TIMEOUT"
	case waits && in.call == "acquire" && c.at == promised:
		s.standAgain(in.client)
		return s, "wait", 0
	case waits && in.call == "acquire" && s.waiting != 0 && len(s.line) >= int(s.waiting):
		said = "ERR_OVERLOADED"
	case waits && in.call == "acquire":
		c.at = inLine
		s.line = s.line.push(in.client)
		if s.behind {
			s.came = s.came.push(in.client)
		}
		return s, "wait", 0
	case waits:
		said = map[string]string{"try": "EMPTY", "take": "PENDING"}[in.call]
	default:
		s.takeSlot(in.client)
		s.ready = s.ready.without(in.client)
		full := s.exist() >= s.places && in.heard != "destroyed" // who has destroyed one has made room
		resource = s.unhold(in.client)
		made := c.made
		*c = call{probe: c.probe, claim: true, first: c.first}
		s.active++
		switch {
		case resource != 0 && !s.fresh.has(resource):
			return s, "destroy", resource
		case resource != 0:
		case len(s.idle) > 0:
			resource, s.idle = s.idle.first(), s.idle[1:]
		case len(s.doomed) > 0 && full:
			resource, s.doomed = s.doomed.first(), s.doomed[1:]
			return s, "destroy", resource
		default:
			c.makes = true
			return s, "create", 0
		}
		if s.beforeAcquire && !made {
			return s, "check", resource
		}
		s.lend(in, resource)
		return s, "OK", resource
	}
	said, resource = s.quit(in.client, said)
	return s, said, resource
}

// release begins one, or takes a resource out: only what is lent can come back.
func (s *state) release(in span, out reply) bool {
	r := in.resource
	if !s.lent.has(r) || in.lease != 0 && in.lease != s.leases.pair(r) {
		return out.said == "ERR_NOT_OWNED"
	}
	s.lent = s.lent.without(r)
	s.leases = s.leases.withoutPair(r)
	s.calls[in.client].probe = s.probing.has(r)
	s.probing = s.probing.without(r)
	switch {
	case in.call == "detach":
		s.fresh = s.fresh.without(r)
		s.leave()
		s.end(in.client)
		return out.said == "OK"
	case in.call == "release" && s.beforeRelease:
		return out == reply{said: "inspect", resource: r}
	case in.call == "discard" || !s.keeps(r):
		return s.goes(out, r)
	}
	s.keep(r)
	s.end(in.client)
	return out.said == "OK"
}

// cancel ends a call early.
func (s *state) cancel(in span, out reply) bool {
	if in.call == "drain" {
		s.calls[in.client] = call{at: leaving, said: "ERR_CANCELLED"}
		return s.drainOn(in, out, false)
	}
	said, resource := s.quit(in.client, "ERR_CANCELLED")
	if said == "ERR_CANCELLED" {
		said = "OK"
	}
	return out == reply{said: said, resource: resource}
}

// hook hears what a hook answered.
func (s *state) hook(in span, out reply) bool {
	r := in.resource
	destroyed := reply{said: "destroy", resource: r}
	switch in.heard {
	case "created":
		if in.call == "make" {
			return s.madeBehind(in, out)
		}
		if s.closed {
			return out == destroyed
		}
		if !s.calls[in.client].spoilt {
			s.fresh = s.fresh.with(r)
		}
		s.lend(in, r)
		return out == reply{said: "OK", resource: r}
	case "failed":
		if in.call == "make" {
			return s.notMadeBehind(in, out)
		}
		s.active--
		s.end(in.client)
		return out.said == "ERR_FACTORY"
	case "passed": // also if the pool was closed meanwhile
		if !s.fresh.has(r) {
			return out == destroyed
		}
		s.lend(in, r)
		return out == reply{said: "OK", resource: r}
	case "refused":
		return out == destroyed
	case "dropped":
		return s.goes(out, r)
	case "kept":
		if !s.keeps(r) {
			return s.goes(out, r)
		}
		s.keep(r)
		s.end(in.client)
		return out.said == "OK"
	case "destroyed":
		return s.destroyed(in, out)
	}
	return false
}

// destroyed goes on with what a destruction was a part of.
func (s *state) destroyed(in span, out reply) bool {
	if in.part == ending {
		return s.goOn(in, out)
	}
	s.fresh = s.fresh.without(in.resource)
	switch c := &s.calls[in.client]; {
	case in.call == "drain":
		s.gone()
		return s.drainOn(in, out, in.overdue)
	case c.at == leaving:
		said := c.said
		s.gone()
		s.end(in.client)
		if in.part == joining {
			c.at, c.said = decided, said
		}
		return out.said == said || out.said == "ended" || s.settles && out.said == "ERR_TIMEOUT" && in.overdue
	case in.call == "release" || in.call == "discard":
		s.gone()
		s.end(in.client)
		return out.said == "OK"
	case in.call == "close" || in.call == "resize" || in.call == "evict":
		s.gone()
		return s.purge(out)
	case in.before == "created": // it outlived the pool
		s.active--
		s.end(in.client)
		return out.said == "ERR_CLOSED" || out.said == "ended"
	case s.settles && in.before == "acquire" && out.said == "ERR_TIMEOUT" && in.overdue: // called off, see settled
		s.active--
		s.end(in.client)
		return true
	}
	// Refused: the call keeps its place and tries the next.
	s.active--
	if !s.closed {
		s.hold(in.client, true)
	}
	return s.decide(in, out)
}

func (s *state) counts() counts {
	n := counts{
		idle: s.exist() - s.active, active: s.active, reserved: s.reserved(), waiting: uint8(len(s.line)),
		circuit: s.circuit, places: s.places, closed: s.closed || s.drained,
	}
	if s.closed {
		n.reserved = 0
	}
	return n
}

// tidy forgets what makes no difference any more, so that equal states are equal.
func (s *state) tidy() {
	if !s.settles {
		s.ready = ""
	}
}
