package journal_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestOldEntriesAreForgotten(t *testing.T) {
	j := open(journal.Options{Entries: 2})
	for range 3 {
		j.Add(new(entry(t, asks)))
	}
	if got := numbers(j.Entries()); got != "[2 3]" || j.Count() != 3 {
		t.Errorf("remembered are %s of %d", got, j.Count())
	}
	if _, ok := j.Entry(1); ok {
		t.Error("the first entry is still there")
	}
	if e, ok := j.Entry(3); !ok || e.Number != 3 {
		t.Errorf("the third entry is %+v", e)
	}
	if got := j.Sum().Requests; got != 3 {
		t.Errorf("summed up are %d requests", got)
	}
}

// The bodies of old entries go when all together are too heavy; what was wrong with them stays.
func TestBodiesAreForgotten(t *testing.T) {
	heavy := string(make([]byte, 0, 1)) + `{"role":"user","content":"` + strings.Repeat("x", 1000) + `"}`
	for _, late := range []bool{false, true} {
		j := open(journal.Options{Budget: journal.NewBudget(2500), Late: late})
		for _, messages := range [][]string{{heavy, calls}, {heavy}, {heavy}} {
			j.Add(new(entry(t, messages...))).Answered(journal.Answer{Status: 200, Writes: wire.NewPieces([]byte("Yes."))})
		}
		all := j.Entries()
		if !all[0].Forgotten || all[0].Body() != nil || len(all[0].Findings) == 0 || all[0].Answer.Status != 200 {
			t.Errorf("late %v: the oldest entry is %+v", late, all[0])
		}
		if all[2].Forgotten || len(all[2].Body()) < 1000 || string(all[2].Answer.Body()) != "Yes." {
			t.Errorf("late %v: the newest entry is %+v", late, all[2])
		}
	}
}

// Of thousands of findings about one rule in a request the first hundred are kept, since they stay
// when its body is forgotten.
func TestFindingsAreBounded(t *testing.T) {
	for _, late := range []bool{false, true} {
		var keys strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&keys, `,"k%d":1`, i)
		}
		e := entry(t, asks)
		req, err := chat.Read([]byte(strings.TrimSuffix(string(e.Body()), "}") + keys.String() + "}"))
		if err != nil {
			t.Fatal(err)
		}
		e.Exchange.Request = req
		j := open(journal.Options{Late: late})
		j.Add(&e)
		of := map[string]int{}
		for _, f := range j.Entries()[0].Findings {
			of[f.Rule]++
		}
		if of["egress/request-keys"] != 100 {
			t.Errorf("late %v: the findings of each rule are %v", late, of)
		}
	}
}

// Journals that share a budget hold no more together, and one that was released leaves its share to
// the others.
func TestJournalsShareABudget(t *testing.T) {
	size := int64(2 * len(body(asks)))
	budget := journal.NewBudget(3 * size)
	one, other := open(journal.Options{Budget: budget}), open(journal.Options{Budget: budget})
	for range 2 {
		one.Add(new(entry(t, asks)))
		other.Add(new(entry(t, asks)))
	}
	forgotten := func(j *journal.Journal) (n int) {
		for _, e := range j.Entries() {
			if e.Forgotten {
				n++
			}
		}
		return n
	}
	if a, b := forgotten(one), forgotten(other); a != 0 || b != 1 {
		t.Errorf("the journals have forgotten %d and %d entries, want 0 and 1", a, b)
	}
	one.Release()
	one.Reset()
	other.Add(new(entry(t, asks)))
	other.Add(new(entry(t, asks)))
	if n := forgotten(other); n != 1 {
		t.Errorf("with a budget of its own it has forgotten %d entries, want 1", n)
	}
}

// What is noted after a reset is noted nowhere, and harms nothing.
func TestReset(t *testing.T) {
	j := open(journal.Options{Budget: journal.NewBudget(200)})
	note := j.Add(new(entry(t, asks)))
	j.Reset()
	j.Add(new(entry(t, asks, says, thanks)))
	note.Answered(journal.Answer{Status: 200, Writes: wire.NewPieces(make([]byte, 10_000))})
	note.Ended(trace.Exchange{})
	all := j.Entries()
	if len(all) != 1 || all[0].Number != 1 || all[0].Forgotten || all[0].Answer.Status != 0 || all[0].Done {
		t.Errorf("after the reset there is %+v", all)
	}
	if got := j.Sum().Requests; got != 1 {
		t.Errorf("summed up are %d requests", got)
	}
}

func TestNotesChangeTheEntry(t *testing.T) {
	j := open(journal.Options{})
	changed := j.Changes().Next()
	note := j.Add(new(entry(t, asks)))
	select {
	case <-changed:
	default:
		t.Error("a new entry is no change")
	}
	changed = j.Changes().Next()
	note.Answered(journal.Answer{Status: 200, Writes: wire.NewPieces([]byte("Ye"), []byte("s.")), Streamed: true})
	<-changed
	x := j.Entries()[0].Exchange
	x.End = 5
	note.Ended(x)
	if e, _ := j.Entry(1); e.Took() != 5 || !e.Done || string(e.Answer.Body()) != "Yes." {
		t.Errorf("the entry is %+v", e)
	}
}

func TestRedact(t *testing.T) {
	given := http.Header{
		"Authorization": {"Bearer sk-1"}, "X-Api-Key": {"sk-2"}, "Api-Key": {"sk-3"}, "X-Goog-Api-Key": {"sk-4"},
		"Cookie": {"a=sk-5"}, "Proxy-Authorization": {"sk-6"}, "X-Amz-Security-Token": {"sk-7"}, "Content-Type": {"application/json"},
	}
	kept := journal.Redact(given)
	for name, values := range kept {
		if strings.Contains(values[0], "sk-") {
			t.Errorf("%s: %s", name, values)
		}
	}
	if kept.Get("Content-Type") != "application/json" || given.Get("Authorization") != "Bearer sk-1" {
		t.Errorf("redacted: %v, given: %v", kept, given)
	}
	u, err := url.Parse("/v1/x?alt=sse&key=sk-1&api%2Dkey=sk-2&access_token=sk-3&flag")
	if err != nil {
		t.Fatal(err)
	}
	want := "/v1/x?alt=sse&key=(redacted)&api%2Dkey=(redacted)&access_token=(redacted)&flag"
	if got := journal.RedactTarget(u); got != want {
		t.Errorf("the target is %s", got)
	}
}

// A key is not told either where no key belongs.
func TestRedactElsewhere(t *testing.T) {
	const key = "sk-proj-0123456789abcdef0"
	given := http.Header{"Referer": {"https://a.example/x?key=mine&b=1"}, "X-Note": {"my key is " + key}, "User-Agent": {"a"}}
	kept := journal.Redact(given)
	if kept.Get("Referer") != "https://a.example/x?key=(redacted)&b=1" || kept.Get("X-Note") != "my key is (redacted)" || kept.Get("User-Agent") != "a" || given.Get("X-Note") != "my key is "+key {
		t.Errorf("redacted: %v, given: %v", kept, given)
	}
	for _, c := range []struct{ target, want string }{
		{"/v1/models", "/v1/models"},
		{"/v1/models/" + key, "/v1/models/(redacted)"},
		{"/v1/models?debug=" + key + "&a", "/v1/models?debug=(redacted)&a"},
		{"/v1/models?a=1", "/v1/models?a=1"},
	} {
		u, err := url.Parse(c.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := journal.RedactTarget(u); got != c.want {
			t.Errorf("%s is told as %s", c.target, got)
		}
	}
}

func TestReport(t *testing.T) {
	j := open(journal.Options{})
	if r := j.Report("1.0"); r.Result != "partial" || r.Version != "1.0" || len(r.Cases) != 0 {
		t.Errorf("of no request the report is %+v", r)
	}
	good, bad, unrouted := entry(t, asks), entry(t, asks, calls), entry(t, asks)
	good.Scenario, unrouted.Unrouted = "weather", true
	good.Header = http.Header{"User-Agent": {"OpenAI/Python 2.0"}}
	bad.Exchange.Refusal = &trace.Refusal{Rule: "pairing/every-call-answered", Status: 400, Message: "must be followed"}
	for _, e := range []journal.Entry{good, unrouted, bad} {
		j.Add(&e)
	}
	r := j.Report("1.0")
	var ids []string
	for _, c := range r.Cases {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"request 1 (weather)", "request 2"}, ids); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	c, f := r.Example("pairing/every-call-answered")
	if r.Result != "not-conformant" || r.Loop.Name != "OpenAI/Python 2.0" || f == nil || f.Request != 2 || f.Exhibit == "" || c.ProviderAnswer.Status != 400 {
		t.Errorf("the report is %+v", r)
	}
	if s := j.Sum(); s.Requests != 2 || s.Musts != 1 || !s.Violations() {
		t.Errorf("summed up: %+v", s)
	}
	if got := bad.Refused(); got != "OpenAI answers 400: must be followed" {
		t.Errorf("the refusal reads %q", got)
	}
}

// TestLateAnswerOfDroppedEntry: an answer to a request that the journal no longer has takes nothing
// of its budget.
func TestLateAnswerOfDroppedEntry(t *testing.T) {
	j := open(journal.Options{Entries: 2, Budget: journal.NewBudget(10_000)})
	dropped := j.Add(new(entry(t, asks)))
	j.Add(new(entry(t, asks, calls, results)))
	j.Add(new(entry(t, asks)))
	dropped.Answered(journal.Answer{Status: 200, Writes: wire.NewPieces(make([]byte, 20_000))})
	for _, e := range j.Entries() {
		if e.Forgotten {
			t.Errorf("entry %d was forgotten", e.Number)
		}
	}
	if got := numbers(j.Entries()); got != "[2 3]" {
		t.Errorf("the entries are %s", got)
	}
}
