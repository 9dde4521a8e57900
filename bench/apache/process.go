package main

import "github.com/prometheus/procfs"

// A usage is what a process has used since it began.
type usage struct {
	cpuSeconds float64
	switches   uint64 // of all its threads
}

func usageOf(pid int) (u usage, err error) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return u, err
	}
	stat, err := process.Stat()
	if err != nil {
		return u, err
	}
	u.cpuSeconds = stat.CPUTime()
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return u, err
	}
	for _, thread := range threads {
		if status, err := thread.NewStatus(); err == nil { // else it has ended
			u.switches += status.TotalCtxtSwitches()
		}
	}
	return u, nil
}

// onlyChild finds the child of a process; 0: it has none, or several.
func onlyChild(pid int) (child int) {
	processes, err := procfs.AllProcs()
	if err != nil {
		return 0
	}
	for _, process := range processes {
		stat, err := process.Stat()
		if err != nil || stat.PPID != pid {
			continue
		}
		if child != 0 {
			return 0
		}
		child = process.PID
	}
	return child
}
