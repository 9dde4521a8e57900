// Command cover tells which lines of pool/ and bridge/ the tests reach, from both sides, and fails when there is
// one that they do not reach and that nobody has explained. `make cover` measures and calls it:
//
//	cover -c FOLDER=GCOVR.json... -driven PROFILE -go PROFILE -explained FILE
//
// GCOVR.json are the lines of FOLDER/*.c and *.h that the C and PHP tests reach, as gcovr counts them. The first
// profile are the blocks of Go code in the library that the same tests reach through the C ABI; the second those
// that the Go tests reach.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// reach says who reaches a line.
type reach struct{ c, golang bool }

// source is a file that is measured: its lines of code by number.
type source map[int]reach

func main() {
	var c []string
	flag.Func("c", "a folder, =, and its lines of C, by gcovr --json", func(text string) error {
		c = append(c, text)
		return nil
	})
	driven := flag.String("driven", "", "profile of the Go code that C and PHP tests reach")
	golang := flag.String("go", "", "profile of what Go tests reach")
	file := flag.String("explained", "", "why lines are not reached")
	flag.Parse()
	if err := run(c, *driven, *golang, *file); err != nil {
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(1)
	}
}

func run(c []string, driven, golang, explained string) error {
	sources := map[string]source{}
	for _, text := range c {
		folder, name, _ := strings.Cut(text, "=")
		if err := readGcovr(sources, folder, name); err != nil {
			return err
		}
	}
	err := cmp.Or(
		readProfile(sources, driven, func(r *reach) { r.c = true }),
		readProfile(sources, golang, func(r *reach) { r.golang = true }),
	)
	if err != nil {
		return err
	}
	reasons, err := readReasons(explained)
	if err != nil {
		return err
	}
	table(sources)
	unreached, err := list(sources)
	if err != nil {
		return err
	}
	return compare(unreached, reasons)
}

// table prints a line for each file, and the totals of both languages.
func table(sources map[string]source) {
	type row struct{ lines, c, golang, either int }
	totals := map[string]*row{".c": {}, ".go": {}}
	print := func(name string, r row) {
		percent := func(n int) string { return fmt.Sprintf("%6.1f %%", 100*float64(n)/float64(max(r.lines, 1))) }
		byGo := "        "
		if r.golang > 0 {
			byGo = percent(r.golang)
		}
		fmt.Printf("%-28s %6d  %s  %s  %s\n", name, r.lines, percent(r.c), byGo, percent(r.either))
	}
	fmt.Printf("%-28s %6s  %8s  %8s  %8s\n", "", "lines", "C, PHP", "Go", "either")
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		var r row
		for _, line := range sources[name] {
			r.lines++
			r.c += count(line.c)
			r.golang += count(line.golang)
			r.either += count(line.c || line.golang)
		}
		print(name, r)
		total := totals[language(name)]
		total.lines += r.lines
		total.c += r.c
		total.golang += r.golang
		total.either += r.either
	}
	print("C together", *totals[".c"])
	print("Go together", *totals[".go"])
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// language of a file; a header is C.
func language(name string) string {
	if name[len(name)-3:] == ".go" {
		return ".go"
	}
	return ".c"
}

// list finds the lines that nobody reaches.
func list(sources map[string]source) ([]line, error) {
	var unreached []line
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		text, err := readLines(name)
		if err != nil {
			return nil, err
		}
		for _, number := range slices.Sorted(maps.Keys(sources[name])) {
			if r := sources[name][number]; !r.c && !r.golang {
				unreached = append(unreached, newLine(name, text, number))
			}
		}
	}
	return unreached, nil
}
