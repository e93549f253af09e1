package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestDoors asks as clients of Anthropic do through a cloud.
func TestDoors(t *testing.T) {
	const (
		vertex  = "/v1/projects/p/locations/global/publishers/anthropic/models/claude-opus-4-5@20251101"
		noV1    = "/projects/p/locations/global/publishers/anthropic/models/claude-opus-4-5@20251101:rawPredict"
		bedrock = "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0"
		arn     = "/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude/invoke"
		says    = `"max_tokens":100,"messages":[{"role":"user","content":"Go."}]`

		onVertex  = `"anthropic_version":"vertex-2023-10-16",`
		onBedrock = `"anthropic_version":"bedrock-2023-05-31",`
	)
	for _, c := range []struct {
		profile, path, more string
		status              int
		kind, body          string
	}{
		{"anthropic-vertex", vertex + ":rawPredict", onVertex, 200, "application/json", `"model":"claude-opus-4-5@20251101"`},
		{"anthropic-vertex", noV1, onVertex, 200, "application/json", "Done."},
		{"anthropic-vertex", vertex + ":streamRawPredict", onVertex + `"stream":true,`, 200, "text/event-stream; charset=utf-8", "event: message_stop"},
		{"anthropic-vertex", "/v1/projects/p/locations/global/publishers/anthropic/models/count-tokens:rawPredict", onVertex + `"model":"m",`, 200, "application/json", `"input_tokens"`},
		{"anthropic-vertex", vertex + ":rawPredict", "", 400, "application/json", "anthropic_version: Field required"},
		{"anthropic-vertex", vertex + ":rawPredict", `"anthropic_version":"2023-06-01",`, 404, "application/json", `"status":"NOT_FOUND"`},
		{"anthropic-vertex", vertex + ":rawPredict", `"anthropic_version":"2026-10-21",`, 200, "application/json", "Done."},
		{"anthropic-vertex", vertex + ":rawPredict", `"anthropic_version":"2026-10-21","temperature":1,`, 400, "application/json", "temperature: Extra inputs are not permitted"},
		{"anthropic-vertex", vertex + ":rawPredict", onVertex + `"temperature":1,`, 200, "application/json", "Done."},
		{"anthropic-vertex", vertex + ":rawPredict", onVertex + `"cache_control":{"type":"ephemeral"},`, 400, "application/json", "cache_control: Extra inputs are not permitted"},
		{"anthropic-bedrock", bedrock + "/invoke", onBedrock + `"anthropic_beta":["mcp-servers-2025-12-04"],`, 400, "application/json", `{"message":"invalid beta flag"}`},
		{"anthropic-vertex", vertex + ":rawPredict", onVertex + `"model":"m",`, 400, "application/json", "model: Extra inputs are not permitted"},
		{"anthropic-vertex", "/v1/messages", `"model":"m",`, 400, "application/json", "anthropic_version: Field required"},
		{"anthropic-vertex", strings.Replace(vertex, "4-5", "4-6", 1) + ":rawPredict", onVertex + `"tools":[{"type":"web_fetch_20250910","name":"web_fetch"}],`, 400, "application/json", "tools.0: Input tag 'web_fetch_20250910'"},
		{"anthropic-vertex", vertex + ":rawPredict", onVertex + `"tools":[{"type":"web_fetch_20250910","name":"web_fetch"}],`, 200, "application/json", "Done."},
		{"anthropic-bedrock", "/model/us.anthropic.claude-opus-5-5-v1/invoke", onBedrock + `"tools":[{"name":"a","input_schema":{"type":"object","additionalProperties":false},"strict":true}],`, 400, "application/json", "tools.0.custom.strict: Extra inputs are not permitted"},
		{"vertex-compat", "/v1/projects/p/locations/global/endpoints/openapi/chat/completions", `"model":"google/gemini-3-flash-preview",`, 200, "application/json", `"object":"chat.completion"`},
		{"anthropic-bedrock", bedrock + "/invoke", onBedrock, 200, "application/json", `"model":"us.anthropic.claude-sonnet-4-5-20250929-v1:0"`},
		{"anthropic-bedrock", arn, onBedrock, 200, "application/json", "inference-profile/us.anthropic.claude"},
		{"anthropic-bedrock", bedrock + "/invoke-with-response-stream", onBedrock, 200, "application/vnd.amazon.eventstream", "chunk"},
		{"anthropic-bedrock", bedrock + "/invoke", "", 400, "application/json", `{"message":"anthropic_version: Field required"}`},
		{"anthropic-bedrock", bedrock + "/invoke", `"anthropic_version":"2",`, 400, "application/json", `{"message":"Invalid API version: 2"}`},
		{"anthropic-bedrock", bedrock + "/invoke", onBedrock + `"stream":true,`, 400, "application/json", "stream: Extra inputs are not permitted"},
		{"anthropic", bedrock + "/invoke-with-response-stream", onBedrock, 200, "application/vnd.amazon.eventstream", "chunk"}, // the path says which door it is
		{"anthropic", vertex + ":rawPredict", onVertex, 200, "application/json", "Done."},
		{"anthropic", "/v1/messages", onVertex + `"model":"m",`, 400, "application/json", "anthropic_version: Extra inputs are not permitted"},
	} {
		srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{scenario(t, "model: [{text: Done.}]")}, Profile: profile(t, c.profile)})
		got := do(t, http.MethodPost, srv.URL+c.path, "{"+c.more+says+"}")
		if got.status != c.status || got.header.Get("Content-Type") != c.kind || !strings.Contains(got.body, c.body) {
			t.Errorf("%s: %s with %s answers %d %s %s", c.profile, c.path, c.more, got.status, got.header.Get("Content-Type"), got.body)
		}
		if strings.HasPrefix(c.kind, "application/vnd") {
			said, err := profile(t, c.profile).Speaks.ReadAnswer([]byte(got.body), true)
			if err != nil || said.Text != "Done." || said.Finish != wire.FinishStop {
				t.Errorf("%s: the stream says %+v, %v", c.profile, said, err)
			}
		}
	}
}
