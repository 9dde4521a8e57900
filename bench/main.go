// The bench measures this pool and its peers side by side: `make bench` in the folder above.
//
// Every figure comes from a program of its own, which prints it: the C pools are compiled into
// peers/poolbench.c, the Go pools into peers/gopool, and php/ and c/ hold the rest. What is here says what to
// run (plan*.go), runs it in rounds (measure.go), and shows the outcome: tables, pictures, goals.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench() error {
	quick := flag.Bool("quick", false, "fewer cells, shorter")
	rounds := flag.Int("rounds", 3, "rounds in which the pools take turns")
	seconds := flag.Float64("seconds", 0, "how long each program measures (default 0.5, or 0.2 with -quick)")
	only := flag.String("only", "", "measure the groups whose ID matches this regular expression")
	out := flag.String("out", "../build/bench", "where the programs are and the results go")
	docs := flag.String("docs", "", "measure nothing: make the page and pictures of the last run in this folder")
	flag.Parse()

	file := filepath.Join(*out, "results.json")
	if *docs != "" {
		results, err := load(file)
		if err != nil {
			return fmt.Errorf("no results yet, run `make bench` before: %w", err)
		}
		return results.document(*docs)
	}

	groups, err := regexp.Compile("^(" + *only + ")")
	if err != nil {
		return err
	}
	o := options{out: *out, seconds: *seconds, rounds: *rounds, quick: *quick}
	if o.seconds == 0 {
		o.seconds = 0.5
		if o.quick {
			o.seconds = 0.2
		}
	}
	results := &Results{Command: spoken(), Date: time.Now().Format(time.DateOnly), Machine: machineFacts()}
	results.printHeading(os.Stdout)
	if !slices.ContainsFunc(plans(o), func(p plan) bool { return groups.MatchString(p.ID) }) {
		return fmt.Errorf("no group's name begins with %q", *only)
	}
	if err := results.measure(o, groups); err != nil {
		return err
	}
	fmt.Print("## Goals\n\n")
	printGoals(os.Stdout, judge(results))
	if err := results.save(file); err != nil {
		return err
	}
	_, err = results.drawAll(*out)
	return err
}

// measure runs the plans whose group is wanted and shows each table as soon as there is one.
func (r *Results) measure(o options, groups *regexp.Regexp) error {
	begin := time.Now()
	for _, p := range plans(o) {
		if !groups.MatchString(p.ID) {
			continue
		}
		group, err := measure(p, o.rounds, o.seconds, func(cell string) {
			fmt.Fprintf(os.Stderr, "%4.0f s  %s: %s\n", time.Since(begin).Seconds(), p.ID, cell)
		})
		if err != nil {
			return err
		}
		r.Groups = append(r.Groups, group)
		printGroup(os.Stdout, &group, "##")
	}
	return nil
}

// spoken is the command as a user of make wrote it.
func spoken() string {
	words := []string{"make bench"}
	flag.Visit(func(f *flag.Flag) {
		names := map[string]string{"quick": "QUICK", "rounds": "ROUNDS", "seconds": "SECS", "only": "ONLY"}
		value := f.Value.String()
		if f.Name == "quick" {
			value = "1"
		}
		if name, has := names[f.Name]; has {
			words = append(words, name+"="+value)
		}
	})
	return strings.Join(words, " ")
}
