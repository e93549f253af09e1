package profiles

import "time"

// Forms say how it is known in which form a provider writes: its answers, with their ids and as
// streams, and its errors, with the headers that go with them.
type Forms struct {
	Answers Proof `yaml:"answers"`
	Errors  Proof `yaml:"errors"`
}

// Proof says how something about a provider is known, and where it is.
type Proof struct {
	KnownBy KnownBy  `yaml:"known-by"` // how it is known
	Version string   `yaml:"version"`  // of the code that was executed
	Sources []string `yaml:"sources"`  // where that can be looked up: URLs, repositories or files
	Seen    string   `yaml:"seen"`     // the day on which the sources were last looked up; "": that of the file
}

// Stale reports whether the sources were last looked up more than a year before a day, or nobody
// noted when.
func (p Proof) Stale(today time.Time) bool {
	seen, err := time.Parse(time.DateOnly, p.Seen)
	return err != nil || seen.Before(today.AddDate(-1, 0, 0))
}

// How returns how it is known, with the version of the code that was executed: "executed: vLLM
// 0.33.0".
func (p Proof) How() string {
	if p.KnownBy == Executed && p.Version != "" {
		return "executed: " + p.Version
	}
	return string(p.KnownBy)
}

// KnownBy says how a claim about a provider is known.
type KnownBy string

// How claims are known, the strongest first. Unnamed is text found in public code whose repository
// is not known: it never makes a rule a must.
const (
	Executed   KnownBy = "executed"   // the provider's own code was run, in a version that is named
	Documented KnownBy = "documented" // by the provider, or its server's source
	Recorded   KnownBy = "recorded"   // real traffic in a public repository
	Measured   KnownBy = "measured"   // a published, dated test of the live service
	Reported   KnownBy = "reported"   // the error text is in a public issue or pull request
	Unnamed    KnownBy = "unnamed"
)

// Strong reports whether the claim has a source that can be named.
func (k KnownBy) Strong() bool { return k != Unnamed && k != "" }
