package wire

// Abilities are what can be said on the wire besides texts and calls of tools whose arguments are
// JSON objects. A dialect declares its own once; scenarios and quirks need some. What is not played
// in a dialect, and why, follows from the two:
//
//	if lacking := scenario.Facts().Needs &^ d.Abilities; lacking != 0 {
//		fmt.Printf("it is not played in %s: %s\n", d.Title, lacking.Missing())
//	}
type Abilities uint64

// What a model can say.
const (
	TextArguments     Abilities = 1 << iota // arguments may be any text, such as a JSON list, or a part of JSON
	BlankCalls                              // servers were seen to leave the arguments of a call blank
	BigIntegers                             // numbers are as exact as they are written, beyond 2^53 too
	NullCalls                               // servers were seen to send null for the arguments of a call
	RepeatedIDs                             // an id of a call may be given again in a later turn
	SignedCalls                             // a call may be signed
	CustomTools                             // tools may take a free text as their input
	Refusals                                // the model refuses in a text of its own kind
	PhasesOfTexts                           // a text says whether it is the answer or said on the way
	PartsOfAnswers                          // an answer is a list of parts or items, so that it has several texts
	OwnBlocks                               // blocks of the provider's own, such as the use of its tools, and reasoning between calls
	OwnParts                                // parts of the provider's own, in the list of an answer's parts
	OwnItems                                // items of the provider's own: an answer is a list of items
	Containers                              // the provider's own tools run in containers
	ShownReasoning                          // the model's reasoning is in the answer
	ReadableReasoning                       // its text is shown
	ReasoningBlocks                         // it has structured blocks
	SealedReasoning                         // these may be several, signed and encrypted
	ReasoningNames                          // it is a text of the message, under the key that a provider chose
	ImageResults                            // the results of tools may be images
	Compactions                             // the provider makes histories shorter, and gives what stands for them
	Programs                                // code of the provider calls the tools of the client, and waits for their results
	MixedTurns                              // a message may have texts beside calls or results
)

// How an answer ends, and what fails.
const (
	FinishWords    Abilities = 1 << (iota + 24) // a whole answer says why the model stopped
	CallsFinish                                 // a word says that it stopped for calls
	LooseFinish                                 // a turn with calls may stop with the word of an answer
	PauseFinish                                 // a word says that a turn pauses
	WindowFinish                                // a word says that the context window is full
	FilterFinish                                // a word says that the provider cut the answer for what it says
	OpenFinishes                                // a word that nobody knows says no more than that the model stopped
	ManyFinishes                                // words say for what an answer was stopped, or that its call was none
	PromptFeedback                              // an answer may say no more than that the prompt was blocked
	ApartThoughts                               // the tokens of thoughts are not among those of the answer
	AnswerChoices                               // an answer is one of a list of choices
	DetailedWaits                               // the details of an error say how long to wait
)

// How a stream says it.
const (
	CallPieces       Abilities = 1 << (iota + 44) // a call comes in pieces, so that it may be cut off
	CallDeltas                                    // every piece of a call may have its id, name and arguments
	CallIndexes                                   // a call has an index
	AnyIDs                                        // the id of a call may be any text
	CallTypes                                     // a call has a type, by which nobody has to tell what it is
	CallLists                                     // calls stand in a list of their own
	InterleavedCalls                              // the pieces of several calls may be mixed
	TextBesideCalls                               // a text and a call may come at once
	ReasoningBeside                               // reasoning may come at once with texts and calls
	UsageInPieces                                 // token counts may come in several events
	TextAtFinish                                  // a text may come with the word for why the model stopped, and after it
	EarlyFinishKeys                               // what comes before that word has a place for it
	LooseRoles                                    // a piece of an answer may have a role, or none
	EndMark                                       // a stream has an end that is no part of the answer
	TypedEvents                                   // an event has a type
	StartEvents                                   // an event begins the answer
	Pings                                         // an event says nothing but that the stream is alive
	OddComments                                   // some clients do not: comments are a quirk
	StreamComments                                // clients skip the comments of an event stream
	Checksums                                     // a frame has checksums, and clients have to check them
)

// Unseen are abilities that a dialect lacks since no server was seen to use them, and not since it
// has no place for them.
const Unseen = BlankCalls | NullCalls | RepeatedIDs | StreamComments

// missing says what is so where an ability is missing, after the title of a dialect or a provider.
var missing = []struct {
	of  Abilities
	why string
}{
	{CallPieces, "a call comes whole, in streams too"},
	{TextArguments, "the arguments of a call are an object on the wire, and no text"},
	{CallDeltas, "a call begins with an event of its own, which alone has its id and its name, and its arguments come in others"},
	{CallIndexes, "a call has no index"},
	{AnyIDs, "an id of a call has only letters, digits, _ and -"},
	{CallTypes, "a call has no type but the one by which it is told from other parts"},
	{CallLists, "calls have no list of their own"},
	{InterleavedCalls, "calls come one after the other"},
	{BlankCalls, "no server was seen to leave the arguments of a call blank"},
	{BigIntegers, "numbers are doubles, so that integers beyond 2^53 are not exact"},
	{NullCalls, "no server was seen to send null for the arguments of a call"},
	{RepeatedIDs, "no server was seen to give an id twice"},
	{SignedCalls, "no call is signed"},
	{CustomTools, "no tool takes a text of any form"},
	{Refusals, "a refusal has no words of its own, but a reason to stop"},
	{PhasesOfTexts, "a text has no phase"},
	{PartsOfAnswers, "an answer has one text"},
	{OwnBlocks, "an answer has no blocks in an order, with those of the provider's own tools among them"},
	{OwnParts, "an answer is no list of parts"},
	{OwnItems, "an answer is no list of items"},
	{Containers, "the provider's own tools run in no container that has to be named"},
	{ShownReasoning, "an answer does not show what the model thinks"},
	{ReadableReasoning, "an answer does not show the text of what the model thinks"},
	{ReasoningBlocks, "reasoning has no blocks"},
	{SealedReasoning, "reasoning has no blocks that are signed or encrypted"},
	{ReasoningNames, "reasoning has one place and one name"},
	{ImageResults, "the result of a tool cannot be an image"},
	{Compactions, "the provider makes no history shorter"},
	{Programs, "no code of the provider calls tools"},
	{MixedTurns, "a message has texts, or calls, or results, alone"},
	{FinishWords, "a whole answer has no reason to stop"},
	{CallsFinish, "no word says that a turn calls; only its parts tell"},
	{LooseFinish, "no word for the end of an answer can end a turn that calls"},
	{PauseFinish, "no word says that a turn pauses"},
	{FilterFinish, "no reason to stop says that an answer was cut for what it says"},
	{OpenFinishes, "a reason to stop that nobody knows yet may leave half a turn, which other scenarios are about"},
	{ManyFinishes, "no reason to stop says more of an answer that was stopped, or that its call was none"},
	{PromptFeedback, "an answer says nothing of the prompt"},
	{ApartThoughts, "the tokens of thoughts are among those of the answer"},
	{WindowFinish, "no reason to stop says that the context window is full"},
	{AnswerChoices, "an answer has no list of choices"},
	{DetailedWaits, "no details of an error say how long to wait, or whose limit it is"},
	{TextBesideCalls, "text and calls come in parts of their own"},
	{ReasoningBeside, "reasoning comes in parts of its own"},
	{TextAtFinish, "why the model stopped comes behind all texts, in an event of its own"},
	{EarlyFinishKeys, "nothing is said of why the model stopped before it has"},
	{LooseRoles, "pieces of an answer have a role, or none, as a rule"},
	{UsageInPieces, "token counts come once"},
	{EndMark, "a stream has no end mark"},
	{TypedEvents, "no event has a type"},
	{StartEvents, "no event begins an answer"},
	{Pings, "there are no pings"},
	{OddComments, "comments are a delivery of their own, which other scenarios have"},
	{StreamComments, "clients were seen to take a comment for a broken event"},
	{Checksums, "no checksum tells that an event is damaged"},
}

// Missing says what is so where the first of these abilities is missing: "a call has no index".
func (a Abilities) Missing() string {
	for _, m := range missing {
		if a&m.of != 0 {
			return m.why
		}
	}
	return ""
}

// FinishAbility returns the ability to say that the model stopped for a reason that only some
// dialects know.
func FinishAbility(f Finish) Abilities {
	switch f {
	case FinishPause:
		return PauseFinish
	case FinishContextWindow:
		return WindowFinish
	case FinishContentFilter:
		return FilterFinish
	default:
		return 0
	}
}

// Abilities returns those that an answer has for which a provider writes its dialect so, of those
// that the dialect has.
func (t Traits) Abilities(of Abilities) Abilities {
	for _, shown := range []struct {
		is bool
		of Abilities
	}{
		{t.Reasoning, ShownReasoning}, {!t.ReasoningOmitted, ReadableReasoning}, {t.ReasoningBlocks, ReasoningBlocks},
		{!t.ReadableBlocks, SealedReasoning}, {t.Refusals, Refusals}, {t.CustomTools, CustomTools}, {t.Phases, PhasesOfTexts},
		{t.Compacts, Compactions}, {t.RunsPrograms, Programs}, {!t.TextsApart, MixedTurns},
	} {
		if !shown.is {
			of &^= shown.of
		}
	}
	return of
}
