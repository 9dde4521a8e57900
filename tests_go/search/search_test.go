package search

import (
	"flag"
	"slices"
	"sync"
	"testing"
	"time"

	"asyncpool/pool/core"
)

var (
	large = flag.Bool("large", false, "search the large worlds, too; needs -timeout 0")
	limit = flag.Int("limit", 200_000_000, "give up on a world that has more states than this")
)

// worlds are those to be searched, the long ones first.
func worlds() []World {
	worlds := slices.Concat(Tiny, Taken, Old)
	if !slow {
		worlds = append(worlds, Small...)
		worlds = append(worlds, slices.Concat(Sized, Evicting, Trimming, Draining, Aged, Behind)...)
	}
	if !slow && !testing.Short() {
		worlds = append(worlds, Medium...)
	}
	if *large {
		worlds = append(worlds, Large...)
	}
	slices.Reverse(worlds)
	return worlds
}

// TestWorlds searches the worlds, each on a thread of its own, and says what they covered together.
// Shows I1 to I5, I7, I8, P02.
func TestWorlds(t *testing.T) {
	worlds := worlds()
	var lock sync.Mutex
	var total Report
	searched := 0
	t.Run("each", func(t *testing.T) {
		for i := range worlds {
			w := &worlds[i]
			t.Run(w.Name, func(t *testing.T) {
				t.Parallel()
				start := time.Now()
				report, violation, err := w.Search(*limit)
				if err != nil {
					t.Fatal(err)
				}
				if violation != nil {
					t.Fatal(violation)
				}
				t.Logf("%s: %s, %.1f s", w.Name, report, time.Since(start).Seconds())
				lock.Lock()
				defer lock.Unlock()
				searched++
				total.add(report)
			})
		}
	})
	if searched < len(worlds) {
		t.Skipf("%d of %d worlds: what they cover together is not looked at", searched, len(worlds))
	}
	t.Logf("%d worlds: %s\n%s", searched, total, total.Covered)
	if slow {
		return
	}
	if total.States < 500_000 {
		t.Errorf("only %d states", total.States)
	}
	for way, n := range total.Fast {
		t.Logf("fast: %s %d", fastNames[way], n)
		if n == 0 {
			t.Errorf("fast: never had to do %s", fastNames[way])
		}
	}
	expectCovered(t, total.Covered)
}

// expectCovered: all that can be asked and told was, and nothing else.
func expectCovered(t *testing.T, got Coverage) {
	t.Helper()
	lends := []core.Status{core.OK, core.Closed, core.Unavail, core.Factory, core.Cancelled, core.NoMemory}
	makes := []core.Status{core.OK, core.Closed, core.Factory, core.Cancelled, core.NoMemory}
	takes := []core.AskKind{core.AskCreate, core.AskBeforeAcquire, core.AskDestroy, core.AskShouldRecover}
	for kind, expected := range map[core.Kind]struct {
		asks []core.AskKind
		ends []core.Status
	}{
		core.KindAcquire: {append(slices.Clone(takes), core.AskWait), append(slices.Clone(lends), core.Timeout, core.Overloaded)},
		core.KindTry:     {takes, append(slices.Clone(lends), core.Empty)},
		core.KindRelease: {
			[]core.AskKind{core.AskBeforeRelease, core.AskReportSuccess, core.AskReportFailure, core.AskDestroy},
			[]core.Status{core.OK, core.Cancelled},
		},
		core.KindDiscard: {[]core.AskKind{core.AskDestroy}, []core.Status{core.OK, core.Cancelled}},
		core.KindDetach:  {nil, []core.Status{core.OK}},
		core.KindClose:   {[]core.AskKind{core.AskDestroy}, []core.Status{core.OK, core.Cancelled}},
		core.KindDrain: {
			[]core.AskKind{core.AskDestroy, core.AskWait}, []core.Status{core.OK, core.Timeout, core.Cancelled},
		},
		core.KindEvict:  {[]core.AskKind{core.AskDestroy}, []core.Status{core.OK, core.Closed, core.Cancelled}},
		core.KindTrim:   {[]core.AskKind{core.AskDestroy}, []core.Status{core.OK, core.Closed, core.Cancelled}},
		core.KindResize: {[]core.AskKind{core.AskDestroy}, []core.Status{core.OK, core.Closed, core.Cancelled}},
		core.KindBehind: {[]core.AskKind{core.AskCreate, core.AskDestroy}, append(slices.Clone(makes), core.Empty)},
		core.KindFill:   {[]core.AskKind{core.AskCreate, core.AskDestroy}, makes},
		core.KindSweep:  {[]core.AskKind{core.AskCreate, core.AskHealthcheck, core.AskDestroy, core.AskLeaked}, makes},
	} {
		for ask, n := range got.Asks[kind] {
			if (n > 0) != slices.Contains(expected.asks, core.AskKind(ask)) {
				t.Errorf("%s was asked for %s %d times", kindNames[kind], askNames[core.AskKind(ask)], n)
			}
		}
		for status := core.Internal; status <= core.Empty; status++ {
			if n := got.Ends[kind][status]; (n > 0) != slices.Contains(expected.ends, status) {
				t.Errorf("%s ended with %s %d times", kindNames[kind], statusNames[status], n)
			}
		}
	}
}
