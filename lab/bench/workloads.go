package main

import (
	"fmt"
	"strings"
)

// workload is what is asked again and again.
type workload struct {
	Name, About string
	api         api
	body        string
	peers       bool // other mock servers are measured, too
}

// What is said in the conversations, and the scripts that answer them.
const (
	question, greeting, followUp, lastWord = "Say hello.", "Hello.", "Say it again in eight words.", "Hello from the mock server, in eight words"

	// plainScript is a conversation, so that the place of each request in it is verified.
	plainScript = "loopproof: 1\ntitle: Two prompts\nprompts: [" + question + ", " + followUp + "]\nmodel:\n  - text: " + greeting + "\n  - text: " + lastWord + "\n"

	// mergedScript is the same conversation after another first prompt, whose streams come in one
	// write.
	mergedQuestion = "Say hello at once."
	mergedScript   = "loopproof: 1\ntitle: Two prompts, merged\nbehaviour: {delivery: sse-merged}\nprompts: [" + mergedQuestion + ", " + followUp + "]\nmodel:\n  - text: " + greeting + "\n  - text: " + lastWord + "\n"

	// longScript answers conversations of any length.
	longScript = "loopproof: 1\ntitle: Any other conversation\nmodel:\n  - text: " + lastWord + "\n"
)

// workloads returns all of them, in the order of the report.
func workloads() []workload {
	all := []workload{
		{Name: "plain", About: "Chat Completions, 3 messages", api: chatCompletions, body: chatBody(false), peers: true},
		{Name: "plain-messages", About: "Messages, 3 messages", api: messagesAPI, body: fmt.Sprintf(`{"model":"loopproof","max_tokens":1000,"messages":[%s]}`, chatMessages)},
		{Name: "plain-responses", About: "Responses, 3 messages", api: responsesAPI, body: fmt.Sprintf(`{"model":"loopproof","store":false,"input":[%s]}`, chatMessages)},
		{Name: "plain-gemini", About: "generateContent, 3 messages", api: generateContent, body: geminiBody},
		{Name: "stream", About: "Chat Completions as a stream, a flush an event", api: chatCompletions, body: chatBody(true), peers: true},
		{Name: "stream" + merged, About: "Chat Completions as a stream in one write", api: chatCompletions, body: strings.Replace(chatBody(true), question, mergedQuestion, 1)},
	}
	for _, size := range []struct {
		name         string
		turns, bytes int
	}{
		{"10-kB", 10, 10_000}, {"100-kB", 10, 100_000}, {"1-MB", 100, 1_000_000}, {"1-MB-1000-turns", 1000, 1_000_000}, {"10-MB", 100, 10_000_000},
	} {
		all = append(all, workload{
			Name: "history-" + size.name, About: fmt.Sprintf("Chat Completions, %d turns with calls, %s", size.turns, strings.ReplaceAll(strings.TrimSuffix(size.name, "-1000-turns"), "-", " ")),
			api: chatCompletions, body: longBody(size.turns, size.bytes),
		})
	}
	return all
}

// merged ends the names of the workloads whose streams come in one write.
const merged = "-merged"

// api is how requests to a wire API are sent.
type api struct {
	path    string
	headers map[string]string
}

var (
	chatCompletions = api{"/v1/chat/completions", map[string]string{"Authorization": "Bearer bench"}}
	messagesAPI     = api{"/v1/messages", map[string]string{"X-Api-Key": "bench", "Anthropic-Version": "2023-06-01"}}
	responsesAPI    = api{"/v1/responses", map[string]string{"Authorization": "Bearer bench"}}
	generateContent = api{"/v1beta/models/loopproof:generateContent", map[string]string{"X-Goog-Api-Key": "bench"}}
)

// profiles are those with which the mock provider speaks all dialects.
var profiles = []string{"openai", "anthropic", "openai-responses", "gemini-3"}

const (
	chatMessages = `{"role":"user","content":"` + question + `"},{"role":"assistant","content":"` + greeting + `"},{"role":"user","content":"` + followUp + `"}`
	geminiBody   = `{"contents":[{"role":"user","parts":[{"text":"` + question + `"}]},{"role":"model","parts":[{"text":"` + greeting + `"}]},{"role":"user","parts":[{"text":"` + followUp + `"}]}]}`
)

func chatBody(stream bool) string {
	return fmt.Sprintf(`{"model":"loopproof","stream":%t,"messages":[%s]}`, stream, chatMessages)
}

// longBody returns a conversation of so many turns, each with a call and its result, of about so
// many bytes.
func longBody(turns, size int) string {
	const line = "The weather in Oslo is fine, and \\\"the ferry\\\" leaves at ten.\\n"
	var b strings.Builder
	b.WriteString(`{"model":"loopproof","messages":[{"role":"user","content":"What is the weather?"}`)
	each := max(1, (size-100-240*turns)/turns/len(line))
	for i := range turns {
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"day\":%d}"}}]},{"role":"tool","tool_call_id":"call_%d","content":"%s"}`, i, i, i, strings.Repeat(line, each))
	}
	b.WriteString(`],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"integer"}}}}}]}`)
	return b.String()
}
