package redisbudget

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// wire is a Redis that says what the test wants it to.
type wire struct {
	listener net.Listener
	answer   atomic.Pointer[string] // to a message; ends with "..." where more would come, "!" where the connection ends
}

// granted is an answer of the script: nothing is held, of a limit of one.
const granted = "*9\r\n:0\r\n:0\r\n:0\r\n:1\r\n:0\r\n:0\r\n:1\r\n:0\r\n:7\r\n"

func newWire(t *testing.T, answer string) (*wire, *redis.Client) {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "redis"))
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: listener}
	w.answer.Store(&answer)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go w.serve(c)
		}
	}()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: listener.Addr().String(), ReadTimeout: -1})
	t.Cleanup(func() { _ = client.Close() })
	return w, client
}

// serve answers each command; that of a budget as the test has said.
func (w *wire) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for in := bufio.NewReader(c); ; {
		var words int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &words); err != nil {
			return
		}
		first := ""
		for i := range words {
			var size int
			if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
				return
			}
			word := make([]byte, size+2)
			if _, err := io.ReadFull(in, word); err != nil {
				return
			}
			if i == 0 {
				first = strings.ToLower(string(word[:size]))
			}
		}
		answer := "+OK\r\n"
		switch first {
		case "hello":
			answer = "-ERR unknown command\r\n"
		case "eval", "evalsha":
			answer = *w.answer.Load()
		}
		text, ends := strings.CutSuffix(answer, "!")
		text, trickles := strings.CutSuffix(text, "...")
		if _, err := io.WriteString(c, text); err != nil || ends {
			return
		}
		for trickles { // each byte comes soon, and there is always one more
			if _, err := io.WriteString(c, "1"); err != nil {
				return
			}
		}
	}
}

// However a Redis answers badly: nobody hangs, nothing is taken, and it is told.
func TestABadAnswerIsNone(t *testing.T) {
	for name, answer := range map[string]string{
		"half":                    "*9\r\n:1\r\n:0",
		"half, and the end":       "*9\r\n:1\r\n:0!",
		"nothing, and the end":    "!",
		"one piece after another": "*9\r\n:1\r\n+...",
		"another protocol":        "HTTP/1.1 400 Bad Request\r\n\r\n!",
		"another script's":        "*0\r\n",
		"too short":               "*3\r\n:1\r\n:0\r\n:0\r\n",
		"no numbers":              "*9\r\n+a\r\n+b\r\n+c\r\n+d\r\n+e\r\n+f\r\n+g\r\n+h\r\n+i\r\n",
		"a status":                "+OK\r\n",
		"nothing":                 "$-1\r\n",
		"it is loading":           "-LOADING Redis is loading the dataset in memory\r\n",
		"it has no memory":        "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
		"it is a replica":         "-READONLY You can't write against a read only replica.\r\n",
		"scripts are not allowed": "-NOPERM this user has no permissions to run the 'evalsha' command\r\n",
		"its scripts are unheard": "-NOSCRIPT No matching script.\r\n",
		"a script runs for ever":  "-BUSY Redis is busy running a script.\r\n",
		"it has failed over":      "-MASTERDOWN Link with MASTER is down.\r\n",
		"its disk is full":        "-MISCONF Redis is configured to save RDB snapshots\r\n",
		"a number that none is":   "*1\r\n:-2\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			w, client := newWire(t, answer)
			if b, err := Open(ctx, Config{Client: client, Key: "b", Limit: 1, Lease: lease}); err == nil {
				b.Close()
				t.Fatal("that is a budget")
			}
			good := granted
			w.answer.Store(&good)
			b := open(t, client, nil)
			w.answer.Store(&answer)
			if err := b.Take(ctx); err == nil {
				t.Error("a place is taken")
			}
			until(t, "it is told", func() bool { i := b.Info(); return i.Err != nil && i.Expired })
			b.Close()
		})
	}
}
