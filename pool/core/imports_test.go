package core

import (
	"go/build"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The core reads no clock, takes no lock, starts no goroutine and calls nobody: what it would need for that is not
// imported. Same answers, same asks; so it can be searched, and every driver sees the same pool.
func TestTheCoreImportsNextToNothing(t *testing.T) {
	p, err := build.ImportDir(".", 0)
	require.NoError(t, err)
	imports := slices.Clone(p.Imports)
	slices.Sort(imports)
	assert.Equal(t, []string{"errors", "fmt", "math", "math/bits", "unsafe"}, imports,
		"the core decides from its state and what it is told, nothing else: time, locks, randomness, memory and "+
			"hooks are the driver's. errors and fmt are for what NewCore and Check say and for panics, math and "+
			"math/bits for numbers and the hash, unsafe for memory that is the driver's.")
}
