package linear

// What owners of a pool do beside lending: they change its size, have all replaced, and bring it to its end.

// exist is how many resources there are, or are being made or destroyed.
func (s *state) exist() uint8 {
	return uint8(len(s.idle)+len(s.bound)+len(s.doomed)) + s.active
}

// above says whether more resources stay than there are places.
func (s *state) above() bool { return s.exist()-s.going > s.places }

// keeps says whether a resource is kept, if it is good.
func (s *state) keeps(resource uint8) bool {
	return !s.closed && !s.above() && s.fresh.has(resource) && !s.unneeded()
}

// superfluous says whether something is idle that is not kept.
func (s *state) superfluous() bool {
	return s.closed && len(s.bound)+len(s.idle) > 0 || len(s.doomed) > 0 || len(s.idle) > 0 && (s.above() || s.unneeded())
}

// resize makes the pool larger or smaller.
func (s *state) resize(places uint8) {
	s.places = places
	for len(s.owed) > 0 && s.exist()+uint8(len(s.owed)) > s.places {
		last := s.owed[len(s.owed)-1]
		s.owed = s.owed[:len(s.owed)-1]
		s.recall(last)
	}
	s.grant()
}

// recall ends the promise of a place for a resource that would be one too many: its client is in line again, before all
// who came later, or sent away, if the breaker has opened since.
func (s *state) recall(client uint8) {
	c := &s.calls[client]
	s.freeSlot(client)
	s.ready = s.ready.without(client)
	if c.claim {
		*c = call{at: inLine}
		s.line = numbers("").push(client) + s.line
	} else {
		*c = call{at: sentAway, said: "ERR_UNAVAILABLE"}
		s.ready = s.ready.push(client)
	}
}

// evict has nothing lent again that exists, or is being made.
func (s *state) evict() {
	s.fresh = ""
	s.doomed += s.idle
	s.idle = ""
	for i := range s.calls {
		s.calls[i].spoilt = s.calls[i].makes
	}
}

// unneeded says whether nothing is kept: the pool is drained, and nobody waits.
func (s *state) unneeded() bool {
	return s.drained && len(s.line) == 0 && len(s.owed) == 0
}

// goes has a resource destroyed whose place is free then.
func (s *state) goes(out reply, resource uint8) bool {
	s.going++
	return out == reply{said: "destroy", resource: resource}
}

// gone is the end of that.
func (s *state) gone() {
	s.going--
	s.leave()
}

// purge destroys the next idle resource that is not kept: of a pool that is closing those that were promised, too.
func (s *state) purge(out reply) bool {
	var r uint8
	switch {
	case !s.superfluous():
		return out.said == "OK"
	case s.closed && len(s.bound) > 0:
		r = s.unhold(s.bound.first())
	case len(s.doomed) > 0:
		r, s.doomed = s.doomed.first(), s.doomed[1:]
	default:
		r, s.idle = s.idle.first(), s.idle[1:]
	}
	s.active++
	return s.goes(out, r)
}

// drainOn is what a drain does next: it destroys what nobody needs, and ends when nothing is left. At its deadline it
// closes the pool, and destroys what it finds.
func (s *state) drainOn(in span, out reply, late bool) bool {
	c, n := &s.calls[in.client], s.counts()
	switch {
	case s.superfluous():
		return s.purge(out)
	case c.at == leaving:
		said := c.said
		s.end(in.client)
		return out.said == said || out.said == "OK" && in.heard == "cancel"
	case n.idle+n.active+n.reserved+n.waiting == 0:
		s.closed = true
		return out.said == "OK"
	case late && out.said != "wait":
		s.closed = true
		s.dismiss("ERR_CLOSED")
		*c = call{at: leaving, said: "ERR_TIMEOUT"}
		return s.drainOn(in, out, false)
	}
	return out.said == "wait"
}
