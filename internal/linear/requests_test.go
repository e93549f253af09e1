package linear_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/linear"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
)

// each returns n texts, separated by commas.
func each(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(i))
	}
	return b.String()
}

// words writes the parts of requests of a dialect. The first place is for a number.
type words struct {
	profile string
	body    string // first the messages, then the tools
	prompt  string
	text    string // the text of a message of the user

	calls, result string // a message of the model with calls, one with results
	call, answer  string

	tool string // name and schema
}

var dialects = []words{
	{
		profile: "openai", body: `{"model":"gpt-4o","messages":[%s],"tools":[%s]}`,
		prompt: `{"role":"user","content":"Hi"}`, text: `{"role":"user","content":[{"type":"text","text":"%d"}]}`,
		calls: `{"role":"assistant","tool_calls":[%s]}`, call: `{"id":"c%[1]d","type":"function","function":{"name":"f%[1]d","arguments":"{}"}}`,
		result: `%s`, answer: `{"role":"tool","tool_call_id":"c%d","content":"1"}`,
		tool: `{"type":"function","function":{"name":"f%d","parameters":%s}}`,
	},
	{
		profile: "anthropic", body: `{"model":"claude","max_tokens":9,"messages":[%s],"tools":[%s]}`,
		prompt: `{"role":"user","content":"Hi"}`, text: `{"role":"user","content":[{"type":"text","text":"%d"}]}`,
		calls: `{"role":"assistant","content":[%s]}`, call: `{"type":"tool_use","id":"c%[1]d","name":"f%[1]d","input":{}}`,
		result: `{"role":"user","content":[%s]}`, answer: `{"type":"tool_result","tool_use_id":"c%d","content":"1"}`,
		tool: `{"name":"f%d","input_schema":%s}`,
	},
	{
		profile: "openai-responses", body: `{"model":"gpt-5","store":false,"input":[%s],"tools":[%s]}`,
		prompt: `{"role":"user","content":"Hi"}`, text: `{"role":"user","content":[{"type":"input_text","text":"%d"}]}`,
		calls: `%s`, call: `{"type":"function_call","call_id":"c%[1]d","name":"f%[1]d","arguments":"{}"}`,
		result: `%s`, answer: `{"type":"function_call_output","call_id":"c%d","output":"1"}`,
		tool: `{"type":"function","name":"f%d","parameters":%s}`,
	},
	{
		profile: "gemini-3", body: `{"contents":[%s],"tools":[{"functionDeclarations":[%s]}]}`,
		prompt: `{"role":"user","parts":[{"text":"Hi"}]}`, text: `{"role":"user","parts":[{"text":"%d"}]}`,
		calls: `{"role":"model","parts":[%s]}`, call: `{"functionCall":{"name":"f%d","args":{}}}`,
		result: `{"role":"user","parts":[%s]}`, answer: `{"functionResponse":{"name":"f%d","response":{"a":1}}}`,
		tool: `{"name":"f%d","parameters":%s}`,
	},
}

const anyObject = `{"type":"object","properties":{"a":{"type":"string"}}}`

// request returns a request with messages and tools.
func (w *words) request(messages, tools string) []byte {
	return fmt.Appendf(nil, w.body, messages, tools)
}

// answered returns a request with n calls and n results: the i-th call is for a number, and so is
// the i-th result.
func (w *words) answered(n int, call, result func(i int) int) []byte {
	calls := fmt.Sprintf(w.calls, each(n, func(i int) string { return fmt.Sprintf(w.call, call(i)) }))
	results := fmt.Sprintf(w.result, each(n, func(i int) string { return fmt.Sprintf(w.answer, result(i)) }))
	return w.request(w.prompt+","+calls+","+results, fmt.Sprintf(w.tool, 0, anyObject))
}

func same(i int) int { return i }
func seven(int) int  { return 7 }

// shapes are requests of a size that a client may send.
var shapes = map[string]func(w *words, n int) []byte{
	"results in order": func(w *words, n int) []byte { return w.answered(n, same, same) },
	"results in reverse order": func(w *words, n int) []byte {
		return w.answered(n, same, func(i int) int { return n - 1 - i })
	},
	"results of no call":     func(w *words, n int) []byte { return w.answered(n, same, func(i int) int { return n + i }) },
	"the same id everywhere": func(w *words, n int) []byte { return w.answered(n, seven, seven) },
	"calls with the same id": func(w *words, n int) []byte { return w.answered(n, seven, same) },
	"results of one call":    func(w *words, n int) []byte { return w.answered(n, same, seven) },
	"ids that are empty": func(w *words, n int) []byte {
		return []byte(regexp.MustCompile(`"[cf]\d+"`).ReplaceAllString(string(w.answered(n, same, same)), `""`))
	},
	"messages with a call and a result": func(w *words, n int) []byte {
		if !strings.HasSuffix(w.result, `[%s]}`) {
			return w.answered(n, same, seven)
		}
		return w.request(each(n, func(i int) string {
			return fmt.Sprintf(w.result, fmt.Sprintf(w.call, i)+","+fmt.Sprintf(w.answer, n-i))
		}), "")
	},
	"reasoning without results": func(w *words, n int) []byte {
		return w.request(each(n, func(i int) string { return w.prompt + `,{"type":"reasoning","id":"r","summary":[]}` }), "")
	},
	"calls without results": func(w *words, n int) []byte {
		calls := fmt.Sprintf(w.calls, each(n, func(i int) string { return fmt.Sprintf(w.call, i) }))
		return w.request(w.prompt+","+calls, fmt.Sprintf(w.tool, 0, anyObject))
	},
	"a result after each call": func(w *words, n int) []byte {
		return w.request(w.prompt+","+each(n, func(i int) string {
			return fmt.Sprintf(w.calls, fmt.Sprintf(w.call, i)) + "," + fmt.Sprintf(w.result, fmt.Sprintf(w.answer, i))
		}), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"results long after their calls": func(w *words, n int) []byte {
		return w.request(w.prompt+","+
			each(n, func(i int) string { return fmt.Sprintf(w.calls, fmt.Sprintf(w.call, i)) })+","+
			each(n, func(i int) string { return fmt.Sprintf(w.result, fmt.Sprintf(w.answer, n-1-i)) }), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"a result of no call after each call": func(w *words, n int) []byte {
		return w.request(w.prompt+","+each(n, func(i int) string {
			return fmt.Sprintf(w.calls, fmt.Sprintf(w.call, i)) + "," + fmt.Sprintf(w.result, fmt.Sprintf(w.answer, n+i)) + "," + fmt.Sprintf(w.text, i)
		}), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"calls that are not answered": func(w *words, n int) []byte {
		return w.request(w.prompt+","+each(n, func(i int) string {
			return fmt.Sprintf(w.calls, fmt.Sprintf(w.call, i)) + "," + fmt.Sprintf(w.text, i)
		}), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"many texts": func(w *words, n int) []byte {
		return w.request(each(n, func(i int) string { return fmt.Sprintf(w.text, i) }), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"texts that say nothing": func(w *words, n int) []byte {
		return w.request(each(n, func(int) string { return strings.Replace(w.prompt, "Hi", "", 1) }), "")
	},
	"texts with half a character": func(w *words, n int) []byte {
		return w.request(each(n, func(int) string { return strings.Replace(w.prompt, "Hi", `\ud83d`, 1) }), "")
	},
	"many parts": func(w *words, n int) []byte {
		begin := strings.Index(w.text, "[") + 1
		end := strings.LastIndex(w.text, "]")
		return w.request(w.text[:begin]+each(n, func(i int) string { return fmt.Sprintf(w.text[begin:end], i) })+w.text[end:], "")
	},
	"many tools": func(w *words, n int) []byte {
		return w.request(w.prompt, each(n, func(i int) string { return fmt.Sprintf(w.tool, i, anyObject) }))
	},
	"the same tool again": func(w *words, n int) []byte {
		return w.request(w.prompt, each(n, func(int) string { return fmt.Sprintf(w.tool, 1, anyObject) }))
	},
	"a schema with many properties": func(w *words, n int) []byte {
		schema := `{"type":"object","properties":{` + each(n, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `},"required":[` +
			each(n, func(i int) string { return fmt.Sprintf(`"p%d"`, n-1-i) }) + `]}`
		return w.request(w.prompt, fmt.Sprintf(w.tool, 1, schema))
	},
	"a schema with many references": func(w *words, n int) []byte {
		schema := `{"type":"object","properties":{` + each(n, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/d%d"}`, i, n-1-i) }) + `},"$defs":{` +
			each(n, func(i int) string { return fmt.Sprintf(`"d%d":{"type":"string"}`, i) }) + `}}`
		return w.request(w.prompt, fmt.Sprintf(w.tool, 1, schema))
	},
	"a chain of references": func(w *words, n int) []byte {
		schema := `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` +
			each(n, func(i int) string { return fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1) }) + `}}`
		return w.request(w.prompt, fmt.Sprintf(w.tool, 1, schema))
	},
	"many schemas that are deep": func(w *words, n int) []byte {
		deep := anyObject
		for range 15 {
			deep = `{"type":"object","properties":{"a":` + deep + `}}`
		}
		return w.request(w.prompt, each(max(1, n/16), func(i int) string { return fmt.Sprintf(w.tool, i, deep) }))
	},
	"keys that nobody knows": func(w *words, n int) []byte {
		body := w.request(w.prompt, fmt.Sprintf(w.tool, 0, anyObject))
		return append(body[:len(body)-1], ","+each(n, func(i int) string { return fmt.Sprintf(`"unknown_%d":1`, i) })+"}"...)
	},
	"keys that nobody knows in messages": func(w *words, n int) []byte {
		return w.request(each(n, func(i int) string {
			m := fmt.Sprintf(w.text, i)
			return fmt.Sprintf(`%s,"unknown_%d":1}`, m[:len(m)-1], i)
		}), fmt.Sprintf(w.tool, 0, anyObject))
	},
	"a long text": func(w *words, n int) []byte {
		return w.request(strings.Replace(w.prompt, "Hi", strings.Repeat(`a \"b\" `, n), 1), "")
	},
	"calls in a row of messages": func(w *words, n int) []byte {
		return w.request(w.prompt+","+each(n, func(i int) string { return fmt.Sprintf(w.calls, fmt.Sprintf(w.call, i)) }), fmt.Sprintf(w.tool, 0, anyObject))
	},
}

// Requests of every dialect are read and judged in linear time, in whatever order their parts are.
func TestRequests(t *testing.T) {
	for _, w := range dialects {
		p, err := profiles.Get(w.profile)
		if err != nil {
			t.Fatal(err)
		}
		for name, shape := range shapes {
			t.Run(w.profile+"/"+name, func(t *testing.T) {
				linear.Check(t, func(n int) func() {
					body := shape(&w, n)
					return func() {
						req, err := p.Speaks.Read(body)
						if err != nil {
							t.Fatal(err)
						}
						rulebook.Refuse(p, req)
						rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req})
					}
				})
			})
		}
	}
}
