package suite

import (
	"fmt"
	"regexp"
)

// reproduceInGo says how one case of a suite inside go test is played again.
func reproduceInGo(caseID string, seed uint64) string {
	return fmt.Sprintf("LOOPPROOF_SEED=%d go test -ginkgo.focus='%s'", seed, regexp.QuoteMeta(caseID))
}
