package tests_go

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const coverageFile = "../docs/spec-coverage.md"

// fieldReports are the numbers of the field reports; some were never given.
var fieldReports = strings.Fields("B01 B02 B03 B04 B05 B06 B07 B09 B10 B11 B12 B14 B15 B16 B17 B18 B20 B21 " +
	"B22 B23 B25 B26 B27 B28 B30 B32 B33 B34 B35 B36 B37 B38 B39 B40 B42 B43 B45 B47 B49 B50 B53 B54 B55 B56 " +
	"B57 B58 E1 E2 E4 E5 E6 E7 E8 E9 E12")

// The headings of the two documents.
var (
	architectureHeadings = []string{
		`Async\Pool Architecture`, "Data Structure", "Two Creation Paths", "Acquire: Obtaining a Resource",
		"Waiting for a Resource", "Release: Returning a Resource", "Healthcheck: Background Monitoring",
		"Circular Buffer", "Integration with the Event System", "Garbage Collection", "Circuit Breaker",
		"Close: Shutting Down the Pool", "C API for Extensions", "Sequence: Full Acquire-Release Cycle",
		"What's Next?",
	}
	guideHeadings = []string{
		`Async\Pool: Pool Universal de Recursos`, "Por Que Necesitas un Pool", "Creacion de un Pool",
		"Acquire y Release", "Acquire Bloqueante", "tryAcquire No Bloqueante", "Release", "Estadisticas",
		"Cerrar el Pool", "Healthcheck: Verificacion en Segundo Plano", "Circuit Breaker", "Tres Estados",
		"Gestion Automatica via Estrategia", "Ciclo de Vida del Recurso",
		"Ejemplo Real: Pool de Conexiones Redis", "PDO Pool", "Que Sigue?",
	}
)

// coverageRow is a line of a table: an entry, what it is about, the tests that show it, a remark.
type coverageRow struct {
	section, entry, about, tests, remark string
}

func coverageRows(t *testing.T) (rows []coverageRow) {
	t.Helper()
	data, err := os.ReadFile(coverageFile)
	require.NoError(t, err)
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| entry |") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		require.Len(t, cells, 4, line)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, coverageRow{section, cells[0], cells[1], cells[2], cells[3]})
	}
	return rows
}

// Every entry has one row, in its section, and each row names a test or says why there is none.
func TestCoverageHasARowForEveryEntry(t *testing.T) {
	wanted := map[string][]string{
		"Architecture": architectureHeadings, "Guide": guideHeadings, "Field reports": fieldReports,
	}
	for i := range 155 {
		wanted["Behaviours"] = append(wanted["Behaviours"], fmt.Sprintf("B%02d", i+1))
	}
	const defects = "Defects that must not be copied"
	for i := range 10 {
		wanted[defects] = append(wanted[defects], fmt.Sprintf("S%d", i+1))
	}
	found := map[string][]string{}
	for _, row := range coverageRows(t) {
		found[row.section] = append(found[row.section], row.entry)
		assert.NotEmpty(t, row.about, "%s: %s", row.section, row.entry)
		assert.NotEmpty(t, row.tests+row.remark, "%s: %s has neither a test nor a remark", row.section, row.entry)
	}
	for section, entries := range wanted {
		assert.Equal(t, entries, found[section], section)
	}
}

// Every test that is named exists.
func TestCoverageNamesTestsThatExist(t *testing.T) {
	known := coverageTests(t)
	name := regexp.MustCompile("`([^`]+)`")
	named := 0
	for _, row := range coverageRows(t) {
		left := name.ReplaceAllString(row.tests, "")
		assert.Empty(t, strings.Trim(left, ", "), "%s: only names of tests belong here", row.entry)
		for _, found := range name.FindAllStringSubmatch(row.tests, -1) {
			named++
			assert.True(t, known[found[1]], "%s, %s: there is no test %s", row.section, row.entry, found[1])
		}
	}
	assert.Greater(t, named, 300)
}

// The catalogue was written from a PHP implementation, so each of its entries has a PHP test, or says why not.
func TestCoverageHasPHPTestsForTheCatalogue(t *testing.T) {
	for _, row := range coverageRows(t) {
		if row.section == "Behaviours" || row.section == "Defects that must not be copied" {
			assert.True(t, strings.Contains(row.tests, "`php: ") || strings.Contains(row.remark, "PHP"),
				"%s has no PHP test, and its remark does not say why", row.entry)
		}
	}
}

// coverageTests are the names under which the tests of the tree can be named.
func coverageTests(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	collect := func(glob, pattern string, name func(file, match string) string) {
		files, err := filepath.Glob(glob)
		require.NoError(t, err)
		require.NotEmpty(t, files, glob)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(data), -1) {
				known[name(file, match[1])] = true
			}
		}
	}
	plain := func(_, match string) string { return match }
	collect("../tests_c/*/test_*.c*", `(?m)^TEST\((\w+)\)`, func(file, match string) string {
		group, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "test_"), ".")
		known[group+".*"] = true
		return group + "." + match
	})
	collect("../tests_c/process/unlinked/*.c", `(?m)^    \{"(\w+)", `, func(file, match string) string {
		group := strings.TrimSuffix(filepath.Base(file), ".c")
		known[group+".*"] = true
		return group + "." + match
	})
	const oneTest = `(?m)^ *(?:plain_test\(|readelf_test\(|unlinked_test\(|add_test\(NAME )([\w.]+)\s`
	for _, folder := range []string{"", "fuzz/", "soak/"} {
		collect("../tests_c/"+folder+"CMakeLists.txt", oneTest, plain)
	}
	collect("../tests_c/CMakeLists.txt", `(?m)^foreach\(case IN ITEMS ([\w\s]+)\)`, func(_, match string) string {
		for _, name := range strings.Fields(match) {
			known["signals."+name+"_with_a_second_go_library"] = true
		}
		return "signals.*_with_a_second_go_library"
	})
	collect("../bridge/php/tests/*/*.phpt", `\A--TEST--\n(.+)`, func(file, _ string) string {
		return "php: " + filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".phpt")
	})
	collect("../bridge/php-ext/tests/CMakeLists.txt", `(?m)^ *phpext_test\(([\w.]+)\s`, func(_, match string) string {
		return "phpext." + match
	})
	collect("../bridge/php-ext/tests/*.phpt", `\A--TEST--\n(.+)`, func(file, _ string) string {
		return "php-ext: " + strings.TrimSuffix(filepath.Base(file), ".phpt")
	})
	collect("testdata/*.txt", `(?m)^scenario (\S+) `, func(_, match string) string { return "scenario " + match })
	for _, folder := range []string{"pool", "pool/core", "bridge/gen", "tests_go", "tests_go/search", "tests_go/linear"} {
		collect("../"+folder+"/*_test.go", `(?m)^func ((?:Test|Fuzz)\w+)\(`, func(_, match string) string {
			return folder + ": " + match
		})
	}
	return known
}
