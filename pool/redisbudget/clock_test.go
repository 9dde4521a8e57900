package redisbudget

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// ahead is loaded into redis-server before the C library: its clock goes wrong by as many seconds as a file says.
const ahead = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int gettimeofday(struct timeval *t, void *zone)
{
	struct timespec now;
	long off = 0;
	FILE *file = fopen(getenv("CLOCK_IS_OFF"), "r");
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	if (file) {
		if (fscanf(file, "%ld", &off) != 1)
			off = 0;
		fclose(file);
	}
	t->tv_sec = now.tv_sec + off;
	t->tv_usec = now.tv_nsec / 1000;
	return 0;
}
`

// Whatever the clock of Redis's machine does, who has a lease keeps it, and nobody else is granted one.
func TestAClockThatLeapsCostsNobodyItsLeases(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	folder := t.TempDir()
	source, library, off := filepath.Join(folder, "ahead.c"), filepath.Join(folder, "ahead.so"), filepath.Join(folder, "off")
	if err := os.WriteFile(source, []byte(ahead), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	t.Setenv("LD_PRELOAD", library)
	t.Setenv("CLOCK_IS_OFF", off)
	client := server(t)
	ctx := context.Background()
	leaps := func(by time.Duration) {
		t.Helper()
		if err := os.WriteFile(off, fmt.Appendf(nil, "%d", int(by.Seconds())), 0o600); err != nil {
			t.Fatal(err)
		}
		redis, err := client.Time(ctx).Result()
		if wrong := time.Until(redis.Add(-by)).Abs(); err != nil || wrong > time.Minute {
			t.Fatalf("%v, and its clock is wrong by %v more than it should be", err, wrong)
		}
	}
	change := func(c *Config) { c.Limit, c.Lease, c.Timeout = 1, 10*time.Minute, 2*time.Minute }
	a, b := stopped(t, client, change), stopped(t, client, change)
	for i := 0; a.Take(ctx) != nil; i++ { // a leap counts as a quarter of a lease: so the first one ends soon
		leaps(time.Duration(i) * time.Hour)
		if i > 8 {
			t.Fatalf("nothing is granted: %+v", a.Info())
		}
	}
	const day = 24 * time.Hour
	for _, by := range []time.Duration{time.Hour, -time.Hour, 5 * day, 0, -day, 5 * day, -day, 0} {
		leaps(by)
		if b.Take(ctx) == nil {
			t.Fatalf("%v: another is granted what one has", by)
		}
		said(t, a)
		if i := a.Info(); i.Leases != 1 || i.All != 1 || i.Expired {
			t.Fatalf("%v: it has its lease no longer: %+v", by, i)
		}
	}
	leaps(100 * day) // the keys have ended by that clock: Redis has lost all
	said(t, b)
	for range 2 { // it is told of another ledger, and says it again
		said(t, a)
		if i := a.Info(); i.Leases != 1 || i.Expired || b.Take(ctx) == nil {
			t.Fatalf("a new ledger: %+v", i)
		}
	}
	if all := a.Info().All; all != 1 {
		t.Errorf("%d leases", all)
	}
}
