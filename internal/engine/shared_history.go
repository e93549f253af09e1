package engine

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// sharedHistory is what other servers are told of a history: its id, and what is new in it.
type sharedHistory struct {
	Run       string
	ID        string     // of the answer that it ends with, or its own
	Continues string     // the id of the history to which the items are added, or "" if there is none
	Items     []wire.Raw // nil: only what is kept besides items is new
	Output    int        // how many of them are the model's
	About     wire.Raw   // what is kept besides items
	Lasts     bool       // it has an id of its own
	Gone      bool       // it is kept no longer
}

// add keeps the history in its run, if that is known here, and what it continues as well.
func (s *sharedHistory) add(p *Provider) {
	run, known := p.runByID(s.Run)
	if !known {
		return
	}
	t := run.in(nil)
	h := t.settings().histories
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if s.Gone {
		h.drop(s.ID)
		return
	}
	var before *keptHistory
	var history *wire.History
	if s.Continues != "" {
		if before = h.kept[s.Continues]; before == nil {
			return
		}
		history = before.turn.History()
	}
	kept := replacement(before, history.Then(s.Items, s.Output, s.About))
	kept.used, kept.lasts = t.since(), s.Lasts
	h.put(s.ID, kept)
}

// tellKept tells the other servers of a history that is kept, and of an earlier one, under an id of
// its own, from which it may go on.
func (p *Provider) tellKept(s *settings, id string, kept *keptHistory, earlier *wire.History, continues string) {
	if p.others == nil || !s.told || kept == nil {
		return
	}
	history := kept.turn.History()
	if history == nil {
		return
	}
	added, goesOn := history.Differs(earlier)
	if !goesOn {
		added, continues = history.All(), ""
	}
	p.tellOthers(update{Kept: &sharedHistory{
		Run: s.id, ID: id, Continues: continues, Items: added, Output: history.Output, About: history.About, Lasts: kept.lasts,
	}})
}

// tellGone tells the other servers of a history that is kept no longer.
func (p *Provider) tellGone(s *settings, id string) {
	if p.others != nil && s.told {
		p.tellOthers(update{Kept: &sharedHistory{Run: s.id, ID: id, Gone: true}})
	}
}

// continues returns the id of the history that a request continues, or "" if there is none.
func (in *received) continues() string {
	if in.before == nil {
		return ""
	}
	return cmp.Or(in.place, in.thread.Previous)
}

// catchUpHistory reads what other servers keep, where a request continues a conversation.
func (p *Provider) catchUpHistory(req *wire.Request) {
	if form := req.Dialect.KeptHistory; p.others == nil || form == nil {
		return
	} else if continued := form.Continues(req); continued == nil || continued.Begins {
		return
	}
	p.catchUp()
}
