package cfast

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var include = regexp.MustCompile(`(?m)^\s*#\s*include "(.+)"`)

// What is not in this folder the go command does not see: after a change of it the C code of before would be tested.
// So each file of ours that is compiled here has a link, and each link is of such a file.
func TestWhatIsCompiledHereIsHere(t *testing.T) {
	links := map[string]string{} // the real file of each name
	names, err := filepath.Glob("*.[ch]")
	require.NoError(t, err)
	for _, name := range names {
		links[name], err = filepath.EvalSymlinks(name)
		require.NoError(t, err)
	}
	compiled := []string{"registry.c", "fast_op.h"} // by the go command, and by cfast.go
	for i := 0; i < len(compiled); i++ {
		here := compiled[i]
		text, err := os.ReadFile(here)
		require.NoError(t, err)
		for _, found := range include.FindAllSubmatch(text, -1) {
			file := filepath.Join(filepath.Dir(links[here]), string(found[1]))
			name := filepath.Base(file)
			assert.Equal(t, file, links[name], "%s includes it", here)
			if !slices.Contains(compiled, name) {
				compiled = append(compiled, name)
			}
		}
	}
	assert.ElementsMatch(t, compiled, names)
}
