package controlapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/casereport"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// turn shows the i-th request of a conversation and its answer.
func (c *api) turn(talk journal.Conversation, i int, ext extent) page.Turn {
	e := talk.Entries[i]
	x := e.Exchange
	t := page.Turn{
		Request: request(e), Took: page.Span(e.Took()), JSON: c.urlOf(e),
		Version: fmt.Sprint(e.Done, e.Answer.Status, len(e.Findings), e.Forgotten),
		Sent:    page.NewRaw(e.Body(), c.urlOf(e)+"/body", ext.short), Response: page.NewRaw(e.Answer.Body(), c.urlOf(e)+"/answer", ext.short),
		Answer: c.answer(e),
	}
	if i > 0 && talk.Entries[i-1].Done && x.Start >= talk.Entries[i-1].Exchange.End {
		t.Since = page.Span(x.Start - talk.Entries[i-1].Exchange.End)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		t.Headers = append(t.Headers, page.Header{Name: name, Value: strings.Join(e.Header[name], ", ")})
	}
	if x.Refusal != nil && !slices.ContainsFunc(e.Findings, func(f trace.Finding) bool { return f.Rule == x.Refusal.Rule }) {
		t.Refusal = &page.Refusal{Text: e.Refused(), Given: x.Refusal.Given}
	}
	findings := worstFirst(e.Findings)
	if len(findings) > ext.findings {
		t.Unshown, findings = len(findings)-ext.findings, findings[:ext.findings]
	}
	about, places := map[int][]page.Finding{}, messagesAt(e) // by the index of their message
	for _, f := range findings {
		shown := findingOf(e, f)
		at, ok := within(places, f.Pointer)
		if !ok {
			t.Findings = append(t.Findings, shown)
			continue
		}
		shown.Exhibit = "" // it is right above
		about[at] = append(about[at], shown)
	}
	if x.Request != nil {
		for _, tool := range x.Request.Tools {
			t.Tools = append(t.Tools, tool.Name)
		}
		t.Resent, t.Changed = talk.Resent(i)
		c.messages(&t, talk, i, about, ext)
	}
	return t
}

func worstFirst(findings []trace.Finding) []trace.Finding {
	order := map[trace.Level]int{trace.Must: 0, trace.Should: 1, trace.Info: 2}
	findings = slices.Clone(findings)
	slices.SortStableFunc(findings, func(a, b trace.Finding) int { return order[a.Level] - order[b.Level] })
	return findings
}

// request returns what a page says of a request besides its messages.
func request(e journal.Entry) page.Request {
	r := page.Request{
		Number: e.Number, At: e.At, Method: e.Method, Target: e.Target, Problem: e.Exchange.Problem, Fault: e.Fault,
		Forwarded: e.Forwarded, Overrun: e.Exchange.Overrun, Done: e.Done, Forgotten: e.Forgotten,
	}
	if e.Exchange.Request != nil {
		r.Model = e.Exchange.Request.Model
	}
	return r
}

// messagesAt returns the indices of the messages of a request, by their pointers.
func messagesAt(e journal.Entry) map[string]int {
	at := map[string]int{}
	if e.Exchange.Request == nil || len(e.Findings) == 0 {
		return at
	}
	for n, m := range e.Exchange.Request.Messages {
		at[m.Node.Pointer()] = n
	}
	return at
}

// within returns the index of the message in which a pointer points, and false when it points into
// none.
func within(at map[string]int, pointer string) (int, bool) {
	for pointer != "" {
		if n, ok := at[pointer]; ok {
			return n, true
		}
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
	return 0, false
}

func (c *api) urlOf(e journal.Entry) string {
	return fmt.Sprintf("%s/runs/%s/requests/%d", c.prefix, e.Run, e.Number)
}

// messages shows the messages of a request that are new, and those before about which there is
// something to say. Of very many new ones only the first and the last are shown.
func (c *api) messages(t *page.Turn, talk journal.Conversation, i int, about map[int][]page.Finding, ext extent) {
	e := talk.Entries[i]
	all := e.Exchange.Request.Messages
	fresh := len(all) - t.Resent
	tools := toolsOf(all)
	skipped := 0
	for n, m := range all {
		old := n < t.Resent
		if len(about[n]) == 0 && (old || !shows(n-t.Resent, fresh, ext.messages)) {
			if !old {
				skipped++
			}
			continue
		}
		shown := c.message(e, m, tools)
		shown.Skipped, skipped = skipped, 0
		shown.Index, shown.Old, shown.Findings = n, old, about[n]
		shown.Echo = !old && !t.Changed && i > 0 && n == t.Resent && m.Role == wire.Assistant
		t.Messages = append(t.Messages, shown)
	}
	t.Left = skipped
}

func (c *api) message(e journal.Entry, m wire.Message, tools map[string]string) page.Message {
	at := m.Node.Pointer()
	v := page.Message{
		Role: string(m.Role), Word: cmp.Or(m.RoleWord, string(m.Role)), Text: page.NewText(m.Content.Text, c.valueURL(e, at+"/content")),
		Reasoning: page.NewText(m.Reasoning.Text.Text(), c.valueURL(e, at)),
	}
	if v.Word == "" {
		v.Word = "message without a role"
	}
	if len(m.Results) > 0 && m.Role == wire.Tool { // whose text is the result
		v.Text = page.Text{}
	}
	for _, call := range m.Calls {
		v.Calls = append(v.Calls, page.Call{ID: call.ID, Name: call.Name, Arguments: page.NewText(call.Arguments, c.valueURL(e, at))})
	}
	for _, r := range m.Results {
		v.Results = append(v.Results, page.Result{
			CallID: r.CallID, Tool: tools[r.CallID], Error: r.Failed, Text: page.NewText(r.Content.Text, c.valueURL(e, r.Node.Pointer()+"/content")),
		})
	}
	return v
}

// toolsOf returns the names of the tools that were called, by the ids of the calls. An id that
// occurs twice means the later call.
func toolsOf(all []wire.Message) map[string]string {
	tools := map[string]string{}
	for _, m := range all {
		for _, call := range slices.Backward(m.Calls) {
			tools[call.ID] = call.Name
		}
	}
	return tools
}

// valueURL is where a value of the body of a request can be had alone.
func (c *api) valueURL(e journal.Entry, pointer string) string {
	return c.urlOf(e) + "/value?pointer=" + url.QueryEscape(pointer)
}

// answer shows what a request was answered; nil: nothing yet.
func (c *api) answer(e journal.Entry) *page.Answer {
	a := e.Answer
	if a.Status == 0 && a.Ending == journal.Whole {
		return nil
	}
	all := c.urlOf(e) + "/answer"
	v := &page.Answer{Status: a.Status, Streamed: a.Streamed, Failed: a.Said == nil, Ending: endings[a.Ending]}
	if a.Said == nil {
		e := errorOf(e)
		v.Text, v.Kind = page.NewText(cmp.Or(e.message, string(a.Body())), all), e.kind
		return v
	}
	v.Text, v.Refusal, v.Finish = page.NewText(a.Said.Text, all), a.Said.Refusal, string(a.Said.Finish)
	if a.Said.Reasoning != nil {
		v.Reasoning = page.NewText(*a.Said.Reasoning, all)
	}
	for _, call := range a.Said.Calls {
		v.Calls = append(v.Calls, page.Call{ID: call.ID, Name: call.Name, Arguments: page.NewText(call.Arguments, all)})
	}
	for _, item := range viewItems(a.Said) {
		v.Items = append(v.Items, page.Item{ID: item.ID, Type: item.Type, Text: page.NewText(item.Text, all)})
	}
	if t := e.Exchange.Turn; v.Ending == "" && t != nil && t.Breaks() {
		v.Ending = "The script breaks this answer off."
	}
	return v
}

var endings = map[journal.Ending]string{
	journal.Severed: "The connection was closed in the middle.",
	journal.Reset:   "The connection was reset.",

	journal.Disconnected: "The client left before the end of the answer.",
}

// findingOf shows something that is wrong with a request.
func findingOf(e journal.Entry, found trace.Finding) page.Finding {
	f := page.Finding{
		Rule: found.Rule, Level: string(found.Level), Message: found.Message, Expected: found.Expected, Actual: found.Actual,
		Pointer: found.Pointer, Exhibit: casereport.Exhibit(e.Exchange.Request, found), Provider: answerTo(e, found),
	}
	if rule := rulebook.Lookup(found.Rule); rule != nil {
		f.Text = rule.Text
		if len(rule.Sources) > 0 {
			f.Sources = []page.Source{{URL: rule.Sources[0].URL}}
		}
	}
	return f
}

// answerTo says what the real provider answers to a finding, if it is known to refuse it.
func answerTo(e journal.Entry, f trace.Finding) string {
	if r := e.Exchange.Refusal; r != nil && r.Rule == f.Rule {
		return e.Refused()
	}
	if e.Profile == nil {
		return ""
	}
	refusal, ok := e.Profile.Refusal(f.Rule)
	if !ok || !refusal.Refuses(f.Vars) {
		return ""
	}
	return fmt.Sprintf("%s answers %d: %s", e.Profile.Title, refusal.StatusOf(f.Vars), refusal.WordsOf(f.Vars).Message)
}

// showValue answers with one value of the body of a request: a text as it reads, anything else as
// JSON.
func (c *api) showValue(w http.ResponseWriter, r *http.Request) {
	e, ok := c.foundEntry(w, r)
	if !ok {
		return
	}
	if e.Forgotten {
		refuse(w, http.StatusGone, "the body of request %d was forgotten to save memory", e.Number)
		return
	}
	pointer := r.URL.Query().Get("pointer")
	root, err := wire.ParseNode(e.Body())
	if err != nil {
		refuse(w, http.StatusNotFound, "the body of request %d is not JSON: %v", e.Number, err)
		return
	}
	switch n := root.At(pointer); {
	case n == nil:
		refuse(w, http.StatusNotFound, "the body of request %d has nothing at %q", e.Number, pointer)
	case n.Is(wire.String):
		plain(w, "text/plain", []byte(n.Text()))
	default:
		plain(w, jsonType, n.Raw)
	}
}
