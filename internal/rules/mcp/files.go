package mcp

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const results = "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result"

var needs = []protocol.Feature{protocol.MCPTools, protocol.Executions}

// fileRules are the rules about documents and sounds among the blocks of a result.
var fileRules = []rules.Rule{
	{
		ID:        "mcp/files-told",
		Level:     trace.Should,
		Text:      "A document or a sound that a tool returned reaches the model, or the model is told that there is one.",
		Why:       "The model takes the rest for all of the result, or an empty result for a tool that found nothing.",
		Invariant: true,
		Needs:     needs,
		Evidence:  "a request after a tool returned a document or a sound",
		Sources: []rules.Source{
			{URL: results, Says: "the content of a result may have audio and embedded resources, also in base64"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/64556", Says: "a PDF that was dropped without a word, as if the server had none"},
			{URL: "https://github.com/google/adk-go/issues/1391", Says: "the same, with no sign of it"},
			{URL: "https://github.com/CopilotKit/OpenBot/pull/597", Says: "a part that is no text is named rather than dropped"},
		},
		Run: filesTold,
	},
	{
		ID:        "mcp/files-arrive-whole",
		Level:     trace.Must,
		Text:      "A document or a sound that is sent in base64 is sent as the tool returned it.",
		Why:       "What was cut in the middle is refused, and stays in the history of every later request.",
		Invariant: true,
		Needs:     needs,
		Evidence:  "a request after a tool returned a document or a sound",
		Sources: []rules.Source{
			{URL: results, Says: "data and blob are the whole file in base64"},
			{URL: "https://github.com/anthropics/claude-code/issues/5174", Says: "the 400 of Anthropic for what is no PDF, in every later request"},
			{URL: "https://github.com/esengine/DeepSeek-Reasonix/pull/6227", Says: "base64 that was cut in the middle, as long texts are"},
		},
		Run: filesArriveWhole,
	},
	{
		ID:        "mcp/files-not-as-text",
		Level:     trace.Should,
		Text:      "No text of a request holds the bytes of a document or a sound.",
		Why:       "The model cannot read it, and it costs a token for every few bytes.",
		Invariant: true,
		Needs:     needs,
		Evidence:  "a request after a tool returned a document or a sound",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/15285", Says: "audio and resources that were sent as a giant text of base64"},
			{URL: "https://github.com/decolua/9router/pull/4058", Says: "the same of an image: 268,000 tokens instead of 915"},
		},
		Run: filesNotAsText,
	},
}

// returned is a file that a tool returned, in the first request with the result of its call.
type returned struct {
	turn   rules.ReturnedTurn
	n      int // of the call in its turn
	file   wire.Image
	blocks *trace.Blocks
	result wire.Result
}

// eachFile calls f for every file that a tool returned, once the loop has asked again with a result
// of its call.
func eachFile(r *rules.Run, f func(returned)) {
	for of := range r.RunResults() {
		first := of.Call.Executions[0]
		for _, file := range first.Files() {
			f(returned{turn: of.Turn, n: of.N, file: file, blocks: first.Blocks, result: of.Result})
		}
	}
}

// Some bytes of a file by which it is known, behind what is the same in all files of its type.
const from, to = 60, 90

func (f returned) some() []byte { return f.file.Data[from:to] }

// behind returns the messages behind the call: some loops show a file in one of the user.
func (f returned) behind() []wire.Message { return f.turn.In.Request.Messages[f.turn.Index+1:] }

func (f returned) find(j *rules.CheckResult, at *wire.Node, message, expected, actual string) {
	j.FindAt(f.turn.In, at.Pointer(), fmt.Sprintf(message, f.file.MediaType, f.turn.Turn.Answer.Calls[f.n].As), expected, actual)
}

func filesTold(r *rules.Run) (j rules.CheckResult) {
	eachFile(r, func(f returned) {
		j.HasEvidence = true
		if !f.shown() && !f.named() {
			f.find(&j, f.result.Node, "the file of the type %s that the call %s brought is lost without a word", "the file, or a note about it", rules.Show(f.result.Node))
		}
	})
	return j
}

// shown reports whether any value behind the call holds the file or says where it is.
func (f returned) shown() (is bool) {
	for _, m := range f.behind() {
		m.Node.Walk(func(n *wire.Node) {
			elsewhere := slices.ContainsFunc([]string{"file_id", "file_url", "fileUri", "file_uri"}, func(key string) bool { return n.Get(key) != nil })
			is = is || elsewhere || rules.HoldsBytes(n.Text(), f.some())
		})
	}
	return is
}

// named reports whether what is said behind the call says anything besides the texts of the result.
func (f returned) named() bool {
	said := f.result.Content.Text
	for _, m := range f.behind() {
		if m.Role == wire.User {
			said += "\n" + m.Content.Text
		}
	}
	for _, text := range slices.Concat(f.blocks.Texts, f.blocks.Resources, []string{f.blocks.Structured}) {
		for _, form := range []string{rules.InJSON(text), text} {
			if form != "" {
				said = strings.ReplaceAll(said, form, "")
			}
		}
	}
	return strings.ContainsFunc(said, unicode.IsLetter)
}

func filesArriveWhole(r *rules.Run) (j rules.CheckResult) {
	eachFile(r, func(f returned) {
		j.HasEvidence = true // also where nothing of it is sent, as by most loops
		whole := plain(base64.StdEncoding.EncodeToString(f.file.Data))
		for _, m := range f.behind() {
			m.Node.Walk(func(n *wire.Node) {
				sent, is := encoded(n.Text())
				if !is || !rules.HoldsBytes(sent, f.some()) {
					return
				}
				if sent != whole {
					f.find(&j, n, "the file of the type %s that the call %s brought is not sent whole", fmt.Sprintf("%d characters of base64", len(whole)), fmt.Sprintf("%d of them, or other ones", len(sent)))
				}
			})
		}
	})
	return j
}

// encoded returns what is base64 in a text that is nothing else, but for the head of a data URL.
func encoded(text string) (string, bool) {
	if head, data, is := strings.Cut(text, ";base64,"); is && strings.HasPrefix(head, "data:") {
		text = data
	}
	text = plain(text)
	return text, !strings.ContainsFunc(text, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/')
	})
}

// plain writes base64 in one of its forms.
func plain(text string) string {
	return strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "").Replace(text), "=")
}

func filesNotAsText(r *rules.Run) (j rules.CheckResult) {
	eachFile(r, func(f returned) {
		j.HasEvidence = true
		for _, m := range f.behind() {
			if rules.HoldsBytes(rules.TextOf(m), f.some()) {
				f.find(&j, m.Node, "a text holds the bytes of the file of the type %s that the call %s brought", "the file, or no bytes of it", rules.Show(m.Node))
				return
			}
		}
	})
	return j
}
