package engine

import (
	"encoding/json"
	"strings"

	"github.com/loopproof/loopproof/internal/controlapi"
	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/engine/replicas"
)

// update is what a server tells the others. One of the fields besides the origin is set.
type update struct {
	replicas.Origin
	Entry *sharedEntry       `json:"entry,omitempty"`
	Kept  *histories.Shared  `json:"kept,omitempty"`
	Begin *controlapi.Wanted `json:"begin,omitempty"`
	End   string             `json:"end,omitempty"`
	Reset string             `json:"reset,omitempty"`
	Add   *answers           `json:"add,omitempty"`

	Release *released `json:"release,omitempty"`
	State   *stated   `json:"state,omitempty"`
}

// catchUp applies what other servers did so far. Anyone who looks at the journal, or asks for a run
// that is not known, has it done first.
func (p *Provider) catchUp() {
	if p.others != nil {
		p.others.CatchUp()
	}
}

// apply does what another server did.
func (p *Provider) apply(data []byte) {
	var r update
	if err := json.Unmarshal(data, &r); err != nil {
		return // of a version that we do not know
	}
	switch {
	case r.Entry != nil:
		r.Entry.add(p)
	case r.Kept != nil:
		p.applyKept(r.Kept)
	case r.Begin != nil:
		controlView{p}.beginRun(*r.Begin)
	case r.End != "":
		controlView{p}.forgetRun(r.End)
	case r.Reset != "":
		controlView{p}.resetRun(r.Reset)
	case r.Add != nil:
		if run, err := (controlView{p}).testRun(r.Add.Run); err == nil {
			p.addAnswers(run, *r.Add)
		}
	case r.Release != nil:
		if run, err := (controlView{p}).testRun(r.Release.Run); err == nil {
			p.release(run, r.Release.Hold)
		}
	case r.State != nil:
		if run, err := (controlView{p}).testRun(r.State.Run); err == nil {
			run.states.enter(r.State.Set)
		}
	}
}

// tellOthers tells the other servers what was done here.
func (p *Provider) tellOthers(r update) {
	if p.others != nil {
		r.Origin = p.others.Next()
		p.others.Tell(r)
	}
}

// forgetAttempts forgets, for all servers, how often requests of a run failed.
func (p *Provider) forgetAttempts(run string) {
	if p.others != nil {
		p.others.Forget(run)
	}
}

// isShared reports whether a path shows what other servers did, too.
func isShared(path string) bool {
	return strings.HasPrefix(path, "/loopproof") && path != "/loopproof/healthz"
}
