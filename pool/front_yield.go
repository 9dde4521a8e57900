package pool

// habit remembers, under the lock, whether letting others run once has spared callers their sleep lately.
// Where holders are quick it usually does, at a quarter of the price; where they are slow it is a detour.
type habit struct {
	score int8  // above 0: it pays
	turns uint8 // callers that joined the line
}

// The score stays within limits, so that a habit can change; while it does not pay, one in tryAgain callers
// finds out whether it does now.
const (
	scoreLimit = 8
	tryAgain   = 32
)

// yields says whether the next caller in line shall let others run before it sleeps.
func (h *habit) yields() bool {
	h.turns++
	return h.score > 0 || h.turns%tryAgain == 0
}

// learn hears whether one who let others run slept all the same.
func (h *habit) learn(slept bool) {
	if slept {
		h.score = max(h.score-1, -scoreLimit)
	} else {
		h.score = min(h.score+1, scoreLimit)
	}
}
