package faults

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/wire/messages"
)

const messagesAPI = "https://platform.claude.com/docs/en/api/messages"

func inMessagesToo(all ...Variation) []Variation {
	for i := range all {
		all[i].Dialect = messages.Dialect
	}
	return all
}

var variationsInMessages = inMessagesToo(
	Variation{
		Name:    "words-of-the-user-as-a-string",
		Does:    "The words of the user are a string and no list of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Make: onRequest(func(r *Request) {
			r.Each("user", func(path string, m gjson.Result) {
				if blocks := m.Get("content").Array(); len(blocks) == 1 && blocks[0].Get("type").String() == "text" {
					r.Set(path+".content", blocks[0].Get("text").String())
				}
			})
		}),
	},
	Variation{
		Name:    "system-in-blocks",
		Does:    "The system prompt is a list of one block, which is cached.",
		Sources: []string{messagesAPI + " (system is a string or an array of text blocks)", "https://platform.claude.com/docs/en/build-with-claude/prompt-caching"},
		Make: onRequest(func(r *Request) {
			if system := r.Get("system"); system.Exists() {
				r.SetRaw("system", set(`[{"type":"text","cache_control":{"type":"ephemeral"}}]`, "0.text", system.String()))
			}
		}),
	},
	Variation{
		Name:    "cached-end",
		Does:    "The last block of the last message, and the last tool, are cached; both move on.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/prompt-caching"},
		Make: onRequest(func(r *Request) {
			if n := len(r.Get("tools").Array()); n > 0 {
				r.SetRaw("tools."+strconv.Itoa(n-1)+".cache_control", `{"type":"ephemeral"}`)
			}
			last := len(r.Get("messages").Array()) - 1
			path := "messages." + strconv.Itoa(last) + ".content"
			r.SetRaw(path+"."+strconv.Itoa(len(r.Get(path).Array())-1)+".cache_control", `{"type":"ephemeral"}`)
		}),
	},
	Variation{
		Name:    "results-in-blocks",
		Does:    "The content of a result is a list of one text block.",
		Sources: []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls (a string, or a list of blocks)"},
		Make: onRequest(func(r *Request) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.String() != "" && !text.IsArray() {
					r.SetRaw(path+".content", set(`[{"type":"text"}]`, "0.text", text.String()))
				}
			})
		}),
	},
	Variation{
		Name:    "words-before-images",
		Does:    "A result with an image says first what it is.",
		Sources: []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls (a list of blocks, of texts and images)"},
		Make: onRequest(func(r *Request) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if image := b.Get("content.#(type==image)"); image.Exists() {
					r.SetRaw(path+".content", `[{"type":"text","text":"A picture:"},`+image.Raw+`]`)
				}
			})
		}),
	},
	Variation{
		Name:    "flag-on-every-result",
		Does:    "Results of tools that went well say that they are no error.",
		Sources: []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls (is_error is optional)"},
		Make: onRequest(func(r *Request) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Exists() {
					r.Set(path+".is_error", false)
				}
			})
		}),
	},
	Variation{
		Name:    "errors-in-other-words",
		Does:    "What went wrong with a call is told in a tag, as the prompts of Anthropic's cookbook do.",
		Sources: []string{messagesAPI + " (the content of a result is whatever the tool says)"},
		Make: onRequest(func(r *Request) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content").String(); isError(text) {
					r.Set(path+".content", "<tool_use_error>"+strings.TrimPrefix(text, "Error: ")+"</tool_use_error>")
				}
			})
		}),
	},
	Variation{
		Name:    "choice-named-in-blocks",
		Does:    "A request with tools says that the model may choose, and who asks.",
		Sources: []string{messagesAPI + " (tool_choice, metadata)"},
		Make: onRequest(func(r *Request) {
			if r.Get("tools.0").Exists() {
				r.SetRaw("tool_choice", `{"type":"auto"}`)
			}
			r.Set("metadata", map[string]string{"user_id": "ada"})
		}),
	},
	Variation{
		Name:    "beta-headers",
		Does:    "A request asks for a beta feature, and says how often it was tried.",
		Sources: []string{"https://platform.claude.com/docs/en/api/beta-headers"},
		Make: onSend(func(req *http.Request) {
			req.Header.Set("Anthropic-Beta", "interleaved-thinking-2025-05-14")
			req.Header.Set("X-Stainless-Retry-Count", "0")
		}),
	},
	Variation{
		Name:    "counts-first",
		Does:    "Before it asks the model, the loop has the tokens of what the user said counted.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/token-counting"},
		Make: func() Changes {
			return Changes{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				body := set(`{"model":"loopproof","messages":[{"role":"user"}]}`, "messages.0.content", task.Prompts[0])
				if resp, err := http.Post(task.BaseURL+"/v1/messages/count_tokens", "application/json", strings.NewReader(body)); err == nil {
					resp.Body.Close()
				}
				return run(task)
			}}
		},
	},
	Variation{
		Name:    "never-streams-blocks",
		Does:    "Nothing is streamed, and it is not claimed.",
		Sources: []string{messagesAPI + " (stream is optional)"},
		Without: []protocol.Feature{protocol.Streaming},
		Make:    func() Changes { return Changes{} },
	},
	Variation{
		Name:    "hides-call-ids-of-blocks",
		Does:    "A tool is not told which call it answers, and tools run one after the other.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_runner.py (a tool gets its input alone)"},
		Make: func() Changes {
			c := oneByOne(false, true)()
			inOrder := c.Tool
			c.Tool = func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				return inOrder(r, func(r *ToolRun) ToolResult {
					hidden := *r
					hidden.CallID = ""
					return post(&hidden)
				})
			}
			return c
		},
	},
)
