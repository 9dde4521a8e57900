package redisbudget

import (
	"fmt"
	"slices"
	"testing"
)

// wrong says what does not hold.
func (w *world) wrong(f *fleet) string {
	var leased, sum, believed, used int64
	for i := range f.of {
		if r := &f.ledger.of[i]; r.known {
			leased += r.leases
		}
		p := &f.of[i]
		used += int64(p.used)
		if p.robbed {
			return "valid leases are not extended"
		}
		if p.crowds {
			return "a place is granted that another has"
		}
		if p.left > 0 {
			believed += int64(p.leases)
		}
	}
	sum = f.ledger.sum
	switch {
	case leased > int64(w.limit):
		return fmt.Sprintf("%d leases for a limit of %d", leased, w.limit)
	case leased != sum:
		return fmt.Sprintf("%d leases, and the ledger counts %d", leased, sum)
	case believed > int64(w.limit) && !f.lost:
		return fmt.Sprintf("%d leases are believed valid, for a limit of %d", believed, w.limit)
	case used > int64(w.limit) && !f.lost:
		return fmt.Sprintf("%d places are used, for a limit of %d", used, w.limit)
	}
	return ""
}

type found struct {
	from  int32
	event event
}

// tell is how a state came about.
func tell(came []found, at int32) (story []event) {
	for ; at > 0; at = came[at].from {
		story = append(story, came[at].event)
	}
	slices.Reverse(story)
	return story
}

// search tries all; it answers the number of states, and a story of what does not hold.
func (w *world) search(most int) (states int, story []event, why string) {
	start := w.start()
	first := start.normal()
	index := map[key]int32{first.key(): -1}
	list := []key{first.key()}
	came := []found{{-1, event{}}}
	for at := 0; at < len(list); at++ {
		f := list[at].fleet(w)
		if why := w.settle(f); why != "" {
			return len(list), tell(came, int32(at)), why
		}
		if why != "" {
			return len(list), story, why
		}
		if len(list) > most {
			return len(list), nil, fmt.Sprintf("more than %d states", most)
		}
		w.next(&f, func(e event, g fleet) {
			if g.lost && !w.cutOff {
				return
			}
			if sum := w.wrong(&g); sum != "" && why == "" {
				why, story = sum, append(tell(came, int32(at)), e)
			}
			n := g.normal()
			if k := n.key(); index[k] == 0 {
				index[k] = int32(len(list))
				list = append(list, k)
				came = append(came, found{int32(at), e})
			}
		})
	}
	return len(list), story, why
}

// settle lets everything go well from now on: who has a place gives it back, who wants one gets it in the order of
// asking, and nobody waits for longer than a ledger's grace, the leases of the dead, and the others.
func (w *world) settle(f fleet) string {
	var served [processes]int
	var tickets [processes]int64
	for i := range f.of {
		p := &f.of[i]
		// Who gives back one that it uses may have that one again; and who is forgotten before it speaks has no ticket.
		if r := &f.ledger.of[i]; p.wants && p.used == 0 && r.leases == 0 && r.ends > f.ledger.clock+1 {
			tickets[i] = r.ticket
		}
		p.used, p.now, p.late = 0, sent{}, sent{}
	}
	// What was had without a lease, and no longer is, becomes known when its process speaks, which may be after who asked
	// first, and before others: that one is served in the next round.
	early := 0
	if f.ledger.bare() > 0 {
		early = 1
	}
	const most = 2*leaseTicks + 2*processes
	for now := 1; now <= most; now++ {
		f.tick(-1)
		for i := range f.of {
			p := &f.of[i]
			if !p.alive {
				continue
			}
			w.says(p)
			w.hear(&f, i, &p.now)
			w.hears(p)
			if p.wants && p.leases > p.used {
				p.wants, served[i] = false, now
			}
		}
	}
	for i := range f.of {
		if f.of[i].wants {
			return "one waits for ever"
		}
		for j := range f.of {
			if tickets[i] > 0 && tickets[j] > tickets[i] && served[j]+early < served[i] {
				return "one is served before another who asked first"
			}
		}
	}
	return ""
}

var worlds = []world{
	{limit: 1},
	{limit: 2},
	{limit: 3, least: 1},
	{limit: 2, leaps: 1},
	{limit: 1, slow: true},
	{limit: 2, losses: true, faults: 1},
	{limit: 1, losses: true, faults: 2},
	{limit: 2, losses: true, faults: 1, cutOff: true, without: 1},
	{limit: 2, deaths: true, faults: 1},
	{limit: 1, late: true, faults: 1},
	{limit: 1, deaths: true, losses: true, faults: 2},
	{limit: 1, late: true, losses: true, faults: 2, without: 1},
	{limit: 2, late: true, losses: true, faults: 2, without: 1},
}

func TestSearch(t *testing.T) {
	sum := 0
	for _, w := range worlds {
		states, story, why := w.search(3000000)
		sum += states
		t.Logf("%+v: %d", w, states)
		if why != "" {
			t.Fatalf("%s: %v", why, story)
		}
	}
	t.Logf("%d states", sum)
}

func TestDefects(t *testing.T) {
	for _, d := range []struct {
		name string
		in   world
	}{
		{"keepsLeases", world{limit: 1, late: true, faults: 1, defects: defects{keepsLeases: true}}},
		{"longLease", world{limit: 1, slow: true, defects: defects{longLease: true}}},
		{"saysValid", world{limit: 1, losses: true, faults: 1, cutOff: true, defects: defects{saysValid: true}}},
		{"noGrace", world{limit: 1, losses: true, faults: 1, defects: defects{noGrace: true}}},
		{"noNumbers", world{limit: 1, late: true, faults: 1, defects: defects{noNumbers: true}}},
		{"noNames", world{limit: 1, late: true, losses: true, faults: 2, without: 1, defects: defects{noNames: true}}},
		{"blind", world{limit: 1, losses: true, faults: 1, cutOff: true, defects: defects{blind: true}}},
		{"freeClock", world{limit: 1, leaps: 1, defects: defects{freeClock: true}}},
	} {
		states, story, why := d.in.search(3000000)
		t.Logf("%s: %d states, %s: %v", d.name, states, why, story)
		if story == nil {
			t.Errorf("%s is not found in %d states", d.name, states)
		}
	}
}
