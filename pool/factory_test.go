package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDown = errors.New("down")

// downError is an error with more to it.
type downError struct{ code int }

func (*downError) Error() string { return "down" }

func TestFactoryFailureIsTheCallersError(t *testing.T) {
	w := newWorld(t, 1, nil)
	w.fail(&downError{7})
	r, err := w.Acquire(background)
	assert.Nil(t, r)
	assert.ErrorIs(t, err, pool.ErrFactory)
	var down *downError
	require.ErrorAs(t, err, &down)
	assert.Equal(t, 7, down.code)
	w.counts(0, 0, 0, 0)
	w.fail(nil)
	assert.Equal(t, 1, w.acquire().Value())
}

func TestFactoryFailureHandsThePlaceOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeRelease = func(context.Context, int) bool { return false } })
		r := w.acquire()
		results := w.line(background, 3)
		w.fail(errDown)
		require.NoError(t, r.Release())
		for range 3 { // each has handed the place on before it says so
			assert.ErrorIs(t, (<-results).err, errDown)
		}
		w.counts(0, 0, 0, 0)
	})
}

func TestNewFailsWhole(t *testing.T) {
	made, destroyed := 0, 0
	p, err := pool.New(pool.Config[int]{
		Factory: func(context.Context) (int, error) {
			if made == 2 {
				return 0, errDown
			}
			made++
			return made, nil
		},
		Destroy: func(context.Context, int) { destroyed++ },
		MinSize: 3, MaxSize: 3,
	})
	assert.Nil(t, p)
	assert.ErrorIs(t, err, errDown)
	assert.Equal(t, 2, destroyed)
}

func TestConfigsThatMakeNoPool(t *testing.T) {
	factory := func(context.Context) (int, error) { return 0, nil }
	for name, config := range map[string]pool.Config[int]{
		"no factory":        {MaxSize: 1},
		"no places":         {Factory: factory},
		"fewer than none":   {Factory: factory, MaxSize: -1},
		"more than fit":     {Factory: factory, MaxSize: 1, MinSize: 2},
		"negative interval": {Factory: factory, MaxSize: 1, HealthcheckInterval: -1},
		"negative line":     {Factory: factory, MaxSize: 1, MaxWaiting: -1},
		"negative retry":    {Factory: factory, MaxSize: 1, CreateRetry: -1},
		"longest too short": {Factory: factory, MaxSize: 1, CreateRetry: 2, CreateRetryMax: 1},
		"longest of none":   {Factory: factory, MaxSize: 1, CreateRetryMax: 1},
		"unknown count":     {Factory: factory, MaxSize: 1, Threshold: pool.Threshold{Failures: 1, Counts: 4}},
		"negative limit":    {Factory: factory, MaxSize: 1, RecoveringLimit: -1},
		"nothing to check":  {Factory: factory, MaxSize: 1, HealthcheckInterval: time.Second},
		"never checked":     {Factory: factory, MaxSize: 1, Healthcheck: func(context.Context, int) bool { return true }},
	} {
		p, err := pool.New(config)
		assert.Nil(t, p, name)
		assert.ErrorIs(t, err, pool.ErrConfig, name)
	}
}
