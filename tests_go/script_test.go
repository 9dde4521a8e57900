package tests_go

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"asyncpool/pool/core"
)

// scenario is one story of a file in testdata; README.md there describes the format.
type scenario struct {
	at    string // file:line
	title string
	setup setup
	steps []step
}

// step is an action and what must be seen after it.
type step struct {
	at       string
	action   action
	expected string // two lines
}

type lineKind int

const (
	lineNothing lineKind = iota
	lineTitle
	lineSetup
	lineAction
	lineExpectation
)

// classify tells what a line is, and what it says.
func classify(line string) (lineKind, string) {
	text := strings.TrimSpace(line)
	switch {
	case text == "" || text[0] == '#':
		return lineNothing, ""
	case line[0] == ' ':
		return lineExpectation, text
	case strings.HasPrefix(text, "scenario "):
		return lineTitle, strings.TrimPrefix(text, "scenario ")
	case strings.HasPrefix(text, "pool "):
		return lineSetup, text
	}
	return lineAction, text
}

func readScenarios(file string) ([]scenario, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseScenarios(file, string(text))
}

func parseScenarios(file, text string) ([]scenario, error) {
	var all []scenario
	titles := map[string]bool{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		at := fmt.Sprintf("%s:%d", file, number)
		kind, rest := classify(line)
		var now *scenario
		if len(all) > 0 {
			now = &all[len(all)-1]
		}
		var err error
		switch {
		case kind == lineNothing:
		case kind == lineTitle && titles[rest]:
			err = fmt.Errorf("a second scenario of this title")
		case kind == lineTitle:
			titles[rest] = true
			all = append(all, scenario{at: at, title: rest})
		case kind == lineSetup && (now == nil || now.setup.max != 0):
			err = fmt.Errorf("a pool without a scenario")
		case kind == lineSetup:
			now.setup, err = parseSetup(rest)
		case kind == lineAction && (now == nil || now.setup.max == 0):
			err = fmt.Errorf("an action before the pool")
		case kind == lineAction:
			var act action
			act, err = parseAction(rest)
			now.steps = append(now.steps, step{at: at, action: act})
		case now == nil || now.steps == nil:
			err = fmt.Errorf("an expectation before an action")
		default:
			s := &now.steps[len(now.steps)-1]
			s.expected += rest + "\n"
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	return all, complete(all)
}

// complete checks that every scenario has actions, and every action its two lines.
func complete(all []scenario) error {
	for _, s := range all {
		if s.steps == nil {
			return fmt.Errorf("%s: a scenario without actions", s.at)
		}
		for i := range s.steps {
			step := &s.steps[i]
			if n := strings.Count(step.expected, "\n"); n != 2 {
				return fmt.Errorf("%s: %d lines of expectations, expected 2", step.at, n)
			}
			step.expected = strings.TrimSuffix(step.expected, "\n")
		}
	}
	return nil
}

func parseSetup(text string) (setup, error) {
	var s setup
	var asks string
	text, s.behind = strings.CutSuffix(text, " behind")
	text, s.retry = strings.CutSuffix(text, " retry")
	n, err := fmt.Sscanf(text, "pool max=%d min=%d asks=%s", &s.max, &s.min, &asks)
	if err != nil || n != 3 {
		return s, fmt.Errorf("expected \"pool max=N min=N asks=...\"")
	}
	limits := map[string]*uint32{"waiting": &s.waiting, "uses": &s.uses, "idle": &s.idle}
	for _, option := range strings.Fields(text)[4:] {
		name, n, _ := strings.Cut(option, "=")
		switch limit := limits[name]; {
		case option == "lifo":
			s.options |= core.OptionLIFO
		case limit == nil:
			return s, fmt.Errorf("unknown option %q", option)
		default:
			if _, err := fmt.Sscan(n, limit); err != nil {
				return s, fmt.Errorf("expected \"%s=N\"", name)
			}
		}
	}
	if asks == "none" {
		return s, nil
	}
	for name := range strings.SplitSeq(asks, ",") {
		before := s.asks
		for _, ask := range askNames {
			if ask.name == name {
				s.asks |= ask.bit
			}
		}
		if s.asks == before {
			return s, fmt.Errorf("unknown ask %q", name)
		}
	}
	return s, nil
}

func parseAction(text string) (action, error) {
	words := strings.Fields(text)
	if len(words) < 2 || len(words[0]) != 1 || words[0] < "A" || words[0] > "Z" {
		return action{}, fmt.Errorf("expected an actor from A to Z")
	}
	act := action{actor: words[0][0], verb: words[1]}
	words = words[2:]
	_, begins := kinds[act.verb]
	_, answers := answers[act.verb]
	if !begins && !answers && act.verb != "cancel" && act.verb != "next" {
		return act, fmt.Errorf("unknown action %q", act.verb)
	}
	if withWord[act.verb] {
		if len(words) == 0 {
			return act, fmt.Errorf("expected a resource number")
		}
		word, err := strconv.ParseUint(words[0], 10, 32)
		if err != nil {
			return act, fmt.Errorf("expected a resource number")
		}
		act.word = uintptr(word)
		words = words[1:]
	}
	if act.verb == "resize" {
		if len(words) == 0 {
			return act, fmt.Errorf("expected min and max")
		}
		most, err := strconv.ParseUint(words[0], 10, 32)
		if err != nil {
			return act, fmt.Errorf("expected min and max")
		}
		act.most = uint32(most)
		words = words[1:]
	}
	if len(words) > 0 {
		act.late = words[0] == "late"
		act.timeout = words[0] == "timeout"
		if act.late && !answers && act.verb != "sweep" || act.timeout && act.verb != "acquire" && act.verb != "drain" || !act.late && !act.timeout {
			return act, fmt.Errorf("\"late\" goes with answers and sweep, \"timeout\" with acquire and drain")
		}
		words = words[1:]
	}
	if len(words) > 0 {
		return act, fmt.Errorf("too many words")
	}
	return act, nil
}
