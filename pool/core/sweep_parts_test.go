package core

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// part runs a sweep of at most so many checks and creations, as a driver does that runs a pass in parts; it tells
// what was left, and whether the pass goes on.
func (r *rig) part(from *Op, most int, hook func(ask Ask) Answer) (left *Op, goesOn bool) {
	r.t.Helper()
	op := &Op{Kind: KindSweep, Deadline: Never}
	if from != nil {
		op.Flags, op.Pass, op.Visits = from.Flags, from.Pass, from.Visits
	}
	for ask := r.next(op, Answer{}); ask.Kind != AskDone; {
		answer := hook(ask)
		if most--; most <= 0 && left == nil {
			left = &Op{Flags: FlagGoesOn | op.Flags&FlagNoRefill, Pass: op.Pass, Visits: op.Visits}
			if ask.Kind == AskCreate && !answer.OK {
				left.Flags |= FlagNoRefill
			}
			op.Flags |= FlagNoRefill
			op.Visits = 0
		}
		ask = r.next(op, answer)
	}
	require.Equal(r.t, StepDone, op.Step)
	refills := left != nil && left.Flags&FlagNoRefill == 0 && r.st.Idle+r.st.Active < r.st.MinSize
	return left, left != nil && (left.Visits > 0 || refills)
}

func TestAPassInPartsLooksOnceAtEach(t *testing.T) {
	const size = 20
	for most := 1; most <= size+1; most++ {
		r := newRig(t, size, allAsks|AsksHealthcheck)
		for word := uintptr(1); word <= size; word++ {
			r.lend(word)
		}
		for word := uintptr(1); word <= size; word++ {
			r.keep(word)
		}
		for pass := range 3 {
			var seen []uintptr
			var left *Op
			for goesOn := true; goesOn; {
				left, goesOn = r.part(left, most, func(ask Ask) Answer {
					assert.Equal(t, AskHealthcheck, ask.Kind)
					seen = append(seen, ask.Resource)
					return Answer{OK: true}
				})
				assert.Equal(t, [5]uint32{size, 0, 0, 0, 0}, r.counts(), "nothing is out between two parts")
			}
			require.Len(t, seen, size, "pass %d in parts of %d", pass, most)
			for i, word := range seen {
				assert.Equal(t, uintptr(i+1), word, "oldest first")
			}
		}
	}
}

func TestAPassInPartsReplacesWhatIsDead(t *testing.T) {
	const size = 20
	for most := 1; most <= 2*size+1; most++ {
		r := newRig(t, size, allAsks|AsksHealthcheck)
		r.st.MinSize = size
		for word := uintptr(1); word <= size; word++ {
			r.lend(word)
		}
		for word := uintptr(1); word <= size; word++ {
			r.keep(word)
		}
		made, checks, ended := uintptr(size), 0, 0
		var left *Op
		for goesOn := true; goesOn; {
			left, goesOn = r.part(left, most, func(ask Ask) Answer {
				switch ask.Kind {
				case AskCreate:
					made++
					return Answer{OK: true, Resource: made}
				case AskDestroy:
					ended++
				default:
					checks++
				}
				return Answer{}
			})
		}
		assert.Equal(t, [3]int{2 * size, size, size}, [3]int{int(made), checks, ended}, "in parts of %d", most)
		assert.Equal(t, [5]uint32{size, 0, 0, 0, 0}, r.counts())
	}
}

func TestAFactoryThatFailedIsNotAskedInALaterPart(t *testing.T) {
	const size = 20
	for most := 1; most <= 2*size+1; most++ {
		r := newRig(t, size, allAsks|AsksHealthcheck)
		r.st.MinSize = size
		for word := uintptr(1); word <= size; word++ {
			r.lend(word)
		}
		for word := uintptr(1); word <= size; word++ {
			r.keep(word)
		}
		creations := 0
		var left *Op
		for goesOn := true; goesOn; {
			left, goesOn = r.part(left, most, func(ask Ask) Answer {
				if ask.Kind == AskCreate {
					creations++
				}
				return Answer{}
			})
		}
		assert.Equal(t, 1, creations, "in parts of %d", most)
		assert.Equal(t, [5]uint32{0, 0, 0, 0, 0}, r.counts())
	}
}
