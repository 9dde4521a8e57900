package pool

import (
	"context"
	"time"

	"asyncpool/pool/core"
)

// Lend is one lend, as [Pool.Lends] and Config.OnLeak tell it.
type Lend struct {
	Resource any           // what Factory returned
	Held     time.Duration // for so long, where lends are timed (Config.Timed, LeakAfter); else 0
	Uses     int           // lends of the resource, this one included, where a limit needs them or lends are timed; else 0
	Tag      string        // of the context of its Acquire, see [WithTag], where Uses are kept
}

type tagKey struct{}

// WithTag names what an Acquire with this context is for: [Pool.Lends] tells which part of a program holds a resource.
func WithTag(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, tagKey{}, tag)
}

// tagOf is the tag of a context, to a pool that notes it. Not under the lock: a context's methods may be anybody's.
func (p *Pool[T]) tagOf(ctx context.Context) string {
	if !p.noted {
		return ""
	}
	tag, _ := ctx.Value(tagKey{}).(string)
	return tag
}

// Lends tells who holds what: all that is lent, in no order. Each lend that began before the call and has not ended when
// it returns is told once; others may be. A pool that has never had more than 1,024 resources at once is told as of one
// instant; a larger one is looked at in pieces of so many, so that nobody waits for long.
func (p *Pool[T]) Lends() []Lend {
	const piece = 1024
	var lends []Lend
	more := true
	for next := uint32(0); more; {
		p.mu.Lock()
		now := time.Since(p.born)
		next, more = p.st.EachLent(next, piece, func(i uint32, e *core.Entry) bool {
			l := p.lendOf(i, p.handles.at(e.Word), now)
			if !p.noted || l.Uses > 0 { // else it was made for one who has left, and is no lend
				lends = append(lends, l)
			}
			return true
		})
		p.mu.Unlock()
	}
	return lends
}

// lendOf is the lend of what is lent.
func (p *Pool[T]) lendOf(entry uint32, i *item[T], now time.Duration) Lend {
	note, uses := p.st.Note(entry)
	l := Lend{Resource: i.value, Uses: int(uses), Tag: i.tag}
	if p.st.Ages.Timed != 0 {
		l.Held = now - time.Duration(note)
	}
	return l
}
