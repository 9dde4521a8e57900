package tests_go

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the core does into testdata; read the diff")

// TestScenarios replays testdata against the core; tests_c/ops/test_scenarios.c replays the same files
// through the C ABI. Shows P01, P38.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			if *update {
				require.NoError(t, rewrite(file))
			}
			scenarios, err := readScenarios(file)
			require.NoError(t, err)
			for _, s := range scenarios {
				t.Run(s.title, func(t *testing.T) { replay(t, s) })
			}
		})
	}
}

// A file that the C replay does not name would be replayed here only.
func TestTheCReplayNamesEveryFile(t *testing.T) {
	source, err := os.ReadFile("../tests_c/ops/test_scenarios.c")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		assert.Contains(t, string(source), fmt.Sprintf("TEST(%s) { replay(\"%s.txt\"); }", name, name))
	}
}

func replay(t *testing.T, s scenario) {
	w, err := newWorld(s.setup)
	require.NoError(t, err, s.at)
	for _, step := range s.steps {
		o, err := w.do(step.action)
		require.NoError(t, err, "%s: %s", step.at, step.action)
		require.Equal(t, step.expected, o.lines(step.action.actor), "%s: %s", step.at, step.action)
	}
	require.NoError(t, wind(w), "%s: when all leave, the pool closes and all comes back", s.at)
}

// wind lets every op leave, closes the pool and gives back what is lent; nothing must be left then.
func wind(w *world) error {
	for _, name := range w.busy() {
		if _, err := w.do(action{actor: name, verb: "cancel"}); err != nil {
			return err
		}
	}
	if err := finish(w); err != nil {
		return err
	}
	acts := []action{{actor: 'Z', verb: "close"}}
	for _, word := range slices.Clone(w.lent) {
		acts = append(acts, action{actor: 'Z', verb: "release", word: word})
	}
	for _, act := range acts {
		if _, err := w.do(act); err != nil {
			return err
		}
		if err := finish(w); err != nil {
			return err
		}
	}
	return w.left()
}

// finish leads every op that has begun to its end.
func finish(w *world) error {
	for _, name := range w.busy() {
		for steps := 0; w.actors[name-'A'].busy(); steps++ {
			if steps > 1000 {
				return fmt.Errorf("%c does not come to its end", name)
			}
			if _, err := w.do(w.onward(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// rewrite replaces the expectations of a file by what the core does.
func rewrite(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	var w *world
	for _, line := range strings.SplitAfter(string(text), "\n") {
		kind, rest := classify(line)
		if kind == lineExpectation {
			continue
		}
		out.WriteString(line)
		switch kind {
		case lineSetup:
			s, err := parseSetup(rest)
			if err != nil {
				return err
			}
			if w, err = newWorld(s); err != nil {
				return err
			}
		case lineAction:
			act, err := parseAction(rest)
			if err != nil {
				return err
			}
			o, err := w.do(act)
			if err != nil {
				return fmt.Errorf("%s: %w", act, err)
			}
			lines := strings.Split(o.lines(act.actor), "\n")
			fmt.Fprintf(&out, "    %s\n    %s\n", lines[0], lines[1])
		}
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

func TestScenarioMistakesAreReported(t *testing.T) {
	const head = "scenario x\npool max=1 min=0 asks=none\n"
	const suffix = "f:3: \"late\" goes with answers and sweep, \"timeout\" with acquire and drain"
	const acquired = "A acquire\n A: create\n idle 0 active 1 reserved 0 waiting 0\n"
	for text, mistake := range map[string]string{
		"A acquire\n":                                   "f:1: an action before the pool",
		"pool max=1 min=0 asks=none\n":                  "f:1: a pool without a scenario",
		" A: create\n":                                  "f:1: an expectation before an action",
		"scenario x\npool max=1 min=0\n":                "f:2: expected \"pool max=N min=N asks=...\"",
		"scenario x\npool max=1 min=0 asks=no\n":        "f:2: unknown ask \"no\"",
		"scenario x\npool max=1 min=0 asks=none lofi\n": "f:2: unknown option \"lofi\"",
		head + "AB acquire\n":                           "f:3: expected an actor from A to Z",
		head + "A release x\n":                          "f:3: expected a resource number",
		head + "A acquire late\n":                       suffix,
		head + "A made 1 timeout\n":                     suffix,
		head + "A acquire timeout 3\n":                  "f:3: too many words",
		head + "A juggle\n":                             "f:3: unknown action \"juggle\"",
		head + "A acquire\n A: create\n":                "f:3: 1 lines of expectations, expected 2",
		head + acquired + "scenario x\n":                "f:6: a second scenario of this title",
		head:                                            "f:1: a scenario without actions",
	} {
		_, err := parseScenarios("f", text)
		assert.EqualError(t, err, mistake, "%q", text)
	}
}

func TestActionsThatDoNotFitAreReported(t *testing.T) {
	for _, acts := range []string{
		"A made 1",                          // nothing begun
		"A cancel",                          // nothing begun
		"A acquire; A acquire",              // not finished
		"A acquire; A yes",                  // another ask
		"A acquire; A next",                 // not cancelled
		"A acquire; B made 1",               // somebody else's
		"A fill; A destroyed",               // done already
		"A acquire; B acquire; B wake late", // no deadline
	} {
		w, err := newWorld(setup{max: 1})
		require.NoError(t, err)
		for text := range strings.SplitSeq(acts, "; ") {
			require.NoError(t, err, acts)
			act, wrong := parseAction(text)
			require.NoError(t, wrong)
			_, err = w.do(act)
		}
		assert.Error(t, err, acts)
	}
}
