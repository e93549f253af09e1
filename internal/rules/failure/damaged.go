package failure

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// damageRules are the rules about answers that come damaged, which a checksum tells.
var damageRules = []rules.Rule{
	{
		ID:          "failure/damaged-stream-reported",
		Level:       trace.Must,
		Text:        "A stream with a message whose checksum is wrong is not an answer: none of its calls is run, and it is requested again or reported as a failure.",
		Why:         "What is in the message is not what the provider sent. Otherwise a tool runs with other arguments, and the text says something else.",
		Needs:       rules.Streams,
		AnyDelivery: true,
		Evidence:    "what a loop did after a stream with such a message",
		Sources: []rules.Source{
			{URL: "https://smithy.io/2.0/aws/amazon-eventstream.html#message-format", Says: "clients MUST validate these checksums; if either is invalid, the stream MUST be terminated"},
			{URL: "https://github.com/awslabs/aws-c-event-stream/pull/29", Says: "nothing of a message is passed on before its checksum was looked at"},
			{URL: "https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html", Says: "a checksum behind the lengths, and one behind the message"},
		},
		Run: damagedStream,
	},
}

func damaged(t *scenarios.Turn) bool { return t.Step.Damaged != "" && !t.Fails() }

func damagedStream(r *rules.Run) rules.CheckResult {
	j := rules.NotRun(r, func(c rules.CallRun) bool { return damaged(c.Turn) }, func(rules.CallRun) string { return "a message of its answer was damaged" })
	if ended := notAnAnswer(r, damaged, "a stream whose checksum was wrong"); len(j.Findings) == 0 {
		j.Findings, j.HasEvidence = ended.Findings, j.HasEvidence || ended.HasEvidence
	}
	return j
}
