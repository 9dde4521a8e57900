package core

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever it is shortened by, and however late in a tick it began. Shows P43.
func TestNoLifetimeIsShorterThanItsRandomPartAllows(t *testing.T) {
	for lifetime := int64(1); lifetime < 300; lifetime++ {
		for jitter := int64(0); jitter <= lifetime; jitter++ {
			ticks := int64(Ticks(lifetime)) - int64(JitterTicks(jitter))
			require.GreaterOrEqual(t, (ticks-1)<<tickBits, (lifetime-jitter)*1_000_000, "%d less %d", lifetime, jitter)
		}
	}
	assert.EqualValues(t, math.MaxInt32, JitterTicks(math.MaxUint32*4))
}
