package mockprovider

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
)

// threads are the conversations that are kept for clients which send only what is new. What is kept, for how long, and
// how a request that cannot be gone on with is answered is as the documentation of Anthropic's API says:
// https://platform.claude.com/docs/en/build-with-claude/message-threads
type threads struct {
	once bool // each answer is gone on from once; outside of runs the same conversation is held by many

	mu   sync.Mutex
	kept map[string]*thread // by the id of the answer that they end with
}

// thread is a conversation as the provider keeps it, in JSON.
type thread struct {
	system, tools wire.Raw // nil: none
	messages      []any    // the last of them the answer
	used          time.Duration
	continued     bool
	forgotten     bool // as if it had expired
}

const (
	threadLife = 5 * time.Minute // since it was used last
	maxThreads = 10_000
)

func newThreads(once bool) *threads { return &threads{once: once, kept: map[string]*thread{}} }

// asksForThread reports whether a request wants the server to keep the conversation, or to go on with one that it kept.
func asksForThread(req *wire.Request) bool {
	return req.Dialect.KeepsThreads && req.Body.Get("thread").Is(wire.Object)
}

// threadRefusal is an error about a thread.
type threadRefusal struct {
	status  int
	code    string
	message string
}

// The refusals, in words of our own where no others are known; their codes are those of the official SDKs.
var (
	threadUnsupported = threadRefusal{http.StatusBadRequest, trace.ThreadUnsupported, "thread: conversations are not kept here; send all messages, without a thread"}
	threadNotFound    = threadRefusal{http.StatusNotFound, trace.ThreadNotFound, "thread: no usable state was found for previous_message_id; send the whole conversation with thread: {\"type\": \"create\"}"}
	threadContinued   = threadRefusal{http.StatusBadRequest, trace.ThreadAlreadyContinued, "thread: the response that previous_message_id names has been continued already"}
	threadRepeats     = threadRefusal{http.StatusBadRequest, trace.ThreadMismatch, "thread: system and tools are kept with the thread; leave them out of a request that continues it"}
)

// problem returns the refusal as the answer to a request.
func (f threadRefusal) problem(p *profiles.Profile) *problem {
	kind := "invalid_request_error"
	if f.status == http.StatusNotFound {
		kind = "not_found_error"
	}
	resp := errorResponse(p, f.status, p.WordsFor(f.status))
	resp.body = wire.Fields{
		{Key: "type", Value: "error"},
		{Key: "error", Value: wire.Fields{
			{Key: "type", Value: kind},
			{Key: "message", Value: f.message},
			{Key: "details", Value: wire.Fields{{Key: "error_code", Value: f.code}}},
		}},
	}.JSON()
	return &problem{f.message, resp}
}

// resume puts the kept history before a request that continues it. A request that cannot be continued carries no
// conversation: then it has a problem.
func (t *threads) resume(in *received, p *profiles.Profile) {
	if !p.Traits.KeepsThreads {
		// Clients that know of threads send the same again with its history and without a thread; so the refused request is no
		// part of the conversation, and nothing is lost that could be judged.
		in.problem, in.unnoted = threadUnsupported.problem(p), true
		return
	}
	asked := in.request.Body.Get("thread")
	in.thread = &trace.Thread{Previous: asked.Get("previous_message_id").Text()}
	if asked.Get("type").Text() != "continue" {
		return
	}
	whole, refusal := t.whole(in)
	if refusal == nil {
		in.thread.KeptMessages = len(whole.Messages) - len(in.request.Messages)
		in.request = whole
		return
	}
	in.thread.Refused, in.problem, in.request = refusal.code, refusal.problem(p), nil
}

// whole returns the request that says in full what a request means which continues a thread, or why it cannot be continued.
func (t *threads) whole(in *received) (*wire.Request, *threadRefusal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.kept[in.thread.Previous]
	switch {
	case known == nil || known.forgotten || in.start-known.used > threadLife:
		in.thread.Lost = known != nil
		return nil, &threadNotFound
	case t.once && known.continued:
		return nil, &threadContinued
	case in.request.Body.Get("system") != nil || in.request.Body.Get("tools") != nil:
		return nil, &threadRepeats
	}
	whole, err := known.rebuilt(in.request)
	if err != nil {
		return nil, &threadNotFound
	}
	known.used = in.start
	whole.Headers, whole.Altered = in.request.Headers, in.request.Altered
	return whole, nil
}

// rebuilt returns the request that says in full what a request means which goes on with the thread.
func (k *thread) rebuilt(short *wire.Request) (*wire.Request, error) {
	var whole wire.Fields
	for _, m := range short.Body.Members {
		if m.Key != "messages" {
			whole = append(whole, wire.Field{Key: m.Key, Value: wire.Raw(m.Value.Raw)})
		}
	}
	if k.system != nil {
		whole = whole.With("system", k.system)
	}
	if k.tools != nil {
		whole = whole.With("tools", k.tools)
	}
	whole = whole.With("messages", slices.Concat(k.messages, rawItems(short.Body.Get("messages"))))
	return short.Dialect.Read(whole.JSON())
}

func rawItems(list *wire.Node) []any {
	if !list.Is(wire.Array) {
		return nil
	}
	items := make([]any, len(list.Items))
	for i, n := range list.Items {
		items[i] = wire.Raw(n.Raw)
	}
	return items
}

// keep keeps a conversation with the answer that is given to it, under the id of that answer.
func (t *threads) keep(in *received, p *profiles.Profile, resp response) {
	said, err := wire.ParseNode(p.Shape.Write(resp.said, wire.Reply{ID: resp.id}))
	if err != nil {
		return // it cannot be gone on with, as if it had expired
	}
	body := in.request.Body
	kept := &thread{messages: rawItems(body.Get("messages")), used: in.start}
	kept.system, kept.tools = rawOf(body.Get("system")), rawOf(body.Get("tools"))
	kept.messages = append(kept.messages, wire.Fields{{Key: "role", Value: "assistant"}, {Key: "content", Value: rawOf(said.Get("content"))}})

	t.mu.Lock()
	defer t.mu.Unlock()
	if before := t.kept[in.thread.Previous]; before != nil {
		before.continued = true
	}
	if len(t.kept) >= maxThreads {
		clear(t.kept)
	}
	t.kept[resp.id] = kept
}

// forget lets all threads be lost, as those are that have not been used for long.
func (t *threads) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.kept {
		k.forgotten = true
	}
}

func rawOf(n *wire.Node) wire.Raw {
	if n == nil {
		return nil
	}
	return wire.Raw(n.Raw)
}

// threadID returns where the id of an answer comes from under which a history is kept, and "" where none is. Outside of
// runs it depends on all that is kept, so that whoever says the same may have the same history, and nobody else's.
func threadID(in *received) string {
	if in.thread == nil {
		return ""
	}
	h := sha256.New()
	key := in.conversation()
	h.Write(key[:])
	h.Write(rawOf(in.request.Body.Get("tools")))
	return fmt.Sprint("thread ", hex.EncodeToString(h.Sum(nil)[:8]))
}
