package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopproof/loopproof/report"
)

// A report is written as report.json and read back.
func ExampleRead() {
	var file bytes.Buffer
	if err := broken().Write(&file); err != nil {
		panic(err)
	}
	r, err := report.Read(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Loop, r.Result, len(r.Cases))
	// Output:
	// openai-node runTools 7.55.0 (javascript) not-conformant 4
}

// The console output ends with the result.
func ExampleConsole() {
	var text strings.Builder
	if err := (report.Console{}).Write(&text, broken()); err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	fmt.Println(strings.Fields(lines[len(lines)-1])[:2])
	// Output:
	// [NOT CONFORMANT]
}

// WriteDir writes all formats of the report.
func ExampleReport_WriteDir() {
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := broken().WriteDir(dir); err != nil {
		panic(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		fmt.Println(filepath.Base(file))
	}
	// Output:
	// badge.json
	// ctrf.json
	// evaluations.otlp.json
	// junit.xml
	// report.html
	// report.json
	// report.sarif
	// summary.md
}

// The violation of a rule in a case, in one line.
func ExampleCase_Brief() {
	c := broken().Cases[1]
	fmt.Println(c.Brief(c.BrokenRules()[0]) != "")
	// Output:
	// true
}

// The reports of all shards are combined; other reports are an error.
func ExampleMerge() {
	_, err := report.Merge(broken(), broken())
	fmt.Println(err != nil)
	// Output:
	// true
}

// Check before a long run that its report can be written.
func ExamplePrepareDir() {
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	fmt.Println(report.PrepareDir(filepath.Join(dir, "new")))
	// Output:
	// <nil>
}

func ExampleJSONSchema() {
	fmt.Println(json.Valid(report.JSONSchema()))
	// Output:
	// true
}

// Equal sizes in a row are counted.
func ExampleTracedAnswer_SetWriteSizes() {
	var a report.TracedAnswer
	a.SetWriteSizes([]int{120, 1, 1, 1, 34})
	fmt.Println(a.Writes)
	// Output:
	// 120 3x1 34
}

func ExampleTracedAnswer_WriteSizes() {
	a := report.TracedAnswer{Writes: "120 3x1"}
	sizes, err := a.WriteSizes()
	fmt.Println(sizes, err)
	// Output:
	// [120 1 1 1] <nil>
}

// Two versions of a loop are shown side by side.
func ExampleWriteComparison() {
	after := broken()
	after.Loop.Version = "7.56.0"
	var page strings.Builder
	if err := report.WriteComparison(&page, broken(), after); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(page.String(), "No verdict differs"))
	// Output:
	// true
}
