// Package ollama holds the faults and variations that are about the bytes of Ollama's own API.
package ollama

import (
	"bytes"
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault { return faults }

// Variations returns the variations.
func Variations() []raw.Variation { return variations }

// sets is a mutation that sets a key of each request.
func sets(key string, value any) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.Set(key, value) })
}

// begin puts a round of an earlier conversation in front of a request whose tools can be called, with
// these arguments of its call.
func begin(r *raw.Request, arguments string) {
	if !r.Get("tools").Exists() {
		return
	}
	r.SetMessages(append([]string{
		`{"role":"user","content":"What did you see yesterday?"}`,
		`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"see","arguments":` + arguments + `}}]}`,
		`{"role":"tool","tool_name":"see","content":"Snow."}`,
		`{"role":"assistant","content":"Snow."}`,
	}, r.Messages()...))
}

// eachCall changes every call in the messages of a request.
func eachCall(r *raw.Request, change func(path string, call gjson.Result)) {
	r.Each("assistant", func(path string, m gjson.Result) {
		for i, c := range m.Get("tool_calls").Array() {
			change(fmt.Sprintf("%s.tool_calls.%d", path, i), c)
		}
	})
}

// faults are loops that write what Ollama does not take, as they write it for other providers, or
// read streams as theirs.
var faults = []raw.Fault{
	{
		Name:    "stream/leaves-at-the-last-line",
		Does:    "The line that ends a stream is read for why the model stopped alone.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/issues/1308", "https://github.com/QuantumNous/new-api/issues/7252"},
		Breaks:  []string{"stream/calls-together", "stream/text-to-the-end"},
		Make: raw.OnBytes(func(stream []byte) []byte {
			lines := bytes.SplitAfter(stream, []byte("\n"))
			for i, line := range lines {
				if gjson.GetBytes(line, "done").Bool() {
					lines[i] = []byte(raw.SetRaw(string(line), "message", `{"role":"assistant","content":""}`))
				}
			}
			return bytes.Join(lines, nil)
		}),
	},
	{
		Name:    "egress/sends-arguments-as-texts",
		Does:    "The arguments of a call of an earlier conversation go back as a text that holds JSON.",
		Reports: []string{"https://github.com/openclaw/openclaw/pull/52253", "https://github.com/Xoshbin/asyar/pull/513", "https://github.com/snooky234/scribedog/issues/39"},
		Breaks:  []string{"egress/input-is-object"},
		Make:    raw.OnRequest(func(r *raw.Request) { begin(r, `"{}"`) }),
	},
	{
		Name:    "egress/sends-contents-in-parts",
		Does:    "What the user said is a list of parts.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/11273", "https://github.com/ollama/ollama/issues/10255"},
		Breaks:  []string{"egress/content-is-a-text"},
		Make: raw.OnPrompts(func(r *raw.Request, path, said string) {
			r.SetRaw(path+".content", raw.Texts(said))
		}),
	},
	{
		Name:    "egress/keeps-the-model-by-a-text",
		Does:    "keep_alive is a number in a text, as it was in the settings.",
		Reports: []string{"https://github.com/skalesapp/skales/issues/281", "https://github.com/valentinfrlch/ha-llmvision/pull/625", "https://github.com/karakeep-app/karakeep/issues/2409"},
		Breaks:  []string{"egress/keep-alive-has-a-unit"},
		Make:    sets("keep_alive", "-1"),
	},
	{
		Name:    "egress/thinks-by-a-text",
		Does:    "think is a flag in a text.",
		Reports: []string{"https://github.com/ollama/ollama/issues/17837"},
		Breaks:  []string{"egress/think-word"},
		Make:    sets("think", "true"),
	},
	{
		Name:    "egress/wants-json-by-a-list",
		Does:    "The format is a list with a schema in it.",
		Reports: []string{"https://github.com/jakubburkiewicz/node-red-contrib-ollama/issues/22"},
		Breaks:  []string{"egress/format-json-or-schema"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !r.Get("format").Exists() {
				r.SetRaw("format", `[{"type":"object"}]`)
			}
		}),
	},
	{
		Name:   "egress/sends-options-as-texts",
		Does:   "An option is a number in a text, as it was in the settings.",
		Breaks: []string{"egress/option-types"},
		Make:   sets("options.num_ctx", "8192"),
	},
	{
		Name:   "egress/sends-thoughts-in-parts",
		Does:   "What the model thought in an earlier conversation is a list of parts.",
		Breaks: []string{"egress/value-types"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if begin(r, "{}"); r.Get("tools").Exists() {
				r.SetRaw("messages.1.thinking", raw.Texts("Snow, then."))
			}
		}),
	},
	{
		Name:    "images/sends-data-urls",
		Does:    "An image is a data URL, as it is for OpenAI.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/18338", "https://github.com/trycua/cua/issues/602", "https://github.com/ollama/ollama-js/issues/68"},
		Breaks:  []string{"images/encoded"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, m := range r.Messages() {
				for n, image := range gjson.Get(m, "images").Array() {
					r.Set(fmt.Sprintf("messages.%d.images.%d", i, n), "data:image/png;base64,"+image.String())
				}
			}
		}),
	},
}
