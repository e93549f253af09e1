// Package selfcheck compares what the mock provider sends with two independent references: the
// official Go SDKs of OpenAI, Anthropic and Google, and OpenAI's published description of its API.
// It is a separate module, so that programs that import Loopproof download no SDK.
//
//	for _, s := range samples {
//		differences, err := selfcheck.Decode(s)
//	}
//
// Every answer and event of every scenario is checked under every profile. A profile of OpenAI
// itself has exactly the keys of OpenAI's reference: all that are required, and no others.
// testdata/departures.yaml lists how the other profiles differ from the reference of their dialect;
// a test compares the list with what is sent.
//
// The clients for Python and JavaScript, over HTTP and over a WebSocket, are loops in clients-check.
package selfcheck
