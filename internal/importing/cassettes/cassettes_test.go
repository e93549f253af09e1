package cassettes_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/importing/cassettes"
)

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// TestRead: one exchange in each format, as "method URL request status type response".
func TestRead(t *testing.T) {
	const want = `POST https://api.openai.com/v1/x {"a":1} 200 application/json {"b":2}`
	for _, test := range []struct {
		name, data string
		want       string // or, where it is skipped, why
	}{
		{"HAR", `{"log":{"entries":[{"request":{"method":"POST","url":"https://api.openai.com/v1/x","postData":{"text":"{\"a\":1}"}},
			"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"},{"name":"Content-Encoding","value":"br"}],"content":{"text":"{\"b\":2}"}}}]}}`, want},
		{"HAR with base64", `{"log":{"entries":[{"request":{"method":"POST","url":"https://api.openai.com/v1/x","postData":{"text":"{\"a\":1}"}},
			"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"content":{"encoding":"base64","text":"eyJiIjoyfQ=="}}}]}}`, want},
		{"HAR without a response", `{"log":{"entries":[{"request":{"method":"POST","url":"https://api.openai.com/v1/x"},"response":{"status":0}}]}}`, "it has no response with a status"},
		{"vcrpy", `interactions:
- request:
    body: '{"a":1}'
    method: POST
    uri: https://api.openai.com/v1/x
  response:
    body: {string: '{"b":2}'}
    headers: {content-type: [application/json]}
    status: {code: 200, message: OK}
version: 1`, want},
		{"vcrpy, compressed", `interactions:
- request: {body: '{"a":1}', method: POST, uri: 'https://api.openai.com/v1/x'}
  response:
    body: {string: !!binary ` + packed(`{"b":2}`) + `}
    headers: {Content-Type: [application/json], Content-Encoding: [gzip]}
    status: {code: 200}`, want},
		{"vcrpy, compressed in a way that is not known", `interactions:
- request: {body: '{"a":1}', method: POST, uri: 'https://api.openai.com/v1/x'}
  response: {body: {string: !!binary AAEC}, headers: {Content-Encoding: [br]}, status: {code: 200}}`, "its response is compressed with br, which cannot be undone here"},
		{"vcrpy, with the header of a compression that was undone", `interactions:
- request: {body: '{"a":1}', method: POST, uri: 'https://api.openai.com/v1/x'}
  response: {body: {string: '{"b":2}'}, headers: {Content-Type: [application/json], Content-Encoding: [br]}, status: {code: 200}}`, want},
		{"vcrpy with parsed bodies", `interactions:
- request: {parsed_body: {a: 1}, method: POST, uri: 'https://api.openai.com/v1/x'}
  response: {parsed_body: {b: 2}, headers: {content-type: [application/json]}, status: {code: 200}}`, want},
		{"VCR for Ruby", `http_interactions:
- request: {method: post, uri: 'https://api.openai.com/v1/x', body: {encoding: UTF-8, string: '{"a":1}'}}
  response: {status: {code: 200}, headers: {Content-Type: [application/json]}, body: {encoding: UTF-8, base64_string: eyJiIjoyfQ==}}`, want},
		{"go-vcr", `version: 2
interactions:
- id: 0
  request: {body: '{"a":1}', url: https://api.openai.com/v1/x, method: POST}
  response: {body: '{"b":2}', headers: {Content-Type: [application/json]}, status: 200 OK, code: 200}`, want},
		{"nock", `[{"scope":"https://api.openai.com","method":"POST","path":"/v1/x","body":{"a":1},"status":200,"response":{"b":2},"rawHeaders":["content-type","application/json"]}]`, want},
		{"nock, later", `[{"scope":"https://api.openai.com","method":"POST","path":"/v1/x","body":{"a":1},"status":200,"response":{"b":2},"rawHeaders":{"content-type":"application/json"}}]`, want},
		{"a relative URL", `{"interactions":[{"request":{"method":"POST","uri":"/v1/x"},"response":{"status":{"code":200}}}]}`, `its URL "/v1/x" has no host`},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, skipped, err := cassettes.Read([]byte(test.data))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range all {
				got = append(got, fmt.Sprintf("%s %s %s %d %s %s", x.Method, x.URL, x.Request, x.Status, x.Header.Get("Content-Type"), x.Response))
			}
			for _, s := range skipped {
				got = append(got, s.Why)
			}
			if strings.Join(got, "\n") != test.want {
				t.Errorf("read as %q, want %q", got, test.want)
			}
		})
	}
}

func TestOtherFiles(t *testing.T) {
	for _, data := range []string{"a: b", "[]", `[{"a":1}]`, `{"log":{}}`} {
		if _, _, err := cassettes.Read([]byte(data)); !errors.Is(err, cassettes.ErrUnknown) {
			t.Errorf("%q: the error is %v", data, err)
		}
	}
	if _, _, err := cassettes.Read([]byte("a: [")); err == nil || errors.Is(err, cassettes.ErrUnknown) {
		t.Errorf("the error is %v", err)
	}
}

// A file that is cut off, or mistyped, is told where, in the terms of its format.
func TestUnreadableFiles(t *testing.T) {
	for text, want := range map[string]string{
		`{"log":{"entries":[{"request":`:      "it is not JSON: it breaks off after 30 bytes",
		`{"log":{"entries":[{"request" 1}]}}`: "it is not JSON: invalid character '1' after object name (expecting ':') at offset 30",
		"interactions:\n - a: \"b\n":          "line 3, column 1: it is not YAML: found unexpected end of stream (while scanning a quoted scalar that begins in line 2)",
		"interactions:\n - a: \x01\n":         "line 2, column 7: it is not YAML: control characters are not allowed (value: 1)",
	} {
		if _, _, err := cassettes.Read([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
		}
	}
}

// Keys that are the same are one error: the reader of YAML compares each key of a mapping with all
// others, and made an error of each two, which took gigabytes for a file of a megabyte.
func TestManyKeys(t *testing.T) {
	const many = 20_000
	var different strings.Builder
	for i := range many {
		fmt.Fprintf(&different, "k%d: 1\n", i)
	}
	if _, _, err := cassettes.Read([]byte(different.String())); !errors.Is(err, cassettes.ErrUnknown) {
		t.Errorf("of different keys the error is %v", err)
	}
	want := `it cannot be read: line 2, column 1: the key "k" occurs twice, first in line 1`
	if _, _, err := cassettes.Read([]byte(strings.Repeat("k: 1\n", many))); err == nil || err.Error() != want {
		t.Errorf("of the same keys the error is %.300v", err)
	}
}

// What some kilobytes are the compression of is not read without an end, and not cut off silently.
func TestCompressedBomb(t *testing.T) {
	bomb := packed(strings.Repeat("\x00", 65<<20))
	entry := "- request: {method: POST, uri: 'http://a/v1/messages', body: '{}'}\n  response: {status: {code: 200}, headers: {content-encoding: [gzip]}, body: {base64_string: " + bomb + "}}\n"
	all, skipped, err := cassettes.Read([]byte("interactions:\n" + entry))
	if err != nil || len(all) > 0 || len(skipped) != 1 || skipped[0].Why != "its response has more than 64 MB without its compression" {
		t.Errorf("read are %d exchanges, %v, %v", len(all), skipped, err)
	}
}
