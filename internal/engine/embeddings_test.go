package engine_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// vectors asks for embeddings and returns them.
func vectors(t *testing.T, url, body string) [][]float64 {
	t.Helper()
	got := do(t, http.MethodPost, url+"/v1/embeddings", body)
	var answer struct {
		Data []struct {
			Index     int
			Embedding []float64
		}
		Usage struct {
			Total int `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != 200 || answer.Usage.Total == 0 {
		t.Fatalf("answered %d %.300s: %v", got.status, got.body, err)
	}
	var all [][]float64
	for i, d := range answer.Data {
		if d.Index != i {
			t.Errorf("the embedding %d has the index %d", i, d.Index)
		}
		all = append(all, d.Embedding)
	}
	return all
}

func cosine(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestEmbeddings(t *testing.T) {
	srv := start(t, engine.Config{})
	v := vectors(t, srv.URL, `{"model":"text-embedding-3-small","input":["How do I reset my password?","how can I reset a password","The weather in Oslo is cold.",""]}`)
	if len(v) != 4 || len(v[0]) != 1536 {
		t.Fatalf("%d vectors of %d", len(v), len(v[0]))
	}
	for i, each := range v {
		if length := cosine(each, each); math.Abs(length-1) > 1e-3 {
			t.Errorf("the vector %d has the length %v", i, length)
		}
	}
	if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near < 0.5 || far > near/2 {
		t.Errorf("near texts are %.2f near, others %.2f", near, far)
	}
	again := vectors(t, srv.URL, `{"model":"text-embedding-3-small","input":"How do I reset my password?"}`)
	if math.Abs(cosine(v[0], again[0])-1) > 1e-3 {
		t.Error("the same text has another vector")
	}
	if short := vectors(t, srv.URL, `{"model":"m","input":[[1,2,3],[1,2,3]],"dimensions":64}`); len(short) != 2 || len(short[0]) != 64 {
		t.Errorf("tokens give %d vectors of %d", len(short), len(short[0]))
	}
}

func TestEmbeddingsAsBase64(t *testing.T) {
	srv := start(t, engine.Config{})
	plain := vectors(t, srv.URL, `{"model":"m","input":"Oslo","dimensions":8}`)[0]
	got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", `{"model":"m","input":"Oslo","dimensions":8,"encoding_format":"base64"}`)
	var answer struct{ Data []struct{ Embedding string } }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(answer.Data[0].Embedding)
	if err != nil || len(raw) != 32 {
		t.Fatalf("%d bytes: %v", len(raw), err)
	}
	for i, want := range plain {
		if v := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); math.Abs(float64(v)-want) > 1e-6 {
			t.Errorf("the number %d is %v, want %v", i, v, want)
		}
	}
}

func TestBadEmbeddings(t *testing.T) {
	srv := start(t, engine.Config{})
	for body, want := range map[string]string{
		`{"model":"m"}`:                                          "you must provide an input parameter",
		`{"model":"m","input":[]}`:                               "'$.input' is invalid",
		`{"model":"m","input":[{}]}`:                             "'$.input' is invalid",
		`{"model":"m","input":"a","dimensions":0}`:               "Must be an integer from 1 to 8192",
		`{"model":"m","input":"a","dimensions":"many"}`:          "Must be an integer from 1 to 8192",
		`{"model":"m","input":"a","encoding_format":"protobuf"}`: "Supported values are: 'float' and 'base64'.",
		`[]`:  "has to be a JSON object",
		`{"m`: "breaks off",
	} {
		if got := do(t, http.MethodPost, srv.URL+"/v1/embeddings", body); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s is answered %d %s, want %s", body, got.status, got.body, want)
		}
	}
}

// TestTooManyEmbeddings: an answer has a limit, for which the provider refuses the request.
func TestTooManyEmbeddings(t *testing.T) {
	srv := start(t, engine.Config{ExtraProfiles: []*profiles.Profile{profile(t, "gemini-3")}})
	texts := `"a"` + strings.Repeat(`,"a"`, 2047)
	contents := `{"content":{"parts":[{"text":"a"}]}}` + strings.Repeat(`,{"content":{"parts":[{"text":"a"}]}}`, 2048)
	for path, c := range map[string]struct{ body, want string }{
		"/v1/embeddings": {`{"model":"m","dimensions":8192,"input":[` + texts + `]}`, "2048 vectors of 8192 numbers are too many for one request. Please send at most 768 texts."},
		"/v1beta/models/gemini-embedding-001:batchEmbedContents": {`{"requests":[` + contents + `]}`, "2049 vectors of 3072 numbers are too many for one request. Please send at most 2048 texts."},
	} {
		if got := do(t, http.MethodPost, srv.URL+path, c.body); got.status != 400 || !strings.Contains(got.body, c.want) {
			t.Errorf("%s is answered %d %.300s, want %s", path, got.status, got.body, c.want)
		}
	}
	if v := vectors(t, srv.URL, `{"model":"m","dimensions":8,"input":[`+texts+`]}`); len(v) != 2048 {
		t.Errorf("small vectors of as many texts are %d", len(v))
	}
}

func TestModerations(t *testing.T) {
	srv := start(t, engine.Config{})
	got := do(t, http.MethodPost, srv.URL+"/v1/moderations", `{"input":["Hello.","I will. [flag:violence]"]}`)
	var answer struct {
		ID, Model string
		Results   []struct {
			Flagged    bool
			Categories map[string]bool
			Scores     map[string]float64 `json:"category_scores"`
		}
	}
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || len(answer.Results) != 2 {
		t.Fatalf("answered %d %s: %v", got.status, got.body, err)
	}
	harmless, flagged := answer.Results[0], answer.Results[1]
	if harmless.Flagged || !flagged.Flagged || !flagged.Categories["violence"] || flagged.Categories["hate"] || flagged.Scores["violence"] < 0.9 || len(flagged.Categories) != 13 {
		t.Errorf("answered %s", got.body)
	}
	if answer.Model != "omni-moderation-latest" || !strings.HasPrefix(answer.ID, "modr-") {
		t.Errorf("answered %s", got.body)
	}
	if got := do(t, http.MethodPost, srv.URL+"/v1/moderations", `{"input":[{"type":"text","text":"[flag:hate]"},{"type":"image_url"}]}`); !strings.Contains(got.body, `"flagged":true`) {
		t.Errorf("parts are answered %s", got.body)
	}
	if got := do(t, http.MethodPost, srv.URL+"/v1/moderations", `{}`); got.status != 400 {
		t.Errorf("nothing is answered %d", got.status)
	}
}
