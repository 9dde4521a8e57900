package tests_go

import (
	"fmt"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// circuitNames are the states of the breaker, as the header has them.
var circuitNames = []string{core.Active: "ACTIVE", core.Inactive: "INACTIVE", core.Recovering: "RECOVERING"}

// enter are the moves that bring a fresh pool into each state.
var enter = []string{core.Active: "activate", core.Inactive: "open", core.Recovering: "recover"}

// breakerCause is what may move the breaker: what happens, in a pool that is in the state already. Before
// that, it may have lent something, which is then from before the breaker last opened.
type breakerCause struct {
	by, name string
	before   string
	script   string
	beyond   string // the cause that it begins with: not drawn where that one leads to the same
}

var breakerCauses = []breakerCause{
	{"hand", "`pool_activate()`", "", "activate", ""},
	{"hand", "`pool_deactivate()`", "", "open", ""},
	{"hand", "`pool_recover()`", "", "recover", ""},
	{"hand", "one of these after `pool_close()`, answered `CLOSED`", "", "close, activate, open, recover", ""},
	{"strategy", "`should_recover` says yes", "", "A acquire, ASKED, A yes", ""},
	{"strategy", "`should_recover` says no", "", "A acquire, ASKED, A no", ""},
	{"threshold", "a release is refused", "", "lend, refuse", ""},
	{"threshold", "two releases in a row are refused", "", "lend, lend, refuse, refuse", "a release is refused"},
	{"threshold", "a creation fails", "", "A acquire, A no", ""},
	{"threshold", "two creations in a row fail", "", "A acquire, A no, A acquire, A no", "a creation fails"},
	{"threshold", "one release is refused, one passes, one is refused", "",
		"lend, lend, lend, refuse, pass, refuse", "a release is refused"},
	{"threshold", "a release passes", "", "lend, pass", ""},
	{"threshold", "two releases in a row pass", "", "lend, lend, pass, pass", "a release passes"},
	{"threshold", "two that were lent before it last opened are refused", "lend, lend, open", "refuse, refuse", ""},
	{"threshold", "two that were lent before it last opened pass", "lend, lend, open", "pass, pass", ""},
	{"threshold", "a caller comes before `open_ms` have passed", "", "A acquire", ""},
	{"threshold", "a caller comes after `open_ms`", "", "late, A acquire", ""},
}

// follows plays a cause in a state and tells the state after it; "" when it cannot come to that.
func (c breakerCause) follows(t *testing.T, from core.Circuit) string {
	t.Helper()
	script := "max=4, nothing"
	if c.by == "threshold" {
		script += ", threshold"
	}
	if c.before != "" {
		// The way there leads through INACTIVE, and on.
		script += ", " + c.before + map[core.Circuit]string{core.Active: ", activate"}[from]
	}
	w, err := newStatesWorld(script + ", " + enter[from])
	if err != nil {
		t.Fatal(err)
	}
	w.state.Breaker.Limit = 4
	for _, move := range strings.Split(c.script, ", ") {
		if move == "ASKED" {
			if w.ops['A'].Step != core.StepShouldRecover {
				return ""
			}
			continue
		}
		leases := len(w.lent)
		if err := w.do(move); err != nil {
			return "" // what is done next cannot be done
		}
		if move == "lend" && len(w.lent) == leases {
			return "" // nothing is lent in this state
		}
	}
	return circuitNames[w.state.Breaker.Circuit]
}

// breakerSection is the diagram of the breaker, what each cause does in each state, what a newcomer meets, and
// what becomes of those in line.
func breakerSection(t *testing.T) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("| by | what happens | ACTIVE | INACTIVE | RECOVERING |\n|---|---|---|---|---|\n")
	leads := map[string]string{} // of a cause in a state
	moves := map[[2]string][]string{}
	by := ""
	for _, c := range breakerCauses {
		if by == c.by {
			fmt.Fprintf(&table, "| | %s |", c.name)
		} else {
			fmt.Fprintf(&table, "| %s | %s |", c.by, c.name)
		}
		by = c.by
		for from, name := range circuitNames {
			to := c.follows(t, core.Circuit(from))
			leads[c.name+name] = to
			switch to {
			case "":
				table.WriteString(" cannot happen |")
			case name:
				table.WriteString(" stays |")
			default:
				fmt.Fprintf(&table, " **%s** |", to)
				if c.beyond == "" || leads[c.beyond+name] != to {
					edge := [2]string{name, to}
					moves[edge] = append(moves[edge], strings.ReplaceAll(c.name, "`", ""))
				}
			}
		}
		table.WriteByte('\n')
	}
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n    direction LR\n    [*] --> ACTIVE\n")
	for _, from := range circuitNames {
		for _, to := range circuitNames {
			if causes := moves[[2]string{from, to}]; causes != nil {
				fmt.Fprintf(&b, "    %s --> %s: %s\n", from, to, strings.Join(causes, "<br/>"))
			}
		}
	}
	b.WriteString("```\n\n" + table.String() + "\n" + newcomerTable(t) + "\n" + lineTable(t))
	return b.String()
}

// newcomerTable tells what somebody meets who comes when the breaker stands in a certain way.
func newcomerTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| the breaker | a newcomer |\n|---|---|\n")
	for _, c := range []struct{ name, script string }{
		{"ACTIVE", "nothing"},
		{"INACTIVE, no strategy", "asks=31, open"},
		{"INACTIVE, a strategy with `should_recover`", "open"},
		{"INACTIVE, threshold, before `open_ms` have passed", "threshold, open"},
		{"INACTIVE, threshold, after `open_ms`", "threshold, open, late"},
		{"RECOVERING, a probe slot is free", "recover"},
		{"RECOVERING, all slots are taken", "recover, lend"},
		{"the same, threshold, after `open_ms`", "threshold, recover, lend, late"},
		{"the same, after `open_ms` and 30 seconds", "threshold, recover, lend, patience"},
	} {
		w, err := newStatesWorld("max=4, " + c.script + ", N acquire")
		if err != nil {
			t.Fatal(err)
		}
		meets := map[string]string{
			"create": "takes a place", "should recover": "is asked on behalf of the strategy",
		}[w.last.then]
		if meets == "" {
			meets = "gets `" + w.last.then + "`"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", c.name, meets)
	}
	return b.String()
}

// lineTable tells what a change of state means to two in line: A is first, B second. In RECOVERING two
// places are free and the one probe slot is A's by promise, so that B waits beside a free place.
func lineTable(t *testing.T) string {
	t.Helper()
	lines := []struct {
		from   core.Circuit
		script string
	}{
		{core.Active, "max=2, lend, lend, A acquire, B acquire"},
		{core.Active, "max=2, lend, lend, A acquire, B acquire, pass"},
		{core.Recovering, "max=2, lend, lend, A acquire, B acquire, recover, pass, pass"},
	}
	var b strings.Builder
	b.WriteString("| from | to | first in line | second in line |\n|---|---|---|---|\n")
	for _, line := range lines {
		for to, name := range circuitNames {
			if core.Circuit(to) == line.from {
				continue
			}
			w, err := newStatesWorld(line.script)
			if err != nil {
				t.Fatal(err)
			}
			was := [2]string{w.inLine('A'), w.inLine('B')}
			if err := w.do(enter[to]); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "| %s | %s | %s: %s | %s: %s |\n", circuitNames[line.from], name,
				was[0], w.goesOn(t, 'A'), was[1], w.goesOn(t, 'B'))
		}
	}
	return b.String()
}

// inLine is how a waiting op stands.
func (w *statesWorld) inLine(name byte) string {
	if w.ops[name].Flags&core.FlagReserved != 0 {
		return "promised a place"
	}
	return "waits"
}

// goesOn is what a waiting op meets when it goes on.
func (w *statesWorld) goesOn(t *testing.T, name byte) string {
	t.Helper()
	if err := w.doOp(name, "yes"); err != nil {
		t.Fatal(err)
	}
	switch then := w.last.then; then {
	case statesStepName(core.StepWait):
		return "stays in line"
	case statesStepName(core.StepCheckOut), statesStepName(core.StepCreate):
		return "takes a place"
	default:
		return "gets `" + then + "`"
	}
}
