package runner

import (
	"fmt"
	"regexp"

	"github.com/onsi/ginkgo/v2"
)

// reproduceInGo says how one case of a suite inside go test is played again.
func reproduceInGo(caseID string, seed uint64) string {
	return fmt.Sprintf("%s=%d go test -ginkgo.focus='%s'", seedVariable, seed, regexp.QuoteMeta(caseID))
}

// reproduceTest is reproduceInGo for one test function of many.
func reproduceTest(t ginkgo.GinkgoTestingT) func(string, uint64) string {
	named, ok := t.(interface{ Name() string })
	if !ok {
		return reproduceInGo
	}
	return func(caseID string, seed uint64) string {
		return fmt.Sprintf("%s=%d go test -run '^%s$' -ginkgo.focus='%s'", seedVariable, seed, named.Name(), regexp.QuoteMeta(caseID))
	}
}
