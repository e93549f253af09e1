package controlapi

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// runView is a run as the API shows it.
type runView struct {
	ID       string      `json:"id"`
	Scenario string      `json:"scenario"`
	Title    string      `json:"title"`
	Dialect  string      `json:"dialect"`
	Profile  string      `json:"profile"`
	Delivery string      `json:"delivery"`
	Lenient  bool        `json:"lenient"`
	Started  time.Time   `json:"started"`
	Sum      journal.Sum `json:"sum"`
	BaseURL  string      `json:"base_url"`
	APIKey   string      `json:"api_key,omitempty"`
	Task     any         `json:"task,omitempty"`

	Environment map[string]string `json:"environment,omitempty"` // of a run that was just made
}

func viewRun(r Run, base string) runView {
	return runView{
		ID: r.ID, Scenario: r.Scenario, Title: r.Title, Dialect: r.Dialect, Profile: r.Profile, Delivery: r.Delivery,
		Lenient: r.Lenient, Started: r.Started, Sum: r.Journal.Sum(),
		BaseURL: r.URL(base), APIKey: r.APIKey,
	}
}

// requestView is a request as the API shows it. In lists only what is new of its messages is shown.
type requestView struct {
	trace.Summary
	Headers    map[string][]string `json:"headers,omitempty"`
	Messages   []messageView       `json:"messages,omitempty"`
	New        []messageView       `json:"new"`
	NewLeftOut int                 `json:"new_left_out,omitempty"`
	Tools      []string            `json:"tools"`
	Answer     *answerView         `json:"answer"`
}

// messageView is a message in neutral words.
type messageView struct {
	Role      string       `json:"role"`
	Text      string       `json:"text"`
	Reasoning string       `json:"reasoning,omitempty"`
	Calls     []callView   `json:"calls,omitempty"`
	Results   []resultView `json:"results,omitempty"`
}

type callView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type resultView struct {
	CallID string `json:"call_id"`
	Text   string `json:"text"`
	Error  bool   `json:"error"`
}

// answerView is an answer in neutral words.
type answerView struct {
	Status    int                 `json:"status"`
	Streamed  bool                `json:"streamed"`
	Headers   map[string][]string `json:"headers,omitempty"`
	Text      string              `json:"text"`
	Reasoning string              `json:"reasoning,omitempty"`
	Refusal   string              `json:"refusal,omitempty"`
	Calls     []callView          `json:"calls"`
	Items     []itemView          `json:"provider_items,omitempty"`
	Finish    string              `json:"finish,omitempty"`
	Ending    string              `json:"ending,omitempty"`
	Bytes     int                 `json:"bytes"`
}

// viewRequest shows a request; whole with all of its history and its headers.
func viewRequest(e journal.Entry, whole bool) requestView {
	v := requestView{Summary: e.Summary(), New: []messageView{}, Tools: []string{}, Answer: viewAnswer(e.Answer, whole)}
	if whole {
		v.Headers = e.Header
	}
	v.read(e, whole)
	return v
}

// read fills in what the request says.
func (v *requestView) read(e journal.Entry, whole bool) {
	req := e.Exchange.Request
	if req == nil {
		return
	}
	for _, t := range req.Tools {
		v.Tools = append(v.Tools, t.Name)
	}
	fresh := e.New()
	if !whole && len(fresh) > maxListed {
		v.NewLeftOut = len(fresh) - maxListed
		fresh = fresh[v.NewLeftOut:]
	}
	for _, m := range fresh {
		shown := viewMessage(m)
		if !whole {
			shown.shorten()
		}
		v.New = append(v.New, shown)
	}
	if whole {
		for _, m := range req.Messages {
			v.Messages = append(v.Messages, viewMessage(m))
		}
	}
}

// How much of a request a list shows; asked for alone it is whole.
const (
	maxListed     = 50    // new messages, the last
	maxListedText = 10000 // letters of a text
)

// shorten cuts the texts of a message where they are long.
func (v *messageView) shorten() {
	for _, text := range []*string{&v.Text, &v.Reasoning} {
		*text = textlayout.ShortenCounted(*text, maxListedText)
	}
	for i := range v.Calls {
		v.Calls[i].Arguments = textlayout.ShortenCounted(v.Calls[i].Arguments, maxListedText)
	}
	for i := range v.Results {
		v.Results[i].Text = textlayout.ShortenCounted(v.Results[i].Text, maxListedText)
	}
}

func viewMessage(m wire.Message) messageView {
	v := messageView{Role: cmp.Or(m.RoleWord, string(m.Role)), Text: m.Content.Text, Reasoning: m.Reasoning.Text.Text()}
	for _, c := range m.Calls {
		v.Calls = append(v.Calls, callView{c.ID, c.Name, c.Arguments})
	}
	for _, r := range m.Results {
		v.Results = append(v.Results, resultView{r.CallID, r.Content.Text, r.Failed})
	}
	if len(m.Results) > 0 && m.Role == wire.Tool { // whose text is the result
		v.Text = ""
	}
	return v
}

// viewAnswer shows an answer; none is nil.
func viewAnswer(a journal.Answer, whole bool) *answerView {
	if a.Status == 0 && a.Writes.Len() == 0 && a.Ending == journal.Whole {
		return nil
	}
	v := &answerView{Status: a.Status, Streamed: a.Streamed, Ending: string(a.Ending), Calls: []callView{}, Bytes: a.Size()}
	if whole {
		v.Headers = a.Header
	}
	if a.Said == nil {
		return v
	}
	v.Text, v.Refusal, v.Finish = a.Said.Text, a.Said.Refusal, string(a.Said.Finish)
	if a.Said.Reasoning != nil {
		v.Reasoning = *a.Said.Reasoning
	}
	for _, c := range a.Said.Calls {
		v.Calls = append(v.Calls, callView{c.ID, c.Name, c.Arguments})
	}
	v.Items = viewItems(a.Said)
	if !whole {
		for i := range v.Items {
			v.Items[i].shorten()
		}
	}
	return v
}

// plain answers with the bytes of a request or response, so that no browser runs them.
func plain(w http.ResponseWriter, contentType string, body []byte) {
	h := w.Header()
	if !strings.HasPrefix(contentType, jsonType) {
		contentType = "text/plain; charset=utf-8"
	}
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	w.Write(body)
}
