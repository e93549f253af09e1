package engine_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// shop is what a server of an application plays: sets of answers, a conversation, and one that
// takes what is left.
func shop(tb testing.TB) []*scenarios.Scenario {
	return []*scenarios.Scenario{
		script(tb, "rest", "model: [{when: {}, text: I cannot say.}]"),
		script(tb, "weather", `
model:
  - when: {result: {tool: get_weather}}
    text: 'It is {{ result "get_weather" }}.'
  - when: {user: {contains: weather}}
    calls: [{as: it, tool: get_weather, arguments: '{"question": {{ user | json }}}'}]`),
		script(tb, "refunds", `
when: {headers: {X-Tenant: acme}}
model:
  - when: {user: {contains: refund an order}}
    status: 503
    times: 2
  - when: {user: {contains: refund an order}, tools: [refund]}
    text: Refunded.`),
		script(tb, "booking", "prompt: Book a table.\nmodel: [{text: When?}, {text: Booked.}]"),
	}
}

// said is a request of a user who says one thing after what was said before.
func said(dialect, text string, before ...string) string {
	all := append(before, `{"role":"user","content":"`+text+`"}`)
	body := `{"model":"m","messages":[` + strings.Join(all, ",") + `]}`
	if dialect == "anthropic" {
		body = strings.Replace(body, "{", `{"max_tokens":100,`, 1)
	}
	return body
}

var pathOf = map[string]string{"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}

func TestFirstFittingScriptAnswers(t *testing.T) {
	for _, name := range []string{"openai", "anthropic"} {
		srv := start(t, engine.Config{Profile: profile(t, name), Scenarios: shop(t)})
		ask := func(body string) answer { return do(t, http.MethodPost, srv.URL+pathOf[name], body) }
		for range 2 { // as often as it is asked
			if got := ask(said(name, "How is the weather?")); !got.says(`How is the weather?`) || !got.says("get_weather") {
				t.Errorf("under %s a question about the weather is answered %d %s", name, got.status, got.body)
			}
		}
		if got := ask(said(name, "Sing.")); !got.says("I cannot say.") {
			t.Errorf("under %s what no other script answers is answered %d %s", name, got.status, got.body)
		}
		if got := ask(said(name, "Book a table.")); !got.says("When?") {
			t.Errorf("under %s a conversation begins with %d %s", name, got.status, got.body)
		}
		second := said(name, "At eight.", `{"role":"user","content":"Book a table."}`, `{"role":"assistant","content":"When?"}`)
		if got := ask(second); !got.says("Booked.") {
			t.Errorf("under %s a conversation goes on with %d %s", name, got.status, got.body)
		}
		var told []string
		for _, e := range srv.Journal().Entries() {
			told = append(told, e.Scenario)
		}
		if got := strings.Join(told, " "); got != "weather weather rest booking booking" {
			t.Errorf("under %s the journal names the scripts %s", name, got)
		}
	}
}

// A step that fails a number of times is over for a request that was sent so often, and for no
// other.
func TestTimesAreCountedForEachRequest(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: shop(t)[2:3]})
	refund := func(text string) int {
		body := strings.Replace(said("openai", text), `"messages"`, `"tools":[{"type":"function","function":{"name":"refund","parameters":{"type":"object","properties":{}}}}],"messages"`, 1)
		req, _ := http.NewRequest(http.MethodPost, srv.URL+pathOf["openai"], strings.NewReader(body))
		req.Header.Set("X-Tenant", "acme")
		return send(t, req).status
	}
	for _, c := range []struct {
		text string
		want int
	}{{"refund an order", 503}, {"refund an order", 503}, {"refund an order", 200}, {"refund an order too", 503}, {"refund an order", 200}} {
		if got := refund(c.text); got != c.want {
			t.Errorf("%q is answered %d, want %d", c.text, got, c.want)
		}
	}
}

// A step that counts requests counts all of them, also equal and longer ones, in each run for
// itself.
func TestRequestsAreCountedTogether(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "plan", `
when: {user: {contains: plan}}
model:
  - {text: One., requests: 2}
  - {status: 503, requests: 1}
  - {text: Three., when: {user: {contains: plan B}}}
`)}})
	var got []int
	for _, text := range []string{"plan A", "plan B", "plan A", "plan B", "plan A"} {
		got = append(got, ask(t, srv.URL, said("openai", text)).status)
	}
	if want := []int{200, 200, 503, 200, 404}; !slices.Equal(got, want) {
		t.Errorf("the requests are answered %v, want %v", got, want)
	}
	if left := ask(t, srv.URL, said("openai", "plan A")).body; !strings.Contains(left, "step 1 (line 6), but it answers only so many requests of a run: 2") {
		t.Errorf("the last one is answered %s", left)
	}
	if own := testRun(t, srv, engine.TestRunConfig{}); ask(t, strings.TrimSuffix(own.BaseURL(srv.URL), "/v1"), said("openai", "plan A")).status != 200 {
		t.Error("the requests of one run count in another")
	}
}

func TestWhatNothingAnswersIsExplained(t *testing.T) {
	for _, c := range []struct{ text, why string }{
		{"Refund an order!", `refunds, step 1 (line 6), but headers/X-Tenant: "" is not "acme"; user: "Refund an order!" does not contain "refund an order" (capitals count)`},
		{"Book a chair.", `booking, but first-user: "Book a chair." is not "Book a table."`},
		{"How is the Weather?", `weather, step 2 (line 7), but user: "How is the Weather?" does not contain "weather" (capitals count)`},
	} {
		srv := start(t, engine.Config{Scenarios: shop(t)[1:]})
		got := ask(t, srv.URL, said("openai", c.text))
		want := `No script answers this request: the user said "` + c.text + `", in turn 1, of the model "m". The nearest of 5 is ` + c.why + ". A step without `when` answers what is left."
		if got.status != 404 || got.body != ours(profile(t, "openai"), 404, want) {
			t.Errorf("%q is answered %d\n%s\nwant\n%s", c.text, got.status, got.body, want)
		}
	}
}

// A template value that the request does not have is an error.
func TestTemplateWithoutItsValueIsExplained(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "greet", "model: [{when: {}, text: 'Good day, {{ field \"/metadata/name\" }}.'}]")}})
	want := "Step 1 of greet cannot answer: in its text, the request has no field /metadata/name."
	if got := ask(t, srv.URL, hello); got.status != 404 || got.body != ours(profile(t, "openai"), 404, want) {
		t.Errorf("the answer is %d %s", got.status, got.body)
	}
	if e := srv.Journal().Entries()[0]; e.Scenario != "greet" || e.Exchange.Problem == "" {
		t.Errorf("it is in the journal as %+v", e)
	}
}

// A conversation may be chosen by conditions instead of by its first prompt.
func TestConversationChosenByConditions(t *testing.T) {
	table := scenario(t, "prompt: Book a table.\nwhen: {first-user: {contains: table}}\nmodel: [{text: When?}, {text: Booked.}]")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{table}})
	if got := ask(t, srv.URL, said("openai", "I want a table, please.")); !got.says("When?") {
		t.Errorf("the answer is %d %s", got.status, got.body)
	}
	if got := ask(t, srv.URL, said("openai", "Hello.")); got.status != 404 {
		t.Errorf("a request that does not fit is answered %d %s", got.status, got.body)
	}
}

func TestScenariosThatNobodyCouldTellApart(t *testing.T) {
	rest, prompt := "model: [{when: {}, text: a}]", "prompt: Hello.\nmodel: [{text: a}]"
	for _, c := range []struct{ name, one, two, want string }{
		{"two prompts", prompt, prompt, `the scenarios one and two both begin with the prompt "Hello."`},
		{"two that take the rest", rest, rest, "the scenarios one and two both answer every request that nothing else answers"},
		{"rest and conversation", rest, "when: {}\n" + prompt, "the scenarios one and two both answer every request that nothing else answers"},
		{"rest and prompt", rest, prompt, ""},
		{"the same conditions", "when: {turn: 1}\n" + prompt, "when: {turn: 1}\n" + prompt, ""},
	} {
		err := scripts.Check([]*scenarios.Scenario{script(t, "one", c.one), script(t, "two", c.two)})
		if got := errorText(err); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: the error is %q, want %q", c.name, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
