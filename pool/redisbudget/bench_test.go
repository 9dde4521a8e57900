package redisbudget

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// cost is what the script has cost a Redis: calls, and microseconds of its processor.
func cost(b *testing.B, client *redis.Client) (calls, us float64) {
	b.Helper()
	text := client.Info(context.Background(), "commandstats").Val()
	i := strings.Index(text, "cmdstat_evalsha:")
	if i < 0 {
		b.Fatal("the script was never called")
	}
	var n, spent int
	if _, err := fmt.Sscanf(text[i:], "cmdstat_evalsha:calls=%d,usec=%d,", &n, &spent); err != nil {
		b.Fatal(err)
	}
	return float64(n), float64(spent)
}

// loopback is a Redis at a port.
func loopback(b *testing.B) *redis.Client {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	_ = listener.Close()
	server(b, "--bind", "127.0.0.1", "--port", fmt.Sprint(port))
	client := redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", port)})
	b.Cleanup(func() { _ = client.Close() })
	return client
}

// fleetOf are so many processes in one budget, which have all told what they have.
func fleetOf(b *testing.B, client *redis.Client, processes int, wants bool) []*Budget {
	b.Helper()
	ctx := context.Background()
	fleet := make([]*Budget, processes)
	for i := range fleet {
		fleet[i] = open(b, client, func(c *Config) {
			c.Limit, c.Lease, c.Timeout = max(processes/2, 1), 10*time.Minute, 2*time.Minute
		})
		if i == 0 { // the ledger is new: nobody had anything before
			client.HSet(ctx, "{b}", "grace", 0)
		}
		if wants {
			_ = fleet[i].Take(ctx)
		}
	}
	return fleet
}

// BenchmarkHeartbeat is one message of one process, over a socket; of many, half of which hold a lease while the others
// stand in line.
func BenchmarkHeartbeat(b *testing.B) {
	for _, processes := range []int{1, 100, 1000} {
		for _, network := range []string{"unix", "tcp"} {
			b.Run(fmt.Sprintf("processes=%d/%s", processes, network), func(b *testing.B) {
				client := server(b)
				if network == "tcp" {
					client = loopback(b)
				}
				fleet := fleetOf(b, client, processes, true)
				times := make([]time.Duration, 0, b.N)
				ctx := context.Background()
				calls, us := cost(b, client)
				b.ResetTimer()
				for i := range b.N {
					began := time.Now()
					if err := fleet[i%processes].say(ctx, 0); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(began))
				}
				b.StopTimer()
				more, all := cost(b, client)
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "us-median")
				b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, "us-p99")
				b.ReportMetric((all-us)/max(more-calls, 1), "redis-us/op")
			})
		}
	}
}

// BenchmarkTake takes a place and gives it back: with a message, as a creation does that finds no unused lease, and
// without, where one is held.
func BenchmarkTake(b *testing.B) {
	client := server(b)
	ctx := context.Background()
	for name, least := range map[string]int{"asks": 0, "held": 1} {
		b.Run(name, func(b *testing.B) {
			budget := open(b, client, func(c *Config) {
				c.Key, c.Limit, c.Least, c.Lease, c.Timeout = name, 10, least, 10*time.Minute, 2*time.Minute
			})
			client.HSet(ctx, "{"+name+"}", "grace", 0)
			_ = budget.say(ctx, 0)
			b.ResetTimer()
			for range b.N {
				if err := budget.Take(ctx); err != nil {
					b.Fatal(err)
				}
				budget.Give()
				if least == 0 {
					budget.mu.Lock()
					budget.leases = 0 // given back, as by a heartbeat
					budget.mu.Unlock()
				}
			}
		})
	}
}

// BenchmarkThousandProcesses is a lease of ten seconds in the life of a thousand processes: what they cost Redis, of its
// memory and its processor.
func BenchmarkThousandProcesses(b *testing.B) {
	const processes, heartbeats = 1000, 4
	client := server(b)
	ctx := context.Background()
	fleet := fleetOf(b, client, processes, true)
	bytes := 0.0
	for _, key := range fleet[0].keys {
		bytes += float64(client.MemoryUsage(ctx, key, 0).Val())
	}
	calls, us := cost(b, client)
	b.ResetTimer()
	for range b.N {
		var all sync.WaitGroup
		for part := range 8 {
			all.Go(func() {
				for range heartbeats {
					for i := part; i < processes; i += 8 {
						if err := fleet[i].say(ctx, 0); err != nil {
							b.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
	}
	b.StopTimer()
	more, spent := cost(b, client)
	b.ReportMetric(bytes/processes, "bytes/process")
	b.ReportMetric((spent-us)/(more-calls), "redis-us/call")
	b.ReportMetric((spent-us)/float64(b.N)/10e6*100, "%-of-a-processor")
}
