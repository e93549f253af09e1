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

// A report is written as report.json, and read again.
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

// For people, the result stands in the last line.
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

// For machines, a folder has the report in several forms.
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
	// junit.xml
	// report.html
	// report.json
	// summary.md
}

// What was broken in a case, in a line.
func ExampleBrief() {
	c := broken().Cases[1]
	fmt.Println(report.Brief(&c, c.BrokenRules()[0]) != "")
	// Output:
	// true
}

// Reports of shards make that of the whole run; others are refused.
func ExampleMerge() {
	_, err := report.Merge(broken(), broken())
	fmt.Println(err != nil)
	// Output:
	// true
}

// Before a long run, it is made sure that its report can be written.
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

// The sizes of writes are kept short: equal ones in a row are counted.
func ExampleWriteSizes() {
	text := report.WriteSizes([]int{120, 1, 1, 1, 34})
	sizes, err := report.ReadSizes(text)
	fmt.Println(sizes, err)
	// Output:
	// [120 1 1 1 34] <nil>
}

func ExampleReadSizes() {
	sizes, err := report.ReadSizes("120 34")
	fmt.Println(sizes, err)
	// Output:
	// [120 34] <nil>
}
