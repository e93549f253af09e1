package report_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/loopproof/loopproof/report"
)

// Whatever is in a file, it is a report or no report. A report that is written and read again is
// the same one, and all that is made of it can be made.
func FuzzRead(f *testing.F) {
	for _, r := range []*report.Report{broken(), broken().Stored(), {}} {
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"schema":"loopproof.report/1","rules":[{"id":"a","verdict":"failed","failed":1}],"cases":[{"id":"x@chat","verdicts":{"a":"failed"},"findings":[{"rule":"b","because":"c"}],"trace":{"requests":[{}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := report.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		first := asWritten(t, r)
		again, err := report.Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second := asWritten(t, again); !bytes.Equal(first, second) {
			t.Errorf("a report that was read again is\n%s\nand not\n%s", second, first)
		}
		for _, write := range []func(io.Writer) error{
			r.WriteHTML, r.WriteMarkdown, r.WriteJUnit, r.WriteBadge, r.Stored().WriteHTML,
			func(w io.Writer) error { return report.Console{}.Write(w, r) },
		} {
			if err := write(io.Discard); err != nil {
				t.Error(err)
			}
		}
		report.Merge(r, again) // may refuse, and does not panic
	})
}

func asWritten(t *testing.T, r *report.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
