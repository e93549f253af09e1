package engine

import "github.com/loopproof/loopproof/internal/wire"

// sharedHistory is a stored conversation in the form for other servers.
type sharedHistory struct {
	Run      string
	ID       string // of the answer that it ends with, or its own
	Document []byte // nil: it is kept no longer
	Lasts    bool   // it has an id of its own
}

// add keeps the conversation in its run, if that is known here.
func (s *sharedHistory) add(p *Provider) {
	run, known := p.runByID(s.Run)
	if !known {
		return
	}
	in := run.in(nil).settings()
	h := in.histories
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.Document == nil {
		h.drop(s.ID)
		return
	}
	h.put(s.ID, &keptHistory{document: func() []byte { return s.Document }, size: len(s.Document), used: run.in(nil).since(), lasts: s.Lasts})
}

// tellKept tells the other servers of a conversation that is kept, or with nil that it no longer is.
func (p *Provider) tellKept(s *settings, id string, kept *keptHistory) {
	if p.others == nil || !s.told {
		return
	}
	told := &sharedHistory{Run: s.id, ID: id}
	if kept != nil {
		told.Document, told.Lasts = kept.document(), kept.lasts
	}
	p.tellOthers(update{Kept: told})
}

// catchUpHistory reads what other servers keep, where a request continues a conversation.
func (p *Provider) catchUpHistory(req *wire.Request) {
	if form := req.Dialect.KeptHistory; p.others == nil || form == nil {
		return
	} else if asked := form.Asked(req); asked == nil || asked.Begins {
		return
	}
	p.catchUp()
}
