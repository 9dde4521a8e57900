package core

// How many are kept idle. Passes make what is missing to MinIdle, as far as there are places, and one shall come as soon
// as fewer are idle: the driver is told so once, each time that it begins to be so. What a pass is making or checking
// will be idle, and counts; so does what is made behind beyond what callers in line wait for. What these wait for is not
// made by passes: who comes first is lent it, and both are made, as far as there are places. A pass itself prompts none:
// it makes what it can, and where the factory fails nobody is helped by another pass at once.
//
// Whether fewer are idle is a bit of the gate, so that both fast paths see when it begins. Pools without MinIdle have
// neither bit.

// lacks says whether fewer are idle than there shall be, and one more may be made.
func (st *State) lacks() bool {
	active, most := uint64(st.Active), uint64(st.MaxSize)
	ahead := st.queued() + st.Ahead + st.beyond()
	return st.Gate&(GateMinIdle|GateClosed|GateDraining) == GateMinIdle && ahead < st.MinIdle &&
		active+uint64(st.Idle) < most && active+uint64(st.Reserved) < most
}

// beyond is how many resources are made behind that nobody waits for any more.
func (st *State) beyond() uint32 { return st.Makers - min(st.Makers, st.Waiting) }

// watch notes whether fewer are idle than there shall be. If that begins now, the driver is to begin a pass.
func (st *State) watch() {
	switch lacks := st.lacks(); {
	case !lacks:
		st.Gate &^= GateLacks
	case st.Gate&GateLacks == 0:
		st.Gate |= GateLacks
		st.Prompt = 1
	}
}

// isAhead says whether what the op is making, or checking, will be idle.
func isAhead(op *Op) bool { return op.Kind == KindFill || op.Kind == KindSweep }
