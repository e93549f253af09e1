package messagesrules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressHeaderRules are the rules about the headers of a request. They do not judge requests whose
// headers are unknown, as in a saved history.
var egressHeaderRules = []rules.Rule{
	{
		ID:        "egress/version-named",
		Level:     trace.Must,
		Text:      "A request has the header anthropic-version, once, with the version of the API; on Vertex AI and Amazon Bedrock its body has the version of the cloud under anthropic_version.",
		Why:       "Anthropic and its clouds refuse a request without it.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/api/versioning", Says: "a request must send the header anthropic-version"},
			{URL: "https://github.com/PipedreamHQ/pipedream/issues/9697", Says: "anthropic-version: header is required"},
			{URL: "https://github.com/decolua/9router/issues/2357", Says: "sent twice, and refused as no valid version"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai", Says: "anthropic_version is passed in the body rather than as a header, and has to be vertex-2023-10-16"},
			{URL: "https://github.com/clawvisor/clawvisor/pull/156", Says: "the version of the header in the body, which Vertex AI answers with 404"},
			{URL: "https://github.com/QuantumNous/new-api/issues/3339", Says: "anthropic_version: Field required, by Amazon Bedrock"},
			{URL: "https://github.com/boto/boto3/issues/4218", Says: "Invalid API version, by Amazon Bedrock for the name of a model"},
			{URL: "https://platform.claude.com/docs/en/api/versioning", Says: "2026-10-21 is available on Vertex AI, and on Amazon Bedrock for Claude 4.7 and later"},
		},
		Vars:    []string{"problem", "given"},
		Request: versionNamed,
	},
	{
		ID:        "egress/json-declared",
		Level:     trace.Should,
		Text:      "A request says in its header content-type that its body is JSON.",
		Why:       "Some servers parse the body by its type, and treat another type as a form.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/api/overview", Says: "the header content-type: application/json is required"},
		},
		Request: jsonDeclared,
	},
	{
		ID:        "egress/context-betas-named",
		Level:     trace.Must,
		Text:      "A request with context_management names the beta of each edit in its header anthropic-beta: compact-2026-01-12 for compaction, context-management-2025-06-27 for clearing results and thinking; one that asks for a summary alone names compact-2026-09-04.",
		Why:       "Without it Anthropic does not know the key context_management.",
		Invariant: true,
		Evidence:  "a request with context_management and a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/build-with-claude/compaction", Says: "include the beta header compact-2026-01-12"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/context-editing", Says: "the beta header context-management-2025-06-27"},
			{URL: "https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand", Says: "the beta header compact-2026-09-04, and the parameter compaction"},
			{URL: "https://github.com/anthropics/claude-code/issues/21612", Says: "context_management: Extra inputs are not permitted"},
			{URL: "https://github.com/Wei-Shaw/sub2api/issues/1968", Says: "the same, of a gateway"},
		},
		Request: contextBetasNamed,
	},
	{
		ID:        "egress/betas-taken",
		Level:     trace.Must,
		Text:      "A request names no beta that the provider is known to refuse: an empty name, one that never was one, and on Vertex AI and Amazon Bedrock some that these clouds do not have.",
		Why:       "The whole request is refused.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/issues/851", Says: "Unexpected value(s) `structured-outputs-2025-09-17` for the `anthropic-beta` header"},
			{URL: "https://github.com/aaronrussell/anthropix/issues/15", Says: "the same for a header without a value"},
			{URL: "https://github.com/anthropics/claude-code/issues/21767", Says: "the same of Vertex AI for prompt-caching-scope-2026-01-05"},
			{URL: "https://github.com/BerriAI/litellm/pull/19877", Says: "invalid beta flag, of Amazon Bedrock for mcp-servers-2025-12-04"},
		},
		Vars:    []string{"beta"},
		Request: betasTaken,
	},
}

// betasTaken looks for the betas that the profile lists. Which ones there are changes with each
// month and model, so that no other one is judged.
func betasTaken(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Headers == nil {
		return j
	}
	j.HasEvidence = true
	var named []string
	if header, given := req.Headers["anthropic-beta"]; given {
		named = strings.Split(header, ",")
	}
	for _, each := range req.Body.Get("anthropic_beta").All() {
		named = append(named, each.Text())
	}
	for _, name := range named {
		vars := map[string]string{"beta": strings.TrimSpace(name)}
		if p.RefusesViolation("egress/betas-taken", vars) {
			j.Find(trace.Finding{
				Message: "the request names a beta that the provider does not take", Expected: "none, or another one",
				Actual: headerLine("anthropic-beta", strings.Join(named, ",")), Vars: vars,
			})
		}
	}
	return j
}

// contextBetas are the beginnings of the names of betas, by the types of edits that need them.
var contextBetas = map[string]string{
	"compact_20260112":         "compact-2026-",
	"clear_tool_uses_20250919": "context-management-2025-",
	"clear_thinking_20251015":  "context-management-2025-",
}

// betaOnDemand is how the name of the beta for a summary alone begins.
const betaOnDemand = "compact-2026-09-"

// contextBetasNamed looks at requests to providers that are known to refuse them, as Anthropic
// itself: others take betas otherwise, or do not know them.
func contextBetasNamed(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	_, refuses := p.Refusal("egress/context-betas-named")
	if req.Headers == nil || p.DoorOf(req) != nil || !refuses {
		return j
	}
	named := req.Headers["anthropic-beta"]
	if alone := req.Body.Get("compaction"); alone.Is(wire.Object) && !strings.Contains(named, betaOnDemand) {
		j.Find(trace.Finding{
			Pointer: alone.Pointer(), Message: "the request asks for a summary alone, and its headers do not name the beta",
			Expected: "a name that begins with " + betaOnDemand + " in anthropic-beta", Actual: headerLine("anthropic-beta", named),
		})
	}
	for _, edit := range req.Body.Get("context_management").Get("edits").All() {
		kind := edit.Get("type").Text()
		beta := contextBetas[kind]
		if beta == "" {
			continue
		}
		j.HasEvidence = true
		if !strings.Contains(named, beta) {
			j.Find(trace.Finding{
				Pointer: edit.Pointer(), Message: "the request asks for an edit of its history, and its headers do not name the beta",
				Expected: "a name that begins with " + beta + " in anthropic-beta", Actual: headerLine("anthropic-beta", named),
			})
		}
	}
	return j
}

var versionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`) })

func versionNamed(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if door := p.DoorOf(req); door != nil {
		return versionInBody(door, req)
	}
	if req.Headers == nil {
		return j
	}
	j.HasEvidence = true
	version := req.Headers["anthropic-version"]
	if versionForm().MatchString(version) {
		return j
	}
	problem := "header is required"
	if version != "" {
		problem = fmt.Sprintf("%s is not a valid version", wire.Quote(version))
	}
	j.Find(trace.Finding{
		Message: "the request does not say which version of the API it speaks", Expected: "anthropic-version: 2023-06-01",
		Actual: headerLine("anthropic-version", version), Vars: map[string]string{"problem": problem, "given": cmp.Or(version, "nothing")},
	})
	return j
}

// versionInBody judges a request at the door of a cloud.
func versionInBody(door *wire.Door, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	n := req.Body.Get(door.Key)
	if slices.Contains(door.Versions, n.Text()) {
		return j
	}
	problem, given := "Field required", "nothing"
	if n != nil {
		problem, given = fmt.Sprintf("%s is not a valid version", wire.Quote(n.Text())), n.Text()
	}
	j.Find(trace.Finding{
		Pointer: "/" + door.Key, Message: "the request does not say in its body which version of the API it speaks on " + door.Title, Expected: strings.Join(door.Versions, " or "),
		Actual: rules.Show(n), Vars: map[string]string{"problem": problem, "given": given},
	})
	return j
}

var jsonForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^application/json *(;|$)`) }) // media types ignore case: RFC 9110, section 8.3.1

func jsonDeclared(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Headers == nil {
		return j
	}
	j.HasEvidence = true
	if kind := req.Headers["content-type"]; !jsonForm().MatchString(kind) {
		j.Find(trace.Finding{
			Message: "the request does not say that its body is JSON", Expected: "content-type: application/json",
			Actual: headerLine("content-type", kind),
		})
	}
	return j
}

// headerLine shows a header of a request.
func headerLine(name, value string) string {
	if value == "" {
		return "no header " + name
	}
	return name + ": " + value
}
