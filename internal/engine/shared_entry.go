package engine

import (
	"net/url"
)

// sharedEntry is an entry of a journal in the form for other servers: the entry, and the names of
// what it points to.
type sharedEntry struct {
	Entry   Entry
	Profile string
	Turn    *int   // of the script
	Body    []byte // of the request
}

func shareEntry(e Entry) *sharedEntry {
	x := e.Exchange
	s := &sharedEntry{Entry: e, Profile: e.Profile.Name, Body: e.Body()}
	if x.Turn != nil && x.Turn.Number >= 0 {
		s.Turn = &x.Turn.Number
	}
	return s
}

// add writes the entry into the journal of its run, if that is known here.
func (s *sharedEntry) add(p *Provider) {
	e := s.Entry
	run, known := p.runByID(e.Run)
	if !known {
		return
	}
	t := run.in(nil)
	profile, err := controlView{p}.Profiles().Find(s.Profile)
	if err != nil {
		profile = t.settings().profile
	}
	t, e.Profile, e.Done = run.in(profile.Speaks), profile, true
	if e.Scenario != "" {
		e.Script = t.script(e.Scenario)
	}
	if e.Script != nil && s.Turn != nil && *s.Turn < len(e.Script.Turns) {
		e.Exchange.Turn = e.Script.Turns[*s.Turn]
	}
	if request, err := e.Profile.Speaks.Read(s.Body); err == nil && !e.Unrouted && e.API == "" {
		if u, err := url.Parse(e.Target); err == nil {
			request.NoteURL(u)
		}
		e.Exchange.Request = request
	}
	e.SetBody(s.Body)
	e.SetFindings(e.Findings)
	t.settings().journal.Add(&e)
}
