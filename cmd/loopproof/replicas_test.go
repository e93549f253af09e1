package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
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
	r := &replica{command: exec.Command("loopproof", "serve", "--addr", "127.0.0.1:0", "--store", store, "--scenario", script, "--profile", "openai", "--profile", "anthropic")}
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

// ask sends a request and reports whether its answer came, whole or in part.
func (r *replica) ask(client *http.Client, i int) bool {
	path, body := "/v1/chat/completions", `{"model":"gpt-4o","stream":%t,"messages":[{"role":"user","content":"Say hello."}]}`
	if i%2 == 0 {
		path, body = "/v1/messages", `{"model":"m","max_tokens":99,"stream":%t,"messages":[{"role":"user","content":"Say hello."}]}`
	}
	req, err := http.NewRequest(http.MethodPost, r.url+path, strings.NewReader(fmt.Sprintf(body, i%3 == 0)))
	if err != nil {
		return false
	}
	req.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return err == nil
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

// However often one of three servers with one store is killed and another one takes its place, all that are left know all
// requests that were answered, and none grows.
func TestReplicasEndure(t *testing.T) {
	store := *storeURL
	if store == "" {
		store = "redis://" + miniredis.RunT(t).Addr() + "/0"
	}
	script := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(script, []byte("loopproof: 1\ntitle: t\nmodel:\n  - text: Hello from the mock provider.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	all := []*replica{startReplica(t, store, script), startReplica(t, store, script), startReplica(t, store, script)}
	answered, rounds := 0, 0
	var first float64
	for begin := time.Now(); rounds == 0 || time.Since(begin) < *endurance; rounds++ {
		answered += askReplicas(all, all[2].kill)
		all[2] = startReplica(t, store, script)
		if first == 0 && answered > 2000 { // by then the journal has forgotten some
			first = all[0].metric(t, "process_resident_memory_bytes")
		}
	}
	answered += askReplicas(all, nil)
	lost := rounds * replicaClients // of a server that is killed, each client may lose one answer, or the journal one request
	for i, r := range all[:2] {
		if known := r.requests(t); known < answered-lost || known > answered+lost {
			t.Errorf("server %d knows %d requests of %d that were answered, and at most %d were lost", i+1, known, answered, lost)
		}
	}
	if a, b := all[0].requests(t), all[1].requests(t); a != b {
		t.Errorf("one server knows %d requests, the other %d", a, b)
	}
	if now := all[0].metric(t, "process_resident_memory_bytes"); first > 0 && now > 1.5*first+8e6 {
		t.Errorf("the first server takes %.0f MB, and took %.0f MB after 2000 requests", now/1e6, first/1e6)
	}
	if files := all[0].metric(t, "process_open_fds"); files > 60 {
		t.Errorf("the first server has %.0f files and connections open", files)
	}
	t.Logf("%d rounds, %d answers", rounds, answered)
}

// askReplicas lets clients ask all servers in turns, calls a function in the middle, and returns how many answers came.
func askReplicas(all []*replica, middle func()) int {
	var clients sync.WaitGroup
	var answered atomic.Int64
	for n := range replicaClients {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for i := range replicaAsks {
				if n == 0 && i == replicaAsks/2 && middle != nil {
					middle()
				}
				if all[i%len(all)].ask(client, i+n) {
					answered.Add(1)
				}
			}
		})
	}
	clients.Wait()
	return int(answered.Load())
}
