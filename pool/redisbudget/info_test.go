package redisbudget

import (
	"context"
	"testing"
	"time"
)

func TestInfoTellsWhatHasHappened(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	b := stopped(t, client, func(c *Config) { c.Limit, c.Lease, c.Timeout = 1, 10*time.Minute, 2*time.Minute })
	if i := b.Info(); i.State() != New || i.Renewals != 1 || i.Left == 0 || i.Wanted {
		t.Errorf("at its beginning: %+v", i)
	}
	client.HSet(ctx, "{b}", "grace", 0)
	if err := b.Take(ctx); err != nil {
		t.Fatal(err)
	}
	if err := b.Take(ctx); err == nil {
		t.Fatal("a second place")
	}
	if i := b.Info(); i.State() != Fine || i.Granted != 1 || i.Refused != 1 || i.Renewals != 3 || i.Failed != 0 || !i.Wanted {
		t.Errorf("with a place: %+v", i)
	}
	_ = client.Shutdown(ctx)
	if err := b.Take(ctx); err == nil {
		t.Fatal("a place without Redis")
	}
	if i := b.Info(); i.State() != Away || i.Refused != 2 || i.Renewals != 4 || i.Failed != 1 || i.Leases != 1 {
		t.Errorf("without Redis: %+v", i)
	}
	b.mu.Lock()
	b.until = time.Now()
	b.mu.Unlock()
	if i := b.Info(); i.State() != Expired || !i.Expired || i.Left != 0 {
		t.Errorf("after a lease: %+v", i)
	}
}
