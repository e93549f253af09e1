package geminirules_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// A key of another API is refused; an unknown one may be newer than our lists, and is no more than
// a should.
func TestOnlyKeysOfOtherAPIsAreRefused(t *testing.T) {
	p, err := profiles.Get("gemini-3")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{
		`{"contents":[{"role":"user","parts":[{"text":"Hi.",KEY}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}],KEY}]}`,
		`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"aQ==",KEY}}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"tools":[{"functionDeclarations":[{"name":"a"}],KEY}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"tools":[{"functionDeclarations":[{"name":"a",KEY}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"tools":[{"functionDeclarations":[{"name":"a","parameters":{"type":"OBJECT",KEY}}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"generationConfig":{KEY}}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{KEY}}}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"toolConfig":{KEY}}`,
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],KEY}`,
	} {
		for key, refused := range map[string]bool{`"tool_choice":"auto"`: true, `"hologram":1`: false, `"newer_key":1`: false} {
			req, err := gemini.API.Read([]byte(strings.Replace(place, "KEY", key, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if refusal, _, is := rulebook.Refuse(p, req); is != refused {
				t.Errorf("%s in %s: refused %v %+v", key, place, is, refusal)
			}
		}
	}
}
