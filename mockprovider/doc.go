// Package mockprovider plays model providers from scripts, for tests of applications and agents. It
// refuses what the real provider refuses, with the same status and message, and keeps a journal of
// all requests. It makes no assertions itself.
//
// A [Server] is used like a server of net/http/httptest, with a run for each test:
//
//	func TestWeather(t *testing.T) {
//		scripts, err := scenarios.Load(os.DirFS("testdata/scripts"))
//		if err != nil {
//			t.Fatal(err)
//		}
//		srv := mockprovider.NewServer(mockprovider.Config{Scenarios: scripts})
//		defer srv.Close()
//		run := srv.ForTest(t) // a request that the real provider would refuse fails the test
//		client := openai.NewClient(option.WithBaseURL(run.BaseURL), option.WithAPIKey(run.APIKey))
//		...
//		last := run.Journal().Entries()[1]
//		if results := last.NewResults(); len(results) != 1 || results[0].Text != "4 C" {
//			t.Errorf("the application sent the results %+v", results)
//		}
//	}
//
// A [Provider] is the same as an http.Handler. Package matchers has Gomega matchers for the
// journal, and package schemas checks answers to requests with a JSON Schema.
package mockprovider
