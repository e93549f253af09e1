package agreement

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// TestBodies: every body has a name of its own and a class of the table.
func TestBodies(t *testing.T) {
	for _, dialect := range []string{"chat", "messages", "responses", "gemini"} {
		seen := map[string]bool{}
		for _, b := range Bodies(dialect) {
			if seen[b.ID] {
				t.Errorf("%s: two bodies are called %s", dialect, b.ID)
			}
			seen[b.ID] = true
			if !slices.Contains(Classes(), b.Class()) {
				t.Errorf("%s: the class %q of %s is not in the table", dialect, b.Class(), b.ID)
			}
			if !json.Valid(b.Body) {
				t.Errorf("%s: %s is no JSON", dialect, b.ID)
			}
		}
		for _, class := range Classes() {
			if dialect == "gemini" && slices.Contains([]string{"pairing", "ids", "roles"}, class) {
				continue // its witness reads requests, and does not look at what stands where
			}
			if !slices.ContainsFunc(Bodies(dialect), func(b Body) bool { return b.Class() == class }) {
				t.Errorf("%s: no body is of the class %s", dialect, class)
			}
		}
	}
}

// TestStoredResultsAreOfTodaysBodies: a body that is new, or was changed, has to be asked about.
func TestStoredResultsAreOfTodaysBodies(t *testing.T) {
	folder := os.DirFS("../oracles/results")
	results, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		table, err := Compare(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range table.Stale {
			t.Errorf("lab/oracles/results/%s has no answer to today's %s: run cd lab && go run ./oracles %s", r.File(), b.ID, r.Oracle)
		}
		for _, a := range r.Answers {
			if !slices.ContainsFunc(Bodies(r.Dialect), func(b Body) bool { return b.ID == a.Body }) {
				t.Errorf("lab/oracles/results/%s answers %s, which no body is called: run cd lab && go run ./oracles %s", r.File(), a.Body, r.Oracle)
			}
		}
	}
	templates, err := loadTemplates(folder)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, a := range templates.Answers {
		asked = append(asked, a.Body+" "+a.Digest)
	}
	for _, b := range Rendered() {
		if !slices.Contains(asked, b.ID+" "+b.Digest()) {
			t.Errorf("lab/oracles/results/%s has no answer to today's %s: run cd lab && go run ./oracles templates", templatesFile, b.ID)
		}
	}
}

// TestAgreement: no profile refuses what the code of its server takes, but for what the model behind
// it refuses, and it refuses nine tenths of what the code refuses. Each disagreement has a reason.
func TestAgreement(t *testing.T) {
	used := map[reason]bool{}
	for _, table := range tables(t) {
		refused, same := table.Refused()
		if percent(same, refused) < 90 {
			t.Errorf("%s: of %d requests that %s refuses, the profile refuses %d with the same status: want 90 %%", table.Profile, refused, table.Code, same)
		}
		for _, row := range table.Rows {
			why := Reason(table.Profile, row.Body.ID)
			used[reason{table.Profile, row.Body.ID, why}] = row.Verdict != BothTake && row.Verdict != BothRefuse
			switch {
			case row.Verdict == FalseRefusal && why != ofTheModel:
				t.Errorf("%s: %s is taken by %s and refused by the mock: %d %s", table.Profile, row.Body.ID, table.Code, row.Ours.Status, row.Ours.Error)
			case row.Verdict != BothTake && row.Verdict != BothRefuse && why == "":
				t.Errorf("%s: %s: %s, and nobody says why: mend the profile, or add a reason", table.Profile, row.Body.ID, row.Verdict)
			}
		}
	}
	for _, r := range reasons {
		if !used[r] {
			t.Errorf("%s and its code agree about %s: take the reason away", r.profile, r.body)
		}
	}
}

// TestExecutedClaims: a refusal that is known by executed names the version that was run, and the
// stored answers show it: there is a request that the profile refuses by this rule, and the real
// code with the same status.
func TestExecutedClaims(t *testing.T) {
	byProfile := map[string]*Table{}
	for _, table := range tables(t) {
		byProfile[table.Profile] = table
	}
	for _, p := range profiles.All() {
		for _, r := range p.Refuses {
			if r.KnownBy != profiles.Executed || strings.HasPrefix(r.Place, "/like") {
				continue
			}
			table := byProfile[p.Name]
			switch {
			case table == nil:
				t.Errorf("%s says that %s was executed, and no answers are stored", p.Name, r.Version)
			case !strings.HasPrefix(r.Version, table.Code):
				t.Errorf("%s: the refusal of %s was seen of %s; the stored answers are of %s", p.Name, r.Rule, r.Version, table.Code)
			case !shown(p, r, table):
				t.Errorf("%s: no stored answer shows that %s refuses a breach of %s with %d", p.Name, table.Code, r.Rule, r.Status)
			}
		}
	}
}

// shown reports whether a request is refused by this refusal, and by the real code with the same
// status.
func shown(p *profiles.Profile, r profiles.Refusal, table *Table) bool {
	return slices.ContainsFunc(table.Rows, func(row Row) bool {
		request, err := p.Speaks.Read(row.Body.Body)
		if err != nil {
			return false
		}
		refusal, refused := rulebook.RefuseBy(p, request, r.Rule)
		return refused && row.Real.Status == refusal.Status
	})
}

func tables(t *testing.T) (all []*Table) {
	t.Helper()
	results, err := Load(os.DirFS("../oracles/results"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		table, err := Compare(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, table)
	}
	return all
}

func TestCompare(t *testing.T) {
	body := Body{fixtures.Request{ID: "good/x", Body: []byte(`{}`)}}
	refusal := func(status int, text string) Reply { return Reply{Status: status, Error: json.RawMessage(text)} }
	taken := Reply{Status: 200}
	for _, c := range []struct {
		name       string
		real, ours Reply
		want       Verdict
		same       [3]bool // envelope, type, words
	}{
		{"both take it", taken, taken, BothTake, [3]bool{}},
		{"the mock alone refuses", taken, refusal(400, `{}`), FalseRefusal, [3]bool{}},
		{"the real code alone refuses", refusal(400, `{}`), taken, NotRefused, [3]bool{}},
		{"another status", refusal(500, `{"error":{"message":"a"}}`), refusal(400, `{"error":{"message":"a"}}`), OtherStatus, [3]bool{true, true, true}},
		{"all the same", refusal(400, `{"error":{"message":"a","type":"b"}}`), refusal(400, `{"error":{"type":"b","message":"a"}}`), BothRefuse, [3]bool{true, true, true}},
		{"another type", refusal(400, `{"error":{"message":"a","type":"b"}}`), refusal(400, `{"error":{"type":"c","message":"a"}}`), BothRefuse, [3]bool{true, false, true}},
		{"another envelope", refusal(400, `{"error":{"message":"a","type":"b"}}`), refusal(400, `{"message":"a","type":"b"}`), BothRefuse, [3]bool{false, true, true}},
		{"a text", refusal(400, `"a"`), refusal(400, `{"message":"a"}`), BothRefuse, [3]bool{false, true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := compare(body, Answer{Body: body.ID, Reply: c.real}, c.ours)
			if row.Verdict != c.want {
				t.Errorf("the verdict is %q, want %q", row.Verdict, c.want)
			}
			if same := [3]bool{row.SameEnvelope, row.SameType, row.SameWords}; same != c.same {
				t.Errorf("envelope, type and words are the same: %v, want %v", same, c.same)
			}
		})
	}
}

// TestResultIsReadAsItWasWritten: one answer a line, and nothing lost.
func TestResultIsReadAsItWasWritten(t *testing.T) {
	want := &Result{Profile: "vllm", Oracle: "vllm", Code: "vLLM 1", Dialect: "chat", Path: "/p", Answers: []Answer{
		{Body: "good/a", Digest: "1", Reply: Reply{Status: 200}},
		{Body: "good/b", Digest: "2", Reply: Reply{Status: 400, Error: json.RawMessage(`{"error":"a < b"}`)}, Others: map[string]Reply{"v3": {Status: 200}}},
		{Body: "good/c", Digest: "3", LeftOut: "an image"},
	}}
	text, err := want.Text()
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines != 5 {
		t.Errorf("three answers take %d lines, want 5:\n%s", lines, text)
	}
	got, err := Load(fstest.MapFS{"vllm.json": {Data: text}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*Result{want}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"an empty folder":     {fstest.MapFS{}, "no stored results"},
		"what is no result":   {fstest.MapFS{"vllm.json": {Data: []byte("[]")}}, "vllm.json: not a stored result"},
		"a file of a profile": {fstest.MapFS{"vllm.json": {Data: []byte(`{"profile":"ollama"}`)}}, `it is about the profile "ollama"`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Load(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
		})
	}
}
