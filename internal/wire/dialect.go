package wire

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Dialect is one wire API: everything in which it differs from others. Each is in a package of its own in
// internal/dialect; nothing outside of that package knows its name. A nil function says that the dialect has no such thing.
// What belongs together is in groups, such as Request and Endpoint; the rest are functions, as many as an interface of a wire
// API has.
//
//	req, err := profile.Speaks.Read(body)
//	where := req.MessagePointer(2)
type Dialect struct {
	Name  string // in profiles, claims, cases and reports: chat
	Title string // as people call it: Chat Completions

	// Standard is the profile of the dialect's own provider, which is the default.
	Standard string

	// KeptHistory is how the provider keeps conversations for clients that then send only what is new. Nil: it keeps none.
	KeptHistory *KeptHistory

	// Models is the form in which models are listed.
	Models ModelsForm

	// Embeddings is the dialect's own form of requests for embeddings, where it is not that of OpenAI. Nil: it has none.
	Embeddings *EmbeddingsForm

	Endpoint Endpoint
	Beside   BesidePaths
	Request  RequestForm
	Speech   Speech

	// ReadRequest reads the body of a request into neutral words. The error says why the body is not a JSON object;
	// everything else, however wrong, is read as far as it goes and left to the rules.
	ReadRequest func(body []byte) (*Request, error)

	// ReadURL adds what the URL of a request says in words of the dialect, such as the model. Nil: it says nothing.
	ReadURL func(*Request, *url.URL)

	// ReadAnswer reads the body of a response into neutral words: a JSON document, or the events of a stream.
	ReadAnswer func(body []byte, streamed bool) (*Answer, error)

	// EndsStream reports whether a payload of a stream is its last one.
	EndsStream func(payload []byte) bool

	// NewShape returns what a profile of the dialect says about the form of answers, still empty.
	NewShape func() Shape

	// Places are the places of the templates in a shape, by the names that its comments have for the lists.
	Places map[string][]string

	// Quirks returns the known ways in which answers of providers depart from that form. Nil: there are none.
	Quirks func() []Quirk

	// Demands returns what a request demands of its answer.
	Demands func(*Request) Demands

	// Likeness tells how surely a JSON object, of which nothing else is known, is a request of the dialect. Nil: it may be one
	// where it has the list of messages.
	Likeness func(body *Node) Likeness

	// Repeated are the keys of a request on which the form of its answer depends, such as those that the answer repeats.
	Repeated []string

	// UsageWanted reports whether a request for a stream asks for the token counts. Nil: they are always given.
	UsageWanted func(*Request) bool

	// ReasoningWanted reports whether a request asks for the model's reasoning. Nil: it is shown without being asked for.
	ReasoningWanted func(*Request) bool

	// ReadImage reads the image of a part of a content, and returns false for other parts.
	ReadImage func(Part) (Image, bool)

	// ImagePlace returns where the data of an image is, as the provider writes it, for the part that has the image.
	ImagePlace func(*Node) string

	// ImageForm is how the data of an image is written.
	ImageForm string

	// VisibleBlocks returns blocks of reasoning as they can be seen in an answer to a request, which may show less of them than
	// the script says; of no request, as much as can be seen at all. Nil: they are seen as they are.
	VisibleBlocks func([]ReasoningBlock, *Request) []ReasoningBlock

	// ReadBlock reads a block of reasoning in a request.
	ReadBlock func(*Node) ReasoningBlock

	// RateLimitHeaders returns the headers that tell of a rate limit.
	RateLimitHeaders func([]RateLimit, time.Time) map[string]string

	// RetryDetails returns the details of an error that say how long to wait before the request is sent again. Nil: headers
	// say it.
	RetryDetails func(wait time.Duration) []Fields

	// LimitMessage names a limit that was reached in the message of an error about another one. Nil: messages name no limit.
	LimitMessage func(message string, l ReachedLimit) string

	// TokenCount returns the answer to a request at the CountPath.
	TokenCount func(tokens int) Fields

	// ErrorCode returns the code of an error for which nobody names another. Nil: it has none then.
	ErrorCode func(status int) string

	// ErrorBody returns the body of an error that is not the provider's but ours.
	ErrorBody func(Fields) Fields

	quirks struct {
		sync.Once
		all    []Quirk
		byName map[string]Quirk
	}
}

// ModelsForm is how a dialect lists models, on paths that several dialects share.
type ModelsForm struct {
	// Header is one that all clients of the dialect send, and those of no other: it tells whose form is wanted. "": there is
	// none.
	Header string

	// Path is where they are listed, and below it each of them. "": on the path that dialects share.
	Path string

	List func([]Model) Fields // the list of models
	One  func(Model) Fields   // one of them

	// Unknown returns the error about a model that there is not: the message, and the words of its type and its code.
	Unknown func(name string) (message, kind, code string)
}

// EmbeddingsForm is how a dialect asks for embeddings in words of its own.
type EmbeddingsForm struct {
	Paths      []string // as patterns of gorilla/mux
	Dimensions int      // of a vector, where a request does not say it
	BadRequest string   // the provider's word for a request that it cannot read

	// Read returns the texts of a request and the size of the vectors that it wants; 0: it does not say it. The problem is what
	// the provider says of a request that it cannot read, "" where it can.
	Read func(body *Node) (texts []string, dimensions int, problem string)

	// Write returns the answer with the vectors of the texts, in their order.
	Write func(body *Node, vectors []any) Fields
}

// Model is a model that a provider has.
type Model struct {
	Name    string
	Owner   string
	Created time.Time
}

// Endpoint is where clients of a dialect ask.
type Endpoint struct {
	Path      string   // of a request for a turn: /v1/chat/completions
	Also      []string // other paths of the same, as patterns of gorilla/mux
	CountPath string   // of a request for the number of tokens that a request has; ""
	BasePath  string   // what the base URL of official SDKs has after the host: /v1
	Env       string   // how the environment variables begin in which they look for URL, key and model: OPENAI

	// Socket is how clients ask over a WebSocket at the same paths; nil: they do not.
	Socket *Socket

	// Headers are the headers of a request that say something of it, and how rules call them.
	Headers map[string]string
}

// BesidePaths are paths of the same provider, as patterns of gorilla/mux, that clients of a dialect ask besides those for a turn.
type BesidePaths struct {
	Embeddings, Moderations []string
}

// RequestForm says where things are in a request of a dialect, and by which words they go.
type RequestForm struct {
	// Messages is the key of the list of messages. Alongside are the keys of what belongs to the conversation, too, and is
	// apart from the list, such as a system prompt.
	Messages string
	Beside   []string

	// Typed says that the list has more than messages: its entries say by a type what they are, and only messages have a
	// role. A text may be in place of the list.
	Typed bool

	Role string // the key by which a message says whose it is

	// DefaultRole is whose a message is that does not say so; "": each has to say it.
	DefaultRole string

	// ResultsAnywhere says that a tool result may be anywhere after its call, and not only directly after the turn.
	ResultsAnywhere bool

	ResultID  string   // the key by which a tool result names its call
	Arguments Kind     // how the arguments of a call are written: String, which holds JSON, or Object
	Roles     []string // that the dialect's reference knows
	Keys      []string // of a request, in the dialect's reference

	// Parameters are the types of keys of a request. Those that are not listed are any.
	Parameters map[string]ParameterType

	// Limit is the key that every request has to give for the length of the answer, "" where none has to.
	Limit string

	// ReasoningFields are the keys of a message under which reasoning goes back as a text.
	ReasoningFields []string

	// ToolName is the longest name that a tool may have. ToolNamedDirectly says that the name is at the top of the tool,
	// and not within a function.
	ToolName          int
	ToolNamedDirectly bool

	// ChosenTool returns the name of the tool that the request has to be answered with, or nil.
	ChosenTool func(*Request) *Node

	// FailureFlag says that a result tells by a flag whether its tool failed.
	FailureFlag bool

	// ImagesInResults says that a result may have images, and ImageTypes are the media types of images that are taken; none
	// means any.
	ImagesInResults bool
	ImageTypes      []string

	// ToolsMayBeEmpty says that a request without tools may have an empty list of them, as the dialect's own provider writes it.
	ToolsMayBeEmpty bool

	// IDsDistinct says that the ids of calls are distinct in a whole request, and not only within one turn.
	IDsDistinct bool
}

// ParameterType is what a parameter of a request is, in the words of an error about it.
type ParameterType string

// The types of parameters.
const (
	ANumber      ParameterType = "a number"
	AWholeNumber ParameterType = "a whole number"
	APositive    ParameterType = "a whole number above zero"
	AFlag        ParameterType = "true or false"
	Texts        ParameterType = "a string or a list of strings"
	AList        ParameterType = "a list of strings"
)

// Speech says what a model can say in a dialect alongside texts and calls.
type Speech struct {
	Blocks          bool     // blocks of the dialect's own, such as the use of a tool on the provider's side, and reasoning between calls
	Containers      bool     // in which the provider's own tools run
	Refusals        bool     // as a text of its own kind
	Interleaved     bool     // a stream may mix the pieces of several calls
	EndMark         bool     // a stream has an end that is no part of the answer
	LooseFinish     bool     // a turn with calls may stop with the word of an answer
	RepeatedIDs     bool     // an id of a call may be given again in a later turn
	ObjectArguments bool     // the arguments of a call are a JSON object
	SignedCalls     bool     // a call may be signed
	ThoughtsAlone   bool     // reasoning is shown as thoughts alone, which may stay away from later requests
	WholeCalls      bool     // a call comes whole also in a stream, so that its arguments are never cut off
	DataLinesOnly   bool     // a stream has data lines alone, and clients were seen to read no others
	Finishes        []Finish // the reasons to stop that only some dialects know
	ReasonsInBlocks bool     // all reasoning is blocks, and each of them is signed
	OwnFinishes     bool     // its words for the reasons to stop are not those of OpenAI
	ErrorsInStreams bool     // an error after the status 200 is documented for streams alone
}

// RateLimit is how far a client is from a limit.
type RateLimit struct {
	Of          string // "requests" or "tokens"
	Limit, Left int
	Reset       time.Time
}

// ReachedLimit is a rate limit that a request has reached.
type ReachedLimit struct {
	Of                     string // "requests" or "tokens"
	Per, Wait              time.Duration
	Limit, Used, Requested int
}

// Has reports whether a path of a provider, which may have another base path than ours, is one of a request for a turn.
func (e Endpoint) Has(path string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, own := range append([]string{strings.TrimPrefix(e.Path, e.BasePath)}, e.Also...) {
		if strings.HasSuffix(path, own) || strings.Contains(own, "{") && pathPattern(own).MatchString(path) {
			return true
		}
	}
	return false
}

// variable is a variable in a pattern of gorilla/mux, perhaps with an expression of its own.
var variable = regexp.MustCompile(`\{\w+(?::((?:[^{}]|\{[^{}]*\})*))?\}`)

// pathPattern returns the expression for the paths that end as a pattern says.
func pathPattern(pattern string) *regexp.Regexp {
	return regexp.MustCompile(variable.ReplaceAllStringFunc(pattern, func(v string) string {
		if own := variable.FindStringSubmatch(v)[1]; own != "" {
			return "(?:" + own + ")"
		}
		return "[^/]+"
	}) + "$")
}

// URLVariable is the environment variable in which official SDKs look for a base URL.
func (e Endpoint) URLVariable() string { return e.Env + "_BASE_URL" }

// Read reads the body of a request into neutral words.
func (d *Dialect) Read(body []byte) (*Request, error) {
	req, err := d.ReadRequest(body)
	if err != nil {
		return nil, err
	}
	req.Dialect = d
	return req, nil
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
	if d.ReadImage == nil {
		return Image{}, false
	}
	return d.ReadImage(part)
}

// ShowsReasoning reports whether an answer to the request shows the model's reasoning, where it has any.
func (d *Dialect) ShowsReasoning(req *Request) bool {
	return d.ReasoningWanted == nil || d.ReasoningWanted(req)
}

// ShowsUsage reports whether a stream for the request has token counts of a provider that gives them only when asked.
func (d *Dialect) ShowsUsage(req *Request) bool { return d.UsageWanted == nil || d.UsageWanted(req) }

// AllQuirks returns the quirks of the dialect.
func (d *Dialect) AllQuirks() []Quirk {
	d.quirks.Do(func() { // once, since every compiled script looks its quirks up
		if d.Quirks != nil {
			d.quirks.all = d.Quirks()
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
