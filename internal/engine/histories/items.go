package histories

import (
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// refer returns whether the items of the answer to a request are stored, and the request with the
// items put into it to which it refers by their ids, so that a loop which lets the provider keep
// them is judged by what the model gets. An item of another run is none of the provider's, and
// stays a reference.
func (h *Keeper) refer(req *wire.Request, form *wire.KeptHistory) (stored bool, referred *wire.Request) {
	if form.Refer == nil || !h.once {
		return false, req
	}
	continued := form.Continues(req)
	if stored = continued != nil && !continued.NotStored; !stored {
		return false, req
	}
	whole, err := form.Refer(req, h.answers)
	if err != nil || whole == nil {
		return true, req
	}
	whole.TakeHTTP(req)
	return true, whole
}

// answers returns the answers of the run whose items are stored.
func (h *Keeper) answers() (all []*wire.Node) {
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

// StoreItems stores the items of an answer. The answer is written when it is first asked for, since few
// loops refer to items.
func (h *Keeper) StoreItems(in *Request, p *profiles.Profile, a Answer) {
	compact := compactOf(in, p, a)
	answer := sync.OnceValue(func() *wire.Node {
		_, answer := compact.expand()
		return answer
	})
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.stored = append(h.stored, answer)
}
