package selfcheck

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// TestNamesOfConverseModels: a model may be a name with a colon, or the ARN of an inference profile,
// which has slashes and which the SDK escapes in the path; in any region, signed with any key.
func TestNamesOfConverseModels(t *testing.T) {
	claude, err := profiles.Get("bedrock-claude")
	if err != nil {
		t.Fatal(err)
	}
	script, err := scenarios.Parse("greeting.yaml", "loopproof: 1\ntitle: A greeting\nmodel: [{text: Good day.}]\n")
	if err != nil {
		t.Fatal(err)
	}
	server := mockprovider.NewServer(mockprovider.Config{Profile: claude, Scenarios: []*scenarios.Scenario{script}})
	defer server.Close()
	for name, region := range map[string]string{
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0":                                                             "us-east-1",
		"arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0": "eu-central-1",
		"arn:aws:bedrock:us-gov-west-1:123456789012:application-inference-profile/a1b2c3d4e5f6":                    "us-gov-west-1",
		"arn:aws-cn:bedrock:cn-north-1:123456789012:provisioned-model/abcdefghijkl":                                "cn-north-1",
	} {
		client := bedrockruntime.New(bedrockruntime.Options{
			Region: region, BaseEndpoint: &server.URL, RetryMaxAttempts: 1,
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "not checked", SessionToken: "neither"}, nil
			}),
		})
		hello := []types.Message{{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: "Hello?"}}}}
		if _, err := client.Converse(t.Context(), &bedrockruntime.ConverseInput{ModelId: &name, Messages: hello}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		said, err := client.ConverseStream(t.Context(), &bedrockruntime.ConverseStreamInput{ModelId: &name, Messages: hello})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for range said.GetStream().Events() {
		}
		if err := said.GetStream().Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, e := range server.Journal().Entries() {
			if e.Model != name {
				t.Errorf("%s was taken for the model %q", name, e.Model)
			}
		}
		server.Journal().Reset()
	}
}
