package transcript

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// readAGUI folds the events of AG-UI into the messages that a user interface makes of them. A turn
// of the model is what comes between two results: its texts, and its calls, also those that name it
// as their parent later. A text of another id begins a new turn where the one before made no call.
// The events of sub-agents are passed over.
func readAGUI(r *Record) {
	fold := aguiFold{record: r, prompts: map[string]bool{}}
	fold.reset()
	for _, event := range r.Doc.Items {
		if event.Get("subagentRunId").Text() == "" {
			fold.take(event)
		}
	}
	fold.write()
}

// aguiFold is the state of a user interface that follows the events.
type aguiFold struct {
	record  *Record
	turn    int                  // the message that is the turn of the model now; -1 between turns
	turns   map[string]int       // messages by the ids of their texts, and by the parent ids of their calls
	texts   map[string]*aguiTold // by messageId
	calls   map[string]*aguiTold // by toolCallId
	told    []*aguiTold          // all of both
	chunks  string               // the type of the event before
	chunked string               // the id of the text or call that it is about; "" unless it was a chunk
	prompts map[string]bool      // ids of the messages of the user
}

// aguiTold is a text or a call that is told in pieces.
type aguiTold struct {
	message, n int // the message that it belongs to, and which of its parts or calls it is
	call       bool
	pieces     strings.Builder
	ended      bool // of a text
}

// reset forgets all messages.
func (f *aguiFold) reset() {
	f.record.Conversation.Messages, f.record.Notes = nil, nil
	f.turn, f.turns, f.texts, f.calls, f.told = -1, map[string]int{}, map[string]*aguiTold{}, map[string]*aguiTold{}, nil
}

// write puts what was told in pieces into the messages.
func (f *aguiFold) write() {
	for _, t := range f.told {
		m, whole := f.message(t.message), t.pieces.String()
		if t.call {
			m.Calls[t.n].Arguments = whole
			continue
		}
		m.Content.Parts[t.n].Text = whole
		m.Content.Text += whole
		if !t.ended {
			f.record.Notes[t.message].Failed = true
		}
	}
}

func (f *aguiFold) take(event *wire.Node) {
	text, call, word := event.Get("messageId").Text(), event.Get("toolCallId").Text(), event.Get("type").Text()
	if word != f.chunks {
		f.chunks, f.chunked = word, ""
	}
	switch word {
	case "RUN_STARTED":
		f.turn = -1
		f.takePrompts(event.Get("input").Get("messages"))
	case "RUN_FINISHED", "RUN_ERROR":
		f.turn = -1
	case "TEXT_MESSAGE_START":
		f.startText(event, text)
	case "TEXT_MESSAGE_CONTENT":
		f.texts[text].add(event)
	case "TEXT_MESSAGE_END":
		if t := f.texts[text]; t != nil {
			t.ended = true
		}
	case "TEXT_MESSAGE_CHUNK":
		if f.begins(text) {
			f.startText(event, text)
			f.texts[text].ended = true // a chunk has no end of its own
		}
		f.texts[f.chunked].add(event)
	case "TOOL_CALL_START":
		f.startCall(event, call)
	case "TOOL_CALL_ARGS":
		f.calls[call].add(event)
	case "TOOL_CALL_CHUNK":
		if f.begins(call) {
			f.startCall(event, call)
		}
		f.calls[f.chunked].add(event)
	case "TOOL_CALL_RESULT":
		f.turn = -1
		result := wire.Result{Node: event, CallID: call, IDNode: event.Get("toolCallId"), Content: content(event.Get("content"))}
		f.record.add(wire.Message{Node: event, Role: wire.Tool, RoleWord: "tool", Content: result.Content, Results: []wire.Result{result}}, Note{})
	case "MESSAGES_SNAPSHOT":
		f.replace(event.Get("messages"))
	}
}

// begins reports whether a chunk begins another text or call than the one that is told in chunks now.
func (f *aguiFold) begins(id string) bool {
	if id == "" || id == f.chunked {
		return false
	}
	f.chunked = id
	return true
}

// message returns a message by its index.
func (f *aguiFold) message(i int) *wire.Message { return &f.record.Conversation.Messages[i] }

// add adds a message, and returns its index.
func (f *aguiFold) add(m wire.Message) int {
	f.record.add(m, Note{})
	return len(f.record.Notes) - 1
}

// takePrompts adds what the user says with the start of a run: its input repeats the history.
func (f *aguiFold) takePrompts(input *wire.Node) {
	for _, n := range input.All() {
		if id := n.Get("id").Text(); n.Get("role").Text() == "user" && !f.prompts[id] {
			f.prompts[id] = true
			f.add(wire.Message{Node: n, Role: wire.User, RoleWord: "user", Content: content(n.Get("content"))})
		}
	}
}

func (f *aguiFold) startText(event *wire.Node, id string) {
	role := event.Get("role").Text()
	if role != "" && role != "assistant" {
		f.turn = -1
		f.tellText(event, id, f.add(wire.Message{Node: event, Role: aguiRoles[role], RoleWord: role}))
		return
	}
	if at, known := f.turns[id]; known {
		f.turn = at
	} else if f.turn < 0 || len(f.message(f.turn).Calls) == 0 {
		f.newTurn(event)
	}
	f.turns[id] = f.turn
	f.tellText(event, id, f.turn)
}

var aguiRoles = map[string]wire.Role{"user": wire.User, "system": wire.System, "developer": wire.System, "assistant": wire.Assistant, "tool": wire.Tool}

func (f *aguiFold) newTurn(event *wire.Node) {
	f.turn = f.add(wire.Message{Node: event, Role: wire.Assistant, RoleWord: "assistant"})
}

// tellText begins a text of a message.
func (f *aguiFold) tellText(event *wire.Node, id string, message int) {
	m := f.message(message)
	f.texts[id] = f.tell(&aguiTold{message: message, n: len(m.Content.Parts)})
	m.Content.Parts = append(m.Content.Parts, wire.Part{Node: event, Type: "text"})
}

func (f *aguiFold) tell(t *aguiTold) *aguiTold {
	f.told = append(f.told, t)
	return t
}

// add adds a piece to what was started, if it was.
func (t *aguiTold) add(event *wire.Node) {
	if t != nil {
		t.pieces.WriteString(event.Get("delta").Text())
	}
}

func (f *aguiFold) startCall(event *wire.Node, id string) {
	parent := event.Get("parentMessageId").Text()
	if at, known := f.turns[parent]; known {
		f.turn = at
	} else if f.turn < 0 {
		f.newTurn(event)
	}
	if parent != "" {
		f.turns[parent] = f.turn
	}
	m := f.message(f.turn)
	f.calls[id] = f.tell(&aguiTold{message: f.turn, n: len(m.Calls), call: true})
	m.Calls = append(m.Calls, wire.Call{Node: event, ID: id, Name: event.Get("toolCallName").Text()})
}

// replace puts the messages of a snapshot in the place of all that was told before.
func (f *aguiFold) replace(messages *wire.Node) {
	f.reset()
	for _, n := range messages.All() {
		role, id := n.Get("role").Text(), n.Get("id").Text()
		if n.Get("subagentRunId").Text() != "" || aguiRoles[role] == "" {
			continue
		}
		m := wire.Message{Node: n, Role: aguiRoles[role], RoleWord: role, Content: content(n.Get("content")), Calls: calls(n.Get("toolCalls"))}
		switch m.Role {
		case wire.User:
			f.prompts[id] = true
		case wire.Tool:
			called := n.Get("toolCallId")
			m.Results = []wire.Result{{Node: n, CallID: called.Text(), IDNode: called, Content: m.Content}}
		}
		f.turns[id] = f.add(m)
	}
}
