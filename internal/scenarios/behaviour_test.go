package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
)

func TestBadBehaviours(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "first-tokn: 1s", `b:1:1: unknown key "first-tokn" (did you mean "first-token"?); the keys here are bytes-per-second, chunk, context-limit, delivery, deviation, faults, first-token, ids, jitter, rate-limit, seed, tokens-per-second`},
		{"unknown key in braces", "{first-tokn: 1s}", `b:1:2: unknown key "first-tokn"`},
		{"unknown key in lines", "chunk: 1\nfirst-tokn: 1s", `b:2:1: unknown key "first-tokn"`},
		{"no delivery of a stream", "delivery: json", `b:1:11: unknown delivery of a stream "json"; it is one of sse, sse-merged, sse-bytes, sse-split, sse-comments`},
		{"no time", "chunk: 1, first-token: 1", "b:1:24: expected a time such as 50ms or 2s, found 1"},
		{"no value", "chunk: 1, jitter:", "b:1:18: jitter has no value"},
		{"long wait", "first-token: 2h", "b:1:14: the longest wait is 1h0m0s"},
		{"negative pace", "tokens-per-second: -1", "b:1:20: tokens-per-second is a whole number from 0 to"},
		{"no share", "jitter: 20", "b:1:9: expected a share such as 10% or 0.1"},
		{"jitter and deviation", "jitter: 20%, deviation: 20%", "b:1:25: a wait has a jitter, by at most so much, or a deviation"},
		{"no number", "jitter: NaN", "b:1:9: expected a share such as 10% or 0.1"},
		{"more than all", "jitter: 120%", "b:1:9: expected a share such as 10% or 0.1"},
		{"no fault", "faults: [{rate: 10%}]", "b:1:10: a fault is one of status, cut, reset, stall, in-band-error and malformed"},
		{"two faults", "faults: [{status: 500, malformed: {after: 1 event}}]", "b:1:10: a fault is one of status"},
		{"good status", "faults: [{status: 200}]", "b:1:19: a request fails with a status from 400 to 599, not 200"},
		{"wait of a cut", "faults: [{cut: {after: 1 event}, retry-after: 1s}]", "b:1:10: retry-after and error go with a status"},
		{"cut nowhere", "faults: [{cut: {}}]", "b:1:16: an answer breaks after an amount or before a place"},
		{"malformed before", "faults: [{malformed: {before: finish}}]", "b:1:22: say after how much: `malformed: {after: 2 events}`"},
		{"stall without end", "faults: [{stall: {after: 1 event}}]", "b:1:18: a stall needs a time of at most 1h0m0s: `for: 2s`"},
		{"too often", "faults: [{status: 500, times: 5000}]", "b:1:31: times is a whole number from 1 to 1000, not 5000"},
		{"never", "faults: [{status: 500, times: 0}]", "b:1:31: times is a whole number from 1 to 1000, not 0"},
		{"no requests at all", "rate-limit: {requests: 0, tokens: 5}", "b:1:24: requests is a whole number from 1, not 0"},
		{"no time at all", "rate-limit: {requests: 1, per: 0s}", "b:1:32: expected a time above zero, such as 1m"},
		{"more than the whole", "faults: [{status: 500, rate: 60%}, {status: 429, rate: 60%}]", "b:1:9: the rates of the faults are more than the whole"},
		{"after one that is always there", "faults: [{status: 500}, {status: 429}]", "b:1:25: this fault never happens: one before it happens to every request"},
		{"no limit", "rate-limit: {per: 1s}", "b:1:13: a rate-limit says how many requests or tokens are taken, or how many requests at once: `requests: 60, per: 1m` or `at-once: 4`"},
		{"none at once", "rate-limit: {at-once: 0, requests: 1}", "b:1:23: at-once is a whole number from 1, not 0"},
		{"at once in a time", "rate-limit: {at-once: 2, per: 1s}", "b:1:31: per is the time in which so many requests or tokens are taken; at-once has none"},
		{"limit of a life", "rate-limit: {requests: 1, per: 900000h}", "b:1:32: the longest time is a month, 744h0m0s, not 900000h0m0s"},
		{"wait of a life", "faults: [{status: 429, retry-after: 900000h}]", "b:1:37: the longest time is a month, 744h0m0s, not 900000h0m0s"},
		{"no mapping", "[fast]", "b:1:1: "},
	} {
		_, err := scenarios.ParseBehaviour("b", c.text)
		if err == nil {
			t.Errorf("%s: the behaviour was taken", c.name)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.HasPrefix(first, c.want) {
			t.Errorf("%s: the error is\n\t%s\nwant\n\t%s", c.name, err, c.want)
		}
	}
}

func TestBehavioursOfAScript(t *testing.T) {
	const text = "loopproof: 1\ntitle: t\nbehaviour: {chunk: 3}\nmodel:\n  - {when: {}, text: a, behaviour: {rate-limit: {requests: 1}}}\n"
	_, err := scenarios.Parse("x.yaml", []byte(text), vocabulary)
	if want := "x.yaml:5:49: what is taken is not a matter of one step"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
