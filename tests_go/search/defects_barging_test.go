package search

import "asyncpool/pool"

// The worlds in which newcomers may overtake.
var (
	barging      = World{Max: 1, Asks: hooks, Callers: three, Closers: 1, Hand: anywhere, Barging: true, Listed: true}
	bargingOfTwo = World{Max: 2, Asks: hooks, Callers: four, Barging: true}
)

var bargingDefects = []defect{
	{
		name: "of two places one is promised to who was called, and the next is not called", world: bargingOfTwo,
		expected: "I4: D was not woken",
		after: func(c *call) {
			if was := c.wasAll.Called; was != nil && was != c.op && c.st.Called != nil && c.st.Called != was {
				uncall(c.st)
			}
		},
	},
	{
		name: "who was called and comes too late goes to the end of the line", world: barging,
		expected: "I3: the line is not as",
		after: func(c *call) {
			if c.cameTooLate() && c.st.Waiting > 1 {
				unlink(&c.st.Waiters, c.op)
				c.op.Ticket = c.st.Waiters.Tail.Ticket + 1
				pushBack(&c.st.Waiters, c.op, listWaiters)
			}
		},
	},
	{
		name: "who was called and comes too late is not counted", world: barging,
		expected: "I3: waiting: the core says 0",
		after: func(c *call) {
			if c.cameTooLate() {
				c.st.Waiting--
			}
		},
	},
	{
		name: "who was called and comes too late is awake in line", world: barging,
		expected: "barging: B is in line, and awake",
		after: func(c *call) {
			if c.cameTooLate() {
				c.op.Wake = 1
			}
		},
	},
	{
		name: "who was called and comes too late begins to wait anew", world: barging,
		expected: "barging: B joined the line",
		after: func(c *call) {
			if c.cameTooLate() {
				c.op.Joined = micros(c.answer.Now) + 1
			}
		},
	},
	{
		name: "who is overdue is called only", world: barging,
		expected: "B was woken without a place, or has one",
		after: func(c *call) {
			if op := c.st.Ready.Head; op != nil && op.Flags&pool.FlagHolds != 0 &&
				c.st.Breaker.Circuit == pool.Active {
				op.Flags &^= pool.FlagHolds
				c.st.Called = op
				c.st.Reserved--
			}
		},
	},
	{
		name: "a newcomer takes the place that is promised to who is overdue", world: barging,
		expected: "I2: a caller takes a place",
		instead: func(c *call) bool {
			begins := c.ask != nil && c.op.Step == pool.StepBegin && c.op.Kind == pool.KindAcquire &&
				c.st.Reserved > 0 && c.st.Breaker.Circuit == pool.Active && !c.closed()
			if begins {
				c.st.Reserved--
				c.core.Next(c.op, &c.answer, c.ask)
				c.st.Reserved++
			}
			return begins
		},
	},
	{
		name: "a promise is made where a call would do", world: barging,
		expected: "was woken without a place, or has one",
		after: func(c *call) {
			if op := c.st.Ready.Head; op != nil && op == c.st.Called {
				c.st.Called = nil
				c.st.Reserved++
				op.Flags |= pool.FlagHolds
			}
		},
	},
	{
		name: "one in line takes the place that the first was called for", world: bargingOfTwo,
		expected: "I3: a caller in line is served",
		instead: func(c *call) bool {
			early := c.ask != nil && c.op.List == listWaiters && c.st.Called != nil && c.st.Active < c.st.MaxSize
			if early {
				unlink(&c.st.Waiters, c.op)
				c.st.Waiting--
				c.core.Next(c.op, &c.answer, c.ask)
			}
			return early
		},
	},
	{
		name: "who was called and leaves is still called", world: barging,
		expected: "I3: the core and the account do not agree",
		after: func(c *call) {
			if c.ask == nil && c.wasAll.Called == c.op {
				c.st.Called = c.op
			}
		},
	},
	{
		name: "a close forgets who was called", world: barging,
		expected: "I3: the core and the account do not agree",
		after: func(c *call) {
			if called := c.wasAll.Called; called != nil && c.op.Kind == pool.KindClose && c.was.Step == pool.StepBegin {
				c.st.Called = called
				called.Flags &^= pool.FlagDismissed
				called.Status = pool.OK
			}
		},
	},
	{
		name: "the breaker opens and forgets who was called", world: barging,
		expected: "I3: the core and the account do not agree",
		move: func(b *broken, to pool.Circuit, now int64) pool.Status {
			called := b.st.Called
			b.st.Called = nil
			status := b.Core.SetCircuit(to, now)
			if to != pool.Recovering {
				b.st.Called = called
			}
			return status
		},
	},
	{
		name: "who was called and was not looked up stays in the list of the woken", world: barging,
		expected: "the list of the woken is",
		after: func(c *call) {
			if c.was.List == listWoken && c.wasAll.Called == c.op && c.op.Step == pool.StepDone {
				pushBack(&c.st.Woken, c.op, 0)
			}
		},
	},
}
