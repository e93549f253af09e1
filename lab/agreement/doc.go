// Package agreement compares profiles with the servers that they describe: what real code answers
// to a corpus of requests, and what the mock provider answers to the same requests under the
// profile.
//
// The real code is run by `cd lab && go run ./oracles`, which stores its answers as one file per
// profile. Everything here works from those files, so that tests and documents need no oracle:
//
//	results, err := agreement.Load(os.DirFS("oracles/results"))
//	for _, r := range results {
//		t, err := agreement.Compare(r)
//		fmt.Println(t.Profile, t.Count(agreement.FalseRefusal))
//	}
package agreement
