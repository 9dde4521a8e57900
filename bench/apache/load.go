package main

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// A load is what ab says it has done.
type load struct {
	requests  int
	perSecond float64
}

// As many connections as the worker has threads, but for one: while no thread is idle it closes those that it keeps.
func (s *server) callers() int { return max(s.threads-1, 1) }

// load lets ab ask for so many seconds, which it knows whole ones of.
func (s *server) load(seconds float64) (load, error) {
	whole := int(math.Ceil(max(seconds, 1)))
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(whole)*time.Second+patience)
	defer cancel()
	// -n after -t, which sets it, too.
	ab := exec.CommandContext(ctx, "ab", "-q", "-k", "-t", strconv.Itoa(whole), "-n", "100000000",
		"-c", strconv.Itoa(s.callers()), "-A", user, "http://"+s.address+"/page")
	output, err := ab.CombinedOutput()
	if err != nil {
		return load{}, fmt.Errorf("ab: %w\n%s\n%s", err, output, s.said())
	}
	did, err := parse(string(output))
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, s.said())
	}
	return did, err
}

// parse reads what ab prints. A request that was refused, by a status that is no success, makes it worthless, and so
// does more than one failure in a hundred: what ab calls a failure is a connection, too, that the server has closed
// between two requests.
func parse(output string) (load, error) {
	number := func(name string) (float64, bool) {
		found := regexp.MustCompile(`(?m)^` + name + `: +([0-9.]+)`).FindStringSubmatch(output)
		if found == nil {
			return 0, false
		}
		value, err := strconv.ParseFloat(found[1], 64)
		return value, err == nil
	}
	requests, has := number("Complete requests")
	perSecond, hasRate := number("Requests per second")
	failed, hasFailed := number("Failed requests")
	refused, _ := number("Non-2xx responses")
	if !has || !hasRate || !hasFailed || requests == 0 {
		return load{}, fmt.Errorf("ab did not say what it has done:\n%s", output)
	}
	if refused > 0 || 100*failed > requests {
		return load{}, fmt.Errorf("%.0f requests failed, %.0f were refused:\n%s", failed, refused, output)
	}
	return load{int(requests), perSecond}, nil
}
