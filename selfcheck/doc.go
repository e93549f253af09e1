// Package selfcheck holds what the mock provider sends against what others say of it: the official Go SDKs of OpenAI,
// Anthropic and Google, and OpenAI's published description of its API. It is a module of its own, so that nobody who imports
// Loopproof downloads an SDK.
//
//	for _, s := range samples {
//		differences, err := selfcheck.Decode(s)
//	}
//
// What is said here of every answer and chunk of every scenario under every profile: a profile that claims to be
// standard has the keys of OpenAI's reference, all that are required and none besides. How the others depart from the
// reference of their dialect is written down in testdata/departures.yaml, and a test holds it to that.
package selfcheck
