package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// one is a plan with one row, whose peers run these shell commands.
func one(scripts map[string]string) plan {
	p := plan{Group: Group{ID: "group", Metric: "ns"}}
	commands := map[string]command{}
	for peer, script := range scripts {
		p.Peers = append(p.Peers, peer)
		commands[peer] = command{"sh", "-c", script}
	}
	p.rows = []row{{"cell", commands}}
	return p
}

func quiet(string) {}

func TestEachRoundIsKept(t *testing.T) {
	g, err := measure(one(map[string]string{"a": `echo noise; echo '{"impl":"a","ns":3}'`}), 3, 1, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if rounds := g.Cells[0].Rounds["a"]; len(rounds) != 3 || rounds[2]["ns"] != 3 {
		t.Errorf("measured: %v", rounds)
	}
}

func TestACellThatCannotBeMeasuredHereIsLeftOut(t *testing.T) {
	g, err := measure(one(map[string]string{"a": "exit 77", "b": `echo '{"ns":1}'`}), 2, 1, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Cells[0].Rounds["a"]) != 0 || len(g.Cells[0].Rounds["b"]) != 2 {
		t.Errorf("measured: %v", g.Cells[0].Rounds)
	}
}

func TestAFailureEndsTheRunAndSaysWhere(t *testing.T) {
	for script, why := range map[string]string{
		"echo broken >&2; exit 1":  "broken",
		"echo nothing":             "printed no metrics",
		`echo '{"ops_s":1}'`:       `no "ns" was printed`,
		"/nowhere/no-such-program": "exit status 127",
		`echo '{"ns":1}'; kill $$`: "terminated",
	} {
		_, err := measure(one(map[string]string{"peer": script}), 1, 1, quiet)
		if err == nil || !strings.Contains(err.Error(), "group, cell, peer:") || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// The C yardstick with a pool that lends one resource to all threads.
func TestAPoolThatLendsTwiceIsAnError(t *testing.T) {
	program := t.TempDir() + "/twice"
	build := exec.Command("cc", "-std=gnu11", "-O2", "-pthread", "-Itestdata", `-DPOOL_HEADER="pool_twice.h"`,
		"peers/poolbench.c", "-o", program)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := plan{Group: Group{ID: "group", Metric: "ops_s", Peers: []string{"twice"}}}
	// A thread that sleeps with the resource in hand lets another one in.
	p.rows = []row{{"cell", map[string]command{"twice": {program, "8", "4", "sleep:100", "5", "1"}}}}
	_, err := measure(p, 1, 5, quiet)
	if err == nil || !strings.Contains(err.Error(), "resource handed out twice") {
		t.Errorf("the run ended with: %v", err)
	}
}
