package report_test

import "testing"

// TestSARIF and TestCTRF pin both documents. They are valid by the official JSON Schemas of SARIF
// 2.1.0 and CTRF: validate them again when they change.
func TestSARIF(t *testing.T) { golden(t, "broken.sarif", written(t, broken().WriteSARIF)) }

// TestOTLP pins the events. They are valid by the protocol buffers of OTLP, LogsData: read them with
// protojson again when they change.
func TestOTLP(t *testing.T) {
	golden(t, "broken.otlp.json", written(t, broken().WriteOTLP))
	golden(t, "fine.otlp.json", written(t, fine().WriteOTLP))
}

func TestCTRF(t *testing.T) {
	golden(t, "broken.ctrf.json", written(t, broken().WriteCTRF))
	strict := broken()
	strict.Strict, strict.Stopped = true, "the loop hung in 3 cases in a row"
	golden(t, "strict.ctrf.json", written(t, strict.WriteCTRF))
}
