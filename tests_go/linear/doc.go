// Package linear checks that a pool which many threads use at once behaves like one that is used by one thread
// at a time: there is an order of all that happened, in which everything that overlapped in time may have come
// one way or the other, and in which a small sequential model of the pool gives the same answers.
//
// Recorders (record_c through the C ABI, record_go with goroutines) use pools at random and write down what each
// client told a pool and heard of it, and when; see record_c/spans.h. A call that runs hooks is several spans,
// since the pool takes a step of its own between any two of them: what the hooks do in between is not the
// pool's. The checker is [porcupine], the model is in model.go.
//
// What it sees: a resource lent twice, given to two, lost, destroyed twice or while it is lent; one that is not
// the oldest idle one; EMPTY or a wait though a place is free; more than there are places; whom a place was
// promised to, and that nobody else takes it; counts that do not add up, since every one of a snapshot must be
// that of some instant; success, or a creation, after a close; more probes than the breaker lets through; what is
// idle, or kept, above the places of a pool that has shrunk, and what is destroyed of it that is not too many; a promise
// that such a pool did not take back, and a place in line that was lost by that; what was evicted and is lent again; what
// is made behind while nobody waits for it, or for whom it is; a status for which there is no reason.
//
// What it cannot see: when exactly a call joins the line, which is nowhere observable between its beginning and its
// end, and when a thread of the library begins and ends a creation behind. Of two calls that wait at the same time the
// model takes either order, unless something shows it: a snapshot, or the op protocol, where a step that answers "wait"
// has joined. A third of the waits is recorded so, and half of the creations behind. A timeout that comes late is not
// seen here, one that comes early is. The least size of a resize concerns healthchecks alone: they, and strategies, are
// left to the search (tests_go/search) and to other tests.
//
//	go -C tests_go/linear test ./...                         some thousand histories
//	ASYNCPOOL_HISTORIES=100000 go -C tests_go/linear test ./... -timeout 0
//
// A history that no order explains is drawn into a file that a browser shows; the test says where.
//
// [porcupine]: https://github.com/anishathalye/porcupine
package linear
