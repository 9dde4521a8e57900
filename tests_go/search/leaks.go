package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// What is lent for too long, as the account has it: whatever was so when a pass began, and has not come back, that pass
// tells, unless another one has. It does so before all else.

// leaks says whether a resource is lent for too long, and nobody has been told.
func (a *account) leaks(word uint8) bool {
	t, after := &a.things[word], int64(a.world.LeakAfter)*tick
	return after != 0 && t.where == lent && !t.told && a.now-t.out >= after
}

// hunt is the beginning of a pass: what it has to tell. What nobody wants to hear of is counted at once.
func (a *account) hunt(p *party) {
	for word := range uint8(len(a.things)) {
		switch {
		case a.shut() || !a.leaks(word):
		case a.wants(core.AsksLeaked):
			p.hunts |= 1 << word
		default:
			a.tells(word)
		}
	}
}

// tells is what it means that a lend is told as leaked.
func (a *account) tells(word uint8) {
	a.things[word].told = true
	a.counts.leaked++
	for i := range a.parties {
		a.parties[i].hunts &^= 1 << word
	}
}

func (a *account) askedLeaked(p *party, word uint8) error {
	switch {
	case p.kind != core.KindSweep || a.shut() || !a.wants(core.AsksLeaked) || p.place:
		return fmt.Errorf("leaks: nobody wants to be told")
	case word > maxWords || !a.leaks(word):
		return fmt.Errorf("leaks: resource %d is told as leaked, and it is not so, or not new", word)
	}
	a.tells(word)
	return nil
}

func (a *account) overlooksLeaks(p *party) error {
	return fmt.Errorf("leaks: a pass has overlooked some: %b", p.hunts)
}
