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

// settled tells a client what was decided.
func (s *state) settled(in span, out reply) bool {
	c := &s.calls[in.client]
	said, resource := c.said, c.resource
	due := said == "create" || said == "check"
	keeps := said != "check" || s.keeps(resource)
	cancelled := in.overdue && (out.said == "ERR_TIMEOUT" || out.said == "destroy" && !keeps)
	c.at, c.said, c.resource = nowhere, "", 0
	if !due || !s.settles || c.claim && !s.closed && !cancelled {
		return said == out.said && resource == out.resource
	}
	// Nothing has been made, and nobody has touched the resource.
	why := "ERR_UNAVAILABLE"
	switch {
	case cancelled:
		why = "ERR_TIMEOUT"
	case s.closed:
		why = "ERR_CLOSED"
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
