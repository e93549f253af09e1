package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

func behaviour(tb testing.TB, text string) *scenarios.Behaviour {
	tb.Helper()
	b, err := scenarios.ParseBehaviour("behaviour", text)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

const twenty = "model: [{when: {}, text: Twenty letters here.}]" // which count as 13 tokens

// behaving starts a server that plays one script and behaves in a way.
func behaving(tb testing.TB, text, how string) (*engine.Server, *clock) {
	tb.Helper()
	c := &clock{}
	config := engine.Config{Clock: c, Scenarios: []*scenarios.Scenario{script(tb, "test", text)}}
	if how != "" {
		config.Behaviour = behaviour(tb, how)
	}
	return start(tb, config), c
}

// asStream is hello, asked for as a stream.
var asStream = strings.Replace(hello, "{", `{"stream":true,`, 1)

func askWith(tb testing.TB, base, body, how string) answer {
	tb.Helper()
	req, _ := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", strings.NewReader(body))
	if how != "" {
		req.Header.Set(engine.BehaviourHeader, how)
	}
	return send(tb, req)
}

func total(waits []time.Duration) (sum time.Duration) {
	for _, w := range waits {
		sum += w
	}
	return sum
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		name, body, how string
		first, all      time.Duration
	}{
		{"at once", hello, "", 0, 0},
		{"first token", hello, "first-token: 300ms", 300 * time.Millisecond, 300 * time.Millisecond},
		{"first token of a stream", asStream, "first-token: 300ms", 300 * time.Millisecond, 300 * time.Millisecond},
		{"tokens of a document", hello, "first-token: 1s, tokens-per-second: 13", 2 * time.Second, 2 * time.Second},
		{"tokens of a stream", asStream, "first-token: 1s, tokens-per-second: 13", time.Second, 2 * time.Second},
		{"slow bytes", hello, "bytes-per-second: 100", 50 * time.Millisecond, 0},
		{"slow bytes of a stream", asStream, "bytes-per-second: 1", time.Second, 0},
	} {
		srv, clock := behaving(t, twenty, c.how)
		got := askWith(t, srv.URL, c.body, "")
		if got.status != http.StatusOK || got.err != nil {
			t.Errorf("%s: the answer is %d %v", c.name, got.status, got.err)
		}
		if c.all == 0 && c.first > 0 { // every byte takes its time
			rate := time.Duration(map[string]int{"slow bytes": 100, "slow bytes of a stream": 1}[c.name])
			c.all = time.Duration(len(got.body)) * time.Second / rate
		}
		if sum := total(clock.slept); sum < c.all-time.Millisecond || sum > c.all {
			t.Errorf("%s: the answer takes %v, want %v", c.name, sum, c.all)
		}
		if c.first > 0 && clock.slept[0] != c.first {
			t.Errorf("%s: the first wait is %v, want %v", c.name, clock.slept[0], c.first)
		}
	}
}

// A stream that is compressed comes at the same speed: nothing is waited for between its last event
// and the end of the compression.
func TestPaceOfACompressedStream(t *testing.T) {
	srv, clock := behaving(t, strings.Replace(twenty, "}]", ", gzip: true}]", 1), "tokens-per-second: 13")
	req, _ := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions", strings.NewReader(asStream))
	req.Header.Set("Accept-Encoding", "gzip")
	if got := send(t, req); got.header.Get("Content-Encoding") != "gzip" || got.err != nil {
		t.Fatalf("the answer is %v %v", got.header, got.err)
	}
	if sum := total(clock.slept); sum < time.Second-time.Millisecond || sum > time.Second {
		t.Errorf("the answer takes %v, want 1s: %v", sum, clock.slept)
	}
}

// An answer that is on its way when its run ends breaks off: the client takes what came for no
// whole answer, and nothing for no empty one.
func TestAnswersOfARunThatEnds(t *testing.T) {
	for _, body := range []string{hello, asStream} {
		for _, how := range []string{"first-token: 1h", "tokens-per-second: 1", "bytes-per-second: 1"} {
			w := &waiting{begun: make(chan struct{}, 1)}
			srv := start(t, engine.Config{Clock: w, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, how)})
			run, err := srv.StartTestRun(engine.TestRunConfig{})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				<-w.begun
				srv.EndTestRun(run)
			}()
			resp, err := http.Post(srv.URL+"/run/"+run.ID+"/v1/chat/completions", "application/json", strings.NewReader(body))
			if err != nil {
				continue
			}
			data, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err == nil {
				t.Errorf("%s: a whole answer comes, %d %q", how, resp.StatusCode, data)
			}
		}
	}
}

// A stream keeps its speed on a machine that wakes it too late.
func TestPaceOnABusyMachine(t *testing.T) {
	const late = 3 * time.Millisecond
	c := &lateClock{late: late}
	srv := start(t, engine.Config{Clock: c, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, "tokens-per-second: 13")})
	if got := askWith(t, srv.URL, asStream, ""); got.status != http.StatusOK || got.err != nil {
		t.Errorf("the answer is %d %v", got.status, got.err)
	}
	if c.at < time.Second || c.at > time.Second+2*late {
		t.Errorf("the answer takes %v, want 1s", c.at)
	}
}

// lateClock is a clock whose sleeps take longer than they should.
type lateClock struct {
	movingClock
	late time.Duration
}

func (c *lateClock) Sleep(ctx context.Context, d time.Duration) bool {
	c.add(d + c.late)
	return true
}

// Waits differ, within what is said, and are the same again for the same seed.
func TestJitter(t *testing.T) {
	waits := func(seed int) []time.Duration {
		srv, clock := behaving(t, twenty, fmt.Sprintf("first-token: 1s, jitter: 20%%, seed: %d", seed))
		for i := range 20 {
			askWith(t, srv.URL, said("openai", fmt.Sprint(i)), "")
		}
		return clock.slept
	}
	first := waits(1)
	different := map[time.Duration]bool{}
	for _, w := range first {
		if w < 800*time.Millisecond || w > 1200*time.Millisecond {
			t.Errorf("a wait is %v", w)
		}
		different[w] = true
	}
	if len(different) < 15 {
		t.Errorf("the waits are %v", first)
	}
	if diff := cmp.Diff(first, waits(1)); diff != "" {
		t.Errorf("the same seed brings other waits:\n%s", diff)
	}
	if cmp.Equal(first, waits(2)) {
		t.Error("another seed brings the same waits")
	}
}

func TestChunks(t *testing.T) {
	for _, c := range []struct {
		profile, path, body string
		chunk, want         int
	}{
		{"openai", "/v1/chat/completions", asStream, 7, 3},
		{"openai", "/v1/chat/completions", asStream, 1, 20},
		{"anthropic", "/v1/messages", strings.Replace(asStream, "{", `{"max_tokens":9,`, 1), 10, 2},
	} {
		srv := start(t, engine.Config{Profile: profile(t, c.profile), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, fmt.Sprintf("chunk: %d", c.chunk))})
		got := do(t, http.MethodPost, srv.URL+c.path, c.body)
		if n := strings.Count(got.body, `"content":"`) + strings.Count(got.body, `"text_delta"`); n-emptyOpening(got.body) != c.want {
			t.Errorf("in chunks of %d the text comes in %d events, want %d:\n%s", c.chunk, n, c.want, got.body)
		}
	}
}

func emptyOpening(body string) int { return strings.Count(body, `"content":""`) }

// ends says how a request ended: its status, or what broke.
func ends(a answer) string {
	switch {
	case a.err != nil:
		return "broken"
	case a.status != http.StatusOK:
		return fmt.Sprint(a.status)
	case strings.HasPrefix(a.body, "{") && !json.Valid([]byte(a.body)):
		return "malformed"
	case strings.HasPrefix(a.body, "data") && !strings.Contains(a.body, "[DONE]"):
		return "cut"
	default:
		return "good"
	}
}

// Random faults are the same for the same seed in any order of requests, and have about the given
// rate.
func TestFaultsByChance(t *testing.T) {
	const how = "faults: [{rate: 20%, status: 503}, {rate: 0.1, malformed: {after: 1 event}}, {rate: 10%, cut: {after: 1 event}}]"
	play := func(how string) map[string]string {
		srv, _ := behaving(t, twenty, how)
		told := map[string]string{}
		for i := range 300 {
			text := fmt.Sprint((i * 7) % 300)
			if strings.Contains(how, "seed: 1") {
				text = fmt.Sprint(i)
			}
			told[text] = ends(askWith(t, srv.URL, said("openai", text), ""))
		}
		return told
	}
	first, counts := play(how+", seed: 1"), map[string]int{}
	for _, end := range first {
		counts[end]++
	}
	for end, want := range map[string]int{"503": 60, "malformed": 30, "broken": 30, "good": 180} {
		if got := counts[end]; got < want/2 || got > want*3/2 {
			t.Errorf("%d of 300 requests are %s, want about %d", got, end, want)
		}
	}
	if diff := cmp.Diff(first, play("seed: 1 , "+how)); diff != "" {
		t.Errorf("the same seed brings other faults:\n%s", diff)
	}
	if cmp.Equal(first, play(how)) {
		t.Error("another seed brings the same faults")
	}
}

func TestFaultsOfOneRequest(t *testing.T) {
	for _, c := range []struct {
		name, body, how string
		want            []string
	}{
		{"status", hello, "faults: [{status: 429, retry-after: 2s}]", []string{"429", "429", "429"}},
		{"status, twice", hello, "faults: [{status: 429, retry-after: 2s, times: 2}]", []string{"429", "429", "good"}},
		{"one after the other", hello, "faults: [{status: 500, times: 1}, {status: 529, times: 2}]", []string{"500", "529", "good"}},
		{"cut", asStream, "faults: [{cut: {after: 2 events}}]", []string{"cut"}},
		{"reset", asStream, "faults: [{reset: {after: 2 events}}]", []string{"broken"}},
		{"stall", asStream, "faults: [{stall: {after: 2 events, for: 1m}}]", []string{"broken"}},
		{"malformed document", hello, "faults: [{malformed: {after: 1 event}}]", []string{"malformed"}},
	} {
		srv, _ := behaving(t, twenty, "")
		var got []string
		for range c.want {
			got = append(got, ends(askWith(t, srv.URL, c.body, c.how)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if e := srv.Journal().Entries()[0]; e.Fault == "" {
			t.Errorf("%s: the journal does not say what went wrong", c.name)
		}
	}
}

// One event of a stream is broken in the middle; what comes before and after is whole.
func TestMalformedEvent(t *testing.T) {
	srv, _ := behaving(t, twenty, "chunk: 7")
	got := askWith(t, srv.URL, asStream, "{faults: [{malformed: {after: 2 events}}]}")
	var broken []int
	events := strings.Split(strings.TrimSpace(got.body), "\n\n")
	for i, e := range events {
		data := strings.TrimPrefix(e, "data: ")
		if data != "[DONE]" && !json.Valid([]byte(data)) {
			broken = append(broken, i)
		}
	}
	if diff := cmp.Diff([]int{2}, broken); diff != "" || events[len(events)-1] != "data: [DONE]" {
		t.Errorf("the broken events (-want +got):\n%s\n%s", diff, got.body)
	}
}

// The behaviour of a request goes before that of a step, a scenario, a run and the server, each key
// by itself.
func TestWhichBehaviourWins(t *testing.T) {
	const text = `
behaviour: {first-token: 3s}
model:
  - {when: {user: slow}, text: a, behaviour: {first-token: 4s}}
  - {when: {}, text: b}`
	srv, clock := behaving(t, text, "first-token: 1s, chunk: 3")
	plain := start(t, engine.Config{Clock: clock, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, "first-token: 1s")})
	run := testRun(t, plain, engine.TestRunConfig{Behaviour: behaviour(t, "first-token: 2s")})
	for _, c := range []struct {
		base, text, how string
		want            time.Duration
	}{
		{plain.URL, "a", "", time.Second},
		{plain.URL + "/run/" + run.ID, "a", "", 2 * time.Second},
		{srv.URL, "a", "", 3 * time.Second},
		{srv.URL, "slow", "", 4 * time.Second},
		{srv.URL, "slow", "chunk: 2", 4 * time.Second},
		{srv.URL, "slow", `{"first-token": "5s"}`, 5 * time.Second},
	} {
		clock.slept = nil
		askWith(t, c.base, said("openai", c.text), c.how)
		if got := total(clock.slept); got != c.want {
			t.Errorf("%q at %s with %q takes %v, want %v", c.text, c.base, c.how, got, c.want)
		}
	}
}

func TestBadBehaviourHeader(t *testing.T) {
	srv, _ := behaving(t, twenty, "")
	for how, want := range map[string]string{
		"first-token: 2":       "X-Loopproof-Behaviour:1:14: expected a time such as 50ms or 2s, found 2.",
		"{first-tokn: 2s}":     `X-Loopproof-Behaviour:1:2: unknown key \"first-tokn\" (did you mean \"first-token\"?); the keys here are`,
		"faults: [{rate: 10%}": "X-Loopproof-Behaviour:1:",
	} {
		if got := askWith(t, srv.URL, hello, how); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("with %s the answer is %d %s, want %s", how, got.status, got.body, want)
		}
	}
}

// sleepers is a clock on which every sleeper sleeps until it is not wanted any more.
type sleepers struct {
	clock
	asleep, awake chan struct{}
}

func (c *sleepers) Sleep(ctx context.Context, _ time.Duration) bool {
	c.asleep <- struct{}{}
	<-ctx.Done()
	c.awake <- struct{}{}
	return false
}

// A slow answer delays no other client, and ends when its client disconnects or the run ends.
func TestSlowAnswersHoldNobodyUp(t *testing.T) {
	clock := &sleepers{asleep: make(chan struct{}), awake: make(chan struct{})}
	srv := start(t, engine.Config{Clock: clock, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	run := testRun(t, srv, engine.TestRunConfig{Behaviour: behaviour(t, "first-token: 1h")})
	ctx, leave := context.WithCancel(t.Context())
	for _, base := range []string{srv.URL, srv.URL + "/run/" + run.ID} {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/chat/completions", strings.NewReader(asStream))
		req.Header.Set(engine.BehaviourHeader, "first-token: 1h")
		go http.DefaultClient.Do(req)
		<-clock.asleep
	}
	if got := askWith(t, srv.URL, hello, ""); !got.says("Twenty letters here.") {
		t.Errorf("meanwhile another is answered %d %s", got.status, got.body)
	}
	srv.EndTestRun(run)
	<-clock.awake
	leave()
	<-clock.awake
}
