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
	// numberPlace is where the number of a conversation stands in the first text of the user, so that
	// nothing of the answer or the journal is known from another one.
	numberPlace = "################"

	question, greeting, followUp, lastWord = "Say hello to number " + numberPlace + ".", "Hello.", "Say it again in eight words.", "Hello from the mock server, in eight words"

	// anyScript answers conversations of any length.
	anyScript = "loopproof: 1\ntitle: Any other conversation\nmodel:\n  - text: " + lastWord + "\n"

	// mergedScript answers those that ask for it with streams that come in one write.
	mergedWord   = "at once"
	mergedScript = "loopproof: 1\ntitle: Merged streams\nbehaviour: {delivery: sse-merged}\nmodel:\n  - when: {first-user: {contains: " + mergedWord + "}}\n    text: " + lastWord + "\n"
)

// workloads returns all of them, in the order of the report.
func workloads() []workload {
	all := []workload{
		{Name: "plain", About: "Chat Completions, 3 messages", api: chatCompletions, body: chatBody(false), peers: true},
		{Name: "plain-messages", About: "Messages, 3 messages", api: messagesAPI, body: fmt.Sprintf(`{"model":"loopproof","max_tokens":1000,"messages":[%s]}`, chatMessages)},
		{Name: "plain-responses", About: "Responses, 3 messages", api: responsesAPI, body: fmt.Sprintf(`{"model":"loopproof","store":false,"input":[%s]}`, chatMessages)},
		{Name: "plain-gemini", About: "generateContent, 3 messages", api: generateContent, body: `{"contents":` + parts("model", `"parts"`) + `}`},
		{Name: "plain-converse", About: "Converse, 3 messages", api: converse, body: `{"messages":` + parts("assistant", `"content"`) + `}`},
		{Name: "plain-ollama", About: "Ollama's own API, 3 messages", api: ollamaChat, body: chatBody(false)},
		{Name: "plain-cohere", About: "Cohere's own API, 3 messages", api: cohereChat, body: chatBody(false)},
		{Name: "plain-interactions", About: "Interactions, 3 steps", api: interactions, body: interactionsBody},
		{Name: "stream", About: "Chat Completions as a stream, a flush an event", api: chatCompletions, body: chatBody(true), peers: true},
		{Name: "stream-merged", About: "Chat Completions as a stream in one write", api: chatCompletions, body: strings.Replace(chatBody(true), "hello", "hello "+mergedWord, 1)},
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
	converse        = api{"/model/loopproof/converse", map[string]string{"Authorization": "Bearer bench"}}
	ollamaChat      = api{"/api/chat", nil}
	cohereChat      = api{"/v2/chat", map[string]string{"Authorization": "Bearer bench"}}
	interactions    = api{"/v1beta/interactions", map[string]string{"X-Goog-Api-Key": "bench"}}
)

const (
	chatMessages     = `{"role":"user","content":"` + question + `"},{"role":"assistant","content":"` + greeting + `"},{"role":"user","content":"` + followUp + `"}`
	interactionsBody = `{"model":"loopproof","store":false,"input":[{"type":"user_input","content":[{"type":"text","text":"` + question + `"}]},{"type":"model_output","content":[{"type":"text","text":"` + greeting + `"}]},{"type":"user_input","content":[{"type":"text","text":"` + followUp + `"}]}]}`
)

func chatBody(stream bool) string {
	return fmt.Sprintf(`{"model":"loopproof","stream":%t,"messages":[%s]}`, stream, chatMessages)
}

// parts returns the messages of an API in which each is a list of parts.
func parts(model, key string) string {
	return fmt.Sprintf(`[{"role":"user",%s:[{"text":%q}]},{"role":%q,%s:[{"text":%q}]},{"role":"user",%s:[{"text":%q}]}]`, key, question, model, key, greeting, key, followUp)
}

// longBody returns a conversation of so many turns, of about so many bytes.
func longBody(turns, size int) string { return conversation(longTurns(turns, size)) }

// longTurns returns turns that each have a call and its result.
func longTurns(turns, size int) []string {
	const line = "The weather in Oslo is fine, and \\\"the ferry\\\" leaves at ten.\\n"
	each := max(1, (size-100-240*turns)/turns/len(line))
	all := make([]string, turns)
	for i := range all {
		all[i] = fmt.Sprintf(`,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"day\":%d}"}}]},{"role":"tool","tool_call_id":"call_%d","content":"%s"}`, i, i, i, strings.Repeat(line, each))
	}
	return all
}

// conversation returns a request with these turns.
func conversation(turns []string) string {
	return `{"model":"loopproof","messages":[{"role":"user","content":"` + question + `"}` + strings.Join(turns, "") +
		`],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"day":{"type":"integer"}}}}}]}`
}
