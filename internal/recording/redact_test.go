package recording_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/recording"
)

// leaky is a conversation full of things that must not be written down: the key itself, keys of
// others, and fields.
const leaky = `
system: 'The key is ` + key + `, the other one ghp_abcdefghijklmnopqrstuvwxyz0123. Config: {"password": "hunter2", "port": 1}'
prompt: 'Log in with {"user": {"Password": "hunter2", "pin": [1234]}} please'
tools:
  login:
    parameters: {name: string, password: string, deep: object?}
    results:
      - {when: {name: ada}, text: '{"token": "t-998877", "ok": true, "echo": "{\"password\":\"hunter2\",\"n\":1}"}'}
model:
  - reasoning: "I use the password: {\"password\": \"hunter2\"} and ` + key + `."
    calls:
      - {as: login, tool: login, arguments: '{"name": "ada", "password": "hunter2", "deep": {"token": ["t-998877", 998877]}}'}
  - text: 'Logged in with ` + key + `; the token is {"token": "t-998877"}.'
`

var secrets = []string{key, "ghp_abcdefghij", "hunter2", "998877", "1234"}

// A secret never reaches the disk, not even one that a stream brings letter by letter; and what is
// written plays.
func TestSecretsNeverReachTheDisk(t *testing.T) {
	for _, profile := range []string{"deepseek", "anthropic", "openrouter"} {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/stream=%v", profile, stream), func(t *testing.T) {
				rec := record(t, leaky, profile, stream, recording.Config{Redact: []string{"password", "token", "pin"}})
				files := rec.files(t)
				if len(files) != 4 {
					t.Errorf("the recording has %d files, want a scenario, two fixtures and .gitattributes", len(files))
				}
				for name, text := range files {
					holdsNone(t, name, text)
					if f, err := fixtures.Read([]byte(text)); err == nil {
						a, err := dialect.AnswerOf(f)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						said := fmt.Sprint(a.Text, a.Calls)
						if a.Reasoning != nil {
							said += *a.Reasoning
						}
						holdsNone(t, "what "+name+" says", said)
						if !strings.Contains(said, "REDACTED") {
							t.Errorf("%s says %s, want a mark where the secrets were", name, said)
						}
					}
				}
				s := rec.load(t)[0]
				if r, ok := s.Tool("login").Answer(`{"name":"ada","password":"REDACTED","deep":{"token":["REDACTED",0]}}`); !ok || !strings.Contains(r.Output(), `"ok": true`) {
					t.Errorf("the tool gives %+v for what is called now", r)
				}
				if got := rec.replay(t, profile); got[0].status != 200 || len(got[0].writes) != len(rec.seen[0].writes) {
					t.Errorf("the recording replays %d in %d writes, want 200 in %d", got[0].status, len(got[0].writes), len(rec.seen[0].writes))
				}
				for _, x := range rec.told {
					holdsNone(t, "what is told", fmt.Sprint(x.Said, x.Findings))
				}
			})
		}
	}
}

func holdsNone(t *testing.T, where, text string) {
	t.Helper()
	for _, s := range secrets {
		if strings.Contains(text, s) {
			t.Errorf("%s holds %s:\n%s", where, s, text)
		}
	}
}

// Headers that say who asked are not kept, nor is a key in them or in a page of HTML.
func TestErrorsOfProvidersAreRedacted(t *testing.T) {
	dir := t.TempDir()
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=abc")
		w.Header().Set("Openai-Organization", "acme")
		w.Header().Set("X-Ratelimit-Limit", "7")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "<p>Incorrect key %s; see %s", r.Header.Get("X-Api-Key"), r.URL.Query().Get("key"))
	})
	url, finish := proxy(t, upstream, recording.Config{Dir: dir})
	req, _ := http.NewRequest(http.MethodPost, url+"/v1/messages?key=another-key-77", strings.NewReader(ask))
	req.Header.Set("X-Api-Key", "plain-and-simple")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "<p>Incorrect key plain-and-simple; see another-key-77" {
		t.Errorf("the client got %q", body)
	}
	finish()
	got := recorded{dir: dir}.files(t)["hello/01.http"]
	if !strings.Contains(got, "X-Ratelimit-Limit: 7") || !strings.HasSuffix(got, "\n\n<p>Incorrect key REDACTED; see REDACTED") || strings.Contains(got, "acme") || strings.Contains(got, "session") {
		t.Errorf("the fixture is %q", got)
	}
}

// The keys of a client are taken out wherever they are repeated, in whichever header it sends them
// and however they are written: of the names of files, too.
func TestKeysOfAllHeaders(t *testing.T) {
	hidden := []string{"gateway-value-1", "proxy-value-1", "cookie-value-1", "basic-password"}
	var said []string
	for _, one := range hidden {
		said = append(said, one, url.QueryEscape("a/"+one), base64.StdEncoding.EncodeToString([]byte("it is "+one)))
	}
	long := strings.Repeat("Ab0", 12)
	forms := []string{"AQ." + long, "ya29." + long, "ASIA" + strings.Repeat("A", 16), "sk_test_" + long, "fw_" + long, "tvly-" + long, "SG." + long + "." + long, "whsec_" + long, "dapi" + strings.Repeat("0a", 16)}
	for i, prompt := range append(slices.Clone(forms), said...) {
		dir := t.TempDir()
		upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"type":"message","role":"assistant","content":[{"type":"text","text":%q}],"stop_reason":"end_turn"}`, "You said "+prompt)
		})
		at, finish := proxy(t, upstream, recording.Config{Dir: dir})
		req, _ := http.NewRequest(http.MethodPost, at+"/v1/messages", strings.NewReader(strings.Replace(ask, "Hello", prompt, 1)))
		req.Header.Set("cf-aig-authorization", "Bearer "+hidden[0])
		req.Header.Set("X-My-Proxy-Key", hidden[1])
		req.Header.Set("Cookie", "session="+hidden[2])
		req.SetBasicAuth("user", hidden[3])
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		finish()
		files := recorded{dir: dir}.files(t)
		if len(files) < 3 {
			t.Errorf("%d: nothing was recorded: %v", i, files)
		}
		for name, text := range files {
			for _, one := range []string{prompt, strings.ToLower(prompt), strings.Trim(strings.ToLower(strings.Map(func(r rune) rune {
				if r == '.' || r == '_' || r == '%' || r == '=' {
					return '-'
				}
				return r
			}, prompt)), "-")} {
				if strings.Contains(name, one) || strings.Contains(text, one) {
					t.Errorf("%s has %s:\n%s", name, one, text)
				}
			}
		}
	}
}
