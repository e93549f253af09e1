package matchers_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onsi/gomega"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/mockprovider"
	. "github.com/loopproof/loopproof/mockprovider/matchers"
	"github.com/loopproof/loopproof/profiles"
)

const counting = `loopproof: 1
title: Counting
tools: {run_sql: {free-text: true, results: [{text: "17"}]}}
model:
  - when: {result: {tool: run_sql, contains: "17"}}
    text: There are 17.
  - provider-items: [{type: web_search_call, query: users}]
    calls: [{as: query, tool: run_sql, arguments: SELECT 17}]
`

// An application that leaves its history to the provider is asserted like any other.
func TestMatchersOverResponses(t *testing.T) {
	g := gomega.NewWithT(t)
	profile, err := profiles.Get("openai-responses")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	srv := mockprovider.NewServer(mockprovider.Config{Profile: profile})
	t.Cleanup(srv.Close)
	run := srv.ForTest(t, counting)
	ask := func(body string) string {
		resp, err := http.Post(run.BaseURL+"/responses", "application/json", strings.NewReader(`{"model":"gpt-5","tools":[{"type":"custom","name":"run_sql"}],`+body+`}`))
		g.Expect(err).NotTo(gomega.HaveOccurred())
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		g.Expect(err).NotTo(gomega.HaveOccurred())
		return string(answer)
	}
	first := ask(`"input":"How many users are there?"`)
	call := gjson.Get(first, `output.#(type="custom_tool_call").call_id`).String()
	ask(`"previous_response_id":"` + gjson.Get(first, "id").String() + `","input":[{"type":"custom_tool_call_output","call_id":"` + call + `","output":"17"}]`)

	g.Expect(run).To(HaveRequest(OfferTool("run_sql"), CarryText("How many users are there?"), AnswerWithCall("run_sql")))
	g.Expect(run).To(HaveRequestsInOrder(AskFor("gpt-5"), CarryResult("run_sql", "17")))
	g.Expect(run).To(HaveRequest(AnswerWithText("There are 17.")).Times(1))
	g.Expect(run).To(HaveNoFindings())
}
