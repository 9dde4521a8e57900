package tests_go

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	behavioursFile = "behaviours.txt"
	behavioursPage = "../docs/behaviours.md"
)

// behaviour is an entry of the catalogue.
type behaviour struct {
	number, sentence, remark string
	tests                    []string
}

// chapter is a part of the catalogue, with what it begins with.
type chapter struct {
	title, text string
	entries     []*behaviour
}

// readBehaviours reads the catalogue; behaviours.txt itself says in which form it is.
func readBehaviours(t *testing.T) (chapters []*chapter, byNumber map[string]*behaviour) {
	t.Helper()
	text, err := os.ReadFile(behavioursFile)
	require.NoError(t, err)
	byNumber = map[string]*behaviour{}
	entry := regexp.MustCompile(`^([BSREIP][0-9]+) (\S.*)$`)
	var current *chapter
	var last *behaviour
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		title, isTitle := strings.CutPrefix(line, "## ")
		found := entry.FindStringSubmatch(trimmed)
		switch {
		case isTitle:
			current, last = &chapter{title: strings.TrimSpace(title)}, nil
			chapters = append(chapters, current)
		case trimmed == "" || line[0] == '#':
		case line[0] == ' ' && last != nil:
			last.remark = strings.TrimSpace(last.remark + " " + trimmed)
		case found != nil && current != nil:
			require.Nil(t, byNumber[found[1]], "%s is there twice", found[1])
			last = &behaviour{number: found[1], sentence: found[2]}
			byNumber[last.number] = last
			current.entries = append(current.entries, last)
		default:
			require.True(t, current != nil && len(current.entries) == 0, "%s: what is %q?", behavioursFile, trimmed)
			current.text = strings.TrimSpace(current.text + " " + trimmed)
		}
	}
	return chapters, byNumber
}

// TestBehaviours compares docs/behaviours.md with the catalogue and with the tests that bear its numbers. Each number
// that a test bears has an entry, and each entry a test, or a remark that says why there is none.
func TestBehaviours(t *testing.T) {
	chapters, byNumber := readBehaviours(t)
	all := readBearers(t)
	for _, b := range all.list {
		for _, number := range b.numbers {
			if entry := byNumber[number]; assert.NotNil(t, entry, "%s shows %s, which %s does not have", b.name, number,
				behavioursFile) {
				entry.tests = append(entry.tests, b.name)
			}
		}
	}
	drawn, borne := "", 0
	for _, c := range chapters {
		drawn += "### " + c.title + "\n\n"
		if c.text != "" {
			drawn += wrapped(c.text, "") + "\n"
		}
		for _, entry := range c.entries {
			assert.True(t, len(entry.tests) > 0 || entry.remark != "", "no test shows %s, and nothing says why not", entry.number)
			borne += len(entry.tests)
			drawn += entry.draw(all.groups)
		}
		drawn += "\n"
	}
	assert.Greater(t, borne, 1000)
	checkSections(t, behavioursPage, map[string]string{"catalogue": drawn})
}

// The catalogue was written from a PHP implementation, so each of its entries has a PHP test, or says why not.
func TestBehavioursHavePHPTests(t *testing.T) {
	_, byNumber := readBehaviours(t)
	inPHP := map[string]bool{}
	for _, b := range readBearers(t).list {
		if strings.HasPrefix(b.name, "php") {
			for _, number := range b.numbers {
				inPHP[number] = true
			}
		}
	}
	for number, entry := range byNumber {
		if number[0] == 'B' || number[0] == 'S' {
			assert.True(t, inPHP[number] || strings.Contains(entry.remark, "PHP"),
				"%s has no PHP test, and does not say why", number)
		}
	}
}

// What the page says beside what is drawn names no test, and only entries that the catalogue has. Its last table has a
// row for each heading.
func TestBehavioursPageNamesNoTest(t *testing.T) {
	_, byNumber := readBehaviours(t)
	text, err := os.ReadFile(behavioursPage)
	require.NoError(t, err)
	all := readBearers(t)
	rest := regexp.MustCompile(`(?s)<!-- drawn: .*?<!-- end -->`).ReplaceAllString(string(text), "")
	for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(rest, -1) {
		assert.False(t, all.exists(quoted[1]), "%s is typed by hand", quoted[1])
	}
	_, table, found := strings.Cut(rest, "| heading | entries |\n|---|---|\n")
	require.True(t, found)
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !assert.Len(t, cells, 2, line) {
			continue
		}
		rows++
		numbers, left := takeNumbers(cells[1])
		for _, number := range numbers {
			assert.NotNil(t, byNumber[number], "%s: the catalogue has no %s", cells[0], number)
		}
		assert.True(t, len(numbers) > 0 || strings.TrimSpace(left) != "", line)
	}
	assert.Greater(t, rows, 20)
}

// draw is the entry as it stands on the page.
func (entry *behaviour) draw(groups map[string][]string) string {
	text := fmt.Sprintf("- **%s** %s", entry.number, entry.sentence)
	if entry.remark != "" {
		text += " (" + entry.remark + ")"
	}
	if names := shortened(entry.tests, groups); len(names) > 0 {
		text += ": `" + strings.Join(names, "`, `") + "`"
	}
	return wrapped(text, "  ")
}

// shortened are the names, with one for all cases of a program that are among them.
func shortened(names []string, groups map[string][]string) (short []string) {
	among := map[string]bool{}
	for _, name := range names {
		among[name] = true
	}
	whole := func(group string) bool {
		for _, name := range groups[group] {
			if !among[name] {
				return false
			}
		}
		return len(groups[group]) > 1
	}
	seen := map[string]bool{}
	for _, name := range names {
		if group := groupOf(name); whole(group) {
			name = group + ".*"
		}
		if !seen[name] {
			short = append(short, name)
		}
		seen[name] = true
	}
	return short
}

// wrapped is a text in lines of at most 120 columns; names in backquotes stay whole.
func wrapped(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range regexp.MustCompile("(?:`[^`]*`|[^\\s`])+").FindAllString(text, -1) {
		switch {
		case column == 0:
		case column+1+len(word) > 120:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String() + "\n"
}
