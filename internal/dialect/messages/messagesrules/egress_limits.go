package messagesrules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressLimitRules are the rules of the area egress about what Anthropic takes of names, texts and
// times.
var egressLimitRules = []rules.Rule{
	{
		ID:        "egress/property-names",
		Level:     trace.Should,
		Text:      "The properties of a tool's input have names of 1 to 64 letters, digits, underscores, dots and dashes.",
		Why:       "Anthropic refuses all tools with one such name, as tools from an OpenAPI document have: filter[id], $top.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/beautyfree/appstore-connect-mcp/issues/2", Says: "the 400 for brackets"},
			{URL: "https://github.com/ComposioHQ/composio/issues/3500", Says: "the same for $ and @"},
			{URL: "https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709", Says: "measured: only the names at the top are looked at"},
		},
		Vars:    []string{"index", "key"},
		Request: propertyNames,
	},
	{
		ID:        "egress/stop-sequences-say-something",
		Level:     trace.Should,
		Text:      "Each of the stop_sequences has more than white space.",
		Why:       "Anthropic refuses the line break at which loops let other models stop.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/BerriAI/litellm/issues/3286", Says: "the 400 of Anthropic"},
			{URL: "https://github.com/BerriAI/litellm/pull/7484", Says: "the same for other white space"},
		},
		Request: rules.InBody(stopsSaySomething),
	},
	{
		ID:        "egress/metadata-keys",
		Level:     trace.Should,
		Text:      "The metadata of a request has no key but user_id, which is a string of at most 256 characters.",
		Why:       "Anthropic refuses any other, such as the id of a session that a gateway or a trace wants.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MeasuredMessages, Says: "the 400 of Anthropic for another key, and for a number"},
			{URL: rules.MessagesTypes, Says: "Metadata: user_id, a string or null"},
			{URL: rules.MessagesDocs, Says: "metadata.user_id: at most 256 characters"},
		},
		Vars:    []string{"key", "found"},
		Request: rules.InBody(metadataKeys),
	},
	{
		ID:        "egress/cache-mark-form",
		Level:     trace.Should,
		Text:      "A cache_control has the type ephemeral, and the ttl 5m or 1h, if it has one.",
		Why:       "Anthropic refuses any other.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "CacheControlEphemeral: type, and ttl: 5m or 1h"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching", Says: "the same"},
		},
		Vars:    []string{"at", "problem", "found"},
		Request: cacheMarkForm,
	},
	{
		ID:        "egress/temperature-or-top-p",
		Level:     trace.Should,
		Text:      "A request has a temperature or a top_p, and not both.",
		Why:       "Anthropic's models since Opus 4.1 refuse both; older ones take them.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/cloud-apim/otoroshi-llm-extension/issues/140", Says: "the 400 of Anthropic for Haiku and Sonnet 4.5 and Opus 4.1"},
			{URL: "https://github.com/anomalyco/opencode/issues/28930", Says: "the same for Sonnet 4.6, in May 2026"},
			{URL: "https://github.com/BerriAI/litellm/issues/15097", Says: "the same"},
		},
		Request: rules.InBody(temperatureOrTopP),
	},
	{
		ID:        "egress/cache-times-in-order",
		Level:     trace.Should,
		Text:      "A cache_control of an hour does not come after one of five minutes, in the order of the tools, the system prompt and the messages.",
		Why:       "Anthropic refuses it: a loop that marks its tools cannot ask for an hour in the messages alone.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/headroomlabs-ai/headroom/issues/2939", Says: "the 400 of Anthropic, with the order"},
			{URL: "https://github.com/theopenco/llmgateway/pull/2629", Says: "the same, tried with the API"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/22191", Says: "the same for tools before a system prompt"},
		},
		Vars:    []string{"at"},
		Request: cacheTimesInOrder,
	},
}

func temperatureOrTopP(body *wire.Node) (all []trace.Finding) {
	if p := body.Get("top_p"); p.Is(wire.Number) && body.Get("temperature").Is(wire.Number) {
		all = append(all, trace.Finding{Pointer: p.Pointer(), Message: "a temperature and a top_p", Expected: "one of them", Actual: rules.Show(p)})
	}
	return all
}

func cacheMarkForm(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	for _, mark := range cacheMarks(req) {
		if !mark.Is(wire.Object) { // which is for parameter-types, or nothing
			continue
		}
		kind, ttl := mark.Get("type"), mark.Get("ttl")
		wrong := func(n *wire.Node, key, problem, expected string) {
			j.Find(trace.Finding{
				Pointer: mark.Pointer() + "/" + key, Message: "a cache_control of an unknown " + key, Expected: expected, Actual: rules.Show(n),
				Vars: map[string]string{"at": rules.Dotted(mark), "problem": problem, "found": n.TextOrJSON()},
			})
		}
		switch {
		case kind == nil:
			wrong(kind, "type", "no type", "ephemeral")
		case kind.Text() != "ephemeral":
			wrong(kind, "type", "type", "ephemeral")
		case ttl != nil && !ttl.Is(wire.Null) && ttl.Text() != "5m" && ttl.Text() != "1h":
			wrong(ttl, "ttl", "ttl", "5m or 1h")
		}
	}
	return j
}

// maxUserID is how many characters the id of a user may have.
const maxUserID = 256

// metadataKeys leaves what is no object to parameter-types.
func metadataKeys(body *wire.Node) (all []trace.Finding) {
	for key, value := range body.Get("metadata").Fields() {
		vars := map[string]string{"key": key, "found": rules.KindOf(value)}
		switch {
		case key != "user_id":
			all = append(all, trace.Finding{
				Pointer: value.Pointer(), Message: fmt.Sprintf("metadata has the key %q", key),
				Expected: "user_id, or no such key", Actual: rules.Show(value), Vars: vars,
			})
		case !value.Is(wire.String) && !value.Is(wire.Null):
			all = append(all, trace.Finding{
				Pointer: value.Pointer(), Message: "the id of the user is not a string",
				Expected: "a string", Actual: rules.Show(value), Vars: vars,
			})
		case len([]rune(value.Text())) > maxUserID:
			vars["found"] = "a long text"
			all = append(all, trace.Finding{
				Pointer: value.Pointer(), Message: "the id of the user is too long",
				Expected: fmt.Sprintf("at most %d characters", maxUserID), Actual: rules.Show(value), Vars: vars,
			})
		}
	}
	return all
}

// propertyForm is what Anthropic takes as the name of a property.
var propertyForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`) })

func propertyNames(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, t := range req.Tools {
		if t.Own {
			continue
		}
		j.HasEvidence = true
		for key, property := range t.Node.Get("input_schema").Get("properties").Fields() {
			if propertyForm().MatchString(key) {
				continue
			}
			j.Find(trace.Finding{
				Pointer:  property.Pointer(),
				Message:  fmt.Sprintf("the tool %s has a property with a name that is refused", rules.Quote(t.Name)),
				Expected: "1 to 64 letters, digits, underscores, dots and dashes",
				Actual:   rules.Quote(key),
				Vars:     map[string]string{"index": strconv.Itoa(i), "key": key},
			})
		}
	}
	return j
}

func stopsSaySomething(body *wire.Node) (all []trace.Finding) {
	for _, stop := range body.Get("stop_sequences").All() {
		if stop.Is(wire.String) && strings.TrimSpace(stop.Text()) == "" {
			all = append(all, trace.Finding{
				Pointer: stop.Pointer(), Message: "a stop sequence of white space", Expected: "a text, or no such entry", Actual: rules.Show(stop),
			})
		}
	}
	return all
}

// cacheTimesInOrder leaves out a mark of the request itself, which has no place among the blocks.
func cacheTimesInOrder(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	short := false
	for _, mark := range cacheMarks(req) {
		if mark.Pointer() == "/cache_control" {
			continue
		}
		hour := mark.Get("ttl").Text() == "1h"
		if hour && short {
			j.Find(trace.Finding{
				Pointer:  mark.Pointer() + "/ttl",
				Message:  "a cache_control of an hour after one of five minutes",
				Expected: "the longer times first, in the order of tools, system, messages",
				Actual:   rules.Show(mark),
				Vars:     map[string]string{"at": rules.Dotted(mark)},
			})
		}
		short = short || !hour
	}
	return j
}
