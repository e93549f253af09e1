package linear_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/importing/cassettes"
	"github.com/loopproof/loopproof/internal/importing/stubs"
	"github.com/loopproof/loopproof/internal/linear"
	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

const (
	savedRequest = `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`
	pythonPrint  = `DEBUG Request options: {'url': '/chat/completions', 'json_data': {'messages': [{'role': 'user', 'content': "it's"}], 'stream': True, 'x': None}}` + "\n"
)

// logs are files of a size in which lint searches requests.
var logs = map[string]func(n int) string{
	"lines of JSON":            func(n int) string { return strings.Repeat(savedRequest+"\n", n) },
	"prints of Python":         func(n int) string { return strings.Repeat(pythonPrint, n) },
	"small objects":            func(n int) string { return "log\n" + strings.Repeat("{} ", n) },
	"brackets that open":       func(n int) string { return "log\n" + strings.Repeat("{", n) },
	"lists that open on lines": func(n int) string { return "log\n" + strings.Repeat("[\n", n) },
	"quotes":                   func(n int) string { return "log\n" + strings.Repeat(`{"`, n) },
	"spaces":                   func(n int) string { return "log\n" + strings.Repeat(" ", n) + "[" },
	"escapes":                  func(n int) string { return `log {'a': '` + strings.Repeat(`\\`, n) + `\xa0'}` },
	"high bytes":               func(n int) string { return `log {'a': '` + strings.Repeat(`\xa0`, n) + `'}` },
	"digits":                   func(n int) string { return `log {'a': ` + strings.Repeat("9", n) + `}` },
	"hexadecimal digits":       func(n int) string { return `log {'a': 0x` + strings.Repeat("f", n) + `}` },
	"a fraction":               func(n int) string { return `log {'a': 1.` + strings.Repeat("9", n) + `}` },
	"signs":                    func(n int) string { return `log {'a': ` + strings.Repeat("-", n) + `1}` },
	"negations":                func(n int) string { return `log {'a': ` + strings.Repeat("not ", n) + `1}` },
	"attributes":               func(n int) string { return `log {'a': b` + strings.Repeat(".c", n) + `}` },
	"sums":                     func(n int) string { return `log {'a': 1` + strings.Repeat("+1", n) + `}` },
	"conditions":               func(n int) string { return `log {'a': ` + strings.Repeat("b if c else ", n) + `1}` },
	"a body that breaks off":   func(n int) string { return `{"model":"m","messages":[` + strings.Repeat(`{"role":"user"},`, n) },
	"keys of a broken body":    func(n int) string { return `{"model":"m","messages":[],` + strings.Repeat(`a:1,`, n) + "}" },
	"strings in strings":       func(n int) string { return `["` + strings.Repeat(`{\"a\":1} `, n) + `"]` },
	"bodies in a HAR file": func(n int) string {
		return `{"log":{"entries":[` + each(n, func(int) string {
			return `{"request":{"method":"POST","url":"http://a/v1/chat/completions","postData":{"text":"{\"model\":\"m\",\"messages\":[]}"}}}`
		}) + "]}}"
	},
	"dumps of requests": func(n int) string {
		return strings.Repeat("POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n\r\n"+savedRequest+"\r\n", n)
	},
	"messages of a list": func(n int) string {
		return "[" + each(n, func(int) string { return `{"role":"user","content":"Hi"}` }) + "]"
	},
	"one body of many wrong messages": func(n int) string {
		return `{"model":"m","messages":[` + each(n, func(int) string { return "{\"role\":\"user\"}\n" }) + "]}"
	},
}

// Requests in logs and saved bodies are found and judged in linear time.
func TestSavedRequests(t *testing.T) {
	o := savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON}
	chosen := profiles.Of("chat", profiles.All())[:2]
	for name, text := range logs {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(text(n))
				return func() {
					found, _ := savedrequests.Find(data, o)
					for _, r := range found {
						lint.Check(t.Context(), r, chosen)
					}
				}
			})
		})
	}
}

// Python is read in linear time, also what no search of a log would bring.
func TestPython(t *testing.T) {
	for name, text := range logs {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(strings.TrimPrefix(text(n), "log "))
				return func() { pythonliteral.JSON(data) }
			})
		})
	}
}

// recordings are files of other tools, of a size.
var recordings = map[string]func(n int) string{
	"HAR": func(n int) string {
		return `{"log":{"entries":[` + each(n, func(int) string {
			return `{"request":{"method":"POST","url":"http://a/v1/chat/completions","postData":{"text":"{}"}},"response":{"status":200,"headers":[{"name":"A","value":"b"}],"content":{"text":"e30=","encoding":"base64"}}}`
		}) + "]}}"
	},
	"headers of HAR": func(n int) string {
		return `{"log":{"entries":[{"request":{"method":"POST","url":"http://a/"},"response":{"status":200,"headers":[` +
			each(n, func(i int) string { return fmt.Sprintf(`{"name":"A%d","value":"b"}`, i%7) }) + `]}}]}}`
	},
	"VCR": func(n int) string {
		return "interactions:\n" + strings.Repeat("- request: {method: POST, uri: 'http://a/v1/messages', body: '{}'}\n  response: {status: {code: 200}, body: {string: !!binary e30=}, headers: {content-type: [json]}}\n", n) + "version: 1\n"
	},
	"a long body of VCR": func(n int) string {
		return "interactions:\n- request: {method: POST, uri: 'http://a/'}\n  response:\n    status: {code: 200}\n    body:\n      string: |\n" + strings.Repeat("        data\n", n)
	},
	"nock": func(n int) string {
		return "[" + each(n, func(int) string {
			return `{"scope":"https://a:443","method":"POST","path":"/v1/messages","body":{},"status":200,"response":{},"rawHeaders":["a","b"]}`
		}) + "]"
	},
	"keys": func(n int) string {
		return "{" + each(n, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }) + "}"
	},
	"aliases": func(n int) string {
		return "interactions:\n- &a {request: {method: POST, uri: 'http://a/'}}\n" + strings.Repeat("- *a\n", n)
	},
}

// Recordings of other tools are read in linear time.
func TestCassettes(t *testing.T) {
	for name, text := range recordings {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(text(n))
				return func() { cassettes.Read(data) }
			})
		})
	}
}

// Fixtures of aimock and mappings of WireMock are read in linear time.
func TestStubs(t *testing.T) {
	var spoken []stubs.Dialect
	for _, d := range dialect.All() {
		spoken = append(spoken, stubs.Dialect{Dialect: d, Profile: d.Standard})
	}
	linearStubs := func(name string, text func(n int) string, read func(root *wire.Node) []*stubs.Script) {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(text(n))
				return func() {
					root, err := wire.ParseNode(data)
					if err != nil {
						t.Fatal(err)
					}
					for _, s := range read(root) {
						s.YAML("x")
					}
				}
			})
		})
	}
	linearStubs("aimock", func(n int) string {
		return `{"fixtures":[` + each(n, func(i int) string {
			return fmt.Sprintf(`{"match":{"userMessage":"a%d"},"response":{"content":"b"}}`, i)
		}) + "]}"
	}, func(root *wire.Node) []*stubs.Script {
		script, _ := stubs.Aimock("x", root, false)
		return []*stubs.Script{script}
	})
	linearStubs("WireMock", func(n int) string {
		return `{"mappings":[` + each(n, func(i int) string {
			return fmt.Sprintf(`{"request":{"urlPath":"/v1/messages","bodyPatterns":[{"contains":"a%d"}]},"response":{"status":500,"jsonBody":{}}}`, i)
		}) + "]}"
	}, func(root *wire.Node) []*stubs.Script {
		file := stubs.WireMockFile{Name: "x.json", Root: root, Body: func(string) ([]byte, error) { return nil, os.ErrNotExist }}
		scripts, _ := stubs.WireMock("x", []stubs.WireMockFile{file}, spoken)
		return scripts
	})
}

// The records of loops are read in linear time.
func TestRecords(t *testing.T) {
	for _, format := range transcript.Formats() {
		for name, text := range map[string]func(n int) string{
			"messages": func(n int) string {
				return "[" + each(n, func(int) string { return `{"role":"user","content":"Hi"}` }) + "]"
			},
			"calls": func(n int) string {
				return "[" + each(n, func(i int) string {
					return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"c%[1]d","name":"f","input":{}}],"tool_calls":[{"id":"c%[1]d","type":"function","function":{"name":"f","arguments":"{}"}}]}`, i)
				}) + "]"
			},
			"objects": func(n int) string {
				return "[" + each(n, func(i int) string { return fmt.Sprintf(`{"type":"call","id":"c%d"}`, i) }) + "]"
			},
			"pieces": func(n int) string {
				return `[{"type":"TEXT_MESSAGE_START","messageId":"m"},` + each(n, func(int) string { return `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"some words"}` }) + "]"
			},
		} {
			t.Run(format.Name+"/"+name, func(t *testing.T) {
				linear.Check(t, func(n int) func() {
					data := []byte(text(n))
					return func() {
						r, err := format.Read(data, transcriptschema.Check)
						if err != nil {
							return
						}
						for _, m := range r.Conversation.Messages {
							for _, result := range m.Results {
								r.MarkOf(result)
							}
						}
					}
				})
			})
		}
	}
}

// Lists of known failures are read in linear time.
func TestKnownFailures(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"entries": func(n int) string {
			return strings.Repeat("- rule: pairing/every-call-answered\n  case: 'a/**'\n  reason: later\n", n)
		},
		"comments": func(n int) string { return strings.Repeat("# a\n", n) },
		"patterns": func(n int) string {
			return "- rule: pairing/every-call-answered\n  reason: later\n  case: '" + strings.Repeat("*a", n) + "'\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(text(n))
				return func() { knownfailing.Parse("known.yaml", data) }
			})
		})
	}
}

// Reports are read, merged and shown in linear time.
func TestReports(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"cases": func(n int) string {
			return `{"schema":"loopproof.report/1","rules":[{"id":"a","verdict":"failed","level":"must","failed":1}],"passed":[[]],"cases":[` + each(n, func(i int) string {
				return fmt.Sprintf(`{"id":"x%d@openai","findings":[{"rule":"a","level":"must","message":"m"}]}`, i)
			}) + `]`
		},
		"rules": func(n int) string {
			return `{"schema":"loopproof.report/1","cases":[],"rules":[` + each(n, func(i int) string { return fmt.Sprintf(`{"id":"a%d","verdict":"passed"}`, i) }) + `]`
		},
		"notes": func(n int) string {
			return `{"schema":"loopproof.report/1","cases":[],"rules":[],"notes":[` + each(n, func(i int) string { return fmt.Sprintf(`"note %d"`, i) }) + `]`
		},
	} {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				places := strings.TrimSuffix(strings.Repeat("0,", n), ",")
				var data [2]string
				for i := range data {
					data[i] = text(n) + fmt.Sprintf(`,"shard":{"index":%d,"of":2,"places":[%s],"rule_places":[%s]}}`, i+1, places, each(n, func(i int) string { return fmt.Sprint(i) }))
				}
				return func() {
					var parts []*report.Report
					for _, d := range data {
						r, err := report.Read(strings.NewReader(d))
						if err != nil {
							t.Fatal(err)
						}
						parts = append(parts, r)
					}
					whole, err := report.Merge(parts...)
					if err != nil {
						t.Fatal(err)
					}
					var b bytes.Buffer
					whole.WriteMarkdown(&b)
					report.Console{}.Write(&b, whole)
				}
			})
		})
	}
}

// YAML of scenarios is read in linear time.
func TestYAML(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"keys": func(n int) string {
			return strings.ReplaceAll(each(n, func(i int) string { return fmt.Sprintf("k%d: 1\n", i) }), ",", "")
		},
		"items": func(n int) string { return "a:\n" + strings.Repeat("- b\n", n) },
	} {
		t.Run(name, func(t *testing.T) {
			linear.Check(t, func(n int) func() {
				data := []byte(text(n))
				return func() {
					var into struct{ A []string }
					strictyaml.Read("x.yaml", data, &into)
				}
			})
		})
	}
}
