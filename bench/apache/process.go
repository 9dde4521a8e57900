package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A usage is what a process has used since it began.
type usage struct {
	cpuSeconds float64
	switches   int // of all its threads
}

// ticks is how many of them /proc counts in a second, on Linux everywhere.
const ticks = 100

func usageOf(pid int) (usage, error) {
	var u usage
	folder := fmt.Sprintf("/proc/%d", pid)
	fields, err := stat(folder)
	if err != nil {
		return u, err
	}
	for _, field := range fields[11:13] { // utime, stime
		n, err := strconv.Atoi(field)
		if err != nil {
			return u, err
		}
		u.cpuSeconds += float64(n) / ticks
	}
	threads, err := filepath.Glob(folder + "/task/*/status")
	if err != nil || len(threads) == 0 {
		return u, fmt.Errorf("%s: no threads: %v", folder, err)
	}
	for _, status := range threads {
		text, err := os.ReadFile(status)
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			if strings.HasSuffix(name, "voluntary_ctxt_switches") { // and nonvoluntary
				n, _ := strconv.Atoi(strings.TrimSpace(value))
				u.switches += n
			}
		}
	}
	return u, nil
}

// stat reads a process's fields from its state on.
func stat(folder string) ([]string, error) {
	text, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return nil, fmt.Errorf("%s/stat: %q", folder, text)
	}
	return fields, nil
}

// onlyChild finds the child of a process; 0: it has none, or several.
func onlyChild(pid int) (child int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	children := strings.Fields(string(text))
	if len(children) != 1 {
		return 0
	}
	child, _ = strconv.Atoi(children[0])
	return child
}
