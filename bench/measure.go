package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// notHere is the exit code of a program that cannot measure its cell on this machine or with this library.
const notHere = 77

// errNotHere stands for that exit code.
var errNotHere = errors.New("cannot be measured here")

// patience is how long a program may take beyond the seconds it was asked to measure.
const patience = 120 * time.Second

// A command is a program with its arguments; nil where a peer has no such cell.
type command []string

// run runs a measuring program and reads the metrics in its last line.
func run(c command, seconds float64) (Metrics, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience+time.Duration(seconds*float64(time.Second)))
	defer cancel()
	var out, problems bytes.Buffer
	program := exec.CommandContext(ctx, c[0], c[1:]...)
	program.Stdout, program.Stderr = &out, &problems
	program.WaitDelay = time.Second
	if err := program.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == notHere {
			return nil, errNotHere
		}
		if ctx.Err() != nil {
			err = fmt.Errorf("took longer than %v and was ended", patience)
		}
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c, " "), err, problems.String())
	}
	return parse(c, out.String())
}

// parse reads the last line, a JSON object. What is no number says what was run and is left out.
func parse(c command, out string) (Metrics, error) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil {
		return nil, fmt.Errorf("%s: printed no metrics (%w):\n%s", strings.Join(c, " "), err, out)
	}
	metrics := Metrics{}
	for name, value := range fields {
		if number, is := value.(float64); is {
			metrics[name] = number
		}
	}
	return metrics, nil
}

// measure runs the cells of a plan. In each round all peers have their turn, so that a machine whose speed
// drifts hits all of them. The first failure ends it: a pool that lends twice has no figures.
func measure(p plan, rounds int, seconds float64, progress func(cell string)) (Group, error) {
	group := p.Group
	if p.once {
		rounds = 1
	}
	if p.Least { // one of them shall be without a pause of the machine
		rounds = max(rounds, 7)
	}
	for _, row := range p.rows {
		progress(row.name)
		cell := Cell{Name: row.name, Rounds: map[string][]Metrics{}}
		missing := map[string]bool{}
		for range rounds {
			for _, peer := range group.Peers {
				c := row.commands[peer]
				if c == nil || missing[peer] {
					continue
				}
				metrics, err := run(c, seconds)
				switch {
				case errors.Is(err, errNotHere):
					missing[peer] = true
				case err != nil:
					return group, fmt.Errorf("%s, %s, %s: %w", group.ID, row.name, peer, err)
				default:
					if _, has := metrics[group.Metric]; !has {
						return group, fmt.Errorf("%s, %s, %s: no %q was printed", group.ID, row.name, peer, group.Metric)
					}
					cell.Rounds[peer] = append(cell.Rounds[peer], metrics)
				}
			}
		}
		group.Cells = append(group.Cells, cell)
	}
	return group, nil
}
