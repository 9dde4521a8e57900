package search

import "asyncpool/pool/core"

// Cores that are broken in what they do about what nobody in line makes.

var (
	madeBehind    = World{Max: 2, Asks: core.AsksBeforeAcquire, Callers: two, Closers: 1, Behind: true, Makers: 2}
	behindPatient = World{Max: 1, Callers: two, Retry: true, Behind: true, Makers: 1}
	behindKept    = World{Max: 2, Callers: two, Sweepers: 1, MinIdle: 1, Behind: true, Makers: 1}
	behindProbes  = World{Max: 1, Callers: two, Hand: anywhere, Behind: true, Makers: 1}
)

func init() {
	defects = append(defects, behindDefects...)
	fastDefects = append(fastDefects, fastDefect{
		name: "places are promised in which nothing is", of: "C cancel", world: behindProbes,
		expected: "C cancel does something else than the core",
		before:   func(m *fastMoment) { m.st.Behind = 0 },
		after:    func(m *fastMoment) { m.st.Behind = m.was.Behind },
	})
}

// forgive puts one who was denied back into the line.
func forgive(st *core.State) {
	op := st.Ready.Head
	if op == nil || op.Flags&core.FlagDenied == 0 {
		return
	}
	unlink(&st.Ready, op)
	op.Flags &^= core.FlagDenied
	op.Status = core.OK
	pushFront(&st.Waiters, op)
	st.Waiting++
	st.Gate |= core.GateWaiters
}

func (c *call) behind() bool { return c.op.Kind == core.KindBehind }

var behindDefects = []defect{
	{
		name: "a failure behind is told to nobody", world: madeBehind,
		expected: "I4: A was not woken",
		after: func(c *call) {
			if c.behind() && c.ask != nil {
				forgive(c.st)
			}
		},
	},
	{
		name: "one that is lost in the factory fails nobody", world: behindPatient,
		expected: "I4: A was not woken",
		after: func(c *call) {
			if c.behind() && c.ask == nil {
				forgive(c.st)
			}
		},
	},
	{
		name: "the youngest in line is denied", world: madeBehind,
		expected: "I3: B was woken, it is the turn of A",
		after: func(c *call) {
			if op := c.st.Ready.Head; c.behind() && op != nil && op.Flags&core.FlagDenied != 0 && c.st.Waiting > 0 {
				status, youngest := op.Status, c.st.Waiters.Tail
				forgive(c.st)
				unlink(&c.st.Waiters, youngest)
				c.st.Waiting--
				youngest.Flags |= core.FlagDenied
				youngest.Status, youngest.List = status, listReady
				c.st.Ready.Head, c.st.Ready.Tail = youngest, youngest
			}
		},
	},
	{
		name: "a caller makes its own although others do", world: madeBehind,
		expected: "behind: a caller makes its resource",
		before: func(c *call) {
			if c.newcomer() {
				c.st.Behind = 0
			}
		},
		after: func(c *call) { c.st.Behind = 1 },
	},
	{
		name: "more is made than is waited for", world: madeBehind,
		expected: "nothing: a creation that is not due is answered with CREATE",
		before: func(c *call) {
			if c.behind() && c.was.Step == core.StepBegin {
				c.st.Makers = 0
			}
		},
		after: func(c *call) {
			if c.behind() && c.was.Step == core.StepBegin {
				c.st.Makers += c.wasAll.Makers
			}
		},
	},
	{
		name: "what was made is seen by before_acquire", world: madeBehind,
		expected: "before_acquire is asked about what has just been made",
		after: func(c *call) {
			if op := c.st.Ready.Head; c.behind() && op != nil {
				op.Flags &^= core.FlagMade
			}
		},
	},
	{
		name: "one that has failed is counted as a maker", world: madeBehind,
		expected: "behind: ",
		after: func(c *call) {
			if c.behind() && c.ended() && c.op.Status == core.Factory {
				c.st.Makers++
			}
		},
	},
	{
		name: "the end of a pause is seen by nobody", world: behindPatient,
		expected: "behind: due: the core says 0, the account 1",
		after:    func(c *call) { c.st.Patience.Over = 0 },
	},
	{
		name: "what nobody waits for any more is not one that is kept idle", world: behindKept,
		expected: "truth: a pass is to begin: the core says true",
		after: func(c *call) {
			st := c.st
			if st.Makers > st.Waiting && st.Gate&core.GateLacks == 0 && st.Active < st.MaxSize {
				st.Gate |= core.GateLacks
				st.Prompt = 1
			}
		},
	},
	{
		name: "what is waited for is taken for what is kept idle", world: behindKept,
		expected: "truth: a pass is to begin: the core says false",
		after: func(c *call) {
			if st := c.st; st.Makers > 0 && st.Waiting > 0 {
				st.Prompt = 0
			}
		},
	},
	{
		name: "one that makes for a probe has no slot", world: behindProbes,
		expected: "I8: probes: the core says 0",
		after: func(c *call) {
			if c.behind() && c.op.Step == core.StepCreate && c.op.Flags&core.FlagProbe != 0 {
				c.op.Flags &^= core.FlagProbe
				c.st.Breaker.Probes--
			}
		},
	},
}
