package linear

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// wanted is how many histories each recorder records.
func wanted(t *testing.T) int {
	text := os.Getenv("ASYNCPOOL_HISTORIES")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// There is an order for each history that is recorded. Shows P22.
func TestHistoriesHaveAnOrder(t *testing.T) {
	for _, r := range recorders {
		t.Run(r.name, func(t *testing.T) {
			program := r.build(t, t.TempDir(), "")
			seed, histories, operations := rand.Uint64(), 0, 0
			folder := violations(t)
			err := record(t, program, r, wanted(t), seed, func(h *history) bool {
				histories++
				operations += len(h.operations)
				result, why := h.check(folder)
				if result != porcupine.Ok {
					t.Errorf("history %d of seed %d is %s: %s", histories, seed, result, why)
				}
				return result == porcupine.Ok
			})
			require.NoError(t, err)
			require.True(t, t.Failed() || histories == wanted(t), "only %d histories were recorded", histories)
			t.Logf("%d histories, %d operations", histories, operations)
		})
	}
}

// violations is the folder for what no order explains.
func violations(t *testing.T) string {
	folder := filepath.Join(root(t), "build", "linear", filepath.FromSlash(t.Name()))
	require.NoError(t, os.MkdirAll(folder, 0o777))
	return folder
}
