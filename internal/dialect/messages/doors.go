package messages

import (
	"cmp"
	"net/url"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/wire"
)

// newest is the newest version of the API, which its clouds take, too, Amazon Bedrock since Claude 4.7:
// https://platform.claude.com/docs/en/api/versioning
const newest = "2026-10-21"

// withdrawn returns the keys that the version of a request has no more.
func withdrawn(req *wire.Request) []string {
	if cmp.Or(req.Body.Get("anthropic_version").Text(), req.Headers["anthropic-version"]) != newest {
		return nil
	}
	return []string{"temperature", "top_p", "top_k"}
}

// The clouds that have the API in forms of their own. They place no cache marks themselves, so that
// a request has no cache_control beside its blocks: https://github.com/UKGovernmentBEIS/inspect_ai/pull/3851,
// https://github.com/dust-tt/dust/pull/27109,
// https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai and
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
var (
	onVertex = &wire.Door{
		Name: "vertex", Title: "Vertex AI", Key: "anthropic_version", Versions: []string{"vertex-2023-10-16", newest},
		Also: []string{"anthropic_version"}, Without: []string{"model", "cache_control"},
	}
	onBedrock = &wire.Door{
		Name: "bedrock", Title: "Amazon Bedrock", Key: "anthropic_version", Versions: []string{"bedrock-2023-05-31", newest},
		Also: []string{"anthropic_version", "anthropic_beta"}, Without: []string{"model", "stream", "cache_control"}, Framer: wire.AWSChunks,
	}
)

// models is where Vertex AI has the models of Anthropic. Clients for Python and JavaScript have the
// version in their base URL.
const models = "/{version:(?:v1/|v1beta1/)?}projects/{project}/locations/{location}/publishers/anthropic/models"

// paths are those of Anthropic, and of its clouds. The model on Bedrock may be an ARN, with slashes.
var paths = wire.Paths{
	Counts: []string{"/v1/messages/count_tokens", models + "/count-tokens:rawPredict"},
	Turns: []string{
		"/v1/messages",
		models + "/{model}:{method:rawPredict|streamRawPredict}",
		"/model/{model:.+}/{method:invoke|invoke-with-response-stream}",
	},

	Unplayed: []string{"/v1/messages/{rest:.+}", "/v1/complete"}, // batches, and the old completions
}

var (
	vertexPath  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/publishers/anthropic/models/([^/:]+):\w+$`) })
	bedrockPath = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`/model/(.+)/(invoke|invoke-with-response-stream)$`)
	})
)

// readURL reads the model, and on Bedrock whether a stream is wanted, from the path of a cloud.
func readURL(req *wire.Request, u *url.URL) {
	if found := vertexPath().FindStringSubmatch(u.Path); found != nil {
		req.Door, req.Model = onVertex, found[1]
	} else if found := bedrockPath().FindStringSubmatch(u.Path); found != nil {
		req.Door, req.Model, req.Stream = onBedrock, found[1], found[2] != "invoke"
	}
}
