package wire

// Shape is how one provider writes answers of a dialect: what a profile says of it. It is decoded
// from the key shape of a profile.
type Shape interface {
	Codec

	// Clone returns a copy, for a profile that is built upon another one.
	Clone() Shape

	// Check reports what is wrong in it.
	Check(ShapeChecker)

	// Traits returns what answers of the provider can show.
	Traits() Traits

	// StopAs returns how an answer says on the wire that the model stopped for a reason, with the
	// key, as in stop_reason: "max_tokens", and the word alone; where no word of the answer says
	// it, the word is "".
	StopAs(Finish) (said, word string)
}

// ShapeChecker takes what is wrong in a [Shape]. Each place is a pointer within the shape:
// "/stream/chunk".
type ShapeChecker interface {
	// Expect reports a mistake unless ok.
	Expect(ok bool, at, format string, args ...any)

	// Word reports a word that is not one of the known ones.
	Word(at, kind, word string, known []string)

	// Template reports a template that is missing although it is needed, and places in it that
	// nothing fills.
	Template(at string, t Template, needed bool, known []string)
}

// Traits are what answers of a provider can show, and where.
type Traits struct {
	Reasoning          bool     // the model's reasoning
	ReasoningBlocks    bool     // as structured blocks
	ReasoningField     string   // the key of a message that has it as a text; ""
	ReasoningInContent bool     // as parts of the content
	ReasoningOmitted   bool     // it is signed, and its text is not shown
	ReadableBlocks     bool     // it is one block that can be read
	UnsignedBlocks     bool     // its blocks have no signatures
	ReasoningSealed    bool     // each of its blocks has an encrypted form alongside what can be read
	CallSignature      []string // the keys under which a call is signed
	CallsWithoutIDs    bool     // calls have no ids, or such as nobody needs
	LooseIDs           bool     // they have such
	SignedTexts        bool     // the text of an answer is signed
	Refusals           bool     // refusals as a text of their own kind
	CustomTools        bool     // tools may take a free text as their input
	Phases             bool     // a text says whether it is the answer
	Compacts           bool     // it makes histories shorter for clients that ask it to
	RunsPrograms       bool     // its code may call the tools of a client
	KeepsThreads       bool     // it keeps conversations for clients that then send only what is new
	TextsApart         bool     // a message has texts, or calls, or results, alone
	UsageWhenAsked     bool     // a stream has token counts only when they are asked for

	// ProviderItems are the types of the items about its own tools, with the prefixes of their ids:
	// ws of web_search_call.
	ProviderItems map[string]string

	// Finish are the provider's words for the reasons to stop, where they are not OpenAI's and the
	// dialect has no words of its own.
	Finish map[Finish]string
}
