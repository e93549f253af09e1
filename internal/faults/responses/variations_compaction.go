package responses

import (
	"bytes"
	"io"
	"net/http"
	"slices"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

// compacting are variations in how the provider is asked to make the history shorter.
var compacting = []raw.Variation{
	{
		Name:     "compaction/by-a-request-of-its-own",
		Does:     "What is before the newest turn is made shorter by a request of the loop, too, once the provider has done so by itself; the output goes on as the input.",
		Sources:  []string{"https://platform.openai.com/docs/api-reference/responses/compact", "https://github.com/openai/openai-agents-js/pull/760 (OpenAIResponsesCompactionSession)", "https://github.com/everruns/everruns/pull/371"},
		Profiles: []string{"openai-responses"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make:     func() raw.Mutation { return raw.Mutation{Send: compactsFirst} },
	},
	{
		Name:     "compaction/by-requests-of-its-own-alone",
		Does:     "The provider is asked at /responses/compact, once an answer had as many input tokens as the task says, and never else; the output goes on as the input.",
		Sources:  []string{"https://developers.openai.com/api/docs/guides/compaction (standalone compaction)", "https://openai.github.io/openai-agents-python/ref/memory/openai_responses_compaction_session"},
		Profiles: []string{"openai-responses"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make: raw.Shortening{
			List: "input", UpTo: upToPrompt,
			Request: func(req *http.Request, body []byte) []byte {
				req.URL.Path += "/compact"
				return []byte(`{"model":` + gjson.GetBytes(body, "model").Raw + `,"input":` + gjson.GetBytes(body, "input").Raw + `}`)
			},
			Instead: func(answer gjson.Result) []gjson.Result { return answer.Get("output").Array() },
		}.Make,
	},
	{
		Name:     "compaction/by-a-trigger",
		Does:     "The provider is asked by a compaction_trigger at the end of the input, once an answer had as many input tokens as the task says; the item goes on alone.",
		Sources:  []string{"https://github.com/openai/codex/pull/22809", "https://docs.rs/crate/openai-client-base/latest/source/src/models/compaction_trigger_item_param.rs (must be the final input item)"},
		Profiles: []string{"openai-responses"},
		With:     []protocol.Feature{protocol.ServerCompaction},
		Make: raw.Shortening{
			List: "input", UpTo: upToPrompt,
			Request: func(_ *http.Request, body []byte) []byte {
				with, _ := sjson.SetRawBytes(body, "input.-1", []byte(`{"type":"compaction_trigger"}`)) // the path is a right one
				return with
			},
			Instead: func(answer gjson.Result) []gjson.Result { return answer.Get("output").Array() },
		}.Make,
	},
}

// upToPrompt returns all items but a new prompt at the end.
func upToPrompt(items []gjson.Result) int {
	if n := len(items); items[n-1].Get("role").String() == "user" {
		return n - 1
	}
	return len(items)
}

// compactsFirst makes the input of a request shorter where the provider has done so before.
func compactsFirst(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	items := gjson.GetBytes(body, "input").Array()
	newest := newestTurn(items)
	if isCompacted(items[:newest]) {
		if body, err = compacted(req, send, body, items, newest); err != nil {
			return nil, err
		}
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return send(req)
}

// newestTurn returns where the calls of the newest turn begin.
func newestTurn(items []gjson.Result) int {
	at := len(items)
	for at > 0 && items[at-1].Get("type").String() == "function_call_output" {
		at--
	}
	for at > 0 && items[at-1].Get("role").String() != "user" && items[at-1].Get("type").String() != "function_call_output" {
		at--
	}
	return at
}

func isCompacted(items []gjson.Result) bool {
	return slices.ContainsFunc(items, func(item gjson.Result) bool { return item.Get("type").String() == "compaction" })
}

// compacted asks for a shorter history, and returns the request that goes on with it.
func compacted(req *http.Request, send func(*http.Request) (*http.Response, error), body []byte, items []gjson.Result, newest int) ([]byte, error) {
	ask, err := sjson.SetRawBytes([]byte(`{"model":`+gjson.GetBytes(body, "model").Raw+`}`), "input", []byte(listOf(raws(items[:newest]))))
	if err != nil {
		return nil, err
	}
	first, err := http.NewRequestWithContext(req.Context(), http.MethodPost, req.URL.String()+"/compact", bytes.NewReader(ask))
	if err != nil {
		return nil, err
	}
	first.Header = req.Header.Clone()
	resp, err := send(first)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return body, err
	}
	shorter := gjson.GetBytes(said, "output").Array()
	return sjson.SetRawBytes(body, "input", []byte(listOf(raws(append(shorter, items[newest:]...)))))
}
