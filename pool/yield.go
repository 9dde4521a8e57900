package pool

// yieldPolicy remembers, under the lock, whether letting others run once has spared callers their sleep lately.
// Where holders are quick it usually does, at a quarter of the price; where they are slow it is a detour.
type yieldPolicy struct {
	score int8  // above 0: it pays
	turns uint8 // callers that joined the line
}

// The score stays within limits, so that it can change; while it does not pay, one in tryAgain callers
// finds out whether it does now.
const (
	scoreLimit = 8
	tryAgain   = 32
)

// next says whether the next caller in line shall let others run before it sleeps.
func (y *yieldPolicy) next() bool {
	y.turns++
	return y.score > 0 || y.turns%tryAgain == 0
}

// heard hears whether one who let others run slept all the same.
func (y *yieldPolicy) heard(slept bool) {
	if slept {
		y.score = max(y.score-1, -scoreLimit)
	} else {
		y.score = min(y.score+1, scoreLimit)
	}
}
