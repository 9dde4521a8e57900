package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
)

// readGcovr reads what gcovr counted, which knows the files by their names in a folder.
func readGcovr(sources map[string]source, folder, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var report struct {
		Files []struct {
			File  string
			Lines []struct {
				Number  int `json:"line_number"`
				Count   int
				NonCode bool `json:"gcovr/noncode"`
			}
		}
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, file := range report.Files {
		lines := source{}
		for _, line := range file.Lines {
			if !line.NonCode {
				lines[line.Number] = reach{c: line.Count > 0}
			}
		}
		sources[path.Join(folder, file.File)] = lines
	}
	return nil
}

// readProfile reads a profile of Go. A line is reached when all of its code is: what stands between two braces of
// one line counts, too.
func readProfile(sources map[string]source, name string, mark func(*reach)) error {
	profile, err := readLines(name)
	if err != nil {
		return err
	}
	reached := map[string]map[int]bool{}
	texts := map[string][]string{}
	counts := map[string]int{} // by block; the profile of many test programs has it once for each
	for _, text := range profile[1:] {
		var statements, count int
		if text == "" {
			continue
		}
		words := strings.Fields(text)
		if _, err := fmt.Sscan(words[1]+" "+words[2], &statements, &count); err != nil {
			return fmt.Errorf("%s: %q: %w", name, text, err)
		}
		counts[words[0]] += count
	}
	for block, count := range counts {
		file, place, _ := strings.Cut(strings.TrimPrefix(block, "asyncpool/"), ":")
		if !strings.HasPrefix(file, "pool/") && !strings.HasPrefix(file, "bridge/") {
			continue
		}
		if texts[file] == nil {
			if texts[file], err = readLines(file); err != nil {
				return err
			}
			reached[file] = map[int]bool{}
		}
		var from, fromColumn, to, toColumn int
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d", &from, &fromColumn, &to, &toColumn); err != nil {
			return fmt.Errorf("%s: %q: %w", name, block, err)
		}
		for number := from; number <= to; number++ {
			text := texts[file][number-1]
			if number == to {
				text = text[:min(len(text), toColumn-1)]
			}
			if number == from {
				text = text[fromColumn-1:]
			}
			if !isCode(text) {
				continue
			}
			was, seen := reached[file][number]
			reached[file][number] = count > 0 && (was || !seen)
		}
	}
	for file, lines := range reached {
		if sources[file] == nil {
			sources[file] = source{}
		}
		for number, is := range lines {
			r := sources[file][number]
			if is {
				mark(&r)
			}
			sources[file][number] = r
		}
	}
	return nil
}

// isCode says whether there is more than a comment and braces in a part of a line.
func isCode(text string) bool {
	text, _, _ = strings.Cut(text, "//")
	return strings.Trim(text, " \t{}()") != ""
}

func readLines(name string) ([]string, error) {
	data, err := os.ReadFile(name)
	return strings.Split(string(data), "\n"), err
}
