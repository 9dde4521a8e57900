package linear

import (
	"fmt"
	"hash/maphash"
	"path/filepath"
	"time"

	"github.com/anishathalye/porcupine"
)

// patience is how long the checker may think about one history. Usually it needs a millisecond.
const patience = 2 * time.Minute

var seed = maphash.MakeSeed()

// model is the model of the pool for porcupine, of one pool in its first state.
func (h *history) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{config: h.config, idle: h.made, fresh: h.made} },
		Step: func(s, in, out any) (bool, any) {
			ok, next := s.(state).step(in.(span), out.(reply))
			return ok, next
		},
		Hash:              func(s any) uint64 { return maphash.Comparable(seed, s.(state)) },
		DescribeOperation: func(in, out any) string { return in.(span).String() + " → " + out.(reply).String() },
		DescribeState:     func(s any) string { return s.(state).String() },
	}
}

// check says whether there is an order that explains a history. If not, it is drawn into a file.
func (h *history) check(folder string) (porcupine.CheckResult, string) {
	model := h.model()
	result := porcupine.CheckOperationsTimeout(model, h.operations, patience)
	if result == porcupine.Ok {
		return result, ""
	}
	result, info := porcupine.CheckOperationsVerbose(model, h.operations, patience)
	file := filepath.Join(folder, "history.html")
	if err := porcupine.VisualizePath(model, info, file); err != nil {
		file = err.Error()
	}
	return result, file
}

func (in span) String() string {
	text := in.heard
	switch in.heard {
	case "release", "discard", "detach", "resize", "created", "passed", "refused", "kept", "dropped", "destroyed":
		text = fmt.Sprint(text, " ", in.resource)
	}
	return text + map[part]string{joining: " (joins)", ending: " (ends)"}[in.part]
}

func (out reply) String() string {
	switch {
	case out.said == "counts":
		return fmt.Sprintf("%+v", out.counts)
	case out.resource != 0:
		return fmt.Sprint(out.said, " ", out.resource)
	}
	return out.said
}

func (s state) String() string {
	return fmt.Sprintf("%+v idle %v doomed %v lent %v fresh %v line %v",
		s.counts(), []byte(s.idle), []byte(s.doomed), []byte(s.lent), []byte(s.fresh), []byte(s.line))
}
