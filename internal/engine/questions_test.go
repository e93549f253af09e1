package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestUnreadableQuestions: an error says in the terms of JSON and of URLs what was expected, and
// nothing is asked instead of what could not be read.
func TestUnreadableQuestions(t *testing.T) {
	srv := start(t, engine.Config{})
	ask(t, srv.URL, hello)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/assert?tool=50%&at_least=1", "", `invalid URL escape \"%\"; a percent sign is %25, and a semicolon %3B`},
		{"GET", "/assert?contains=a;count=1", "", `the query of the URL cannot be read: invalid semicolon separator in query`},
		{"GET", "/requests?run=%zz", "", `invalid URL escape \"%zz\"`},
		{"GET", "/assert?user=&count=1", "", `user: it is empty, which would select everything; leave it out`},
		{"POST", "/assert", `{"user":""}`, `user: it is empty, which would select everything; leave it out`},
		{"POST", "/assert", `{"user":null,"count":1}`, `user: it is null, which would select everything; leave it out`},
		{"POST", "/assert", `{"within":""}`, `within: it is empty, which would select everything; leave it out`},
		{"POST", "/assert", `{"in_order":[{"user":"a"},{"tool":""}]}`, `in_order/1/tool: it is empty, which would select everything; leave it out`},
		{"POST", "/assert", `{"in_order":[null]}`, `in_order/0: it is null, which would select everything; leave it out`},
		{"POST", "/assert", `{"User":"a"}`, `the body has the unknown key \"User\" (did you mean \"user\"?)`},
		{"POST", "/assert", `{"in_order":[{"Tool":"a"}]}`, `the body has the unknown key \"Tool\" under in_order/0`},
		{"POST", "/runs", `{"ID":"a"}`, `the body has the unknown key \"ID\"`},
		{"GET", "/assert?rule=" + strings.Repeat("{a,aa}", 30), "", `rule: the pattern has 60 alternatives in braces, and may have 24`},
		{"POST", "/assert", `{"in_order":[]}`, `in_order is an empty list, which would hold for any request`},
		{"POST", "/assert", `[]`, `the body is an array, where an object is expected`},
		{"POST", "/assert", `{"count":1.5}`, `the body has a number 1.5 under \"count\", where a whole number is expected`},
		{"POST", "/assert", `{"in_order":[{"rule":[]}]}`, `the body has an array under \"rule\", where a string is expected`},
		{"POST", "/runs", `"one"`, `the body is a string, where an object is expected`},
		{"POST", "/runs", `{"scripts":"one"}`, `the body has a string under \"scripts\", where an array is expected`},
		{"POST", "/runs", `{"lenient":1}`, `the body has a number under \"lenient\", where true or false is expected`},
		{"POST", "/runs", `{"behaviour":"chunk: 3"}`, `a behaviour is an object such as {\"first-token\": \"300ms\"}, not \"chunk: 3\"`},
		{"POST", "/runs", `{"id":".."}`, `a run cannot be named \"..\", which has a meaning of its own in the path of a URL`},
	} {
		got := do(t, c.method, srv.URL+"/loopproof"+c.path, c.body)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, c.want) {
			t.Errorf("%s %s %s is answered by %d %s, want %s", c.method, c.path, c.body, got.status, got.body, c.want)
		}
	}
	if got := do(t, "POST", srv.URL+"/loopproof/runs", `{"behaviour":null}`); got.status != http.StatusCreated {
		t.Errorf("a run without a behaviour is answered by %d %s", got.status, got.body)
	}
}
