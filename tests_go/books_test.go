package tests_go

import (
	"fmt"
	"slices"

	"asyncpool/pool/core"
)

// destroying keeps the books when a destruction is asked for.
func (w *world) destroying(word uintptr) error {
	w.destroyed[word]++
	if w.destroyed[word] > w.made[word] {
		return fmt.Errorf("I5: resource %d was made %d times and is destroyed once more",
			word, w.made[word])
	}
	return nil
}

// givenBack keeps the books when a release begins: it is refused, or the resource is lent no more.
func (w *world) givenBack(a *actor) error {
	if a.ask.Kind == core.AskDone && a.ask.Status == core.NotOwned {
		return nil
	}
	i := slices.Index(w.lent, a.word)
	if i < 0 {
		return fmt.Errorf("resource %d is taken back and was not lent", a.word)
	}
	w.lent = slices.Delete(w.lent, i, i+1)
	return nil
}

// done keeps the books when an op ends. What was detached is as good as destroyed.
func (w *world) done(a *actor) error {
	if a.op.Kind == core.KindDetach && a.ask.Status == core.OK {
		return w.destroying(a.word)
	}
	switch {
	case a.ask.Status == core.OK && a.lends():
		w.lent = append(w.lent, a.ask.Resource)
	case a.ask.Resource != 0:
		return fmt.Errorf("done, without a resource to lend, but with resource %d", a.ask.Resource)
	}
	return nil
}

// left tells what is left of a pool that was closed, whose ops are done and whose resources are back.
func (w *world) left() error {
	st := &w.state
	if st.Idle != 0 || st.Active != 0 || st.Reserved != 0 || st.Waiting != 0 || st.Ops != 0 {
		return fmt.Errorf("left: idle %d active %d reserved %d waiting %d ops %d",
			st.Idle, st.Active, st.Reserved, st.Waiting, st.Ops)
	}
	if st.Registry.Live != 0 || st.Waiters != (core.List{}) || st.Ready != (core.List{}) {
		return fmt.Errorf("left: %d entries, or an op in a list", st.Registry.Live)
	}
	if w.setup.asks&core.AsksDestroy != 0 {
		for word, made := range w.made {
			if w.destroyed[word] != made {
				return fmt.Errorf("I5: resource %d was made %d times and destroyed %d times",
					word, made, w.destroyed[word])
			}
		}
	}
	if len(w.heap.blocks) > 3 { // ring, entries, index
		return fmt.Errorf("left: %d blocks of memory", len(w.heap.blocks))
	}
	return nil
}
