// Package mockprovider plays model providers from scripts, for tests of applications and agents. It refuses what the real
// provider refuses, with the same status and message, and keeps a journal of all requests. It makes no assertions itself.
//
// A [Server] is used like a server of net/http/httptest:
//
//	scripts, err := scenarios.Load(os.DirFS("testdata/scripts"))
//	...
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
//	defer srv.Close()
//	run := srv.ForTest(t)
//	client := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
//
// A [Provider] is the same as an http.Handler. Package matchers has Gomega matchers for the journal, and package schemas
// checks answers to requests with a JSON Schema.
package mockprovider
