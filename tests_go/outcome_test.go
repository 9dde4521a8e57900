package tests_go

import (
	"fmt"

	"asyncpool/pool/core"
)

// setup is the pool of a scenario.
type setup struct {
	max, min uint32
	asks     uint32
	waiting  uint32 // in line at most; 0: any number
	retry    bool   // creations that fail are tried again after a pause
	options  uint32
	uses     uint32 // lends of one resource; 0: any number
	idle     uint32 // so many are kept idle, by sweeps
	behind   bool   // nobody in line makes a resource: others do
}

// askNames are the words of "asks=" for the optional asks, in the order in which they are written.
var askNames = []struct {
	name string
	bit  uint32
}{
	{"acquire", core.AsksBeforeAcquire},
	{"release", core.AsksBeforeRelease},
	{"destroy", core.AsksDestroy},
	{"leaked", core.AsksLeaked},
}

// action is one thing that an actor does.
type action struct {
	actor   byte // 'A' to 'Z'
	verb    string
	word    uintptr // release, made; resize: the new min; trim: how many are kept
	most    uint32  // resize: the new max
	timeout bool    // acquire: it has a deadline
	late    bool    // answers: the deadline has passed; sweep: for what is lent, too
}

// withWord are the verbs that name a resource.
var withWord = map[string]bool{"release": true, "discard": true, "detach": true, "resize": true, "trim": true, "made": true}

func (a action) String() string {
	text := fmt.Sprintf("%c %s", a.actor, a.verb)
	if withWord[a.verb] {
		text += fmt.Sprintf(" %d", a.word)
	}
	if a.verb == "resize" {
		text += fmt.Sprintf(" %d", a.most)
	}
	if a.timeout {
		text += " timeout"
	}
	if a.late {
		text += " late"
	}
	return text
}

// outcome is what can be seen after an action: what the actor is asked, and the counts.
type outcome struct {
	pending bool // a cancel that is not finished; the rest of the ask is empty then
	kind    core.AskKind
	status  core.Status
	lends   bool // done well, with a resource
	word    uintptr
	ticket  uint64
	turn    uint64

	idle, active, reserved, waiting uint32
	woken                           string // the actors who may go on from their wait, by name
	closed                          bool
}

var statusNames = map[core.Status]string{
	core.OK: "OK", core.Empty: "EMPTY", core.Closed: "CLOSED", core.Timeout: "TIMEOUT",
	core.Factory: "FACTORY", core.Cancelled: "CANCELLED", core.NotOwned: "NOT_OWNED",
	core.NoMemory: "NOMEM", core.Overloaded: "OVERLOADED", core.Internal: "INTERNAL",
}

// lines are the outcome as it stands below an action in a scenario.
func (o outcome) lines(actor byte) string {
	return fmt.Sprintf("%c: %s\n%s", actor, o.ask(), o.counts())
}

func (o outcome) ask() string {
	if o.pending {
		return "pending"
	}
	switch o.kind {
	case core.AskCreate:
		return "create"
	case core.AskBeforeAcquire:
		return fmt.Sprintf("before_acquire %d", o.word)
	case core.AskBeforeRelease:
		return fmt.Sprintf("before_release %d", o.word)
	case core.AskDestroy:
		return fmt.Sprintf("destroy %d", o.word)
	case core.AskLeaked:
		return fmt.Sprintf("leaked %d", o.word)
	case core.AskWait:
		return fmt.Sprintf("wait ticket %d", o.ticket)
	case core.AskDone:
		text := "done " + statusNames[o.status]
		if o.lends {
			text += fmt.Sprintf(" %d", o.word)
		}
		if o.ticket != 0 {
			text += fmt.Sprintf(" ticket %d", o.ticket)
		}
		if o.turn != 0 {
			text += fmt.Sprintf(" turn %d", o.turn)
		}
		return text
	}
	return fmt.Sprintf("ask %d", o.kind)
}

func (o outcome) counts() string {
	text := fmt.Sprintf("idle %d active %d reserved %d waiting %d",
		o.idle, o.active, o.reserved, o.waiting)
	if o.woken != "" {
		text += " woken " + o.woken
	}
	if o.closed {
		text += " closed"
	}
	return text
}
