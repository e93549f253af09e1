package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// endurance is how long TestReplicasEndure goes on. A round of it is always played:
//
//	go test ./cmd/loopproof -run ReplicasEndure -endurance 1h -store redis://127.0.0.1:6379/0 -timeout 2h
var (
	endurance = flag.Duration("endurance", 0, "let TestReplicasEndure go on for this long")
	storeURL  = flag.String("store", "", "the Redis or Valkey of TestReplicasEndure; by default it is one inside the test")
)

// Clients of TestReplicasEndure, and how many requests each sends in a round.
const (
	replicaClients = 6
	replicaAsks    = 20
)

// replica is a server in a process of its own.
type replica struct {
	command *exec.Cmd
	url     string
}

func startReplica(t *testing.T, store, script string) *replica {
	t.Helper()
	r := &replica{command: exec.Command("loopproof", "serve", "--addr", "127.0.0.1:0", "--store", store, "--scenario", script, "--profile", "openai", "--profile", "anthropic", "--profile", "openai-responses", "--profile", "gemini-3")}
	out, err := r.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	var ready struct {
		URL string `json:"base_url"`
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		t.Fatalf("the server did not become ready: %v", err)
	}
	r.url = ready.URL
	t.Cleanup(r.kill)
	return r
}

// kill ends the process as a machine that fails does: nothing is closed and nothing is said.
func (r *replica) kill() {
	r.command.Process.Kill()
	r.command.Wait()
}

// replicaForms are requests in all dialects, by their paths. Each has a text of its own.
var replicaForms = []struct{ path, body string }{
	{"/v1/chat/completions", `{"model":"gpt-4o","stream":%t,"messages":[{"role":"user","content":"Say hello to number %d."}]}`},
	{"/v1/messages", `{"model":"m","max_tokens":99,"stream":%t,"messages":[{"role":"user","content":"Say hello to number %d."}]}`},
	{"/v1/responses", `{"model":"m","stream":%t,"input":"Say hello to number %d."}`},
	{"/v1beta/models/m:generateContent", `{"labels":{"stream":"%t"},"contents":[{"role":"user","parts":[{"text":"Say hello to number %d."}]}]}`},
}

// ask sends a request, and reports whether it reached the server, and whether its answer came
// whole.
func (r *replica) ask(client *http.Client, i, number int) (reached, whole bool) {
	form := replicaForms[i%len(replicaForms)]
	req, err := http.NewRequest(http.MethodPost, r.url+form.path, strings.NewReader(fmt.Sprintf(form.body, i%3 == 0, number)))
	if err != nil {
		return false, false
	}
	req.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := client.Do(req)
	if err != nil {
		var broken *net.OpError
		return !errors.As(err, &broken) || broken.Op != "dial", false
	}
	_, err = io.Copy(io.Discard, resp.Body) // a fault may end it
	resp.Body.Close()
	return true, err == nil
}

// get returns what a server says at a path of its own.
func (r *replica) get(t *testing.T, path string) string {
	t.Helper()
	resp, err := http.Get(r.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s gives %d %s: %v", path, resp.StatusCode, text, err)
	}
	return string(text)
}

// requests returns how many requests a server knows, its own and those of the others.
func (r *replica) requests(t *testing.T) int {
	t.Helper()
	var run struct{ Sum struct{ Requests int } }
	if err := json.Unmarshal([]byte(r.get(t, "/loopproof/runs/default")), &run); err != nil {
		t.Fatal(err)
	}
	return run.Sum.Requests
}

// agree waits until two servers know as many requests, and as many as expected: the others are told
// of one when its answer has ended, and a client may notice first that an answer breaks off.
func agree(t *testing.T, one, other *replica, least, most int) {
	t.Helper()
	var a, b int
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if a, b = one.requests(t), other.requests(t); a == b && a >= least && a <= most {
			return
		}
	}
	t.Errorf("one server knows %d requests and the other %d, want the same number from %d to %d", a, b, least, most)
}

// metric returns a number of the process.
func (r *replica) metric(t *testing.T, name string) float64 {
	t.Helper()
	for line := range strings.Lines(r.get(t, "/loopproof/metrics")) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// Some of the requests are met with faults.
const replicaScript = `loopproof: 1
title: t
behaviour:
  seed: 7
  faults:
    - {rate: 5%, status: 503}
    - {rate: 5%, cut: {after: 2 events}}
    - {rate: 3%, reset: {after: 1 event}}
    - {rate: 3%, malformed: {after: 1 event}}
model:
  - text: Hello from the mock provider.
`

// However often one of three servers with one store is killed and another one takes its place, all
// that are left know all requests that were sent, and none grows.
func TestReplicasEndure(t *testing.T) {
	store := *storeURL
	if store == "" {
		store = "redis://" + miniredis.RunT(t).Addr() + "/0"
	}
	script := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(script, []byte(replicaScript), 0o666); err != nil {
		t.Fatal(err)
	}
	all := []*replica{startReplica(t, store, script), startReplica(t, store, script), startReplica(t, store, script)}
	asked, broken, rounds := 0, 0, 0
	var first held
	for begin := time.Now(); rounds == 0 || time.Since(begin) < *endurance; rounds++ {
		sent, ofKilled := askReplicas(all, asked, all[2].kill)
		asked, broken = asked+sent, broken+ofKilled
		all[2] = startReplica(t, store, script)
		if first == (held{}) && (asked > 20_000 || time.Since(begin) > *endurance/4) { // by then all is there that is kept
			first = all[0].held(t)
		}
	}
	sent, _ := askReplicas(all, asked, nil)
	asked += sent
	agree(t, all[0], all[1], asked-broken, asked) // of a broken answer, a server that is killed may not have told the others
	now := all[0].held(t)
	if now.memory > 1.3*first.memory+8e6 || now.goroutines > first.goroutines+20 || now.files > first.files+20 {
		t.Errorf("the first server holds %+v, and held %+v", now, first)
	}
	t.Logf("%d rounds, %d requests; the first server held %+v and holds %+v", rounds, asked, first, now)
}

// held is what a process holds: bytes, goroutines, and files and connections.
type held struct{ memory, goroutines, files float64 }

func (r *replica) held(t *testing.T) held {
	t.Helper()
	return held{r.metric(t, "process_resident_memory_bytes"), r.metric(t, "go_goroutines"), r.metric(t, "process_open_fds")}
}

// askReplicas lets clients ask all servers in turns, calls a function in the middle, and returns
// how many requests reached a server, and how many answers of the last server were broken. The
// texts of the requests are numbered after those that were sent before.
func askReplicas(all []*replica, before int, middle func()) (sent, broken int) {
	var clients sync.WaitGroup
	var reached, brokeOff atomic.Int64
	for n := range replicaClients {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for i := range replicaAsks {
				if n == 0 && i == replicaAsks/2 && middle != nil {
					middle()
				}
				arrived, whole := all[i%len(all)].ask(client, i+n, before+n*replicaAsks+i)
				if arrived {
					reached.Add(1)
				}
				if arrived && !whole && i%len(all) == len(all)-1 {
					brokeOff.Add(1)
				}
			}
		})
	}
	clients.Wait()
	return int(reached.Load()), int(brokeOff.Load())
}
