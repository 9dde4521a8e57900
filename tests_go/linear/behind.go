package linear

// Creation behind: who finds nothing idle stands in line, and calls of their own make what is handed to the first there:
// of clients, or of threads of the library. Those are clients, too; of their calls it is not known when they begin, nor
// what is heard at their end ("ended").

// makers is how many make a resource.
func (s *state) makers() (n uint8) {
	for i := range s.calls {
		if s.calls[i].at == making {
			n++
		}
	}
	return n
}

// due says whether somebody in line has nobody who makes a resource for it, and there is a place for that.
func (s *state) due() bool {
	idle := s.exist() - s.active
	return s.behind && len(s.line) > int(s.makers()) && s.active+max(idle, s.reserved()) < s.places && s.admits()
}

// make begins to make one.
func (s *state) make(in span, out reply) bool {
	c := &s.calls[in.client]
	switch {
	case c.at != nowhere: // it has yet to end the one before
		return false
	case s.closed:
		return out.said == "ERR_CLOSED"
	case !s.due():
		return out.said == "EMPTY"
	}
	s.takeSlot(in.client)
	c.at, c.makes = making, true
	s.active++
	return out.said == "create"
}

// madeBehind hands on what was made.
func (s *state) madeBehind(in span, out reply) bool {
	c, r := &s.calls[in.client], in.resource
	if c.at != making {
		return false
	}
	spoilt := c.spoilt
	c.at, c.makes, c.spoilt = nowhere, false, false
	switch {
	case s.closed:
		return out == reply{said: "destroy", resource: r}
	case !spoilt:
		s.fresh = s.fresh.with(r)
	}
	if !s.keeps(r) {
		c.at, c.said = leaving, "OK"
		return s.goes(out, r)
	}
	s.freeSlot(in.client)
	if len(s.line) > 0 && s.active+s.reserved() <= s.places && s.admits() {
		s.idle = numbers("").push(r) + s.idle
		s.active--
		s.calls[s.line.first()].made = true
		s.grantNext()
	} else {
		s.keep(r)
	}
	s.end(in.client)
	return out.said == "OK" || out.said == "ended"
}

// notMadeBehind tells the first in line.
func (s *state) notMadeBehind(in span, out reply) bool {
	if s.calls[in.client].at != making {
		return false
	}
	if len(s.line) > 0 {
		client := s.line.first()
		s.line = s.line[1:]
		s.calls[client].at, s.calls[client].said = sentAway, "ERR_FACTORY"
	}
	s.active--
	s.end(in.client)
	return out.said == "ERR_FACTORY" || out.said == "ended"
}

// standAgain puts a call into the line that was promised a place, and has nothing to be lent there: before all who came
// later. Who has never been in line came when nobody was there.
func (s *state) standAgain(client uint8) {
	c := &s.calls[client]
	s.owed = s.owed.without(client)
	s.freeSlot(client)
	if !s.came.has(client) {
		at := 0
		for at < len(s.came) && s.calls[s.came[at]].first {
			at++
		}
		c.first = true
		s.came = s.came[:at].push(client) + s.came[at:]
	}
	*c = call{at: inLine, first: c.first}
	at := 0
	for at < len(s.line) && s.came.place(s.line[at]) < s.came.place(client) {
		at++
	}
	s.line = s.line[:at].push(client) + s.line[at:]
}
