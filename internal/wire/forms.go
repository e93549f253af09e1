package wire

import "time"

// ModelsForm is how a dialect lists models, on paths that several dialects share.
type ModelsForm struct {
	List func([]Model) Fields // the list of models
	One  func(Model) Fields   // one of them

	// Unknown returns the error about a model that there is not: the message, and the words of its
	// type and its code.
	Unknown func(name string) (message, kind, code string)

	// Own are paths of the dialect's own on which models are told of.
	Own []ModelsPath
}

// EachModel returns the entries of a list of models.
func EachModel(models []Model, entry func(Model) Fields) []Fields {
	all := make([]Fields, len(models))
	for i, m := range models {
		all[i] = entry(m)
	}
	return all
}

// ModelsPath is a path on which models are told of: a list of them, or the one that the body of a
// request names.
type ModelsPath struct {
	Method, Path string
	List         func([]Model) Fields // nil: it tells of one
	One          func(Model) Fields
	Named        func(body *Node) string
}

// EmbeddingsForm is how a dialect asks for embeddings in words of its own.
type EmbeddingsForm struct {
	Dimensions int    // of a vector, where a request does not say it
	BadRequest string // the provider's word for a request that it cannot read

	// Read returns the texts of a request and the size of the vectors that it wants; 0: it does not
	// say it. The problem is what the provider says of a request that it cannot read, "" where it
	// can.
	Read func(body *Node) (texts []string, dimensions int, problem string)

	// Write returns the answer with the vectors of the texts, in their order, and ReadAnswer finds
	// them in one.
	Write      func(body *Node, vectors []any) Fields
	ReadAnswer func(answer *Node) []*Node
}

// Model is a model that a provider has.
type Model struct {
	Name    string
	Owner   string
	Created time.Time
}

// RequestForm says where things are in a request of a dialect, and by which words they go.
type RequestForm struct {
	// Messages is the key of the list of messages. OutsideList are the keys of what belongs to the
	// conversation, too, and is not in the list, such as a system prompt.
	Messages    string
	OutsideList []string

	// Prompt are the JSON pointers of what else the model reads of a request, such as the tools.
	Prompt []string

	// Counted is the key of the request that is counted, in a request for a number of tokens that is
	// not one itself, or "" if it always is.
	Counted string

	// Typed says that the list has more than messages: its entries say by a type what they are, and
	// only messages have a role. A text may replace the list.
	Typed bool

	// Template is the key of a template that the provider keeps, which may stand in place of the
	// list and name the model, or "" if there are none.
	Template string

	// Histories are the keys that name a history which the provider keeps: a request with one may
	// have no messages of its own.
	Histories []string

	Role string // the key by which a message says whose it is

	// DefaultRole is whose a message is that does not say so; "": each has to say it.
	DefaultRole string

	// ResultsAnywhere says that a tool result may be anywhere after its call, and not only directly
	// after the turn.
	ResultsAnywhere bool

	// RolesJoin says that messages of one role in a row are one message to the provider.
	RolesJoin bool

	// CallsByName says that calls have no ids: a result names its tool.
	CallsByName bool

	// ContentOptional says that a message may have no content, in the dialect's reference.
	ContentOptional bool

	ResultID  string   // the key by which a tool result names its call
	Arguments Kind     // how the arguments of a call are written: String, which holds JSON, or Object
	Roles     []string // that the dialect's reference knows

	// KeyedBlocks says that a key of a block says what it is, and not its type.
	KeyedBlocks bool

	// ModelInURL says that the URL names the model, and no body has to.
	ModelInURL bool

	// ToolsIn is the key of the object in which the list of tools is, "" where that is in the
	// request itself.
	ToolsIn string

	// Withdrawn returns which of the keys are no more in the version of the API that a request names.
	// Nil: there is one version.
	Withdrawn func(*Request) []string

	// Foreign are keys of requests that are known to be of other APIs; none: all are that the form
	// does not have. A key that is neither may be newer than the reference.
	Foreign []string

	// Limit is the key that every request has to give for the length of the answer, "" where none
	// has to.
	Limit string

	// ReasoningFields are the keys of a message under which reasoning goes back as a text.
	ReasoningFields []string

	// ToolName is the longest name that a tool may have, and ToolNameMore are what it may have
	// besides letters, digits, underscores and dashes. ToolNamedDirectly says that the name is at
	// the top of the tool, and not within a function.
	ToolName          int
	ToolNameMore      string
	ToolNamedDirectly bool

	// ChosenTool returns the name of the tool that the request has to be answered with, or nil.
	ChosenTool func(*Request) *Node

	// FailureFlag says that a result tells by a flag whether its tool failed.
	FailureFlag bool

	// ToolsMayBeEmpty says that a request without tools may have an empty list of them, as the
	// dialect's own provider writes it.
	ToolsMayBeEmpty bool

	// OpenAPISchemas says that the schemas of tools are those of OpenAPI, and not JSON Schemas.
	OpenAPISchemas bool

	// IDsDistinct says that the ids of calls are distinct in a whole request, and not only within
	// one turn.
	IDsDistinct bool
}

// ImageForm is how requests of a dialect carry images.
type ImageForm struct {
	// Read reads the image of a part of a content, and returns false for other parts.
	Read func(Part) (Image, bool)

	// Place returns where the data of an image is, as the provider writes it, for the part that has
	// the image.
	Place func(*Node) string

	// Data describes in words how the data of an image is written.
	Data string

	// Types are the media types that the provider takes; none means any.
	Types []string

	// InResults says that a tool result may have images.
	InResults bool

	// Tokens is how many tokens an image or a file counts as here, whatever its size.
	Tokens int
}

// UsageForm is how a dialect counts tokens.
type UsageForm struct {
	CachedApart    bool // what comes from a cache, or goes into one, is not among the tokens of the prompt
	ReasoningApart bool // what the model thinks is not among the tokens of the answer
}

// ReasoningForm is how a dialect shows the model's reasoning, and takes it back.
type ReasoningForm struct {
	InBlocks      bool // all reasoning is blocks, and each of them is signed
	ThoughtsAlone bool // it is shown as thoughts alone, which may stay away from later requests
	SignedAlone   bool // what the provider keeps to itself is in the signature of a block, and no block is encrypted

	// Wanted reports whether a request asks for the model's reasoning. Nil: it is shown without
	// being asked for.
	Wanted func(*Request) bool

	// Visible returns blocks of reasoning as they can be seen in an answer to a request, which may
	// show less of them than the script says; of no request, as much as can be seen at all. Nil:
	// they are seen as they are.
	Visible func([]ReasoningBlock, *Request) []ReasoningBlock

	// ReadBlock reads a block of reasoning in a request.
	ReadBlock func(*Node) ReasoningBlock

	// Sealed returns what else a provider encrypted for itself that is in a request, as the objects
	// whose encrypted_content it is. Nil: nothing.
	Sealed func(*Request) []*Node
}

// CompactionForm is how a request asks the provider to make its history shorter, and how what came
// of it goes back.
type CompactionForm struct {
	// Asked reports whether a request asks for it, and from how many input tokens on; 0 leaves
	// that to the provider.
	Asked func(*Request) (threshold int, asked bool)

	// Pauses reports whether a request asks the provider to stop behind what stands for the history,
	// and to go on with its answer when it gets that back. Nil: it never does.
	Pauses func(*Request) bool

	// Alone reports whether a request asks for what stands for its history, and for no answer.
	Alone func(*Request) bool

	// In returns what stands for histories in a request, in their order, references among it.
	In func(*Request) []*Node

	// Sealed says that it is an item which the provider encrypted for itself; elsewhere it is a
	// summary.
	Sealed bool

	// Read reads one of them. A reference has nothing but an id.
	Read func(*Node) Compaction

	// Apart reports whether one that came with none of some answers is as the provider gave it
	// when the loop asked for it alone.
	Apart func(req *Request, n *Node, given []*Compaction) bool
}

// Range is from where to where a number may be.
type Range struct{ Low, High float64 }

// ParameterType is what a parameter of a request is, in the terms of an error about it.
type ParameterType string

// The types of parameters.
const (
	ANumber      ParameterType = "a number"
	AWholeNumber ParameterType = "a whole number"
	APositive    ParameterType = "a whole number above zero"
	AFlag        ParameterType = "true or false"
	AText        ParameterType = "a string"
	Texts        ParameterType = "a string or a list of strings"
	AList        ParameterType = "a list of strings"
	AnyList      ParameterType = "a list"
	AnObject     ParameterType = "an object"
	TextOrObject ParameterType = "a string or an object"
)
