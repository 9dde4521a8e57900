package linear

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
)

// defect is a way to break the library, and the recorder that shall meet it. Those that make it crash are of no use
// here: the checker shall find them.
type defect struct {
	name, recorder, file, old, new string
	always                         bool // also without ASYNCPOOL_DEFECTS=all
}

var defects = []defect{
	{"a place is lost when a resource outlives the pool", "go", "pool/core/acquire.go",
		"c.forget(op)\n\tc.freePlace()\n\tc.finish(op, Closed)", "c.forget(op)\n\tc.finish(op, Closed)", false},
	{"a place is lost when a factory fails", "go", "pool/core/acquire.go",
		"c.freePlace()\n\tif op.Kind == KindSweep", "if op.Kind == KindSweep", true},
	{"the last place is never free", "go", "pool/core/places.go",
		"uint64(c.st.Reserved) < uint64(c.st.MaxSize)", "uint64(c.st.Reserved)+1 < uint64(c.st.MaxSize)", false},
	{"a closed pool lends", "go", "pool/core/acquire.go",
		"case c.closed() || op.Step == StepBegin && c.shut():\n\t\tc.finish(op, Closed)",
		"case c.closed() && c.st.Idle > 0:\n\t\tc.finish(op, Closed)", true},
	{"a pool that is drained lends to newcomers", "c", "pool/core/acquire.go",
		"op.Step == StepBegin && c.shut()", "op.Step == StepBegin && c.closed()", true},
	{"a pool that is drained keeps what nobody needs", "c", "pool/core/drain.go",
		"return c.st.Gate&GateDraining != 0 && !c.needed()", "return false", false},
	{"a drain ends before what is lent is back", "c", "pool/core/drain.go",
		"return st.Idle == 0 && st.Active == 0 &&", "return st.Idle == 0 &&", false},
	{"a resource made for a pool that closed is lent", "go", "pool/core/acquire.go",
		"case c.closed():\n\t\top.Step, op.Why = StepUnwanted", "case false:\n\t\top.Step, op.Why = StepUnwanted", false},
	{"one probe too many", "go", "pool/core/breaker.go",
		"b.Probes < b.Limit", "b.Probes <= b.Limit", true},
	{"a probe keeps its slot", "go", "pool/core/breaker.go",
		"c.st.Breaker.Probes--", "", false},
	{"who is in line when the breaker opens hears of a close", "go", "pool/core/close.go",
		"case op.Epoch != st.Breaker.Epoch:\n\t\treturn Unavail",
		"case op.Epoch != st.Breaker.Epoch:\n\t\treturn Closed", false},
	{"a refused resource goes back to the line", "go", "pool/core/places.go",
		"if !c.closed() {\n\t\tc.reserve(op)", "if !c.closed() {\n\t\tc.st.Reserved++", false},
	{"the last in line is served first", "c", "bridge/places.h",
		"(op = st->waiters.head) != NULL", "(op = st->waiters.tail) != NULL", true},
	{"one more than may wait stands in line", "c", "bridge/places.h",
		"st->waiting >= st->max_waiting", "st->waiting > st->max_waiting", true},
	{"a release wakes nobody", "c", "bridge/places.h",
		"if (st->waiting > 0)", "if (st->waiting > 1)", false},
	{"the fast path counts an idle one twice", "c", "bridge/places.h",
		"ap__pair(st->idle + 1, st->active - 1)", "ap__pair(st->idle + 1, st->active)", false},
	{"the fast path lends while the breaker is open", "c", "bridge/fast.h",
		"AP_GATE_REPORTS |\n", "AP_GATE_REPORTS | AP_GATE_BREAKER |\n", false},
	{"a lease that has ended ends the next", "c", "bridge/fast.h",
		"if (AP_UNLIKELY(!last || *last != id))\n        return false;\n    ap_entry_t",
		"if (AP_UNLIKELY(!last))\n        return false;\n    ap_entry_t", true},
	{"what is evicted comes back and is idle", "c", "bridge/fast.h",
		"if (!entry || ap__evicted(st, entry) || ap__worn(st, number))",
		"if (!entry || ap__worn(st, number))", true},
	{"what is made while an evict begins is lent for ever", "go", "pool/core/evict.go",
		"if op.Evicts == c.st.Evicts {", "if true {", false},
	{"what is being checked while an evict begins is lent", "c", "pool/core/acquire.go",
		"case c.st.isEvicted(op.Entry):\n\t\top.Step, op.Why", "case false:\n\t\top.Step, op.Why", false},
	{"a pool that has shrunk keeps what comes back", "c", "pool/core/places.go",
		"return c.exist()-uint64(c.st.Going) > uint64(c.st.MaxSize)", "return false", false},
	{"what is being destroyed is one too many", "go", "pool/core/places.go",
		"return c.exist()-uint64(c.st.Going) > uint64(c.st.MaxSize)", "return c.exist() > uint64(c.st.MaxSize)", false},
	{"a pool that has shrunk makes what it has promised", "c", "pool/core/resize.go",
		"\tc.recall()\n", "", false},
	{"who loses its promise stands behind who came later", "c", "pool/core/patience.go",
		"return op.Ticket < other.Ticket", "return true", false},
	{"a detach keeps its place", "go", "pool/core/release.go",
		"c.goes(op, StepRemove, WhyDetached)\n\t\tc.removed(op)",
		"op.Why = WhyDetached\n\t\tc.forget(op)\n\t\tc.finish(op, OK)", false},
	{"what is made behind is for who came last", "c", "pool/core/behind.go",
		"first := st.Waiters.Head\n\tuseful", "first := st.Waiters.Tail\n\tuseful", false},
	{"a failure behind is nobody's", "c", "pool/core/behind.go",
		"if lost || !put && c.st.Patience.Retry == 0 {", "if lost {", false},
	{"who stands in line is promised what nobody makes", "c", "bridge/places.h",
		"ap__surplus(st) && (ap__any_idle(st) || !st->behind)", "ap__surplus(st)", false},
	{"the newest idle resource is lent", "c", "bridge/registry.h",
		"if (AP_UNLIKELY(alone))\n",
		"ap__registry_entry(&st->registry, i)->link = st->queue.head;\n    if (true)\n", false},
}

// Most of them are tried only now and then: what they replace must be there all the same.
func TestEveryDefectIsUpToDate(t *testing.T) {
	for _, d := range defects {
		text, err := os.ReadFile(filepath.Join(root(t), d.file))
		assert.NoError(t, err)
		assert.Contains(t, string(text), d.old, d.name)
	}
}

// A library that is broken is found out. Shows P22.
func TestDefectsAreFound(t *testing.T) {
	for _, d := range defects {
		if !d.always && os.Getenv("ASYNCPOOL_DEFECTS") != "all" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			r := recorders[0]
			if d.recorder == "go" {
				r = recorders[1]
			}
			program := r.build(t, t.TempDir(), overlay(t, d.file, d.old, d.new))
			histories, found := 0, false
			err := record(t, program, r, 1000, 1, func(h *history) bool {
				histories++
				result := porcupine.CheckOperationsTimeout(h.model(), h.operations, patience)
				found = result == porcupine.Illegal
				return !found
			})
			if assert.True(t, found, "%d histories look sound; the recorder: %v", histories, err) {
				t.Logf("found in history %d", histories)
			}
		})
	}
}
