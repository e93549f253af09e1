package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/endpoints"
	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/scenarios"
)

const servePage = "../../docs/serve.md"

var (
	quotedFile = regexp.MustCompile("(?s)<!-- (\\S+) -->\n```\\w+\n(.*?)```")
	yamlBlock  = regexp.MustCompile("(?s)```yaml\n(.*?)```")
	console    = regexp.MustCompile("(?s)```console\n(.*?)```")
)

// What a page quotes of a file is the file. To bring it up to date: UPDATE=1 go test
// ./internal/docgen
func TestPagesQuoteFiles(t *testing.T) {
	for _, page := range []string{servePage, "../../docs/adapters.md"} {
		text := read(t, page)
		quotes := 0
		updated := quotedFile.ReplaceAllStringFunc(text, func(block string) string {
			quotes++
			m := quotedFile.FindStringSubmatch(block)
			file := strings.TrimSpace(read(t, "../../"+m[1])) + "\n"
			return strings.TrimSuffix(block, m[2]+"```") + file + "```"
		})
		if quotes == 0 {
			t.Errorf("%s quotes no file", page)
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(page, []byte(updated), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if updated != text {
			t.Errorf("%s does not quote its files as they are; run UPDATE=1 go test ./internal/docgen", page)
		}
	}
}

// The scripts of the page are read, and fit the schema.
func TestServePageScripts(t *testing.T) {
	schema := compileSchema(t)
	blocks := yamlBlock.FindAllStringSubmatch(read(t, servePage), -1)
	if len(blocks) < 2 {
		t.Fatalf("the page has %d scripts", len(blocks))
	}
	for _, block := range blocks {
		if strings.Contains(block[1], "\nendpoints:") {
			if _, err := endpoints.Parse("endpoints.yaml", []byte(block[1])); err != nil {
				t.Error(err)
			}
			continue
		}
		if _, err := scenarios.Parse("script.yaml", block[1]); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
		}
		if problems := problemsOf(t, schema, asJSON(t, []byte(block[1]))); len(problems) > 0 {
			t.Errorf("%v in\n%s", problems, block[1])
		}
	}
}

// Every request that the page shows is answered as it says.
func TestServePageRequests(t *testing.T) {
	scripts, err := scenarios.Load(os.DirFS("../../examples/application")) // named as by loopproof serve --scenario scripts
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatch(read(t, servePage), -1)
	at := slices.IndexFunc(blocks, func(block []string) bool { return strings.Contains(block[1], "title: Orders") })
	orders, err := scenarios.Parse("script-1.yaml", blocks[at][1])
	if err != nil {
		t.Fatal(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
	defer srv.Close()
	if _, err := srv.StartRun(mockprovider.RunConfig{ID: "strict", Scenarios: []*scenarios.Scenario{orders}}); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, block := range console.FindAllStringSubmatch(read(t, servePage), -1) {
		for _, shown := range strings.Split(block[1], "$ curl ")[1:] {
			command, want, _ := strings.Cut(shown, "\n")
			got := strings.ReplaceAll(curl(t, srv.URL, command), `\"`, `"`)
			got = strings.ReplaceAll(got, strings.TrimPrefix(srv.URL, "http://"), "localhost:8080")
			if want = strings.TrimSpace(want); !strings.Contains(got, want) {
				t.Errorf("curl %s\nanswers\n%s\nwant\n%s", command, got, want)
			}
			tried++
		}
	}
	if tried < 5 {
		t.Errorf("the page shows %d requests", tried)
	}
}

var (
	curlPath   = regexp.MustCompile(`localhost:8080(\S+)`)
	curlHeader = regexp.MustCompile(`-H '([^:']+): ([^']+)'`)
	curlBody   = regexp.MustCompile(`-d '([^']+)'`)
)

// curl does what a command of curl says, and returns the body of the answer.
func curl(t *testing.T, base, command string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, base+curlPath.FindStringSubmatch(command)[1], strings.NewReader(curlBody.FindStringSubmatch(command)[1]))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range curlHeader.FindAllStringSubmatch(command, -1) {
		req.Header.Set(h[1], h[2])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return body.String()
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// everything says all that a script can say about when and how it answers.
const everything = `
loopproof: 1
title: Everything
when: {system: terse, model: {matches: ^gpt}, headers: {X-Tenant: acme}, fields: {/n: 3, /a: {contains: b}}}
behaviour: {first-token: 300ms, tokens-per-second: 50, jitter: 20%, chunk: 3, bytes-per-second: 100, seed: 7, rate-limit: {requests: 60, tokens: 1000, per: 1m}}
model:
  - when: {user: {equals: ab, contains: b}, first-user: c, result: {tool: look, contains: d}, tools: [look], turn: 2, round: 1, not: {result: {tool: other}}}
    text: '{{ user }}'
  - behaviour: {jitter: 0.1, faults: [{rate: 5%, status: 503, retry-after: 1s}, {rate: 0.1, cut: {after: 1 event}}, {rate: 1%, stall: {after: 2 events, for: 1s}}, {malformed: {after: 1 event}, times: 2}]}
    text: b
`

func TestSchemaOfScripts(t *testing.T) {
	schema := compileSchema(t)
	if _, err := scenarios.Parse("everything.yaml", everything); err != nil {
		t.Error(err)
	}
	if problems := problemsOf(t, schema, asJSON(t, []byte(everything))); len(problems) > 0 {
		t.Error(problems)
	}
	for right, wrong := range map[string]string{
		"{contains: b}}}": "{contain: b}}}", "turn: 2": "turn: two", "jitter: 20%": "jitter: 20", "chunk: 3": "chunk: few",
		"tools: [look]": "tools: look", "rate: 5%": "rate: often", "first-user: c": "first-usr: c",
	} {
		text := strings.Replace(everything, right, wrong, 1)
		if text == everything {
			t.Fatalf("the script does not say %s", right)
		}
		if len(problemsOf(t, schema, asJSON(t, []byte(text)))) == 0 {
			t.Errorf("the schema takes %s", wrong)
		}
		if _, err := scenarios.Parse("everything.yaml", text); err == nil {
			t.Errorf("the loader takes %s", wrong)
		}
	}
}
