package redisstore_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/redisstore"
	"github.com/loopproof/loopproof/internal/engine/replicas"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// server returns the URL of a server: a real one where Redis or Valkey is installed, and else one
// that speaks the same protocol inside this process.
func server(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"valkey-server", "redis-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return process(t, path)
		}
	}
	t.Log("neither valkey-server nor redis-server is installed: miniredis stands in for them")
	return "redis://" + miniredis.RunT(t).Addr() + "/0"
}

// process starts a real server on a free port and waits until it takes connections.
func process(t *testing.T, path string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	command := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(strings.ToLower(lines.Text()), "ready to accept connections") {
			go io.Copy(io.Discard, out) // until the process ends
			return "redis://127.0.0.1:" + port + "/0"
		}
	}
	t.Fatalf("%s did not start: %v", path, lines.Err())
	return ""
}

// startReplicas starts servers that share a store, behind a balancer that asks each in turn.
func startReplicas(t *testing.T, url string, n int, script string) (front string, all []*engine.Server) {
	t.Helper()
	s, err := scenarios.Parse("script.yaml", []byte("loopproof: 1\ntitle: t\n"+script), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		stored, err := profiles.Get("openai-responses")
		if err != nil {
			t.Fatal(err)
		}
		c := engine.Config{Scenarios: []*scenarios.Scenario{s}, ExtraProfiles: []*profiles.Profile{stored}, StoreFailed: func(err error) { t.Error(err) }}
		if url != "" {
			store, err := redisstore.Open(context.Background(), url)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			c.Store = store
		}
		srv := engine.NewServer(c)
		t.Cleanup(srv.Close)
		all = append(all, srv)
	}
	balancer := &balancer{}
	for _, srv := range all {
		balancer.behind = append(balancer.behind, srv.Provider)
	}
	f := &http.Server{Handler: balancer}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	go f.Serve(l)
	return "http://" + l.Addr().String(), all
}

// balancer asks each of several handlers in turn. One client asks at a time.
type balancer struct {
	behind []http.Handler
	next   int
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := b.behind[b.next%len(b.behind)]
	b.next++
	h.ServeHTTP(w, r)
}

func do(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

const (
	failing = "prompt: Go.\nmodel:\n  - {status: 503, times: 2}\n  - {status: 429, retry-after: 1s}\n  - text: Gone.\n"
	ask     = `{"model":"m","messages":[{"role":"user","content":"Go."}]}`
	bad     = `{"model":"m","messages":[{"role":"user","content":"Go."},{"role":"tool","tool_call_id":"x","content":"y"}]}`
)

// Three servers behind a balancer count the attempts of a request together.
func TestReplicasShareAttempts(t *testing.T) {
	front, _ := startReplicas(t, server(t), 3, failing)
	for round := range 2 {
		var got []int
		for range 5 {
			status, _ := do(t, http.MethodPost, front+"/v1/chat/completions", ask)
			got = append(got, status)
		}
		if fmt.Sprint(got) != "[503 503 429 200 200]" {
			t.Errorf("round %d: the answers are %v, want two failures, a limit, and the answer", round, got)
		}
		if status, _ := do(t, http.MethodPost, front+"/loopproof/runs/default/reset", ""); status != 200 { // all begin again
			t.Fatalf("the reset gives %d", status)
		}
	}
}

// A run that never ends does not fill the store.
func TestAttemptsAreBounded(t *testing.T) {
	store, err := redisstore.Open(t.Context(), server(t))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	count := func(key int) int {
		n, err := store.Count("default", fmt.Sprint(key))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range replicas.MaxCounts {
		count(i)
	}
	if n := count(0); n != 2 {
		t.Errorf("the first request is counted as attempt %d, want 2", n)
	}
	count(replicas.MaxCounts)
	if n := count(0); n != 1 {
		t.Errorf("behind %d other requests the first is counted as attempt %d, want 1", replicas.MaxCounts, n)
	}
}

// Each of them has the journal and the verdict of all, and knows the runs that another one began.
func TestReplicasShareJournalVerdictAndRuns(t *testing.T) {
	url := server(t)
	front, all := startReplicas(t, url, 3, failing)
	for _, body := range []string{ask, bad, "{", ask, ask} {
		do(t, http.MethodPost, front+"/v1/chat/completions", body)
	}
	for i, srv := range all {
		do(t, http.MethodGet, srv.URL+"/loopproof/requests", "") // has it catch up
		sum := srv.Journal().Sum()
		if sum.Requests != 5 || sum.Unreadable != 1 || sum.Musts == 0 {
			t.Errorf("server %d knows of %+v, want 5 requests, one of them unreadable, and a broken must", i, sum)
		}
		entries, first := srv.Journal().Entries(), 0
		for _, e := range entries {
			if e.Exchange.Turn != nil && e.Exchange.Turn.Number == 0 && e.Answer.Status == 503 && e.Scenario == "script" && string(e.Body()) == ask {
				first++
			}
		}
		if first != 1 {
			t.Errorf("server %d knows of %d requests that were answered by the first step, want one", i, first)
		}
	}

	if status, body := do(t, http.MethodPost, all[0].URL+"/loopproof/runs", `{"id":"mine","scripts":["loopproof: 1\ntitle: t\nprompt: Go.\nmodel: [{text: Mine.}]\n"]}`); status != 201 && status != 200 {
		t.Fatalf("the run gives %d %s", status, body)
	}
	for i, srv := range all {
		if status, body := do(t, http.MethodPost, srv.URL+"/run/mine/v1/chat/completions", ask); status != 200 || !strings.Contains(body, "Mine.") {
			t.Errorf("server %d answers the run of the first by %d %s", i, status, body)
		}
	}
	if status, body := do(t, http.MethodGet, all[1].URL+"/loopproof/runs/mine", ""); status != 200 || !strings.Contains(body, `"requests":3`) {
		t.Errorf("the second server says of the run: %d %s", status, body)
	}

	late, _ := startReplicas(t, url, 1, failing) // one that comes later learns all that was
	if status, body := do(t, http.MethodPost, late+"/run/mine/v1/chat/completions", ask); status != 200 || !strings.Contains(body, "Mine.") {
		t.Errorf("a server that came later answers the run by %d %s", status, body)
	}
	do(t, http.MethodDelete, all[2].URL+"/loopproof/runs/mine", "")
	for i, srv := range all {
		do(t, http.MethodGet, srv.URL+"/loopproof/runs", "")
		if status, _ := do(t, http.MethodPost, srv.URL+"/run/mine/v1/chat/completions", ask); status != 404 {
			t.Errorf("server %d still answers a run that was ended: %d", i, status)
		}
	}
}

// Two groups on one server do not see each other.
func TestPrefixesKeepApart(t *testing.T) {
	url := server(t)
	one, _ := startReplicas(t, url+"?prefix=one", 1, failing)
	two, _ := startReplicas(t, url+"?prefix=two", 1, failing)
	for _, front := range []string{one, two} {
		if status, _ := do(t, http.MethodPost, front+"/v1/chat/completions", ask); status != 503 {
			t.Errorf("the first answer is %d, want 503", status)
		}
	}
}

func TestStoresThatCannotBeReached(t *testing.T) {
	for url, want := range map[string]string{
		"redis://127.0.0.1:1/0":         "the store redis://127.0.0.1:1/0 cannot be reached",
		"http://127.0.0.1":              "the store is a URL such as redis://",
		"redis:secret":                  "the store is a URL such as redis://",
		"redis://127.0.0.1/0?db=3":      "unknown db in its query",
		"redis://u:secret@127.0.0.1:1/": "u:xxxxx@127.0.0.1:1",
	} {
		if _, err := redisstore.Open(t.Context(), url); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s gives %v, want %s", url, err, want)
		}
	}
}

// A server that was started again is reached by the next call, on a new connection.
func TestServerStartsAgain(t *testing.T) {
	m := miniredis.RunT(t)
	store, err := redisstore.Open(t.Context(), "redis://"+m.Addr()+"/0")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for want := range 3 {
		if n, err := store.Count("run", "key"); err != nil || n != want+1 {
			t.Errorf("count %d gives %d, %v", want+1, n, err)
		}
		if err := store.Append([]byte("record")); err != nil {
			t.Error(err)
		}
		m.Close()
		if err := m.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	m.Close()
	if err := store.Forget("run"); err == nil {
		t.Error("a server that has ended gives no error")
	}
}

// The log is read from any place on, also where there is nothing yet.
func TestLog(t *testing.T) {
	store, err := redisstore.Open(t.Context(), server(t)+"?prefix=log")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if records, after, err := store.Read(t.Context(), "", false); err != nil || len(records) != 0 || after != "0" {
		t.Errorf("an empty log gives %q at %s, %v", records, after, err)
	}
	for _, record := range []string{"one", "two", ""} {
		if err := store.Append([]byte(record)); err != nil {
			t.Fatal(err)
		}
	}
	records, last, err := store.Read(t.Context(), "", true)
	if err != nil || fmt.Sprintf("%q", records) != `["one" "two" ""]` {
		t.Errorf("the records are %q, %v", records, err)
	}
	for _, wait := range []bool{false, true} {
		if more, after, err := store.Read(t.Context(), last, wait); err != nil || len(more) != 0 || after != last {
			t.Errorf("after the last there are %q at %s, %v", more, after, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := store.Read(over, last, true); err == nil {
		t.Error("a reader whose context has ended gets no error")
	}
}
