// Package mockprovider plays model providers from scripts. It refuses what the real provider refuses, in its words, and
// keeps a journal of all that it was asked; it asserts nothing itself.
//
// A [Server] is used like those of net/http/httptest:
//
//	srv := mockprovider.NewServer(mockprovider.Config{})
//	defer srv.Close()
//	run := srv.StartRun(mockprovider.RunConfig{Scenario: scenario, Profile: profile})
//	answer := myLoop(run.Task(srv.URL))
//	exchanges, executions := run.Record()
//
// A [Provider] is the same as a plain http.Handler, to be mounted anywhere.
package mockprovider
