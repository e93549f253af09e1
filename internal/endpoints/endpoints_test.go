package endpoints

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

const sample = `loopproof: 1
endpoints:
  - {name: one, paths: ["GET /things/{id}"], json: {id: "{id}", text: "thing {id} of {/user}", gone: "{/nothing}"}}
  - {name: all, paths: [GET /things], content-type: text/plain, text: none}
  - {name: rank, paths: [POST /rank], json: {results: {each: /documents, entry: {index: "{#}", text: "{@}"}}}}
  - {name: other, paths: [POST /rank], when: {/model: m2}, status: 201, json: {model: "{/model}"}}
  - {name: theirs, paths: [GET /things], client: messages, json: {}}
  - {name: made, paths: [POST /made], headers: {location: "{base}/made/1"}}
  - {name: method, paths: ["POST /models/{model}:predict"], json: {model: "{model}", list: ["{/a}", "{/b}"]}}
`

func TestAnswers(t *testing.T) {
	all, err := Parse("x.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, method, path, client, body string
		endpoint, answer                 string
		status                           int
	}{
		{"a variable", "GET", "/any/things/7", "", "", "one", `{"id":"7","text":"thing 7 of "}`, 200},
		{"a shorter path", "GET", "/things", "", "", "all", "none", 200},
		{"the client of a dialect", "GET", "/things", "messages", "", "theirs", `{}`, 200},
		{"an entry for each", "POST", "/rank", "", `{"documents":["a",{"b":1}]}`, "rank", `{"results":[{"index":0,"text":"a"},{"index":1,"text":{"b":1}}]}`, 200},
		{"no entries", "POST", "/rank", "", `{}`, "rank", `{"results":[]}`, 200},
		{"a method after a colon", "POST", "/v1/models/x-1:predict", "", `{"b":2}`, "method", `{"model":"x-1","list":[2]}`, 200},
		{"another method", "PUT", "/things", "", "", "", "", 0},
		{"another path", "GET", "/things/7/8", "", "", "", "", 0},
	} {
		req := Request{Method: c.method, Path: c.path, Client: c.client, Body: wire.Parsed([]byte(c.body))}
		e, vars := Find(all, req)
		if e == nil {
			if c.endpoint != "" {
				t.Errorf("%s: nothing is found", c.name)
			}
			continue
		}
		if a := e.Answer(req, vars); e.Name != c.endpoint || string(a.Body) != c.answer || a.Status != c.status {
			t.Errorf("%s: %s answers %d %s", c.name, e.Name, a.Status, a.Body)
		}
	}
}

// TestConditions: of endpoints with the same path that with most conditions is taken.
func TestConditions(t *testing.T) {
	all, err := Parse("x.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Method: "POST", Path: "/rank", Body: wire.Parsed([]byte(`{"model":"m2"}`))}
	e, vars := Find(all, req)
	if a := e.Answer(req, vars); a.Status != 201 || string(a.Body) != `{"model":"m2"}` {
		t.Errorf("%s answers %d %s", e.Name, a.Status, a.Body)
	}
}

func TestHeaders(t *testing.T) {
	all, err := Parse("x.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Method: "POST", Path: "/made", Base: "http://here"}
	e, vars := Find(all, req)
	if a := e.Answer(req, vars); a.Headers["location"] != "http://here/made/1" || len(a.Body) > 0 {
		t.Errorf("the answer is %+v", a)
	}
}

// TestLiteral: a document that looks as if it had places is answered as it is.
func TestLiteral(t *testing.T) {
	for _, document := range []string{`{"text":"a {base} b"}`, `{"each":"/a","entry":1}`, `{"text":"{}"}`} {
		entry := append(wire.Fields{{Key: "name", Value: "a"}, {Key: "paths", Value: []any{"POST /a"}}}, Literal(wire.Parsed([]byte(document)))...).JSON()
		all, err := Parse("x.yaml", []byte("loopproof: 1\nendpoints:\n  - "+string(entry)))
		if err != nil {
			t.Fatal(err)
		}
		if a := all[0].Answer(Request{}, map[string]string{}); string(a.Body) != document || a.ContentType != "application/json" {
			t.Errorf("%s is answered %s %s", document, a.ContentType, a.Body)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, says string }{
		{"loopproof: 2\nendpoints: [{name: a, paths: [GET /a]}]", "x.yaml:1:12: the format is 1"},
		{"loopproof: 1", "the file has no endpoints"},
		{"loopproof: 1\nendpoints: [{paths: [GET /a]}]", "x.yaml:2:13: an endpoint has a name"},
		{"loopproof: 1\nendpoints: [{name: a}]", "an endpoint has paths"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [/a]}]", `not "/a"`},
		{"loopproof: 1\nendpoints: [{name: a, paths: ['GET /{A}']}]", "in small letters"},
		{"loopproof: 1\nendpoints: [{name: a, paths: ['GET /{a}/b/{a}']}]", "x.yaml:2:31: the path has two parts that are called {a}"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], client: mesages}]", `no dialect "mesages" (did you mean "messages"?)`},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], when: {model: b}}]", "a condition is a JSON pointer"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], status: 100}]", "a status is a number"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], json: {}, text: b, content-type: text/plain}]", "one of json, text, base64 and made"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], text: b}]", "content-type goes with"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], base64: '!', content-type: audio/wav}]", "no base64"},
		{"loopproof: 1\nendpoints: [{name: a, path: GET /a}]", "path"},
		{"loopproof: 1\nendpoints: [{name: a, paths: [GET /a], made: moderation}]", `nothing makes "moderation" (did you mean "moderations"?)`},
	} {
		if _, err := Parse("x.yaml", []byte(c.file)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.file, err, c.says)
		}
	}
}

func TestForms(t *testing.T) {
	body := "--b\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--b--\r\n"
	if n := Body("multipart/form-data; boundary=b", []byte(body)); string(n.JSON()) != `{"file":{"filename":"a.txt","bytes":5},"purpose":"batch"}` {
		t.Errorf("the form is %s", n.JSON())
	}
	if n := Body("multipart/form-data; boundary=b", []byte("--b\r\nhalf")); n != nil {
		t.Errorf("half a form is %s", n.JSON())
	}
	if n := Body("multipart/form-data; boundary=b", []byte(strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n", 100_000)+"--b--\r\n")); n != nil {
		t.Error("a form of 100000 parts is taken")
	}
	if n := Body("application/x-www-form-urlencoded", []byte("a=1&b=x+y")); n.Get("b").Text() != "x y" {
		t.Errorf("the form is %s", n.JSON())
	}
}

// TestBuiltIn reads the endpoints that come with Loopproof, and asks for each path.
func TestBuiltIn(t *testing.T) {
	for _, e := range BuiltIn() {
		for _, path := range e.Paths {
			method, end, _ := strings.Cut(path, " ")
			req := Request{Method: method, Path: "/v1" + variable().ReplaceAllString(end, "x"), Client: e.Client, Body: wire.NewNode(e.When)}
			found, _ := Find(BuiltIn(), req)
			if found == nil {
				t.Errorf("%s is not found", path)
			}
		}
	}
}
