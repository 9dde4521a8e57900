package tests_go

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"asyncpool/pool/core"
)

// stepNames are the steps of an op, as pool/core/op.go declares them, with what it says about each.
var stepNames, stepTexts = constants("../pool/core/op.go", "Step")

// askNamesOfCore are the asks.
var askNamesOfCore, _ = constants("../pool/core/op.go", "AskKind")

// constants reads the block of constants that begins with one of this type; unexported ones are no values
// but bounds. CheckOut is told as "check out".
func constants(file, typ string) (names, texts []string) {
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	for _, decl := range source.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		first := block.Specs[0].(*ast.ValueSpec)
		if ident, ok := first.Type.(*ast.Ident); !ok || ident.Name != typ {
			continue
		}
		prefix := strings.TrimSuffix(typ, "Kind")
		for _, spec := range block.Specs {
			value := spec.(*ast.ValueSpec)
			if ast.IsExported(value.Names[0].Name) {
				names = append(names, spaced(strings.TrimPrefix(value.Names[0].Name, prefix)))
				texts = append(texts, strings.TrimSpace(value.Comment.Text()))
			}
		}
	}
	return names, texts
}

// spaced turns CheckOut into "check out".
func spaced(camel string) string {
	var b strings.Builder
	for i, r := range camel {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func statesStepName(step core.Step) string { return stepNames[step] }

// explained are the transitions of stateReasons, in order, each with its reasons.
func explained(t *testing.T) (all []transition, why map[transition][]string) {
	t.Helper()
	why = map[transition][]string{}
	for _, r := range stateReasons {
		w, err := newStatesWorld(r.script)
		if err != nil {
			t.Fatal(err)
		}
		if _, known := why[w.last]; !known {
			all = append(all, w.last)
			why[w.last] = nil
		}
		if r.why != "" && !slices.Contains(why[w.last], r.why) {
			why[w.last] = append(why[w.last], r.why)
		}
	}
	slices.SortStableFunc(all, func(a, b transition) int {
		return cmp.Or(cmp.Compare(a.verb, b.verb), cmp.Compare(a.step, b.step),
			cmp.Compare(answerOrder(a), answerOrder(b)))
	})
	return all, why
}

// answerOrder puts what goes well first and cancelling last.
func answerOrder(tr transition) int {
	word, _, cancelled := strings.Cut(tr.answer, ",")
	order := slices.Index([]string{"", "made", "yes", "woken", "destroyed", "told", "again", "no", "failed", "cancel"}, word)
	if cancelled {
		order += 100
	}
	return order
}

// Random histories of small worlds meet no transition without a reason, and there are reasons for each step.
// Shows P01.
func TestStatesAreAllExplained(t *testing.T) {
	_, why := explained(t)
	steps := map[core.Step]bool{core.StepDone: true}
	for tr := range why {
		steps[tr.step] = true
	}
	for step, name := range stepNames {
		if !steps[core.Step(step)] {
			t.Errorf("no reason is about the step %q", name)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	missing := map[transition]bool{}
	for range 15000 {
		script := randomSetup(random)
		w, err := newStatesWorld(script)
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			move := randomMove(random, w)
			script += ", " + move
			w.last = transition{}
			if err := w.do(move); err != nil {
				t.Fatalf("%s: %v", script, err)
			}
			if err := core.Check(&w.state); err != nil {
				t.Fatalf("%s: %v", script, err)
			}
			if _, known := why[w.last]; w.last.verb != "" && !known && !missing[w.last] {
				missing[w.last] = true
				t.Errorf("%s has no reason; after %s", w.last, script)
			}
		}
	}
}

func (tr transition) String() string {
	return fmt.Sprintf("%s: %s, %q -> %s", tr.verb, statesStepName(tr.step), tr.answer, tr.then)
}

func randomSetup(random *rand.Rand) string {
	size := 1 + random.IntN(3)
	asks := allAsks
	if random.IntN(3) == 0 {
		asks &^= core.AsksShouldRecover
	}
	script := fmt.Sprintf("max=%d, min=%d, asks=%d, nothing", size, random.IntN(size+1), asks)
	if random.IntN(8) == 0 {
		return script + ", starve"
	}
	idle := random.IntN(size + 1)
	return script + strings.Repeat(", lend", idle) + strings.Repeat(", pass", idle)
}

// randomMove is one that fits.
func randomMove(random *rand.Rand, w *statesWorld) string {
	name := "ABCD"[random.IntN(4)]
	if random.IntN(10) == 0 {
		rare := []string{"open", "recover", "activate", "late", "E close"}
		if move := rare[random.IntN(len(rare))]; move != "E close" || w.ops['E'] == nil {
			return move
		}
	}
	if op := w.ops[name]; op != nil && op.Step != core.StepDone {
		return fmt.Sprintf("%c %s", name, []string{"yes", "yes", "no", "no", "cancel"}[random.IntN(5)])
	}
	if op := w.ops['E']; op != nil && op.Step != core.StepDone && random.IntN(2) == 0 {
		return "E " + []string{"yes", "cancel"}[random.IntN(2)]
	}
	verbs := []string{"acquire", "hurry", "try", "fill", "sweep", "stray", "acquire", "discard", "detach", "shrink", "shrink",
		"grow", "vanish", "evict", "evict", "trim"}
	if len(w.lent) > 0 {
		verbs = append(verbs, "release", "release", "release")
	}
	return fmt.Sprintf("%c %s", name, verbs[random.IntN(len(verbs))])
}

// A defect of the core ends every op at its next step. Shows P13.
func TestStatesEndWithInternalAfterADefect(t *testing.T) {
	for _, r := range stateReasons {
		w, err := newStatesWorld(r.script)
		if err != nil {
			t.Fatal(err)
		}
		w.core.Break()
		for _, name := range w.names() {
			if op := w.ops[name]; op.Step != core.StepDone {
				var ask core.Ask
				w.core.Next(op, &core.Answer{OK: true}, &ask)
				if ask.Kind != core.AskDone || ask.Status != core.Internal {
					t.Errorf("%s: %c got ask %d, status %d", r.script, name, ask.Kind, ask.Status)
				}
			}
		}
	}
}

// TestStates compares docs/states.md with the core. Shows B31, B117, P09.
func TestStates(t *testing.T) {
	all, why := explained(t)
	sections := map[string]string{"steps": stepTable(), "breaker": breakerSection(t)}
	for _, verb := range []string{"acquire", "release", "discard", "detach", "evict", "resize", "trim", "sweep", "fill", "behind", "close", "drain"} {
		var own []transition
		for _, tr := range all {
			if tr.verb == verb {
				own = append(own, tr)
			}
		}
		sections[verb] = stepDiagram(own) + "\n" + transitionTable(own, why)
	}
	checkSections(t, "../docs/states.md", sections)
}
