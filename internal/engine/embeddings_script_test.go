package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const animals = `loopproof: 1
embeddings:
  - {input: cat, vector: [1, 0, 0.5]}
  - {input: {contains: dog}, model: big, vector: [0, 1]}
  - {input: {contains: dog}, vector: [0, 1, 0]}
  - {input: wolf, vector: AACAPwAAAAAAAAAA}
  - {input: {matches: '^fail'}, behaviour: {faults: [{status: 503, times: 1}]}}
  - {table: more.jsonl}
`

func embeddingScript(t *testing.T, text, table string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.ParseBeside(fstest.MapFS{"more.jsonl": {Data: []byte(table)}}, "animals.yaml", []byte(text), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A script says which vectors texts have, in every form of request, and other texts get vectors of
// the same size.
func TestScriptedEmbeddings(t *testing.T) {
	s := embeddingScript(t, animals, `{"input":"bird","vector":[0,0,1]}`+"\n"+`{"input":"bird","model":"big","vector":"AACAPwAAAAA="}`)
	srv := start(t, engine.Config{Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "gemini-3")}, Scenarios: []*scenarios.Scenario{s}})
	got := vectors(t, srv.URL, `{"model":"m","input":["cat","a dog","wolf","bird"]}`)
	if want := "[[1 0 0.5] [0 1 0] [1 0 0] [0 0 1]]"; fmt.Sprint(got) != want {
		t.Errorf("the vectors are %v, want %s", got, want)
	}
	if got := vectors(t, srv.URL, `{"model":"big","input":["a dog","bird"],"dimensions":2}`); fmt.Sprint(got) != "[[0 1] [1 0]]" {
		t.Errorf("those of another model are %v", got)
	}
	if got := vectors(t, srv.URL, `{"model":"m","input":"other"}`); len(got[0]) != 3 {
		t.Errorf("another text has a vector of %d", len(got[0]))
	}
	gemini := do(t, http.MethodPost, srv.URL+"/v1beta/models/big:embedContent", `{"content":{"parts":[{"text":"my dog"}]}}`)
	if gemini.body != `{"embedding":{"values":[0,1]}}` {
		t.Errorf("Gemini answers %d %s", gemini.status, gemini.body)
	}
	other := do(t, http.MethodPost, srv.URL+"/v1/embeddings", `{"model":"m","input":"cat","dimensions":7}`)
	if other.status != 404 || !strings.Contains(other.body, `the vector that animals has for \"cat\" has 3 numbers, and the request wants 7`) && !strings.Contains(other.body, "The vector that animals has") {
		t.Errorf("another size is answered %d %s", other.status, other.body)
	}
	for i, want := range []int{503, 200} {
		if got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", `{"model":"m","input":["cat","fail me"]}`); got.status != want {
			t.Errorf("the attempt %d gets %d, want %d", i+1, got.status, want)
		}
	}
	run := testRun(t, srv, engine.TestRunConfig{})
	if got := do(t, http.MethodPost, srv.URL+"/run/"+run.ID+"/v1/embeddings", `{"model":"m","input":"cat"}`); !strings.Contains(got.body, "[1,0,0.5]") {
		t.Errorf("a run answers %d %s", got.status, got.body)
	}
}

func TestBadScriptedEmbeddings(t *testing.T) {
	for _, c := range []struct{ entry, table, want string }{
		{"{input: a}", "", "a.yaml:2:14: say which `vector` these texts have"},
		{"{input: a, vector: []}", "", "a.yaml:2:33: a vector has 1 to 8192 numbers, not 0"},
		{"{input: a, vector: [1, x]}", "", "a.yaml:2:37: expected a number"},
		{"{input: a, vector: no base64}", "", "a.yaml:2:33: expected a vector: a list of numbers"},
		{"{input: a, vectr: [1]}", "", `a.yaml:2:25: unknown key "vectr" (did you mean "vector"?)`},
		{"{input: a, table: more.jsonl}", `{"input":"b","vector":[1]}`, "a.yaml:2:22: the table says for which texts"},
		{"{vector: [1], table: more.jsonl}", `{"input":"b","vector":[1]}`, "a.yaml:2:35: the vectors are one `vector`"},
		{"{table: none.jsonl}", "", "a.yaml:2:22: there is no file none.jsonl alongside the scenario"},
		{"{table: more.jsonl}", "{\"input\":\"b\",\"vector\":[1]}\n{\"input\":\"b\"}", "a.yaml:2:22: line 2 of more.jsonl has no vector"},
		{"{table: more.jsonl}", `{"input":"b","vectors":[1]}`, "a.yaml:2:22: line 1 of more.jsonl is no row of a table"},
		{"{input: a, behaviour: {faults: [{status: 200}]}}", "", "a.yaml:2:55: a request fails with a status from 400 to 599"},
		{"{input: a, behaviour: {rate-limit: {requests: 1}}}", "", "what is taken is not a matter of one text"},
	} {
		_, err := scenarios.ParseBeside(fstest.MapFS{"more.jsonl": {Data: []byte(c.table)}}, "a.yaml", []byte("loopproof: 1\nembeddings: ["+c.entry+"]\n"), rulebook.Vocabulary(profiles.Known{}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %s", c.entry, err, c.want)
		}
	}
}

// With a fallback, a script answers the requests of which it says all vectors.
func TestScriptedEmbeddingsBeforeAFallback(t *testing.T) {
	fallback := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "from afar: %s", body)
	})
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{embeddingScript(t, animals, `{"input":"bird","vector":[0,0,1]}`)}, Fallback: fallback})
	for body, want := range map[string]string{
		`{"model":"m","input":["cat","bird"]}`:       "[0,0,1]",
		`{"model":"m","input":["cat","other"]}`:      `from afar: {"model":"m","input":["cat","other"]}`,
		`{"model":"m","input":"cat","dimensions":9}`: "from afar: ",
		`{`: "from afar: {",
	} {
		if got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", body); !strings.Contains(got.body, want) {
			t.Errorf("%s is answered %d %s, want %s", body, got.status, got.body, want)
		}
	}
}
