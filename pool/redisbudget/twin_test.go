package redisbudget

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// TestTwin plays the same messages to budget.lua, in a real Redis, and to what the search explores.
func TestTwin(t *testing.T) {
	client := server(t)
	// The instant is the test's.
	const time = "redis.call('TIME')"
	if strings.Count(script, time) != 1 {
		t.Fatalf("the script asks for the time %d times", strings.Count(script, time))
	}
	lua := redis.NewScript(strings.Replace(script, time, "{ math.floor(ARGV[11] / 1000), ARGV[11] % 1000 * 1000 }", 1))
	ctx := context.Background()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var granted, asked, stood, lost, again int
	for range 200 {
		client.FlushAll(ctx)
		l, now := ledger{}, int64(1e9)
		limit, least := 1+random.Int64N(5), random.Int64N(2)
		var number, has, knows [3]int64
		for range 100 {
			switch random.IntN(40) {
			case 0:
				client.FlushAll(ctx)
				l = ledger{}
				lost++
			case 1:
				now += random.Int64N(100000) - 50000
			default:
				now += random.Int64N(120)
			}
			id := random.IntN(3)
			number[id]++
			m := message{number: number[id], have: max(has[id]-random.Int64N(2), 0), want: random.Int64N(2), least: least,
				idle: random.Int64N(3), limit: limit + random.Int64N(2), lease: 400 + 100*random.Int64N(2)}
			m.leased = random.Int64N(m.have + 1)
			m.born = knows[id]
			switch random.IntN(20) {
			case 0:
				m.want = -1
			case 1:
				m.number -= random.Int64N(2)
			}
			want := l.beat(now, id, m)
			got, err := lua.Run(ctx, client, []string{"{b}", "{b}:line", "{b}:ends", "{b}:limits"}, string(rune('a'+id)),
				m.number, m.have, m.want, m.least, m.idle, m.limit, m.lease, m.leased, m.born, now).Int64Slice()
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 1 {
				got = []int64{-1, 0, 0, 0, 0, 0, 0, 0, 0}
			}
			if a := (answer{got[0], got[1], got[2], got[3], got[4], got[5], got[6], got[7], got[8]}); a != want {
				t.Fatalf("%+v: the script answers %+v, the model %+v", m, a, want)
			}
			if want != stale {
				granted += int(max(want.leases-has[id], 0))
				has[id], knows[id] = want.leases, want.born
				if m.leased > 0 && m.born != want.born {
					again++
				}
				asked += int(want.ask)
				stood += int(want.place)
			}
		}
	}
	t.Logf("%d granted, %d asked back, %d places in line, %d times all lost, %d to be said again", granted, asked, stood, lost, again)
	if granted == 0 || asked == 0 || stood == 0 || lost == 0 || again == 0 {
		t.Error("not everything happened")
	}
}
