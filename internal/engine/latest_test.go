package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// asker sends requests to a provider without a network.
func asker(tb testing.TB) (ask func(body string) string, p *engine.Provider) {
	tb.Helper()
	profile, err := profiles.Get("openai")
	if err != nil {
		tb.Fatal(err)
	}
	scenario := parse(tb, "loopproof: 1\ntitle: t\nmodel:\n  - calls: [{tool: get_weather, arguments: {city: Oslo}}]\n")
	p = engine.New(engine.Config{Profile: profile, Scenarios: []*scenarios.Scenario{scenario}, Secret: "test"})
	return func(body string) string {
		r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer test")
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		answer, err := io.ReadAll(w.Result().Body)
		if err != nil {
			tb.Fatal(err)
		}
		return fmt.Sprint(w.Code, " ", string(answer))
	}, p
}

// A request is answered and judged as if no other had come before it, also where it goes on from one
// that breaks rules, changes it, or leaves it for another conversation.
func TestGrowingConversationIsJudgedAsAlone(t *testing.T) {
	ask, together := asker(t)
	whole := history(20, 20_000)
	wrong := strings.Replace(whole, `"tool_call_id":"call_7"`, `"tool_call_id":"call_1"`, 1)
	for i, body := range []string{history(8, 8_000), history(9, 9_000), history(9, 9_000), whole, wrong, strings.Replace(wrong, `"day":19`, `"day":20`, 1), history(9, 9_000), strings.Replace(whole, "Oslo is fine", "Oslo is bad", 3), whole} {
		alone, by := asker(t)
		if diff := cmp.Diff(alone(body), ask(body)); diff != "" {
			t.Errorf("request %d is answered (-alone +behind others):\n%s", i+1, diff)
		}
		one, _ := by.Journal().Entry(1)
		other, _ := together.Journal().Entry(i + 1)
		if diff := cmp.Diff(one.Findings, other.Findings); diff != "" {
			t.Errorf("request %d is found (-alone +behind others):\n%s", i+1, diff)
		}
	}
}

// What is old in a request is not read again: a late one allocates about as often as an early one,
// also where other conversations begin meanwhile.
func TestGrowingConversationCostsWhatIsNew(t *testing.T) {
	for name, meanwhile := range map[string]func(ask func(string) string, number int){
		"alone": func(func(string) string, int) {},
		"beside others": func(ask func(string) string, number int) {
			ask(strings.Replace(history(5, 5_000), "What is", fmt.Sprint(number), 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			ask, _ := asker(t)
			var bodies []string
			for i := range 120 {
				bodies = append(bodies, history(i+1, (i+1)*1000))
			}
			next := func() {
				meanwhile(ask, len(bodies))
				ask(bodies[0])
				bodies = bodies[1:]
			}
			for range 9 {
				next()
			}
			early := testing.AllocsPerRun(50, next)
			if late := testing.AllocsPerRun(50, next); late > 1.3*early {
				t.Errorf("a request in the first half allocates %v times, one in the second half %v times", early, late)
			}
		})
	}
}

// Nor is what the provider keeps, which it puts before what a request says.
func TestGrowingChainCostsWhatIsNew(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "x", "model: [{text: Done.}]\n")}})
	previous := ""
	next := func() {
		w := serveResponses(p, fmt.Sprintf(`{"model":"m","input":%q,"previous_response_id":%s}`, strings.Repeat("x", 1000), orNull(previous)))
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		previous = gjson.Get(w.Body.String(), "id").String()
	}
	for range 9 {
		next()
	}
	early := testing.AllocsPerRun(50, next)
	if late := testing.AllocsPerRun(50, next); late > 1.3*early {
		t.Errorf("a turn in the first half allocates %v times, one in the second half %v times", early, late)
	}
}
