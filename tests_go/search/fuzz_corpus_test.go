package search

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// TestFuzzCorpusHasEverything: the inputs that fuzzing begins with have each ask answered in each way, each
// status told, the C code in the core's place, and each state of the breaker.
func TestFuzzCorpusHasEverything(t *testing.T) {
	seen := map[string]bool{}
	for name, input := range readCorpus(t, "testdata/fuzz/FuzzHistory") {
		r, err := playBytes(input)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, event := range eventsOf(r) {
			seen[event] = true
		}
	}
	all := strings.Join(slices.Sorted(maps.Keys(seen)), "\n")
	wanted := []string{"acquires by the fast path", "releases by the fast path", "cancels -> PENDING", "hears -> DESTROY",
		"strategy that asks", "threshold of"}
	for kind := core.AskCreate; kind <= core.AskShouldRecover; kind++ {
		wanted = append(wanted, askNames[kind]+" yes ->", askNames[kind]+" no ->")
	}
	for _, status := range []core.Status{core.OK, core.Empty, core.Closed, core.Unavail, core.Timeout, core.Factory,
		core.Cancelled, core.NotOwned} {
		wanted = append(wanted, "-> DONE "+statusNames[status])
	}
	for _, name := range circuitNames {
		wanted = append(wanted, "breaker to "+name, "while "+name)
	}
	for _, event := range wanted {
		if !strings.Contains(all, event) {
			t.Errorf("no input has %q", event)
		}
	}
	t.Logf("%d different events", len(seen))
}

var numbers = regexp.MustCompile(` ?[0-9]+`)

// eventsOf tells what happened in a history: what was done, what was heard then, in which state of the breaker.
func eventsOf(r *runner) []string {
	var events []string
	for _, line := range r.log {
		_, line, _ = strings.Cut(line, ": ")
		_, line, _ = strings.Cut(line, " ")
		event, counts, _ := strings.Cut(line, " (")
		for _, name := range circuitNames {
			if strings.Contains(counts, " "+name+" ") {
				event += " while " + name
			}
		}
		events = append(events, numbers.ReplaceAllString(event, ""))
	}
	return events
}

// readCorpus reads what go test -fuzz keeps of inputs, by their names.
func readCorpus(t *testing.T, folder string) map[string][]byte {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	inputs := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, value, _ := strings.Cut(strings.TrimSpace(string(text)), "[]byte(")
		input, err := strconv.Unquote(strings.TrimSuffix(value, ")"))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		inputs[filepath.Base(file)] = []byte(input)
	}
	return inputs
}
