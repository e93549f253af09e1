package report_test

import (
	"encoding/xml"
	"testing"

	"github.com/onsi/ginkgo/v2/reporters"

	"github.com/loopproof/loopproof/report"
)

func TestJUnit(t *testing.T) {
	strict := broken()
	strict.Strict = true
	strict.Stopped = "the loop hung in 3 cases in a row"
	for file, r := range map[string]*report.Report{"broken.xml": broken(), "strict.xml": strict} {
		golden(t, file, written(t, r.WriteJUnit))
	}
}

func TestJUnitCounts(t *testing.T) {
	var suites reporters.JUnitTestSuites
	if err := xml.Unmarshal([]byte(written(t, broken().WriteJUnit)), &suites); err != nil {
		t.Fatal(err)
	}
	// 4 cases, a must untested and 3 features unclaimed; 3 cases break a must, the should is told.
	if suites.Tests != 8 || suites.Failures != 4 || suites.Disabled != 3 || suites.Errors != 0 {
		t.Errorf("tests %d, failures %d, skipped %d, errors %d; want 8, 4, 3, 0", suites.Tests, suites.Failures, suites.Disabled, suites.Errors)
	}
}
