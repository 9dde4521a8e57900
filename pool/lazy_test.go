package pool_test

import (
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
)

// Shows P87.
func TestALazyMinimumIsMadeAtOnceByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		w := newWorld(t, 3, func(c *pool.Config[int]) { c.MinSize, c.LazyMin = 2, true })
		synctest.Wait()
		assert.Zero(t, time.Since(begin))
		w.counts(2, 0, 0, 0)
		w.Close()
	})
}

// Shows P87.
func TestALazyMinimumIsMadeOnceTheServiceIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := &world{t: t}
		down.fail(errDown)
		w := newWorld(t, 3, func(c *pool.Config[int]) {
			c.MinSize, c.LazyMin = 2, true
			c.Factory = down.factory
		})
		time.Sleep(3500 * time.Millisecond)
		w.counts(0, 0, 0, 0)
		assert.EqualValues(t, 4, w.Stats().Failed)
		down.fail(nil)
		time.Sleep(time.Second)
		w.counts(2, 0, 0, 0)
		w.Close()
	})
}
