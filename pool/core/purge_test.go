package core

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What nobody is asked to destroy goes many at once, and others have the lock in between.
func TestManyAreDestroyedInPartsWhereNobodyIsAsked(t *testing.T) {
	const many = 1000
	for _, kind := range []Kind{KindEvict, KindResize, KindClose, KindDrain, KindTrim} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			r := newRig(t, many, 0)
			for word := range uintptr(many) {
				r.lend(word + 1)
			}
			for word := range uintptr(many) {
				r.keep(word + 1)
			}
			op := &Op{Kind: kind, Deadline: Never, Pass: 1}
			least, parts := uint32(0), 0
			switch kind {
			case KindResize:
				least = 1
			case KindTrim:
				op.Visits, least = 3, 3
			}
			for before := r.st.Registry.Live; ; parts++ {
				ask := r.next(op, Answer{OK: true})
				assert.LessOrEqual(t, before-r.st.Registry.Live, uint32(glances+1))
				before = r.st.Registry.Live
				if ask.Status != Pending {
					assert.Equal(t, AskDone, ask.Kind)
					assert.Equal(t, OK, ask.Status)
					break
				}
				require.Equal(t, AskDestroy, ask.Kind)
			}
			assert.Equal(t, least, r.st.Registry.Live)
			assert.GreaterOrEqual(t, parts, many/(glances+1))
		})
	}
}
