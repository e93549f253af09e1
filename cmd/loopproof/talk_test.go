package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// talk FILE... -- COMMAND ARGS... starts a server that prints a line of JSON when it is ready,
// posts the files to it as requests for a turn of the model, prints what it answers, interrupts it,
// and ends with its exit code. CALL_ID in a file is the id of the first tool call in the answer
// before. A file that begins with a slash is a path of the server, which is printed. UPSTREAM in
// the command is the URL of a provider that plays pairing/single-call. The command toyproof speaks
// the toys, and loopproof the first dialect whose standard profile it names, or Chat Completions.
func talk() {
	dash := slices.Index(os.Args, "--")
	files, command := os.Args[1:dash], os.Args[dash+1:]
	end := upstream(command)
	server := exec.Command(command[0], command[1:]...)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	check(err)
	check(server.Start())
	ready, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		fmt.Print(ready)
		base := gjson.Get(ready, "base_url").String()
		ask(base, servedDialect(command), files)
		check(server.Process.Signal(syscall.SIGTERM))
	}
	server.Wait()
	end()
	os.Exit(server.ProcessState.ExitCode())
}

// upstream starts the provider that a command names, and returns what ends it.
func upstream(command []string) func() {
	at := slices.Index(command, "UPSTREAM")
	if at < 0 {
		return func() {}
	}
	library, err := catalog.Scenarios(nil, profiles.Known{})
	check(err)
	var config engine.Config
	if d := servedDialect(command); slices.Contains(dialect.Known(), d) {
		config.Profile, err = profiles.Get(d.Standard)
		check(err)
	} else {
		own := ownFolders{profiles: "profiles", dialects: toys}
		named, err := own.named([]string{d.Name})
		check(err)
		config.Profile, config.Profiles = named[0], named
	}
	for _, s := range library {
		if s.ID == "pairing/single-call" {
			config.Scenarios = append(config.Scenarios, s)
		}
	}
	srv := engine.NewServer(config)
	command[at] = srv.URL
	return srv.Close
}

// servedDialect returns the toy that a command names, or the first dialect whose standard profile it
// names, or else the first of all.
func servedDialect(command []string) *wire.Dialect {
	if command[0] == "toyproof" {
		return toys[slices.IndexFunc(toys, func(d *wire.Dialect) bool { return slices.Contains(command, d.Name) })]
	}
	known := dialect.Known()
	named := slices.IndexFunc(known, func(d *wire.Dialect) bool { return slices.Contains(command, d.Standard) })
	return known[max(0, named)]
}

func ask(base string, d *wire.Dialect, files []string) {
	callID := ""
	for _, file := range files {
		if strings.HasPrefix(file, "/") {
			resp, err := http.Get(base + file)
			check(err)
			io.Copy(os.Stdout, resp.Body)
			resp.Body.Close()
			continue
		}
		data, err := os.ReadFile(file)
		check(err)
		body := strings.ReplaceAll(string(data), "CALL_ID", callID)
		resp, err := http.Post(base+d.Endpoint.Path(), "application/json", strings.NewReader(body))
		check(err)
		answer, err := io.ReadAll(resp.Body)
		check(err)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, string(answer))
		streamed := strings.HasPrefix(resp.Header.Get("Content-Type"), d.Frames().Type)
		if a, err := d.ReadAnswer(answer, streamed); err == nil && len(a.Calls) > 0 {
			callID = a.Calls[0].ID
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "talk:", err)
		os.Exit(99)
	}
}
