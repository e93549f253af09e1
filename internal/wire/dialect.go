package wire

import (
	"cmp"
	"net/url"
	"slices"
	"sync"
)

// Dialect is one wire API: everything in which it differs from others. Each is in a package of its
// own in internal/dialect; nothing outside of that package knows its name. A nil function says that
// the dialect has no such thing. What belongs together is in groups, such as Request and Endpoint.
// With them it has more than twenty fields, since the others have no topic in common.
//
//	req, err := profile.Speaks.Read(body)
//	where := req.MessagePointer(2)
type Dialect struct {
	Name  string // in profiles, claims, cases and reports: chat
	Title string // as people call it: Chat Completions

	// Draft says that the dialect is served and played, and not yet proved to be complete.
	Draft bool

	// Standard is the profile of the dialect's own provider, which is the default.
	Standard string

	// KeptHistory is how the provider keeps conversations for clients that then send only what is
	// new. Nil: it keeps none.
	KeptHistory *KeptHistory

	// Models is the form in which models are listed.
	Models ModelsForm

	// Embeddings is the dialect's own form of requests for embeddings, where it is not that of
	// OpenAI. Nil: it has none.
	Embeddings *EmbeddingsForm

	Endpoint  Endpoint
	Request   RequestForm
	Images    ImageForm
	Reasoning ReasoningForm
	Usage     UsageForm
	Errors    ErrorForm
	Terms     Terms

	// Abilities are what can be said in the dialect, and OfGateways those of them that only
	// gateways and servers use which call themselves compatible.
	Abilities, OfGateways Abilities

	// Form returns what finds where the body of a request does not have the form of the dialect, which
	// is described in its request.yaml, and read when it is asked for. Nil: it is not described.
	Form func() Form

	// ReadRequest reads into neutral words what a request says in its body, which has been read, as
	// its model has. Everything, however wrong, is read as far as it goes and left to the rules.
	ReadRequest func(*Request)

	// ReadURL adds what the URL of a request says in words of the dialect, such as the model. Nil:
	// it says nothing.
	ReadURL func(*Request, *url.URL)

	// ReadAnswer reads the body of a response into neutral words: a JSON document, or the events of
	// a stream.
	ReadAnswer func(body []byte, streamed bool) (*Answer, error)

	// Framer is how its streams are framed; nil: as server-sent events.
	Framer *Framer

	// Doors are the clouds that have the API in forms of their own.
	Doors []*Door

	// EndsStream reports whether a payload of a stream is its last one.
	EndsStream func(payload []byte) bool

	// NewShape returns what a profile of the dialect says about the form of answers, still empty.
	NewShape func() Shape

	// Places are the places of the templates in a shape, by the names that its comments have for
	// the lists.
	Places map[string][]string

	// Quirks returns the known ways in which answers of providers depart from that form. Nil: there
	// are none.
	Quirks func() []Quirk

	// Demands returns what a request demands of its answer.
	Demands func(*Request) Demands

	// Choices is the key under which an answer has its choices, of which a request may want several;
	// "": an answer is one.
	Choices string

	// Likeness tells how surely a JSON object, of which nothing else is known, is a request of the
	// dialect. Nil: it may be one where it has the list of messages.
	Likeness func(body *Node) Likeness

	// Repeated are the keys of a request on which the form of its answer depends, such as those
	// that the answer repeats.
	Repeated []string

	// UsageWanted reports whether a request for a stream asks for the token counts. Nil: they are
	// always given.
	UsageWanted func(*Request) bool

	// Compaction is how the provider makes histories shorter. The zero value is for dialects whose
	// providers do not.
	Compaction CompactionForm

	// Programs is how code of the provider calls tools. The zero value is for dialects whose providers
	// run none.
	Programs ProgramForm

	// TokenCount returns the answer to a request for a number of tokens.
	TokenCount func(tokens int) Fields

	quirks struct {
		sync.Once
		all    []Quirk
		byName map[string]Quirk
	}
}

// Read reads the body of a request into neutral words. The error says why the body is not a JSON
// object.
func (d *Dialect) Read(body []byte) (*Request, error) { return d.ReadAfter(body, nil) }

// ReadAfter is Read for a body that may begin as that of an earlier request does. Of the messages
// with which both begin nothing is read again.
func (d *Dialect) ReadAfter(body []byte, before *Request) (*Request, error) {
	var known *continued
	if before != nil && before.Dialect == d && before.Continuable() && before.Body.start == 0 {
		known = &continued{before.MessageList(), CommonPrefix(before.Body.Raw, body)}
	}
	req, err := openRequest(d, body, known)
	if err != nil {
		return nil, err
	}
	if known != nil {
		req.goOnFrom(before, len(known.itemsAt(req.MessageList().Offset())))
	}
	d.ReadRequest(req)
	req.known = nil
	req.memo.hasResult = hasResult(req.Messages)
	return req, nil
}

// Frames returns how streams of the dialect are framed.
func (d *Dialect) Frames() *Framer { return cmp.Or(d.Framer, SSE) }

// Deliveries returns the deliveries of its answers.
func (d *Dialect) Deliveries() []Delivery { return d.DeliveriesAt(nil) }

// DeliveriesAt returns the deliveries of its answers at a door, or at none.
func (d *Dialect) DeliveriesAt(door *Door) []Delivery {
	all := slices.DeleteFunc(d.FramesAt(door).withJSON(), func(by Delivery) bool { return by == DeliverComments && d.Abilities&StreamComments == 0 })
	if d.Endpoint.Socket != nil && door == nil {
		all = append(all, DeliverSocket)
	}
	return all
}

// DemandsOf returns what a request demands of its answer.
func (d *Dialect) DemandsOf(req *Request) Demands {
	if d.Demands == nil {
		return Demands{}
	}
	return d.Demands(req)
}

// ImageIn returns the image of a part of a content, and false for other parts.
func (d *Dialect) ImageIn(part Part) (Image, bool) {
	if d.Images.Read == nil {
		return Image{}, false
	}
	return d.Images.Read(part)
}

// ShowsReasoning reports whether an answer to the request shows the model's reasoning, where it has
// any.
func (d *Dialect) ShowsReasoning(req *Request) bool {
	return d.Reasoning.Wanted == nil || d.Reasoning.Wanted(req)
}

// Compacts reports whether an answer to the request may begin with what stands for its history.
func (d *Dialect) Compacts(req *Request) bool {
	if d.Compaction.Asked == nil {
		return false
	}
	_, asked := d.Compaction.Asked(req)
	return asked || d.CompactsAlone(req)
}

// PausesAtCompaction reports whether the provider stops behind what stands for the history.
func (d *Dialect) PausesAtCompaction(req *Request) bool {
	return d.Compaction.Pauses != nil && d.Compaction.Pauses(req)
}

// CompactsAlone reports whether the answer to a request is what stands for its history, and nothing
// else.
func (d *Dialect) CompactsAlone(req *Request) bool {
	return d.Compaction.Alone != nil && d.Compaction.Alone(req)
}

// ShowsUsage reports whether a stream for the request has token counts of a provider that gives
// them only when asked.
func (d *Dialect) ShowsUsage(req *Request) bool { return d.UsageWanted == nil || d.UsageWanted(req) }

// AllQuirks returns the quirks of the dialect.
func (d *Dialect) AllQuirks() []Quirk {
	d.quirks.Do(func() { // once, since every compiled script looks its quirks up
		if d.Quirks != nil {
			cannot := func(q Quirk) bool { return q.Needs&^d.Abilities != 0 } // some of those that all have alike
			d.quirks.all = slices.DeleteFunc(d.Quirks(), cannot)
		}
		d.quirks.byName = make(map[string]Quirk, len(d.quirks.all))
		for _, q := range d.quirks.all {
			d.quirks.byName[q.Name] = q
		}
	})
	return d.quirks.all
}

// Quirk returns the quirk of a name, and false when the dialect has none of that name.
func (d *Dialect) Quirk(name string) (Quirk, bool) {
	d.AllQuirks()
	q, known := d.quirks.byName[name]
	return q, known
}

// MessageList returns the list of the request's messages as it was sent, or nil.
func (r *Request) MessageList() *Node { return r.Body.Get(r.Dialect.Request.Messages) }
