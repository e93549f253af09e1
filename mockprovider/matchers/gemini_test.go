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

const weatherAsked = `loopproof: 1
title: Weather
tools: {get_weather: {parameters: {city: string}, results: [{text: 4 C}]}}
model:
  - when: {result: {tool: get_weather, contains: "4 C"}}
    text: It is 4 C in Oslo.
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
`

// An application that speaks generateContent is asserted like any other, whether calls have ids or
// not.
func TestMatchersOverGemini(t *testing.T) {
	for _, name := range []string{"gemini-3", "gemini-2.5", "vertex"} {
		t.Run(name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			profile, err := profiles.Get(name)
			g.Expect(err).NotTo(gomega.HaveOccurred())
			srv := mockprovider.NewServer(mockprovider.Config{Profile: profile})
			t.Cleanup(srv.Close)
			run := srv.ForTest(t, weatherAsked)
			ask := func(contents string) string {
				resp, err := http.Post(run.BaseURL+"/v1beta/models/gemini-pro:generateContent", "application/json",
					strings.NewReader(`{"contents":[`+contents+`],"tools":[{"functionDeclarations":[{"name":"get_weather","description":"The weather."}]}]}`))
				g.Expect(err).NotTo(gomega.HaveOccurred())
				defer resp.Body.Close()
				answer, err := io.ReadAll(resp.Body)
				g.Expect(err).NotTo(gomega.HaveOccurred())
				return string(answer)
			}
			const asked = `{"role":"user","parts":[{"text":"What is the weather in Oslo?"}]}`
			turn := gjson.Get(ask(asked), "candidates.0.content")
			id := ""
			if said := turn.Get("parts.0.functionCall.id"); said.Exists() {
				id = `"id":` + said.Raw + `,`
			}
			ask(asked + `,` + turn.Raw + `,{"role":"user","parts":[{"functionResponse":{` + id + `"name":"get_weather","response":{"output":"4 C"}}}]}`)

			g.Expect(run).To(HaveRequest(OfferTool("get_weather"), CarryText("What is the weather in Oslo?"), AnswerWithCall("get_weather")))
			g.Expect(run).To(HaveRequestsInOrder(AskFor("gemini-pro"), CarryResult("get_weather", "4 C")))
			g.Expect(run).To(HaveRequest(AnswerWithText("It is 4 C in Oslo.")).Times(1))
			g.Expect(run).To(HaveNoFindings())
		})
	}
}
