package engine

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// refer puts the items into a request to which it refers by their ids, so that a loop which lets
// the provider keep them is judged by what the model gets. An item of another run is none of the
// provider's, and stays a reference.
func (h *keptHistories) refer(in *received, form *wire.KeptHistory) {
	if form.Refer == nil || !h.once {
		return
	}
	continued := form.Continues(in.request)
	if in.stored = continued != nil && !continued.NotStored; !in.stored {
		return
	}
	whole, err := form.Refer(in.request, h.answers)
	if err != nil || whole == nil {
		return
	}
	whole.TakeHTTP(in.request)
	in.request = whole
}

// answers returns the answers of the run whose items are stored.
func (h *keptHistories) answers() (all []*wire.Node) {
	h.room.mu.Lock()
	stored := slices.Clone(h.stored)
	h.room.mu.Unlock()
	for _, answer := range stored {
		if n := answer(); n != nil {
			all = append(all, n)
		}
	}
	return all
}

// store stores the items of an answer. The answer is written when it is first asked for, since few
// loops refer to items.
func (h *keptHistories) store(in *received, p *profiles.Profile, resp *response) {
	compact := compactOf(in, p, resp)
	answer := sync.OnceValue(func() *wire.Node {
		_, answer := compact.expand()
		return answer
	})
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.stored = append(h.stored, answer)
}
