// Package sequence draws what happened between a loop, a model provider, tools and a user as a
// sequence diagram in SVG, which needs no script. Reports, the pages of a running mock provider and
// the website all draw with it.
//
//	d := sequence.Of(sequence.Conversation{Title: id, Exchanges: all, Marks: findings})
//	io.WriteString(w, d.SVG(sequence.Wide))
package sequence

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Conversation is what happened in a case, from the first request to the outcome.
type Conversation struct {
	Title     string
	Exchanges []Exchange
	Tools     []Tool
	Questions []Question
	Outcome   Outcome
	Killed    []time.Duration // when the process of the loop was killed
	LeftOut   int             // requests, tools and questions that are not here
	Marks     []Mark
	Link      func(request int) string // where a request is described, or nil
}

// Exchange is a request and its answer. Times are since the start of the case.
type Exchange struct {
	Number  int
	At, End time.Duration
	Request *wire.Request // nil: it could not be read
	Note    string        // what is to be said of the request instead, or besides
	Status  int           // 0: there was no answer
	Said    *wire.Answer  // nil: what came was not an answer of the model
	Body    string        // which is shown where Said is nil
	Writes  int           // in which a stream was sent; 0: it was no stream
	Broken  string        // how the answer ended, if not as it should
	Remark  string        // what its bytes do not show
}

// Tool is one run of a tool.
type Tool struct {
	Name, CallID, Arguments, Result string
	Failed                          bool
	At, End                         time.Duration // End is 0: it had not ended
}

// Question is what the user was asked about a call.
type Question struct {
	About, Decision string
	At, End         time.Duration // End is 0: the user did not decide
}

// Outcome is what the loop told its caller in the end.
type Outcome struct {
	Status, Text string
	Bad          bool // it reported nothing
}

// Mark is something that is wrong: a rule that is broken. A mark without a request is about the
// outcome, or about the whole conversation.
type Mark struct {
	Level, Rule, Message, Expected, Actual, Provider string

	Request int
	Pointer string // into the body of the request
}

// lane is one of those who speak.
type lane int

const (
	user lane = iota
	loop
	provider
	tools
)

var laneNames = [...]string{"user", "loop", "provider", "tools"}

// Diagram is a conversation as it is drawn.
type Diagram struct {
	title string
	rows  []row
	bars  []bar
	began time.Duration
	whole time.Duration
}

// row is an arrow from one lane to another, with what it carries.
type row struct {
	from, to lane
	at       time.Duration
	head     string // in a few words
	note     string // beside the head
	link     string
	back     bool // an answer
	lost     bool // it did not come whole
	bad      bool // an error
	parts    []part
	marks    []Mark // about no part
	gap      string // what is between this row and the one before, instead of an arrow
}

// part is a piece of what an arrow carries.
type part struct {
	role, text string
	faint      bool // it is no text of theirs
	marks      []Mark
}

// bar is a time in which a provider or a tool was at work.
type bar struct {
	lane    lane
	at, end time.Duration
	name    string
	bad     bool
}

// Of arranges a conversation. Rows far from what is wrong are left out of a long one.
func Of(c Conversation) *Diagram {
	b := building{Conversation: c, placed: make([]bool, len(c.Marks))}
	d := &Diagram{title: c.Title}
	for i := range c.Exchanges {
		b.exchange(i)
	}
	for i, t := range c.Tools {
		b.tool(t, i)
	}
	for _, q := range c.Questions {
		b.question(q)
	}
	for _, at := range c.Killed {
		b.add(row{gap: "the process of the loop was killed, and started again", at: at, bad: true})
	}
	slices.SortStableFunc(b.rows, func(x, y row) int { return cmp.Compare(x.at, y.at) })
	b.prompts()
	b.outcome()
	d.rows = abridge(b.rows)
	d.bars, d.began, d.whole = b.bars()
	return d
}

// Empty reports whether there is nothing to draw.
func (d *Diagram) Empty() bool { return d == nil || len(d.rows) == 0 }

type building struct {
	Conversation
	rows   []row
	placed []bool // marks that stand somewhere
}

func (b *building) add(r row) { b.rows = append(b.rows, r) }

// exchange adds a request and its answer.
func (b *building) exchange(i int) {
	x := b.Exchanges[i]
	r := row{from: loop, to: provider, at: x.At, head: "request", note: x.Note}
	r.head = "request " + itoa(x.Number)
	if b.Link != nil {
		r.link = b.Link(x.Number)
	}
	b.request(&r, i)
	b.add(r)
	a := row{from: provider, to: loop, at: max(x.End, x.At), back: true, note: x.Remark, lost: x.Broken != "" || x.Status == 0, bad: x.Said == nil}
	a.head = answerHead(x)
	a.parts = answerParts(x)
	b.add(a)
}

// request fills in the messages of a request that are new, and those that are marked.
func (b *building) request(r *row, i int) {
	x := b.Exchanges[i]
	mine := b.marksOf(x.Number)
	if x.Request == nil {
		r.marks = b.take(mine)
		return
	}
	known := 0
	if before := b.before(i); before != nil {
		known = x.Request.Repeats(before)
		if known < len(before.Messages) {
			r.note = strings.TrimPrefix(r.note+" · changes what was sent before", " · ")
		}
	}
	hidden := 0
	for n, m := range x.Request.Messages {
		at := m.Node.Pointer()
		marks := slices.DeleteFunc(slices.Clone(mine), func(k int) bool { return !within(b.Marks[k].Pointer, at) })
		if n < known && len(marks) == 0 {
			hidden++
			continue
		}
		if hidden > 0 {
			r.parts = append(r.parts, part{text: "… " + counted(hidden, "message") + " as before", faint: true})
			hidden = 0
		}
		parts := messageParts(m)
		parts[len(parts)-1].marks = b.take(marks)
		r.parts = append(r.parts, parts...)
	}
	if hidden > 0 {
		r.parts = append(r.parts, part{text: "… " + counted(hidden, "message") + " as before", faint: true})
	}
	r.parts = abridgeParts(r.parts)
	r.marks = b.take(mine)
}

// before returns the request before an exchange that could be read, or nil.
func (b *building) before(i int) *wire.Request {
	for i--; i >= 0; i-- {
		if b.Exchanges[i].Request != nil {
			return b.Exchanges[i].Request
		}
	}
	return nil
}

// marksOf returns the marks about a request.
func (b *building) marksOf(number int) (all []int) {
	for k, m := range b.Marks {
		if m.Request == number && !b.placed[k] {
			all = append(all, k)
		}
	}
	return all
}

// take returns those marks that stand nowhere yet, and notes that they do now.
func (b *building) take(marks []int) (taken []Mark) {
	for _, k := range marks {
		if !b.placed[k] {
			b.placed[k] = true
			taken = append(taken, b.Marks[k])
		}
	}
	return taken
}

// within reports whether a pointer leads to a place, or into it.
func within(pointer, place string) bool {
	return pointer == place || strings.HasPrefix(pointer, place+"/")
}

func (b *building) tool(t Tool, i int) {
	run := row{from: loop, to: tools, at: t.At, head: t.Name, note: t.CallID, parts: []part{{text: t.Arguments}}}
	b.add(run)
	if t.End == 0 {
		return
	}
	back := row{from: tools, to: loop, at: t.End, back: true, head: t.Name, note: t.CallID, bad: t.Failed}
	back.parts = []part{{role: "result", text: t.Result}}
	if t.Failed {
		back.parts[0].role = "error"
	}
	b.add(back)
}

func (b *building) question(q Question) {
	b.add(row{from: loop, to: user, at: q.At, head: "asks whether to run", parts: []part{{text: q.About}}})
	if q.End > 0 {
		b.add(row{from: user, to: loop, at: q.End, back: true, head: q.Decision})
	}
}

// prompts adds what the user said before the requests in which it is new. A text that a loop sends
// in the name of the user after a call is not one.
func (b *building) prompts() {
	var rows []row
	before := -1
	for _, r := range b.rows {
		at := slices.IndexFunc(b.Exchanges, func(x Exchange) bool {
			return r.from == loop && r.to == provider && r.gap == "" && r.head == "request "+itoa(x.Number)
		})
		if at >= 0 {
			if text := b.prompt(at, before); text != "" {
				rows = append(rows, row{from: user, to: loop, at: r.at, head: "prompt", parts: []part{{text: text}}})
			}
			before = at
		}
		rows = append(rows, r)
	}
	b.rows = rows
}

func (b *building) prompt(at, before int) string {
	req := b.Exchanges[at].Request
	if req == nil {
		return ""
	}
	known := 0
	if before >= 0 {
		x := b.Exchanges[before]
		if x.Request == nil || x.Said == nil || len(x.Said.Calls) > 0 {
			return ""
		}
		known = req.Repeats(x.Request)
	}
	for _, m := range slices.Backward(req.Messages[known:]) {
		if m.Role == wire.User && len(m.Results) == 0 {
			return m.Content.Text
		}
	}
	return ""
}

// outcome adds what the loop reported, with the marks that stand nowhere else.
func (b *building) outcome() {
	var left []int
	for k := range b.Marks {
		left = append(left, k)
	}
	marks := b.take(left)
	last := time.Duration(0)
	if n := len(b.rows); n > 0 {
		last = b.rows[n-1].at
	}
	if b.LeftOut > 0 {
		b.add(row{gap: counted(b.LeftOut, "request, tool or question") + " not kept", at: last})
	}
	if b.Outcome.Status == "" && len(marks) == 0 {
		return
	}
	r := row{from: loop, to: user, at: last, back: true, head: cmp.Or(b.Outcome.Status, "so far"), bad: b.Outcome.Bad, marks: marks}
	if b.Outcome.Text != "" {
		r.parts = []part{{text: b.Outcome.Text}}
	}
	b.add(r)
}

// bars returns when the provider and the tools were at work, if that shows anything: something took
// long, or two of them worked at once.
func (b *building) bars() (all []bar, began, whole time.Duration) {
	shows := false
	for _, x := range b.Exchanges {
		all = append(all, bar{provider, x.At, max(x.End, x.At), itoa(x.Number), x.Said == nil})
	}
	for i, t := range b.Tools {
		end := t.End
		if end == 0 {
			end = t.At
		}
		all = append(all, bar{tools, t.At, end, t.Name, t.Failed})
		for _, other := range b.Tools[:i] {
			shows = shows || other.At < end && t.At < other.End
		}
	}
	for i, a := range all {
		if i == 0 || a.at < began {
			began = a.at
		}
		whole = max(whole, a.end)
	}
	whole -= began
	if !shows && whole < longTime || whole == 0 || len(all) > mostBars {
		return nil, 0, 0
	}
	return all, began, whole
}

const (
	longTime = 200 * time.Millisecond // a conversation may take without that its times matter
	mostBars = 60
)
