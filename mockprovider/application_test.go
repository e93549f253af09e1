package mockprovider_test

import (
	"os"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/scenarios"
)

func TestWeather(t *testing.T) {
	scripts, err := scenarios.Load(os.DirFS("../examples/application/scripts"))
	if err != nil {
		t.Fatal(err)
	}
	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts}) // one for all tests, in TestMain
	defer srv.Close()

	t.Run("says what it knows", func(t *testing.T) {
		run := srv.ForTest(t) // sees nothing of other tests; what a provider would refuse fails this one
		model := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
		answer, err := model.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
			Model:    "gpt-5",
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Sing.")},
		})
		if err != nil || answer.Choices[0].Message.Content != "I only know about the weather." {
			t.Errorf("the answer is %v, %v", answer, err)
		}
	})
}
