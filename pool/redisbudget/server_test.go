package redisbudget

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// server starts a Redis of the test's own, on a socket in a temporary folder.
func server(t testing.TB, options ...string) *redis.Client {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	socket := filepath.Join(t.TempDir(), "redis")
	cmd := exec.Command(path, append([]string{"--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
		"--dir", filepath.Dir(socket)}, options...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for err := errors.New(""); err != nil && !redis.HasErrorPrefix(err, "NOAUTH"); err = client.Ping(ctx).Err() {
		if ctx.Err() != nil {
			t.Fatal("redis-server does not answer")
		}
	}
	return client
}
