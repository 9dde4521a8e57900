package redisbudget

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestBadBudgetsAreRefused(t *testing.T) {
	client := server(t)
	for name, c := range map[string]Config{
		"no client":           {Key: "b", Limit: 1},
		"no key":              {Client: client, Limit: 1},
		"no limit":            {Client: client, Key: "b"},
		"less than none":      {Client: client, Key: "b", Limit: -1},
		"more than the limit": {Client: client, Key: "b", Limit: 1, Least: 2},
		"a short lease":       {Client: client, Key: "b", Limit: 1, Lease: time.Millisecond},
		"a long timeout":      {Client: client, Key: "b", Limit: 1, Timeout: time.Hour},
	} {
		if b, err := Open(context.Background(), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
			if b != nil {
				b.Close()
			}
		}
	}
	b := open(t, client, nil)
	b.Close()
	if err := b.Take(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// What is in Redis under a name of the budget's, and is not the budget's, stays as it is.
func TestAKeyOfAnotherKindIsTold(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	for i, key := range []string{"{0}", "{1}:line", "{2}:ends", "{3}:limits"} {
		if err := client.Set(ctx, key, "text", 0).Err(); err != nil {
			t.Fatal(err)
		}
		c := Config{Client: client, Key: fmt.Sprint(i), Limit: 1, Lease: time.Minute}
		if _, err := Open(ctx, c); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "another kind") {
			t.Errorf("%s: %v", key, err)
		}
		if text := client.Get(ctx, key).Val(); text != "text" {
			t.Errorf("%s is %q now", key, text)
		}
		if keys := client.Keys(ctx, fmt.Sprintf("{%d}*", i)).Val(); len(keys) != 1 {
			t.Errorf("%v are left", keys)
		}
	}
}

func TestAWrongPasswordIsTold(t *testing.T) {
	locked := server(t, "--requirepass", "secret")
	for password, says := range map[string]string{"": "wants a password", "wrong": "WRONGPASS"} {
		options := *locked.Options()
		options.Password = password
		client := redis.NewClient(&options)
		_, err := Open(context.Background(), Config{Client: client, Key: "b", Limit: 1, Lease: time.Minute})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", password, err)
		}
		_ = client.Close()
	}
	options := *locked.Options()
	options.Password = "secret"
	client := redis.NewClient(&options)
	t.Cleanup(func() { _ = client.Close() })
	open(t, client, nil)
}

// Each has a connection of its own, as processes do.
func TestAThousandProcesses(t *testing.T) {
	const processes, limit = 1000, 300
	admin := server(t, "--maxclients", "2000")
	ctx := context.Background()
	config := Config{Key: "b", Limit: limit, Lease: time.Minute, Timeout: 15 * time.Second}
	of := make([]*Budget, processes)
	for i := range of {
		options := *admin.Options()
		options.PoolSize = 1
		client := redis.NewClient(&options)
		t.Cleanup(func() { _ = client.Close() })
		config.Client = client
		b, err := Open(ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		of[i] = b
		t.Cleanup(b.Close)
		if i == 0 { // the ledger is new: nobody had anything before
			admin.HSet(ctx, "{b}", "grace", 0)
		}
	}
	for i, b := range of {
		if err := b.Take(ctx); (err == nil) != (i < limit) {
			t.Fatalf("process %d: %v", i, err)
		}
	}
	last := of[processes-1].Info()
	if last.All != limit || last.Processes != processes || last.Place != processes-limit {
		t.Errorf("the last one knows %+v", last)
	}
	for _, b := range of[:limit] {
		b.Give()
		said(t, b)
	}
	for i, b := range of[limit : 2*limit] { // in the order of asking
		until(t, "the next in line", func() bool { return b.Take(ctx) == nil })
		if i%100 == 0 && of[2*limit].Take(ctx) == nil {
			t.Fatal("a later one was served before")
		}
	}
	if all := of[processes-1].Info().All; all > limit {
		t.Errorf("%d leases for a limit of %d", all, limit)
	}
}
