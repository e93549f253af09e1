package runner

import (
	"fmt"
	"regexp"
)

// reproduceInGo says how one case of a suite inside go test is played again.
func reproduceInGo(caseID string, seed uint64) string {
	return fmt.Sprintf("%s=%d go test -ginkgo.focus='%s'", seedVariable, seed, regexp.QuoteMeta(caseID))
}

// ReproduceInTest returns a function that says how to play a single case of a test again.
func ReproduceInTest(name string) func(caseID string, seed uint64) string {
	return func(caseID string, seed uint64) string {
		return fmt.Sprintf("%s=%d go test -run '^%s$' -ginkgo.focus='%s'", seedVariable, seed, name, regexp.QuoteMeta(caseID))
	}
}
