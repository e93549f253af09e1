package record_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// bothInAGUI is TwoCities as the events of AG-UI.
const bothInAGUI = TwoCitiesDone + `
		keeps ag-ui
			{"type":"RUN_STARTED","threadId":"t","runId":"r"}
			{"type":"TOOL_CALL_START","toolCallId":"{{oslo}}","toolCallName":"get_weather","parentMessageId":"m"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"{{oslo}}","delta":"{\"city\":"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"{{oslo}}","delta":"\"Oslo\"}"}
			{"type":"TOOL_CALL_END","toolCallId":"{{oslo}}"}
			{"type":"TOOL_CALL_START","toolCallId":"{{lima}}","toolCallName":"get_weather","parentMessageId":"m"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"{{lima}}","delta":"{\"city\":\"Lima\"}"}
			{"type":"TOOL_CALL_END","toolCallId":"{{lima}}"}
			{"type":"TOOL_CALL_RESULT","messageId":"b","toolCallId":"{{lima}}","content":"19 C"}
			{"type":"TOOL_CALL_RESULT","messageId":"a","toolCallId":"{{oslo}}","content":"4 C"}
			{"type":"TEXT_MESSAGE_START","messageId":"n","role":"assistant"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"Lima is warmer."}
			{"type":"TEXT_MESSAGE_END","messageId":"n"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`

const (
	aguiStarted = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`
	aguiEnd     = `
			{"type":"TOOL_CALL_END","toolCallId":"{{lima}}"}`
	outOfOrder = "an event of AG-UI is out of order"
)

var aguiCases = Cases{
	"record/ag-ui-schema": {
		Holds("of the form", TwoCities, bothInAGUI),
		Holds("an event that the format may get", TwoCities, But(bothInAGUI, aguiStarted, aguiStarted+`
			{"type":"CUSTOM","name":"x","value":1}`)),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("no name of a tool", TwoCities, But(bothInAGUI, `"toolCallName":"get_weather",`, ""),
			Found(0, "", "the record does not have the form of ag-ui at /1: missing property 'toolCallName'", "what the JSON Schema of ag-ui describes", `{"type":"TOOL_CALL_START","toolCallId":"{{oslo}}","parentMessageId":"m"}`)),
		Breaks("a role that a text has not", TwoCities, But(bothInAGUI, `"role":"assistant"`, `"role":"tool"`),
			Found(0, "", "the record does not have the form of ag-ui at /10/role: value must be one of 'developer', 'system', 'assistant', 'user'", "what the JSON Schema of ag-ui describes", `"tool"`)),
	},
	"record/ag-ui-events-in-order": {
		Holds("in order", TwoCities, bothInAGUI),
		Holds("an error after the end", TwoCities, bothInAGUI+`
			{"type":"RUN_ERROR","message":"x"}`),
		Holds("two runs", TwoCities, bothInAGUI+"\n\t\t\t"+aguiStarted),
		SeesNothing("another format", TwoCities, BothKept),
		Breaks("arguments after the end", TwoCities, But(bothInAGUI, aguiEnd, aguiEnd+`
			{"type":"TOOL_CALL_ARGS","toolCallId":"{{lima}}","delta":"}"}`),
			Found(0, "", outOfOrder, "TOOL_CALL_ARGS between its start and its end", `/8 {"type":"TOOL_CALL_ARGS","toolCallId":"{{lima}}","delta":"}"}`)),
		Breaks("a call that is open at the end", TwoCities, But(bothInAGUI, aguiEnd, ""),
			Found(0, "", outOfOrder, "the end of the call {{lima}} before RUN_FINISHED", `/12 {"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)),
		Breaks("no start", TwoCities, But(bothInAGUI, aguiStarted, `{"type":"STEP_STARTED","stepName":"s"}`),
			Found(0, "", outOfOrder, "RUN_STARTED before the other events of a run", `/0 {"type":"STEP_STARTED","stepName":"s"}`)),
		Breaks("a second start", TwoCities, But(bothInAGUI, aguiStarted, aguiStarted+"\n\t\t\t"+aguiStarted),
			Found(0, "", outOfOrder, "RUN_FINISHED or RUN_ERROR before the next RUN_STARTED", "/1 "+aguiStarted)),
		Breaks("more after an error", TwoCities, But(bothInAGUI, aguiStarted, aguiStarted+`
			{"type":"RUN_ERROR","message":"x"}`),
			Found(0, "", outOfOrder, "RUN_STARTED after RUN_ERROR", `/2 {"type":"TOOL_CALL_START","toolCallId":"{{oslo}}","toolCallName":"get_weather","parentMessageId":"m"}`)),
		Breaks("a text twice at once", TwoCities, But(bothInAGUI, `{"type":"TEXT_MESSAGE_CONTENT"`, `{"type":"TEXT_MESSAGE_START","messageId":"n"}
			{"type":"TEXT_MESSAGE_CONTENT"`),
			Found(0, "", outOfOrder, "the end of the text n before it starts again", `/11 {"type":"TEXT_MESSAGE_START","messageId":"n"}`)),
		Breaks("an end without a start", TwoCities, But(bothInAGUI, `{"type":"TEXT_MESSAGE_START","messageId":"n","role":"assistant"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"Lima is warmer."}`, ""),
			Found(0, "", outOfOrder, "a start before TEXT_MESSAGE_END", `/10 {"type":"TEXT_MESSAGE_END","messageId":"n"}`)),
	},
}
