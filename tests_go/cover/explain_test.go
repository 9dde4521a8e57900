package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A reason of a line that is gone says nothing. `make cover` would tell, but it is seldom run.
func TestEachReasonIsOfLinesThatAreThere(t *testing.T) {
	t.Chdir("../..")
	reasons, err := readReasons("tests_go/cover/explained.txt")
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	there := map[string]map[string]int{} // by file: how often each key is there
	for _, r := range reasons {
		for _, l := range r.lines {
			require.FileExists(t, l.file)
			if there[l.file] == nil {
				there[l.file] = keys(t, l.file)
			}
			there[l.file][l.key()]--
			assert.GreaterOrEqual(t, there[l.file][l.key()], 0, "%s: %s: there is no such line: %s", l.file, l.function, l.text)
		}
	}
}

// keys counts what the lines of a file are known by.
func keys(t *testing.T, file string) map[string]int {
	text, err := readLines(file)
	require.NoError(t, err)
	found := map[string]int{}
	for i := range text {
		found[newLine(file, text, i+1).key()]++
	}
	return found
}
