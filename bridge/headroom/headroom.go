// Package headroom keeps room on the stack for the host's signal handlers.
//
// When a C thread calls into Go, the call runs on a goroutine's stack, which is small. A signal handler
// that the host has installed without SA_ONSTACK (signal() installs such) runs on whatever stack it
// finds, and would run off the end of that one, over memory of others. With room below the call it does
// no harm. Go grows the stack by itself when a function asks for more than is left; this one asks for
// [Bytes] and needs none of it. A stack that has grown stays so, so this costs a comparison.
package headroom

// Bytes is the room that Reserve makes: a signal frame with all vector registers is about 11 KB, the rest
// is for what the handler does.
const Bytes = 64 << 10

// Reserve makes sure that Bytes are free below the caller's frame.
func Reserve()
