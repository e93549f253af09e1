package wire

// Program is code of the provider that calls the tools of a client: where an answer begins it, goes on
// with it or ends it.
type Program struct {
	ID     string // by which its calls name it
	Runner string // the type of the tool by which the request let it run

	Begins bool
	Item   string // the id of its item, where a dialect has one
	Code   string // "" where it began in an answer before
	Seal   string // what the provider wants back with the code, where it does

	Output     *string // what it said at its end; nil: it waits for the results of its calls
	OutputItem string
}

// ProgramForm is how a dialect says that code of the provider calls tools.
type ProgramForm struct {
	ID, Item, OutputItem string // patterns of the ids

	// Runner returns the type of the tool by which a request lets the provider run code that calls
	// tools; "" is none.
	Runner func(*Request) string

	// Allows reports whether code of the provider may call a tool.
	Allows func(ToolDefinition) bool

	// Caller returns the ID of the program that made a call, by the call or its result; "" is the
	// model itself.
	Caller func(*Node) string

	// In returns the codes and the outputs in a request, each with its node. A reference has an Item
	// alone.
	In func(*Request) []ProgramPart

	// Sealed says that the code has a seal, which it needs when it goes back.
	Sealed bool

	// NamedByResults says that the result of a call names the program, too.
	NamedByResults bool
}

// ProgramPart is code, or what it said at its end, in a request.
type ProgramPart struct {
	Program
	Node *Node
}

// RunsPrograms reports whether a request lets code of the provider call a tool.
func (d *Dialect) RunsPrograms(req *Request) bool {
	if d.Programs.Runner == nil || d.Programs.Runner(req) == "" {
		return false
	}
	for _, t := range req.Tools {
		if d.Programs.Allows(t) {
			return true
		}
	}
	return false
}
