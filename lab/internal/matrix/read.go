package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/schemacheck"
	"github.com/loopproof/loopproof/report"
)

// maxReport is the size of the largest report that is read, in bytes. Those of long runs have three
// million.
const maxReport = 64 << 20

// ReadReport reads a report and checks its form. The errors name the place in the file.
func ReadReport(file string) (*report.Report, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxReport {
		return nil, fmt.Errorf("%s: a report has at most %d MB, this one has %d", file, maxReport>>20, info.Size()>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseReport(file, data)
}

func parseReport(file string, data []byte) (*report.Report, error) {
	var head struct {
		Schema  any `json:"schema"`
		Version any `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, notJSON(file, data, err)
	}
	if head.Schema != report.Schema {
		return nil, fmt.Errorf("%s: /schema: %v, expected %s", file, jsonOf(head.Schema), report.Schema)
	}
	if err := knownVersion(file, head.Version); err != nil {
		return nil, err
	}
	found, err := reportSchema().Problems(data)
	if err != nil {
		return nil, fmt.Errorf("%s: it is not JSON: %w", file, err)
	}
	var errs []error
	for _, problem := range found {
		errs = append(errs, fmt.Errorf("%s: %s: %s", file, problem.Pointer, problem.Message))
	}
	if len(errs) > 0 {
		return nil, few(file, errs)
	}
	r, err := report.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// reportSchema is the schema of reports, read once.
var reportSchema = sync.OnceValue(func() *schemacheck.Schema {
	schema, err := schemacheck.Parse(report.JSONSchema())
	if err != nil {
		panic(err) // it is embedded
	}
	return schema
})

// notJSON says where a file stops being JSON.
func notJSON(file string, data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("%s: not a report: %w", file, err)
	}
	before := data[:min(int(syntax.Offset), len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	return fmt.Errorf("%s:%d:%d: not JSON: %w", file, line, max(column, 1), err)
}

func jsonOf(value any) string {
	data, err := json.Marshal(value)
	if value == nil || err != nil {
		return "nothing"
	}
	return string(data)
}

var versionNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,6})\.(\d{1,6})\.(\d{1,6})`) })

// knownVersion returns an error for the report of a later version, whose rules are not known here.
func knownVersion(file string, version any) error {
	text, _ := version.(string)
	theirs, ours := versionNumber().FindStringSubmatch(text), versionNumber().FindStringSubmatch(loopproof.Version)
	if theirs == nil {
		return fmt.Errorf("%s: /version: %s, expected a version of Loopproof, such as %s", file, jsonOf(version), loopproof.Version)
	}
	for i := 1; i <= 3; i++ {
		a, _ := strconv.Atoi(theirs[i])
		b, _ := strconv.Atoi(ours[i])
		if a > b {
			return fmt.Errorf("%s: /version: it was written by Loopproof %s, and this is %s, which does not know its rules: use that version or a later one", file, text, loopproof.Version)
		}
		if a < b {
			return nil
		}
	}
	return nil
}
