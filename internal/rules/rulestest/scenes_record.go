package rulestest

import (
	"strings"
)

// But changes a dialogue at one place.
func But(dialogue string, changes ...string) string {
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(dialogue, changes[i]) {
			panic("no " + changes[i] + " in " + dialogue)
		}
		dialogue = strings.Replace(dialogue, changes[i], changes[i+1], 1)
	}
	return dialogue
}

// Dialogues that are right, with their records.
const (
	// BothKept is the transcript of TwoCities.
	BothKept = TwoCitiesDone + `
		keeps open-agent-loops
			{"role":"user","content":"Compare the weather in Oslo and Lima.","timestamp":1763740800000}
			{"role":"assistant","content":"","tool_calls":[{{oslo call}},{{lima call}}],"finishReason":"tool_calls","timestamp":1763740800001}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"4 C","toolName":"get_weather","timestamp":1763740800002}
			{"role":"tool","tool_call_id":"{{lima}}","content":"19 C","toolName":"get_weather","timestamp":1763740800002}
			{"role":"assistant","content":"Lima is warmer.","finishReason":"stop","timestamp":1763740800003}`
)

const (
	// BothInART is the transcript of [TwoCities] in the form of ART.
	BothInART = TwoCitiesDone + `
		keeps art-messages
			{"role":"user","content":"Compare the weather in Oslo and Lima."}
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{{lima call}}]}
			{"role":"tool_result","content":"4 C","name":"get_weather","tool_call_id":"{{oslo}}"}
			{"role":"tool_result","content":"19 C","name":"get_weather","tool_call_id":"{{lima}}"}
			{"role":"assistant","content":"Lima is warmer."}`
	// BothPlain is the same in the form of OpenAI.
	BothPlain = TwoCitiesDone + `
		keeps openai
			user: Compare the weather in Oslo and Lima.
			calls oslo, lima
			result oslo
			result lima
			assistant: Lima is warmer.`
)
