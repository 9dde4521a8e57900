package linear

// The Go front takes the next step of a call at once when it is promised a place, in the place of its goroutine,
// under the same lock. When a hook is due, the goroutine hears of it later, if it is not too late by then.

// settle takes the next step of everybody who was promised a place or sent away.
func (s *state) settle() {
	for len(s.ready) > 0 {
		client := s.ready.first()
		s.ready = s.ready[1:]
		next, said, resource := s.next(span{client: client, call: "acquire"}, false)
		*s = next
		c := &s.calls[client]
		c.at, c.said, c.resource = decided, said, resource
	}
}

// settled tells a client what was decided. Where a hook is due and it is too late for that, the call is off: nothing has
// been made, and nobody has touched the resource.
func (s *state) settled(in span, out reply) bool {
	c := &s.calls[in.client]
	said, resource := c.said, c.resource
	due := said == "create" || said == "check"
	keeps := said != "check" || s.keeps(resource)
	late := in.overdue && (out.said == "ERR_TIMEOUT" || out.said == "destroy" && !keeps)
	c.at, c.said, c.resource = nowhere, "", 0
	if !due || !s.settles || c.claim && !s.closed && !late {
		return said == out.said && resource == out.resource
	}
	why := "ERR_TIMEOUT"
	switch {
	case late && out.said == "ERR_TIMEOUT":
	case s.closed:
		why = "ERR_CLOSED"
	case !c.claim: // and late perhaps: then it will say so
		why = "ERR_UNAVAILABLE"
	}
	switch {
	case said == "create":
		s.active--
	case s.closed:
		return out == reply{said: "destroy", resource: resource}
	case !keeps:
		c.at, c.said = leaving, why
		return s.goes(out, resource)
	default:
		s.lay(resource)
		s.active--
		s.grant()
	}
	s.end(in.client)
	return out.said == why
}
