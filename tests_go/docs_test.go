package tests_go

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// checkSections compares the marked sections of a document, "<!-- drawn: name -->" to "<!-- end -->", with
// what was drawn, or writes them.
func checkSections(t *testing.T, file string, sections map[string]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`(?s)(<!-- drawn: ([a-z ]+) -->\n)(.*?)(<!-- end -->)`)
	text := string(data)
	drawn := mark.ReplaceAllStringFunc(text, func(section string) string {
		part := mark.FindStringSubmatch(section)
		body, known := sections[part[2]]
		if !known {
			t.Errorf("%s: nothing draws the section %q", file, part[2])
			return section
		}
		delete(sections, part[2])
		return part[1] + body + part[4]
	})
	for name := range sections {
		t.Errorf("%s: no section %q", file, name)
	}
	if drawn == text {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, is := strings.Split(text, "\n"), strings.Split(drawn, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("%s:%d is not what is drawn (-update rewrites it):\nhas    %s\nshould %s",
				file, i+1, was[i], is[i])
		}
	}
	t.Fatalf("%s is not what is drawn (-update rewrites it)", file)
}

// stepTable is about all kinds of ops.
func stepTable() string {
	var b strings.Builder
	b.WriteString("| step | ask | what it is |\n|---|---|---|\n")
	for step, name := range stepNames {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, askOf(core.Step(step)), stepTexts[step])
	}
	return b.String()
}

// askOf finds out what is asked at a step, by being there.
func askOf(step core.Step) string {
	if step == core.StepBegin {
		return ""
	}
	for _, r := range stateReasons {
		w, err := newStatesWorld(r.script)
		if err != nil {
			panic(err)
		}
		for name, op := range w.ops {
			if op.Step == step {
				return "`" + strings.ToUpper(strings.ReplaceAll(askNamesOfCore[w.asks[name]], " ", "_")) + "`"
			}
		}
	}
	return "?"
}

// stepDiagram draws the steps and what leads from one to the next.
func stepDiagram(all []transition) string {
	type edge struct{ from, to string }
	var order []edge
	labels := map[edge][]string{}
	used := map[string]bool{}
	add := func(e edge, label string) {
		if labels[e] == nil {
			order = append(order, e)
			labels[e] = []string{}
		}
		if label != "" && !slices.Contains(labels[e], label) {
			labels[e] = append(labels[e], label)
		}
	}
	for _, tr := range all {
		from := statesStepName(tr.step)
		answer, _, _ := strings.Cut(tr.answer, ",")
		used[from] = true
		if slices.Contains(stepNames, tr.then) {
			used[tr.then] = true
			add(edge{from, tr.then}, answer)
		} else {
			add(edge{from, "[*]"}, tr.then)
		}
	}
	id := func(name string) string { return strings.ReplaceAll(name, " ", "_") }
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n    direction TB\n")
	for _, name := range stepNames {
		if used[name] && strings.Contains(name, " ") {
			fmt.Fprintf(&b, "    state %q as %s\n", name, id(name))
		}
	}
	b.WriteString("    [*] --> begin\n")
	for _, e := range order {
		fmt.Fprintf(&b, "    %s --> %s", id(e.from), id(e.to))
		if len(labels[e]) > 0 {
			b.WriteString(": " + strings.Join(labels[e], ", "))
		}
		b.WriteByte('\n')
	}
	b.WriteString("```\n")
	return b.String()
}

// transitionTable tells what follows on each answer, and why. What has the same reason shares a row.
func transitionTable(all []transition, why map[transition][]string) string {
	var b strings.Builder
	b.WriteString("| step | answer | then | when |\n|---|---|---|---|\n")
	step, answer := "", ""
	for len(all) > 0 {
		tr, reasons := all[0], strings.Join(why[all[0]], "; ")
		var then []string
		for len(all) > 0 && all[0].step == tr.step && all[0].answer == tr.answer &&
			strings.Join(why[all[0]], "; ") == reasons {
			if slices.Contains(stepNames, all[0].then) {
				then = append(then, all[0].then)
			} else {
				then = append(then, "`"+all[0].then+"`")
			}
			all = all[1:]
		}
		cells := [2]string{statesStepName(tr.step), tr.answer}
		if cells[0] == step {
			cells[0] = ""
			if tr.answer == answer {
				cells[1] = ""
			}
		}
		step, answer = statesStepName(tr.step), tr.answer
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cells[0], cells[1], strings.Join(then, ", "), reasons)
	}
	return b.String()
}

// The map of architecture.md has every file of the library, and no other.
func TestTheMapHasEveryFile(t *testing.T) {
	document, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(document), "\n## The map\n")
	if !found {
		t.Fatal("architecture.md has no map")
	}
	table := regexp.MustCompile("(?ms)^\\| in `([a-z/]+)/` \\|.*?\n\n")
	name := regexp.MustCompile("`([a-z_/]+\\.[a-z]+)`")
	tables := 0
	for _, section := range table.FindAllStringSubmatch(text+"\n\n", -1) {
		tables++
		folder, mapped := section[1], map[string]bool{}
		for row := range strings.Lines(section[0]) {
			cells := strings.Split(row, "|")
			for _, file := range name.FindAllStringSubmatch(cells[min(1, len(cells)-1)], -1) {
				mapped[file[1]] = true
				if _, err := os.Stat(filepath.Join("..", folder, file[1])); err != nil {
					t.Errorf("the map has %s/%s, which is not there", folder, file[1])
				}
			}
		}
		for _, pattern := range []string{"*.go", "*.[chs]", "headroom/*.go", "headroom/*.s", "gen/*.go"} {
			files, err := filepath.Glob(filepath.Join("..", folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				file, _ := filepath.Rel(filepath.Join("..", folder), file)
				if !strings.HasSuffix(file, "_test.go") && !mapped[file] {
					t.Errorf("the map has no line for %s/%s", folder, file)
				}
			}
		}
	}
	if tables != 3 {
		t.Errorf("the map has %d tables", tables)
	}
}

// Every file that contributing.md names is in one of the folders that it is about.
func TestContributingNamesFilesThatExist(t *testing.T) {
	document, err := os.ReadFile("../docs/contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{"", "abi", "bridge", "bridge/php-ext", "docs", "include/asyncpool", "pool", "pool/core", "tests_c",
		"tests_c/scripts", "tests_go/search"}
	named := 0
	for _, name := range regexp.MustCompile("`([a-z0-9_/-]+\\.(?:go|c|h|sh|md|txt))`").FindAllStringSubmatch(string(document), -1) {
		named++
		if !slices.ContainsFunc(folders, func(folder string) bool {
			_, err := os.Stat(filepath.Join("..", folder, name[1]))
			return err == nil
		}) {
			t.Errorf("contributing.md names %s, which is not there", name[1])
		}
	}
	if named < 30 {
		t.Errorf("contributing.md names %d files", named)
	}
}

// Every link from a document to a file of the tree leads somewhere. Shows P39.
func TestDocsLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	code := regexp.MustCompile("(?ms)^```.*?^```") // a lambda of C++ looks like a link
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatal("no documents", err)
	}
	for _, pattern := range []string{"../*.md", "../*/README.md", "../*/*/README.md"} {
		more, _ := filepath.Glob(pattern)
		documents = append(documents, more...)
	}
	for _, document := range documents {
		if strings.HasPrefix(document, "../build/") {
			continue
		}
		data, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(string(data), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), found[1])); err != nil {
				t.Errorf("%s: %s", document, found[1])
			}
		}
	}
}

// What the README shows a Go program is the example that the tests of package pool run. Shows P39.
func TestTheReadmeShowsTheExampleOfPackagePool(t *testing.T) {
	inside := func(file, pattern string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s: nothing is like %s", file, pattern)
		}
		return string(found[1])
	}
	example := inside("../pool/example_test.go", `(?s)\nfunc Example\(\) {\n(.*?)\t// Output:`)
	shown := inside("../README.md", "(?s)\n```go\n.*?\nfunc main\\(\\) {\n(.*?)}\n```\n")
	if shown != example {
		t.Errorf("the README has\n%s\nand the example is\n%s", shown, example)
	}
}
