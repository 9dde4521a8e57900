package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// story is what was done to a pool, to be told as a scenario of tests_go/testdata. Breakers, strategies and passes no
// scenario can tell: they stand in it as comments.
type story struct {
	options
	deeds []deed
}

// deed is one action of somebody, or of nobody: then it is about the breaker.
type deed struct {
	actor   int
	verb    string
	word    uintptr // release, made
	timeout bool    // acquire: it has a deadline
	late    bool    // answers: the deadline has passed
	untold  bool
}

var beginnings = map[core.Kind]string{
	core.KindAcquire: "acquire", core.KindTry: "try", core.KindRelease: "release", core.KindClose: "close",
	core.KindFill: "fill", core.KindSweep: "sweep", core.KindDiscard: "discard", core.KindDetach: "detach", core.KindResize: "resize",
	core.KindEvict: "evict", core.KindDrain: "drain", core.KindBehind: "make", core.KindTrim: "trim",
}

// begins notes the beginning of an op.
func (s *story) begins(a *actor, kind core.Kind, deadline int64, word uintptr) {
	s.deeds = append(s.deeds, deed{actor: a.number, verb: beginnings[kind], word: word,
		timeout: kind == core.KindAcquire && deadline != core.Never, untold: kind == core.KindSweep || kind >= core.KindResize})
}

// answers notes an answer, when it is time for it.
func (s *story) answers(a *actor, ok bool, word uintptr, now int64) {
	d := deed{actor: a.number, word: word, late: a.client.deadline != core.Never && now >= a.client.deadline}
	switch kind := a.ask.Kind; {
	case kind == core.AskWait:
		d.verb = "wake"
	case kind == core.AskDestroy:
		d.verb = "destroyed"
	case kind == core.AskCreate && ok:
		d.verb = "made"
	case kind == core.AskCreate:
		d.verb = "failed"
	default:
		if d.verb = "no"; ok {
			d.verb = "yes"
		}
		d.untold = kind != core.AskBeforeAcquire && kind != core.AskBeforeRelease
	}
	s.deeds = append(s.deeds, d)
}

// does notes what is no answer.
func (s *story) does(a *actor, verb string) {
	s.deeds = append(s.deeds, deed{actor: a.number, verb: verb})
}

// moves notes what happens to the breaker.
func (s *story) moves(format string, args ...any) {
	s.deeds = append(s.deeds, deed{verb: fmt.Sprintf(format, args...), actor: -1, untold: true})
}

func (d deed) String() string {
	text := d.verb
	switch {
	case d.actor >= 26:
		text, d.untold = fmt.Sprintf("%d %s", d.actor, text), true
	case d.actor >= 0:
		text = fmt.Sprintf("%c %s", 'A'+d.actor, text)
	}
	if slices.Contains([]string{"release", "discard", "detach", "made"}, d.verb) {
		text += fmt.Sprintf(" %d", d.word)
	}
	if d.timeout {
		text += " timeout"
	}
	if d.late {
		text += " late"
	}
	if d.untold {
		text = "# " + text
	}
	return text
}

// String is the story as a scenario without expectations, of which -update makes one that can be replayed.
func (s *story) String() string {
	var asks []string
	for _, ask := range []struct {
		name string
		bit  uint32
	}{{"acquire", core.AsksBeforeAcquire}, {"release", core.AsksBeforeRelease}, {"destroy", core.AsksDestroy}} {
		if s.asks&ask.bit != 0 {
			asks = append(asks, ask.name)
		}
	}
	if asks == nil {
		asks = []string{"none"}
	}
	lines := []string{"scenario that failed",
		fmt.Sprintf("pool max=%d min=%d asks=%s", s.max, s.min, strings.Join(asks, ","))}
	if s.lifo {
		lines[1] += " lifo"
	}
	from := max(0, len(s.deeds)-300)
	if from > 0 {
		lines = append(lines, fmt.Sprintf("# %d actions before these", from))
	}
	for _, d := range s.deeds[from:] {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Every line of a plain history is one that a scenario may have, and so is what can be told of any other.
func TestAStoryIsAScenario(t *testing.T) {
	line := regexp.MustCompile(`^(?:scenario that failed|pool max=\d+ min=\d+ asks=(?:none|[a-z,]+)(?: lifo)?` +
		`|[A-Z] (?:acquire( timeout)?|try|close|fill|(?:release|discard|detach) \d+|cancel|next|(?:made \d+|failed|yes|no|destroyed|wake)( late)?))$`)
	comment := regexp.MustCompile(`^# [^#]`)
	for name, h := range map[string]history{
		"plain": {actors: 6, max: 3, steps: 250, plain: true}, "any": {actors: 6, max: 3, steps: 250},
	} {
		verbs, comments := map[string]bool{}, 0
		for seed := range uint64(40) {
			r, err := h.run(seed+1, &tally{})
			if err != nil {
				t.Fatal(err)
			}
			for text := range strings.SplitSeq(r.story.String(), "\n") {
				switch {
				case comment.MatchString(text):
					comments++
				case line.MatchString(text):
					verbs[strings.Fields(text)[1]] = true
				default:
					t.Fatalf("%s: %q is no line of a scenario", name, text)
				}
			}
		}
		if untold := comments > 40; untold == h.plain { // one is about what is left out
			t.Errorf("%s: %d lines that no scenario can tell", name, comments)
		}
		for _, verb := range strings.Fields("acquire try release discard detach close fill cancel next made failed yes no destroyed wake") {
			if !verbs[verb] {
				t.Errorf("%s: nobody does %s", name, verb)
			}
		}
	}
}
