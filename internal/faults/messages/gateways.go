package messages

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// gateways are faults that show behind gateways and servers that write the API in ways of their
// own.
var gateways = []raw.Fault{
	{
		Name:    "stream/expects-an-index",
		Does:    "A delta without an index is of no block, and ends the run.",
		Reports: []string{"https://github.com/anthropics/anthropic-sdk-python/issues/1192"},
		Breaks:  []string{"stream/index-missing"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return kindOf(p) == "content_block_delta" && !gjson.Get(p, "index").Exists()
		}),
	},
	{
		Name:    "stream/counts-the-blocks",
		Does:    "The index of a block is its position in the list of blocks; another one ends the run.",
		Reports: []string{"https://github.com/anthropics/anthropic-sdk-python/issues/1192", "https://github.com/anthropics/anthropic-sdk-python/pull/1273"},
		Breaks:  []string{"stream/index-odd", "stream/index-shared"},
		Make: raw.OnStream(func(a *raw.Answer) {
			blocks := int64(0)
			for _, p := range a.Payloads {
				index := gjson.Get(p, "index")
				switch kind := kindOf(p); {
				case kind == "message_start":
					blocks = 0
				case kind == "content_block_start" && index.Exists() && index.Int() != blocks:
					a.Payloads = []string{"undefined is not an object"}
					return
				case kind == "content_block_start":
					blocks++
				}
			}
		}),
	},
	{
		Name:   "stream/keys-blocks-by-index",
		Does:   "A block takes the place of the one before it that has its index.",
		Breaks: []string{"stream/index-shared"},
		Make: raw.OnStream(func(a *raw.Answer) {
			first := map[int64]int{}
			for i := 0; i < len(a.Payloads); i++ {
				p := a.Payloads[i]
				if kindOf(p) == "message_start" {
					first = map[int64]int{}
				}
				index := gjson.Get(p, "index")
				if kindOf(p) != "content_block_start" || !index.Exists() {
					continue
				}
				if at, begun := first[index.Int()]; begun {
					a.Payloads = slices.Delete(a.Payloads, at, i)
					i = at
				}
				first[index.Int()] = i
			}
		}),
	},
	{
		Name:    "stream/wants-ids-of-calls",
		Does:    "A call without an id does not fit the schema of a block.",
		Reports: []string{"https://github.com/QwenLM/qwen-code/issues/8160"},
		Breaks:  []string{"stream/id-missing"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return gjson.Get(p, "content_block.type").String() == "tool_use" && gjson.Get(p, "content_block.id").String() == ""
		}),
	},
	{
		Name:    "stream/wants-short-ids",
		Does:    "An id of more than 64 characters does not fit the schema of a block.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/pull/10763"},
		Breaks:  []string{"stream/ids-of-any-form"},
		Make:    raw.Chokes(func(_ int, p string) bool { return len(gjson.Get(p, "content_block.id").String()) > 64 }),
	},
	{
		Name:    "arguments/ends-an-input-at-an-empty-piece",
		Does:    "An empty piece ends the input of a call; what comes after it is lost.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/485"},
		Breaks:  []string{"arguments/null-piece"},
		Make: raw.OnStream(func(a *raw.Answer) {
			some, ended := false, false
			for i, p := range a.Payloads {
				if kindOf(p) == "content_block_start" {
					some, ended = false, false
				}
				if gjson.Get(p, "delta.type").String() != "input_json_delta" {
					continue
				}
				piece := gjson.Get(p, "delta.partial_json").String()
				ended = ended || some && piece == ""
				some = some || piece != ""
				if ended {
					a.Payloads[i] = raw.Set(p, "delta.partial_json", "")
				}
			}
		}),
	},
	{
		Name:    "arguments/takes-a-piece-of-zero-for-nothing",
		Does:    "A piece that says 0 is treated as none.",
		Reports: []string{"https://github.com/prism-php/prism/issues/374"},
		Breaks:  []string{"arguments/cut-anywhere"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "delta.partial_json").String() == "0" {
					a.Payloads[i] = raw.Set(p, "delta.partial_json", "")
				}
			}
		}),
	},
	{
		Name:    "reasoning/drops-a-late-signature",
		Does:    "A signature that comes after the next block has begun is lost.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/pull/238"},
		Breaks:  []string{"reasoning/read-in-every-place", "reasoning/signature-present"},
		Make: raw.OnStream(func(a *raw.Answer) {
			begun := int64(-1)
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool {
				if kindOf(p) == "content_block_start" {
					begun = gjson.Get(p, "index").Int()
				}
				return gjson.Get(p, "delta.type").String() == "signature_delta" && gjson.Get(p, "index").Int() < begun
			})
		}),
	},
	{
		Name:    "stream/reads-every-delta",
		Does:    "The delta of every event that should have one is looked at, also where there is none.",
		Reports: []string{"https://github.com/aaif-goose/goose/issues/8641"},
		Breaks:  []string{"stream/no-delta"},
		Make: raw.Chokes(func(_ int, p string) bool {
			kind := kindOf(p)
			return (kind == "content_block_delta" || kind == "message_delta") && !gjson.Get(p, "delta").IsObject()
		}),
	},
	{
		Name:    "stream/expects-no-null-counts",
		Does:    "null for a count does not fit the schema of a message.",
		Reports: []string{"https://github.com/vercel/ai/issues/11309"},
		Breaks:  []string{"stream/nulls"},
		Make: raw.Chokes(func(_ int, p string) bool {
			count := gjson.Get(p, "message.usage.server_tool_use")
			return count.Exists() && count.Type == gjson.Null
		}),
	},
	{
		Name:    "stream/expects-a-reason-at-the-start",
		Does:    "A message that begins without the key stop_reason does not fit its schema.",
		Breaks:  []string{"stream/nulls"},
		Reports: []string{"https://github.com/Wei-Shaw/sub2api/pull/4589"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return kindOf(p) == "message_start" && !gjson.Get(p, "message.stop_reason").Exists()
		}),
	},
	{
		Name:    "finish/ends-a-message-at-an-empty-word",
		Does:    "A reason to stop that is empty, and not null, is one: the message ends where it begins.",
		Reports: []string{"https://github.com/Wei-Shaw/sub2api/pull/4589"},
		Breaks:  []string{"finish/empty-word-is-none"},
		Make: raw.Chokes(func(_ int, p string) bool {
			word := gjson.Get(p, "message.stop_reason")
			return kindOf(p) == "message_start" && word.Type == gjson.String && word.String() == ""
		}),
	},
	{
		Name:    "finish/ends-twice",
		Does:    "Each reason to stop ends the message; the second one finds none.",
		Reports: []string{"https://github.com/kaitranntt/ccs/issues/491"},
		Breaks:  []string{"finish/twice"},
		Make: raw.OnStream(func(a *raw.Answer) {
			ends := 0
			for _, p := range a.Payloads {
				if kindOf(p) == "message_stop" {
					return
				}
				if gjson.Get(p, "delta.stop_reason").String() != "" {
					ends++
				}
				if ends > 1 {
					a.Payloads = []string{"undefined is not an object"}
				}
			}
		}),
	},
	{
		Name:    "stream/expects-counts-at-the-end",
		Does:    "The token counts at the end of a stream are looked at, also where there are none.",
		Reports: []string{"https://github.com/earendil-works/pi/issues/6567"},
		Breaks:  []string{"stream/usage-optional"},
		Make:    raw.Chokes(func(_ int, p string) bool { return kindOf(p) == "message_delta" && !gjson.Get(p, "usage").Exists() }),
	},
	{
		Name:    "failure/knows-errors-by-their-type",
		Does:    "A payload without a type ends the stream, whatever it says.",
		Reports: []string{"https://github.com/BerriAI/litellm/pull/41826"},
		Breaks:  []string{"failure/error-objects"},
		Make: raw.OnStream(func(a *raw.Answer) {
			failed := slices.IndexFunc(a.Payloads, func(p string) bool { return gjson.Get(p, "error.message").Exists() && kindOf(p) == "" })
			if failed >= 0 {
				a.Payloads = append(a.Payloads[:failed:failed], ending...)
			}
		}),
	},
	{
		Name:    "failure/fails-at-an-error-of-null",
		Does:    "The key error means an error, whatever its value is.",
		Reports: []string{"https://github.com/openai/openai-go/blob/main/packages/ssestream/ssestream.go"},
		Breaks:  []string{"failure/no-error-is-none"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			failed := slices.ContainsFunc(a.Payloads, func(p string) bool {
				failure := gjson.Get(p, "error")
				return failure.Exists() && failure.Type == gjson.Null
			})
			if failed {
				a.Payloads = []string{`{"type":"error","error":{"type":"api_error","message":"unknown"}}`}
			}
		}),
	},
	{
		Name:    "failure/skips-lines-without-data",
		Does:    "A stream that ends in an error without the word data before it is taken for a whole one.",
		Reports: []string{"https://github.com/BerriAI/litellm/pull/41826"},
		Breaks:  []string{"failure/error-line-reported"},
		Make: raw.OnBytes(func(b []byte) []byte {
			said, _, found := bytes.Cut(b, []byte("\n{\"error\":"))
			if !found {
				return b
			}
			for _, p := range ending {
				said = append(said, "\n\ndata: "+p+"\n\n"...)
			}
			return said
		}),
	},
}

// ending is how a stream ends.
var ending = []string{`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`}
