// Package mockprovider plays model providers from scripts, for tests of applications and agents. It refuses what the real
// provider refuses, in its words, and keeps a journal of all requests; it asserts nothing itself.
//
// A [Server] is used like those of net/http/httptest:
//
//	scripts, err := scenarios.Load(os.DirFS("testdata/scripts"))
//	...
//	srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
//	defer srv.Close()
//	run := srv.ForTest(t)
//	client := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
//
// A [Provider] is the same as a plain http.Handler, to be mounted anywhere. Package matchers has Gomega matchers over the
// journal, and package schemas checks answers that a client wants by a JSON Schema.
package mockprovider
