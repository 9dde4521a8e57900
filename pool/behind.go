package pool

import (
	"context"

	"asyncpool/pool/core"
)

// What Config.CreateBehind has made is made by goroutines of the pool. How many is the core's affair ([core.State.Due]);
// here is only counted who was called and has yet to begin.

// callMakers starts those that are due, so many at once: others wait for the lock, which is held, and each that begins
// comes by here again.
func (p *Pool[T]) callMakers() {
	if p.st.Behind == 0 {
		return
	}
	const most = 64
	due := p.st.Due()
	for n := 0; n < most && p.coming < due; n++ {
		p.coming++
		go p.makeBehind()
	}
}

// makeBehind makes what is due, one after the other.
func (p *Pool[T]) makeBehind() {
	for comes := true; ; comes = false {
		p.mu.Lock()
		if comes {
			p.coming--
		}
		if p.st.Due() == 0 {
			p.mu.Unlock()
			return
		}
		p.drive(context.Background(), core.KindBehind, nil)
	}
}
