package tests_go

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bearer is a test and the numbers that it bears.
type bearer struct {
	name    string
	numbers []string
}

// bearers are the tests of the tree, and which of them belong to which group of ctest: `acquire.b25_...` to `acquire`.
type bearers struct {
	list   []bearer
	groups map[string][]string
}

const someNumbers = `[BSREIP]\d+(?:(?:, | to )[BSREIP]\d+)*`

var (
	showsNumbers    = regexp.MustCompile(`\bShows (` + someNumbers + `)\.`)
	eachShows       = regexp.MustCompile(`\bEach case shows (` + someNumbers + `)\.`)
	eitherShows     = regexp.MustCompile(`\b(?:Each case s|S)hows [A-Z]\d`)
	numbersOfAName  = regexp.MustCompile(`^(?:[bsreip]\d+_)+`)
	numbersOfATitle = regexp.MustCompile(` \((` + someNumbers + `)\)$`)
)

// takeNumbers reads "B25, B27 to B29", and says what else there is.
func takeNumbers(text string) (numbers []string, left string) {
	one := regexp.MustCompile(`([BSREIP])(\d+)(?: to ([BSREIP])(\d+))?`)
	for _, found := range one.FindAllStringSubmatch(text, -1) {
		first, _ := strconv.Atoi(found[2])
		last := first
		if found[3] == found[1] {
			last, _ = strconv.Atoi(found[4])
		}
		for n := first; n <= last; n++ {
			numbers = append(numbers, fmt.Sprintf("%s%0*d", found[1], len(found[2]), n))
		}
	}
	return numbers, strings.ReplaceAll(one.ReplaceAllString(text, ""), ",", "")
}

func groupOf(name string) string {
	group, _, _ := strings.Cut(name, ".")
	if strings.Contains(group, ":") || strings.Contains(group, " ") {
		return ""
	}
	return group
}

// exists says whether there is such a test; a name may have stars.
func (all bearers) exists(name string) bool {
	for _, b := range all.list {
		if matches, err := path.Match(name, b.name); err == nil && matches {
			return true
		}
	}
	return false
}

// readBearers reads all tests. A case in C bears numbers in its name, a PHP test at the end of its title, a scenario
// in front of it. Any test may bear more in the comment above it: "Shows B25.", and all tests of a file in a comment
// before the first: "Each case shows B25."
func readBearers(t *testing.T) bearers {
	t.Helper()
	all := bearers{groups: map[string][]string{}}
	add := func(name string, numbers ...string) {
		all.list = append(all.list, bearer{name, numbers})
		if group := groupOf(name); group != "" {
			all.groups[group] = append(all.groups[group], name)
		}
	}
	files(t, "../tests_c/*/test_*.c*", func(file, text string) {
		group, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "test_"), ".")
		commented(t, file, text, `^TEST\((\w+)\)`, func(found, numbers []string) {
			own, _ := takeNumbers(strings.ToUpper(numbersOfAName.FindString(found[1])))
			add(group+"."+found[1], append(own, numbers...)...)
		})
	})
	files(t, "../tests_c/process/unlinked/*.c", func(file, text string) {
		if group := strings.TrimSuffix(filepath.Base(file), ".c"); strings.Contains(text, "\n    {\"") {
			commented(t, file, text, `^    \{"(\w+)", `, func(found, numbers []string) {
				add(group+"."+found[1], numbers...)
			})
		}
	})
	const oneTest = `^ *(?:plain_test\(|readelf_test\(|unlinked_test\(|add_test\(NAME |php(ext)_test\()([\w.]+)(?:\s|$)` +
		`|^foreach\(case IN ITEMS ([\w\s]+)\)`
	for _, folder := range []string{"tests_c", "tests_c/abi", "tests_c/fuzz", "tests_c/soak", "bridge/php/tests", "bridge/php-ext/tests"} {
		files(t, "../"+folder+"/CMakeLists.txt", func(file, text string) {
			// A list that goes on in the next line is one.
			text = regexp.MustCompile(`(?m)^(foreach\(case IN ITEMS [^)\n]*)\n +`).ReplaceAllString(text, "$1 ")
			commented(t, file, text, oneTest, func(found, numbers []string) {
				switch {
				case found[3] != "":
					for _, name := range strings.Fields(found[3]) {
						add("signals."+name+"_with_a_second_go_library", numbers...)
					}
				case found[1] != "":
					add("phpext."+found[2], numbers...)
				default:
					add(found[2], numbers...)
				}
			})
		})
	}
	scenarios := map[string]bool{}
	files(t, "testdata/*.txt", func(file, text string) {
		for _, title := range regexp.MustCompile(`(?m)^scenario (\S+) `).FindAllStringSubmatch(text, -1) {
			if !scenarios[title[1]] {
				add("scenario "+title[1], title[1])
			}
			scenarios[title[1]] = true
		}
	})
	for _, folder := range []string{"pool", "pool/core", "bridge/gen", "tests_go", "tests_go/search", "tests_go/linear", "tests_go/membarrier", "tests_go/metrics"} {
		files(t, "../"+folder+"/*_test.go", func(file, text string) {
			commented(t, file, text, `^func ((?:Test|Fuzz)\w+)\(`, func(found, numbers []string) {
				add(folder+": "+found[1], numbers...)
			})
		})
	}
	titled := func(name string) func(file, text string) {
		return func(file, text string) {
			_, title, found := strings.Cut(text, "--TEST--\n")
			require.True(t, found, file)
			title, _, _ = strings.Cut(title, "\n")
			var numbers []string
			if found := numbersOfATitle.FindStringSubmatch(title); found != nil {
				numbers, _ = takeNumbers(found[1])
			}
			add(fmt.Sprintf(name, filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".phpt")), numbers...)
		}
	}
	files(t, "../bridge/php/tests/*/*.phpt", titled("php: %s/%s"))
	files(t, "../bridge/php-ext/tests/*.phpt", titled("php-ext: %[2]s"))
	return all
}

func files(t *testing.T, glob string, each func(file, text string)) {
	t.Helper()
	found, err := filepath.Glob(glob)
	require.NoError(t, err)
	require.NotEmpty(t, found, glob)
	for _, file := range found {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		each(file, string(text))
	}
}

// commented finds the lines that begin a test, and what the comments say that it shows. What is said where no test
// hears it is an error.
func commented(t *testing.T, file, text, pattern string, each func(found []string, numbers []string)) {
	t.Helper()
	begins := regexp.MustCompile(pattern)
	lines := strings.Split(text, "\n")
	first := slices.IndexFunc(lines, begins.MatchString)
	if first < 0 {
		return
	}
	heard := 0
	shown := func(by *regexp.Regexp, text string) (numbers []string) {
		for _, found := range by.FindAllStringSubmatch(text, -1) {
			more, _ := takeNumbers(found[1])
			numbers = append(numbers, more...)
			heard++
		}
		return numbers
	}
	ofAll := shown(eachShows, uncommented(lines[:first]))
	for i, line := range lines {
		if found := begins.FindStringSubmatch(line); found != nil {
			own := shown(showsNumbers, uncommented(commentAbove(lines, i)))
			each(found, slices.Concat(ofAll, own))
		}
	}
	assert.Len(t, eitherShows.FindAllString(uncommented(lines), -1), heard, "%s: what is shown is not said above a test", file)
}

// uncommented are lines as one, without what makes them a comment.
func uncommented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.Trim(line, " */#") + " ")
	}
	return b.String()
}

// commentAbove is the comment that ends directly above a line.
func commentAbove(lines []string, i int) []string {
	first := i
	switch {
	case i > 0 && strings.HasSuffix(lines[i-1], "*/"):
		for first--; first > 0 && !strings.Contains(lines[first], "/*"); first-- {
		}
	default:
		for first > 0 && (strings.HasPrefix(lines[first-1], "//") || strings.HasPrefix(strings.TrimSpace(lines[first-1]), "#")) {
			first--
		}
	}
	return lines[first:i]
}
