// Apache with mod_dbd and mod_authn_dbd, whose connections are in an apr_reslist: that of libaprutil, or that of
// examples/apr. Each request asks a database who the user is. One run prints
//
//	{"ops_s": requests a second, "cpu_us": processor time and "switches": context switches of the worker a request}
//
// and ends with 77 where there is no Apache.
//
//	apache [-shim FILE -library FILE] [-threads N] [-connections N] [-expiry SECONDS] [-seconds SECONDS]
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

const notHere = 77

// What is measured: the server's sizes, and how long.
type setting struct {
	shim, library        string // empty: libaprutil's own
	threads, connections int
	expiry               int // seconds after which an idle connection is too old; 0: never
	seconds              float64
}

// The server ends with the thread that has started it, which is to be there until the end.
func init() { runtime.LockOSThread() }

func main() {
	var s setting
	flag.StringVar(&s.shim, "shim", "", "the drop-in for apr_reslist; empty: libaprutil's own")
	flag.StringVar(&s.library, "library", "", "the library that it opens")
	flag.IntVar(&s.threads, "threads", 25, "threads of the worker")
	flag.IntVar(&s.connections, "connections", 4, "connections to the database")
	flag.IntVar(&s.expiry, "expiry", 300, "seconds until an idle connection is too old; 0: never")
	flag.Float64Var(&s.seconds, "seconds", 2, "how long it is measured")
	flag.Parse()
	metrics, err := measure(s)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		fmt.Fprintln(os.Stderr, "apache:", err)
		os.Exit(notHere)
	case err != nil:
		fmt.Fprintln(os.Stderr, "apache:", err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(metrics)
}

func measure(s setting) (map[string]float64, error) {
	server, err := start(s)
	if err != nil {
		return nil, err
	}
	metrics, err := server.measure()
	return metrics, errors.Join(err, server.end())
}

func (s *server) measure() (map[string]float64, error) {
	if _, err := s.load(1); err != nil { // all connections are made, and the library is loaded
		return nil, err
	}
	if err := s.checkWhoseListItIs(); err != nil {
		return nil, err
	}
	before, err := usageOf(s.worker)
	if err != nil {
		return nil, err
	}
	did, err := s.load(s.seconds)
	if err != nil {
		return nil, err
	}
	after, err := usageOf(s.worker)
	if err != nil {
		return nil, err
	}
	requests := float64(did.requests)
	return map[string]float64{
		"ops_s":    did.perSecond,
		"cpu_us":   (after.cpuSeconds - before.cpuSeconds) * 1e6 / requests,
		"switches": float64(after.switches-before.switches) / requests,
	}, nil
}
