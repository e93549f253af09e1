package journal

import (
	"context"
	"sync"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// Options say how a journal remembers. Zero values are defaults.
type Options struct {
	Entries int // how many exchanges are remembered; 0 is 1000

	// Budget bounds how many bytes of requests and answers are remembered, together with all other
	// journals that share it, and with the histories that are kept; nil is one of its own of 256
	// MB. Of older exchanges only the bodies are forgotten.
	Budget *Budget

	// Late judges requests when they are read, not when they come.
	Late bool
}

// Journal remembers the exchanges of one run, or of all requests outside of runs, up to a limit. It
// is safe for use by many goroutines.
type Journal struct {
	options Options
	changes *Changes

	mu       sync.Mutex
	entries  []slot // a ring
	first    int    // index of the oldest
	bulky    int    // number of the oldest entry that still has its bodies
	bytes    int64
	expanded int64 // bytes of the requests that were read again
	released bool
	count    int // how many there ever were
	numbered int // how many asked for a number
	changed  int // how often anything changed
	tally    *Tally
	watch    func(Entry)
}

// slot is the place of an entry. Its weight is not read from the entry when that is dropped: of all
// that is in memory, the oldest entry was used least recently.
type slot struct {
	*Entry
	weight   int64 // of its answer, in bytes
	expanded int64 // bytes of its request, if that was read again
}

// New returns an empty journal that tells its changes.
func New(o Options, c *Changes) *Journal {
	if o.Entries == 0 {
		o.Entries = 1000
	}
	if o.Budget == nil {
		o.Budget = NewBudget(0)
	}
	return &Journal{options: o, changes: c, bulky: 1, tally: NewTally()}
}

// Entries returns what is remembered, the oldest first.
func (j *Journal) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.settle()
	return j.all(true)
}

// Snapshot returns the same as [Journal.Entries], but judges no request that is not judged yet.
func (j *Journal) Snapshot() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.all(true)
}

// all returns all entries, with the requests that are compact, which it reads again, or without.
func (j *Journal) all(expanded bool) []Entry {
	all := make([]Entry, 0, len(j.entries))
	for i := range j.entries {
		if expanded {
			j.expand(i)
		}
		all = append(all, *j.at(i))
	}
	return all
}

// Outlines returns the same as [Journal.Entries], but reads no request again whose body is compact:
// [Entry.Expanded] does. So it is cheap, however long the requests are.
func (j *Journal) Outlines() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.settle()
	return j.all(false)
}

// Entry returns the entry of a number, and false when it was forgotten or never was.
func (j *Journal) Entry(number int) (Entry, bool) {
	e, known := j.entry(number, true)
	return e.Expanded(), known
}

// entry is [Journal.Entry]. Its request may be compact: always if it is not to be read, and
// otherwise where so much was read already that the journal keeps no more.
func (j *Journal) entry(number int, read bool) (Entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i, known := j.find(number)
	if !known {
		return Entry{}, false
	}
	e := j.at(i)
	j.judge(e)
	if read && j.expanded+int64(e.compactSize()) <= MostExpanded {
		j.expand(i)
	}
	return *e, true
}

// at returns the i-th entry, the oldest being the first.
func (j *Journal) at(i int) *Entry { return j.slot(i).Entry }

func (j *Journal) slot(i int) *slot { return &j.entries[(j.first+i)%len(j.entries)] }

// find returns the place of an entry among those that are remembered, the oldest being the first.
func (j *Journal) find(number int) (int, bool) {
	i := number - (j.count - len(j.entries)) - 1
	return i, i >= 0 && i < len(j.entries)
}

// Count returns how many requests there ever were, the forgotten ones included.
func (j *Journal) Count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.count
}

// Sum returns what is known of all requests in numbers, the forgotten ones included.
func (j *Journal) Sum() Sum {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.settle()
	return j.tally.Sum()
}

// Report returns what was wrong with all requests, the forgotten ones included; see [Tally.Report].
func (j *Journal) Report(version string) *report.Report {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.settle()
	return j.tally.Report(version)
}

// Changes returns what tells of new entries and of answers that ended.
func (j *Journal) Changes() *Changes { return j.changes }

// Revision returns how often the journal has changed.
func (j *Journal) Revision() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changed
}

// Watch has every entry from now on handed to f, one at a time. Requests wait for f, so it has to
// be quick.
func (j *Journal) Watch(f func(Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.watch = f
}

// Reset forgets everything.
func (j *Journal) Reset() {
	j.mu.Lock()
	for i := range j.entries {
		j.forget(&j.entries[i])
	}
	j.entries, j.first, j.count, j.numbered, j.bulky, j.tally = nil, 0, 0, 0, 1, NewTally()
	j.changed++
	j.changes.note(j, 0)
	j.mu.Unlock()
	j.changes.Tell()
}

// NumberRequest returns a number that no other request has since the last [Journal.Reset], before the
// entry of the request is there, which has its answer.
func (j *Journal) NumberRequest() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.numbered++
	return j.numbered
}

// Add writes a request into the journal under the next number and returns the note by which it is
// changed later. The entry is the journal's from then on.
func (j *Journal) Add(e *Entry) *Note {
	if !j.options.Late && !e.judged {
		e.judge() // before the lock: it takes its time
	}
	if e.judged {
		e.makeCompact(j)
	}
	e.brief()
	added := slot{Entry: e, weight: int64(e.Answer.Size()) + e.headWeight()}
	note := &Note{journal: j, entry: e, request: e.Exchange.Request}
	j.mu.Lock()
	j.count++
	e.Number = j.count
	if e.judged {
		j.tally.Add(e)
	}
	if j.watch != nil {
		j.watch(*e)
	}
	if e.compact != nil { // whoever wants the request reads it again
		e.Exchange.Request = nil
	}
	if len(j.entries) < j.options.Entries {
		j.entries = append(j.entries, added)
	} else {
		j.drop(&j.entries[j.first])
		j.changes.note(j, j.count-len(j.entries))
		j.entries[j.first] = added
		j.first = (j.first + 1) % len(j.entries)
	}
	if !j.released {
		j.options.Budget.use(e.before.part(), byEntry)
		j.options.Budget.use(e.body.part(), byEntry)
	}
	j.weigh(added.weight)
	j.changed++
	j.changes.note(j, e.Number)
	j.mu.Unlock()
	j.changes.Tell()
	return note
}

func (e *Entry) judge() { e.SetFindings(e.Check()) }

// Check returns what is wrong with the request.
func (e *Entry) Check() []trace.Finding { return e.check(context.Background()) }

// Judge finds out what is wrong with the request before the journal would. If ctx ends, because
// nobody waits for the answer any more, the entry has the findings until then.
func (e *Entry) Judge(ctx context.Context) { e.SetFindings(e.check(ctx)) }

func (e *Entry) check(ctx context.Context) []trace.Finding {
	x := e.Exchange
	if x.Request == nil {
		return nil
	}
	return kept(rulebook.CheckRequest(ctx, e.Profile, e.Script, &x))
}

// judge judges a request that is not judged yet.
func (j *Journal) judge(e *Entry) {
	if !e.judged {
		e.judge()
		j.tally.Add(e)
	}
}

// settle judges all requests that are not judged yet.
func (j *Journal) settle() {
	for i := range j.entries {
		j.judge(j.at(i))
	}
}

// weigh notes that the journal has become heavier, and forgets the bodies of the oldest entries
// when it is too heavy. The newest keeps them in any case.
func (j *Journal) weigh(bytes int64) {
	j.hold(bytes)
	for j.options.Budget.spent() && j.bulky < j.count {
		if i, known := j.find(j.bulky); known {
			j.forget(j.slot(i))
		}
		j.bulky++
	}
}

// grow notes that an entry has become heavier, if the journal still has it.
func (j *Journal) grow(e *Entry, bytes int64) {
	if i, known := j.find(e.Number); known && j.at(i) == e {
		j.slot(i).weight += bytes
		j.weigh(bytes)
	}
}

// hold notes that the journal holds more, or less.
func (j *Journal) hold(bytes int64) {
	if !j.released {
		j.bytes += bytes
		j.options.Budget.held.Add(bytes)
	}
}

// Release frees what the journal holds of the budget, before it is dropped. Its entries can still
// be read.
func (j *Journal) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.hold(-j.bytes)
	for i := range j.entries {
		j.leave(j.at(i))
	}
	j.released = true
	j.changes.note(j, 0)
}

func (j *Journal) isReleased() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.released
}

// drop forgets an entry whose place another one takes.
func (j *Journal) drop(s *slot) {
	if j.options.Late {
		j.judge(s.Entry)
	}
	j.hold(-s.weight)
	j.leave(s.Entry)
	j.expanded -= s.expanded
}

// leave notes that a body is not needed any more, and the turn that the request continues.
func (j *Journal) leave(e *Entry) {
	if !j.released && !e.Forgotten {
		j.options.Budget.leave(e.before.part(), byEntry)
		j.options.Budget.leave(e.body.part(), byEntry)
	}
}

// forget drops the bodies of an entry. What it says in words stays with anyone who has a copy.
func (j *Journal) forget(s *slot) {
	e := s.Entry
	if e.Forgotten {
		return
	}
	j.judge(e)
	j.leave(e)
	e.Forgotten = true
	j.hold(-s.weight)
	j.expanded -= s.expanded
	s.weight, s.expanded = 0, 0
	e.body, e.Exchange.Request, e.compact, e.before, e.Answer.Writes = nil, nil, nil, nil, nil
	e.forgetHead()
}

// Note is an entry in a journal that may still change. Changes to a nil one are ignored.
type Note struct {
	journal *Journal
	entry   *Entry
	request *wire.Request // of the entry, also while the journal keeps only its body
}

// Answered notes what a request is answered.
func (n *Note) Answered(a Answer) {
	n.change(func(e *Entry) {
		if e.Forgotten {
			a.Writes = nil
		}
		more := int64(a.Size() - e.Answer.Size())
		e.Answer = a
		n.journal.grow(e, more)
	})
}

// Ended notes that the answer ended, and how the exchange looks now.
func (n *Note) Ended(x trace.Exchange) {
	n.change(func(e *Entry) {
		x.Request = e.Exchange.Request // which may be forgotten, or compact
		e.Exchange, e.Done = x, true
		e.brief()
	})
}

// Entry returns the entry as it is now, with its request, also where the journal keeps only its
// body.
func (n *Note) Entry() Entry {
	if n == nil {
		return Entry{}
	}
	n.journal.mu.Lock()
	defer n.journal.mu.Unlock()
	e := *n.entry
	e.Exchange.Request = n.request
	return e
}

func (n *Note) change(f func(*Entry)) {
	if n == nil {
		return
	}
	n.journal.mu.Lock()
	f(n.entry)
	n.journal.changed++
	n.journal.changes.note(n.journal, n.entry.Number)
	n.journal.mu.Unlock()
	n.journal.changes.Tell()
}
