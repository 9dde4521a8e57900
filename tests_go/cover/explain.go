package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// line is a line that no test reaches. It is known by its text, since its number changes with every edit above it.
type line struct {
	file, function, text string
	number               int
}

// reason says why some lines of a function are not reached.
type reason struct {
	lines []line
	maybe map[string]bool // text of those that chance decides about
	why   string
}

// head finds the function that a line of a Go or C file with nothing before it begins.
var head = regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|[A-Za-z_].*?\b)(\w+)(?:\[[^]]*\])?\(`)

// attributes stand before the name of a function of C.
var attributes = regexp.MustCompile(`__attribute__\(\(.*?\)\) *`)

func newLine(file string, text []string, number int) line {
	l := line{file: file, text: strings.TrimSpace(text[number-1]), number: number}
	for i := number - 1; i >= 0 && l.function == ""; i-- {
		if found := head.FindStringSubmatch(attributes.ReplaceAllString(text[i], "")); found != nil {
			l.function = found[1]
		}
	}
	return l
}

func (l line) key() string { return l.file + " " + l.function + "\n" + l.text }

// readReasons reads paragraphs: FILE FUNCTION, the lines, indented, and the reason. A line with a question mark
// before it is reached at times.
func readReasons(name string) ([]reason, error) {
	text, err := readLines(name)
	if err != nil {
		return nil, err
	}
	var reasons []reason
	for paragraph := range strings.SplitSeq(strings.Join(text, "\n"), "\n\n") {
		if strings.HasPrefix(paragraph, "#") || strings.TrimSpace(paragraph) == "" {
			continue
		}
		r := reason{maybe: map[string]bool{}}
		var file, function string
		for i, row := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
			switch trimmed := strings.TrimSpace(row); {
			case i == 0:
				file, function, _ = strings.Cut(row, " ")
			case strings.HasPrefix(row, "  "):
				code, maybe := strings.CutPrefix(trimmed, "? ")
				l := line{file: file, function: function, text: code}
				r.lines = append(r.lines, l)
				r.maybe[l.key()] = maybe
			default:
				r.why = strings.TrimSpace(r.why + " " + trimmed)
			}
		}
		if len(r.lines) == 0 || r.why == "" {
			return nil, fmt.Errorf("%s: no lines or no reason: %q", name, paragraph)
		}
		reasons = append(reasons, r)
	}
	return reasons, nil
}

// compare prints each line with its reason. Those without one, and reasons without a line, are errors.
func compare(unreached []line, reasons []reason) error {
	left := map[string][]line{}
	for _, l := range unreached {
		left[l.key()] = append(left[l.key()], l)
	}
	fmt.Printf("\n%d lines are not reached:\n", len(unreached))
	failed := 0
	for _, r := range reasons {
		fmt.Printf("\n%s\n", r.why)
		for _, l := range r.lines {
			found := left[l.key()]
			switch {
			case len(found) > 0:
				fmt.Printf("    %s:%d: %s\n", l.file, found[0].number, l.text)
				left[l.key()] = found[1:]
			case !r.maybe[l.key()]:
				failed++
				fmt.Printf("    %s: %s: %s    << IS REACHED, OR IS NOT THERE\n", l.file, l.function, l.text)
			}
		}
	}
	first := true
	for _, l := range unreached {
		if found := left[l.key()]; len(found) > 0 && found[0].number == l.number {
			if first {
				fmt.Print("\nNOT EXPLAINED:\n")
			}
			first = false
			failed++
			left[l.key()] = found[1:]
			fmt.Printf("    %s:%d: %s: %s\n", l.file, l.number, l.function, l.text)
		}
	}
	if failed > 0 {
		return errors.New(fmt.Sprint(failed, " lines are not explained, or explained in vain"))
	}
	return nil
}
