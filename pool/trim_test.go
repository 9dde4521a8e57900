package pool_test

import (
	"testing"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P91.
func TestOfWhatIsIdleSoManyAreKept(t *testing.T) {
	w := newWorld(t, 4, nil)
	lends := []*pool.Resource[int]{w.acquire(), w.acquire(), w.acquire(), w.acquire()}
	for _, r := range lends[:3] {
		require.NoError(t, r.Release())
	}
	require.NoError(t, w.Trim(1))
	assert.Equal(t, []int{1, 2}, w.destroyed)
	w.counts(1, 1, 0, 0)
	require.NoError(t, w.Trim(1))
	require.NoError(t, w.Trim(0))
	w.counts(0, 1, 0, 0)
	require.NoError(t, lends[3].Release())
	w.counts(1, 0, 0, 0)
	assert.EqualValues(t, 3, w.Stats().DestroyedShrunk)
	assert.ErrorIs(t, w.Trim(-1), pool.ErrConfig)
	w.Close()
	assert.ErrorIs(t, w.Trim(0), pool.ErrClosed)
}
