package tests_go

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every test that docs/reliability.md names for a promise exists, and every promise has one.
func TestReliabilityNamesTestsThatExist(t *testing.T) {
	data, err := os.ReadFile("../docs/reliability.md")
	require.NoError(t, err)
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	all := readBearers(t)
	exists := func(name string) bool {
		if target, ok := strings.CutPrefix(name, "make "); ok {
			return regexp.MustCompile(`(?m)^` + target + `:`).Match(makefile)
		}
		return all.exists(name)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	promises, inTable := 0, false
	for line := range strings.Lines(string(data)) {
		switch cells := strings.Split(strings.TrimSpace(line), " | "); {
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case strings.HasPrefix(line, "| promise | shown by |"):
			inTable = true
		case inTable && !strings.HasPrefix(line, "|---"):
			require.Len(t, cells, 2, line)
			names := quoted.FindAllStringSubmatch(cells[1], -1)
			assert.NotEmpty(t, names, "no test shows: %s", cells[0])
			for _, name := range names {
				assert.True(t, exists(name[1]), "there is no test %s", name[1])
			}
			promises++
		}
	}
	assert.Greater(t, promises, 30)
}
