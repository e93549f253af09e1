package variations

import (
	"encoding/json"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

const pydanticOutput = "https://ai.pydantic.dev/output/"

// inForm are the ways in which loops get an answer of the form that the caller says. The reference
// loop says the schema in its system prompt, and asks once more where an answer does not fit.
var inForm = []hooks.Variation{
	{
		Name:    "outcome/answer-by-the-format-of-the-api",
		Does:    "The schema of the answer is said by the key of the API for the format of answers.",
		Sources: []string{pydanticOutput + " (NativeOutput)", "https://openai.github.io/openai-agents-python/agents/ (output_type)", "https://ai-sdk.dev/docs/ai-sdk-core/generating-structured-data (Output.object)"},
		Unless:  neutral.WholeCalls, Elsewhere: "most models take no format beside tools.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Settings.AnswerSchema = untold(r)
		}),
	},
	{
		Name:    "outcome/answer-by-a-tool-of-the-schema",
		Does:    "The answer is the call of a tool whose parameters are the schema.",
		Sources: []string{pydanticOutput + " (ToolOutput, the default)", "https://docs.langchain.com/oss/langchain/structured-output (ToolStrategy)"},
		Make:    answersBy(refloop.AnswerTool{Name: finalAnswer}),
	},
	{
		Name:    "outcome/answer-by-an-argument-of-a-tool",
		Does:    "The answer is the call of a tool that has it in one argument.",
		Sources: []string{pydanticOutput + " (the argument response, of output that is no object)"},
		Make:    answersBy(refloop.AnswerTool{Name: finalAnswer, Argument: "response"}),
	},
	{
		Name:    "outcome/answer-by-a-tool-beside-all-calls",
		Does:    "The answer is the call of a tool, and the calls that the model makes beside it are run before the run ends.",
		Sources: []string{"https://ai.pydantic.dev/output/ (end_strategy exhaustive: all tools are run)", "https://docs.langchain.com/oss/langchain/structured-output (ToolStrategy)"},
		Make:    answersBy(refloop.AnswerTool{Name: finalAnswer, RunsAll: true}),
	},
	{
		Name:    "outcome/answer-by-a-tool-alone",
		Does:    "The answer is the call of a tool. One beside another call gets an error as its result, and the model is asked again.",
		Sources: []string{"https://reference.langchain.com/javascript/langchain/index/MultipleStructuredOutputsError (handleError: the model is asked again where it gives several)"},
		Make:    answersBy(refloop.AnswerTool{Name: finalAnswer, Alone: true}),
	},
	{
		Name:    "outcome/answer-in-a-last-request",
		Does:    "The model answers in words, and is asked for the same in the form of the schema by a last request without tools.",
		Sources: []string{"https://reference.langchain.com/python/langgraph/agents/ (response_format of create_react_agent: a separate call of the model at the end)", "https://github.com/openai/openai-agents-python/issues/3709 (the schema suppresses calls on some servers)"},
		Unless:  neutral.NeverBarred, Elsewhere: "a history with calls is refused without tools.",
		Shoulds: []string{"egress/tools-stay-defined"},
		Why:     "No model calls a tool instead; the cache is lost once.",
		Make:    asksForTheFormAtTheEnd,
	},
	{
		Name:    "outcome/misfit-fails",
		Does:    "An answer that does not fit the schema ends the run with an error.",
		Sources: []string{"https://ai-sdk.dev/docs/ai-sdk-core/generating-structured-data (NoObjectGeneratedError)", "https://openai.github.io/openai-agents-python/ref/exceptions/ (ModelBehaviorError)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if asksForTheFormAgain(r) {
				r.Abort()
			}
		}),
	},
	{
		Name:    "outcome/misfit-left-out",
		Does:    "An answer that does not fit the schema is left out, and the model asked the same once more.",
		Sources: []string{"https://github.com/567-labs/instructor (retries)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if asksForTheFormAgain(r) {
				r.Messages = r.Messages[:len(r.Messages)-2]
			}
		}),
	},
	{
		Name:    "outcome/answer-written-otherwise",
		Does:    "The answer that is returned was read and written again, with other white space.",
		Sources: []string{pydanticOutput + " (the output is an object of the program's)"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				var answer map[string]any
				if task.AnswerSchema != nil && json.Unmarshal([]byte(o.Text), &answer) == nil {
					indented, _ := json.MarshalIndent(answer, "", "  ") // what was JSON can be written
					o.Text = string(indented)
				}
				return o
			}}
		},
	},
}

// answersBy is a loop whose model answers by the call of a tool.
func answersBy(tool refloop.AnswerTool) func() hooks.Mutation {
	return hooks.OnLoop(func(l *refloop.Loop) { l.AnswerTool = tool })
}

// untold returns the schema of the answer, of which the system prompt says nothing any more.
func untold(r *hooks.Request) json.RawMessage {
	if r.Task.AnswerSchema != nil {
		r.System = r.Task.System
	}
	return r.Task.AnswerSchema
}

// asksForTheFormAgain reports whether a request is about an answer that did not fit.
func asksForTheFormAgain(r *hooks.Request) bool {
	n := len(r.Messages)
	return r.Task.AnswerSchema != nil && n > 1 && strings.HasPrefix(r.Messages[n-1].Text(), "The answer does not fit the schema")
}

// asksForTheFormAtTheEnd sends the schema in a last request alone.
func asksForTheFormAtTheEnd() hooks.Mutation {
	var last *hooks.Request
	var schema json.RawMessage
	return hooks.Mutation{
		Request: func(r *hooks.Request) {
			last, schema = r, untold(r)
		},
		Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			if task.AnswerSchema != nil && o.Status == protocol.Completed && last != nil {
				last.Tools, last.Settings.AnswerSchema = nil, schema
				last.Add(neutral.Says(neutral.Assistant, o.Text), neutral.Says(neutral.User, "Give this answer in the form that is asked for."))
				last.AskAgain()
			}
			return o
		},
	}
}
