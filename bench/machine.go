package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machineFacts says where this was measured. What cannot be found out is left out.
func machineFacts() (facts []Fact) {
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			facts = append(facts, Fact{name, value})
		}
	}
	add("processor", field("/proc/cpuinfo", "model name"))
	add("cores", fmt.Sprint(runtime.NumCPU()))
	add("virtual machine", virtual())
	add("governor", firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
	add("memory", field("/proc/meminfo", "MemTotal"))
	add("load when it began", firstLine("/proc/loadavg"))
	add("system", strings.Trim(field("/etc/os-release", "PRETTY_NAME"), `"`))
	add("kernel", runtime.GOOS+"/"+runtime.GOARCH+" "+firstLine("/proc/sys/kernel/osrelease"))
	add("C library", says("getconf", "GNU_LIBC_VERSION"))
	add("C compiler", says("cc", "--version"))
	add("Go", runtime.Version())
	add("PHP", says("php", "-v"))
	add("APR", says("apr-1-config", "--version"))
	add("APR-util", says("apu-1-config", "--version"))
	add("Apache", says("/usr/sbin/apache2", "-v"))
	add("commit", says("git", "describe", "--always", "--dirty"))
	return facts
}

func virtual() string {
	if strings.Contains(" "+field("/proc/cpuinfo", "flags")+" ", " hypervisor ") {
		return "yes"
	}
	return "no"
}

// field finds "name: value" or "name=value" in a file; the first one.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		at := strings.IndexAny(line, ":=")
		if at > 0 && strings.TrimSpace(line[:at]) == name {
			return strings.TrimSpace(line[at+1:])
		}
	}
	return ""
}

func firstLine(file string) string {
	text, _ := os.ReadFile(file)
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// says is the first line that a program prints.
func says(program string, arguments ...string) string {
	text, err := exec.Command(program, arguments...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
