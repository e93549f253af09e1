package failure

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// bodyRules are the rules about errors and answers whose bytes are not what one expects.
var bodyRules = []rules.Rule{
	{
		ID:          "failure/any-error-body-reported",
		Level:       trace.Must,
		Text:        "An error status is a failure whatever its body is: a web page, a list, half a document, nothing.",
		Why:         "Proxies in front of providers write their own errors; a loop that expects one format treats the others as answers.",
		AnyDelivery: true,
		Evidence:    "an outcome after an error status whose body is not the provider's envelope",
		Sources: []rules.Source{
			{URL: "https://www.rfc-editor.org/rfc/rfc9110#section-15", Says: "the status says whether a request succeeded"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py", Says: "an error is made by its status, from a body of any shape"},
			{URL: "https://github.com/openai/openai-node/pull/1746", Says: "the body of an error that has no key error was lost"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notAnAnswer(r, func(t *scenarios.Turn) bool { return t.Errs() && t.Step.Body != nil }, "an error status")
		},
	},
	{
		ID:       "failure/odd-error-says-why",
		Level:    trace.Should,
		Text:     "The error that a loop reports contains the status of an unusual error response, or its body.",
		Why:      "\"Unexpected token <\" does not tell the caller that the gateway is down.",
		Evidence: "a failed outcome after an error status whose body is not the provider's envelope, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "the status tells what kind of error it is"},
			{URL: rules.AnthropicErrorDocs, Says: "the status tells what kind of error it is"},
			{URL: rules.GeminiErrorDocs, Says: "the status tells what kind of error it is"},
			{URL: "https://github.com/openai/openai-node/issues/1528", Says: "the error did not show what the provider said"},
		},
		Run: oddErrorSaysWhy,
	},
	{
		ID:          "failure/no-completion-reported",
		Level:       trace.Must,
		Text:        "A response with a success status whose body is not a completion is not an answer.",
		Why:         "Otherwise the login page of a proxy, or an empty body, is treated as the answer.",
		AnyDelivery: true,
		Evidence:    "an outcome after a 200 whose body is not a completion",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the answer is a chat completion object, or a stream of chunks"},
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "when no content is generated: retry, or tell"},
		},
		Run: func(r *rules.Run) rules.CheckResult {
			return notAnAnswer(r, (*scenarios.Turn).Garbled, "a body that is no completion")
		},
	},
	{
		ID:          "failure/other-form-read-or-reported",
		Level:       trace.Must,
		Text:        "An answer in another form than the one asked for is read, or reported as a failure; it is not an empty answer.",
		Why:         "Otherwise every answer of a gateway that does not stream, or sends the wrong content type, is lost.",
		AnyDelivery: true,
		Evidence:    "an outcome after a whole answer that was mislabelled, or not streamed though a stream was asked for, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the answer is a chat completion object, or a stream of chunks"},
			{URL: "https://github.com/nearai/private-ml-sdk/pull/20", Says: "a server that streams without a content type"},
			{URL: "https://github.com/microsoft/foundry-dev-tools/issues/195", Says: "a server that names its streams JSON"},
			{URL: "https://github.com/sashabaranov/go-openai/issues/184", Says: "plain JSON where a stream was expected ended as if all were well"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/_legacy_response.py", Says: "JSON of another content type is read anyway"},
		},
		Run: otherFormReadOrReported,
	},
	{
		ID:          "failure/compressed-answer-read",
		Level:       trace.Must,
		Text:        "An answer that is compressed in a way that the loop accepts is read.",
		Why:         "Proxies compress for every client that accepts it.",
		AnyDelivery: true,
		Evidence:    "an outcome after an answer that is compressed for loops that accept this, of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://www.rfc-editor.org/rfc/rfc9110#field.accept-encoding", Says: "who sends Accept-Encoding: gzip takes gzip"},
		},
		Run: compressedAnswerRead,
	},
	{
		ID:       "failure/upstream-words-reported",
		Level:    trace.Info,
		Text:     "If a router only says that its provider failed, the reported error contains the message of the provider.",
		Why:      "\"Provider returned error\" is the same for a wrong parameter and a full context.",
		Evidence: "a failed outcome after an error with the words of an upstream provider in error.metadata.raw, of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "metadata.raw: the raw error of the provider"},
		},
		Run: upstreamWordsReported,
	},
}

func oddErrorSaysWhy(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Errs() || last.Turn.Step.Body == nil || r.Outcome.Status == protocol.Completed {
		return j
	}
	j.HasEvidence = r.UsedTools()
	status, told := last.Turn.Step.Status, r.Outcome.Error+" "+r.Outcome.Reason
	for _, text := range append(spoken(*last.Turn.Step.Body), strconv.Itoa(status), http.StatusText(status)) {
		if text != "" && (rules.ContainsText(told, text) || strings.Contains(strings.ToLower(told), strings.ToLower(text))) {
			return j
		}
	}
	j.FindInAnswer(last,
		"neither the status of the error nor what its body says reaches the caller",
		fmt.Sprintf("an error with %d or %q", status, http.StatusText(status)),
		rules.Quote(r.Outcome.Error))
	return j
}

var tags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })

// spoken returns what a body says to people: its sentences in JSON, or the text of a web page.
func spoken(body string) []string {
	var said []string
	node, err := wire.ParseNode([]byte(body))
	if err != nil {
		for _, text := range tags().Split(body, -1) {
			said = append(said, strings.TrimSpace(text))
		}
		return said
	}
	node.Walk(func(n *wire.Node) {
		if strings.Contains(n.Text(), " ") { // a sentence and not a word
			said = append(said, n.Text())
		}
	})
	return said
}

// disguised returns the last turn when it is a whole answer that came in another form than usual,
// and the loop is done with it.
func disguised(r *rules.Run) *scenarios.Turn {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Final() || !last.Turn.Disguised() || r.Next(last) != nil {
		return nil
	}
	return last.Turn
}

func otherFormReadOrReported(r *rules.Run) (j rules.CheckResult) {
	turn := disguised(r)
	if turn == nil || turn.Step.Gzip {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.Outcome.Status == protocol.Completed && !hasTextOf(r.Outcome, turn) {
		j.Find(notRead(r, "the answer in another form was not read, and the run reported as completed"))
	}
	return j
}

func compressedAnswerRead(r *rules.Run) (j rules.CheckResult) {
	turn := disguised(r)
	if turn == nil || !turn.Step.Gzip {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.Outcome.Status == protocol.Failed || !hasTextOf(r.Outcome, turn) {
		j.Find(notRead(r, "the compressed answer was not read"))
	}
	return j
}

// hasTextOf reports whether an outcome has the text of an answer, or a part of it, or ends with it:
// whether it has all of it, and what may be before it, is for the rules about outcomes to say.
func hasTextOf(o *protocol.Outcome, t *scenarios.Turn) bool {
	told, said := strings.TrimSpace(o.Text), strings.TrimSpace(t.Answer.Text)
	return told != "" && strings.Contains(said, told) || said != "" && strings.HasSuffix(told, said)
}

func notRead(r *rules.Run, message string) trace.Finding {
	last, actual := r.Last(), r.DescribeEnd()
	if r.Outcome.Text != "" || r.Outcome.Status == protocol.Completed {
		actual += " with the text " + rules.Quote(r.Outcome.Text)
	}
	return trace.Finding{
		Request:  last.Number,
		Answer:   last.Number,
		Message:  message,
		Expected: "status completed with the text " + rules.Quote(last.Turn.Answer.Text),
		Actual:   actual,
	}
}

func upstreamWordsReported(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Errs() || last.Turn.Step.Body == nil || r.Outcome.Status == protocol.Completed {
		return j
	}
	node, err := wire.ParseNode([]byte(*last.Turn.Step.Body))
	if err != nil {
		return j
	}
	raw := node.Get("error").Get("metadata").Get("raw").Text()
	if raw == "" {
		return j
	}
	return reachesCaller(r, raw, "what the provider behind the router said", last)
}
