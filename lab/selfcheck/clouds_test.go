package selfcheck

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2/bedrock"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/vertex"
	"github.com/aws/aws-sdk-go-v2/aws"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/loopproof/loopproof/suite"
)

// TestLoopsThroughClouds judges the loop over Anthropic's SDK when its client asks through a cloud:
// the SDK moves the model into the path and the version into the body, and reads the binary messages
// of Amazon Bedrock. A cloud breaks nothing that the loop does not break anyway.
func TestLoopsThroughClouds(t *testing.T) {
	for profile, through := range map[string]func(context.Context) option.RequestOption{"anthropic-vertex": throughVertex, "anthropic-bedrock": throughBedrock} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			result, err := suite.Play(t.Context(), suite.Config{
				Loop: suite.LoopFunc(func(ctx context.Context, task suite.Task) (suite.Outcome, error) {
					at, run, err := rootOf(task.BaseURL)
					if err != nil {
						return suite.Outcome{}, err
					}
					return messagesLoop(ctx, task, through(ctx), option.WithBaseURL(at), option.WithHeader("X-Loopproof-Run", run))
				}),
				Seed: 41,
				Claims: suite.Claims{
					Dialects: []string{"messages"}, Profiles: []string{profile},
					Features: []suite.Feature{suite.Streaming, suite.ParallelCalls, suite.Reasoning, suite.MultiPrompt, suite.TurnLimit, suite.Retries, suite.UsageCounts},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cases", len(result.Cases))
			for _, rule := range failedRules(result) {
				if !slices.Contains(messagesSDKBreaks, rule) {
					t.Errorf("it breaks %s, which it does not break elsewhere", rule)
					tell(t, result)
				}
			}
			if len(result.Cases) < 300 {
				t.Errorf("only %d cases were played", len(result.Cases))
			}
		})
	}
}

// rootOf takes the run out of a base URL, since the SDK knows its paths only at the root of a server.
func rootOf(base string) (root, run string, err error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", "", err
	}
	run = strings.TrimPrefix(u.Path, "/run/")
	u.Path = ""
	return u.String(), run, nil
}

func throughVertex(ctx context.Context) option.RequestOption {
	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "any"})
	return option.Join(
		vertex.WithCredentials(ctx, "global", "loopproof", &google.Credentials{TokenSource: token}),
		option.WithHTTPClient(&http.Client{Transport: &oauth2.Transport{Source: token}}), // which trusts no cloud alone
	)
}

func throughBedrock(context.Context) option.RequestOption {
	return bedrock.WithConfig(aws.Config{Region: "us-east-1", BearerAuthTokenProvider: bedrock.NewStaticBearerTokenProvider("any")})
}
