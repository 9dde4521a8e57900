package search

import (
	"fmt"
	"strings"

	"asyncpool/pool/core"
)

// Violation is a way to something that must not be: the shortest there is, in moves.
type Violation struct {
	Err     error
	History []Move
	world   *World
}

// String tells the history, move by move, and what is wrong at its end.
func (v *Violation) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %d moves lead to this:\n", v.world.Name, len(v.History))
	b, err := NewBoard(v.world)
	for i := 0; err == nil && i < len(v.History); i++ {
		m := v.History[i]
		err = b.Do(m)
		fmt.Fprintf(&text, "%3d. %-28s", i+1, m.describe(v.world))
		if m.Actor != noActor {
			fmt.Fprintf(&text, " -> %-22s", textOf(&b.told))
		} else {
			fmt.Fprintf(&text, "    %-22s", "")
		}
		st := &b.memory.state
		fmt.Fprintf(&text, " idle %d active %d reserved %d waiting %d probes %d %s\n",
			st.Idle, st.Active, st.Reserved, st.Waiting, st.Breaker.Probes, circuitNames[st.Breaker.Circuit%3])
	}
	fmt.Fprintf(&text, "     %v", v.Err)
	return text.String()
}

// textOf is what an actor was told.
func textOf(told *core.Ask) string {
	switch {
	case told.Status == core.Pending:
		return "PENDING"
	case told.Kind == core.AskDone && told.Resource != 0:
		return fmt.Sprintf("DONE %s %d", statusNames[told.Status], told.Resource)
	case told.Kind == core.AskDone:
		return "DONE " + statusNames[told.Status]
	case told.Resource != 0:
		return fmt.Sprintf("%s %d", askNames[told.Kind], told.Resource)
	}
	return askNames[told.Kind]
}
