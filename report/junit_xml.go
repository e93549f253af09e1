package report

import "encoding/xml"

// The elements of a JUnit document that CI servers read, as in the schema of the Jenkins xunit
// plugin:
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Disabled int          `xml:"disabled,attr"`
	Errors   int          `xml:"errors,attr"`
	Failures int          `xml:"failures,attr"`
	Time     float64      `xml:"time,attr"` // in seconds
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string  `xml:"name,attr"`
	Package   string  `xml:"package,attr"`
	Tests     int     `xml:"tests,attr"`
	Disabled  int     `xml:"disabled,attr"`
	Skipped   int     `xml:"skipped,attr"`
	Errors    int     `xml:"errors,attr"`
	Failures  int     `xml:"failures,attr"`
	Time      float64 `xml:"time,attr"`
	Timestamp string  `xml:"timestamp,attr"`

	Properties *junitProperties `xml:"properties,omitempty"`

	Cases []junitTest `xml:"testcase"`
}

type junitProperties struct {
	All []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitTest struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Status    string        `xml:"status,attr"`
	Time      float64       `xml:"time,attr"`
	Skipped   *junitProblem `xml:"skipped,omitempty"`
	Error     *junitProblem `xml:"error,omitempty"`
	Failure   *junitProblem `xml:"failure,omitempty"`
	Output    string        `xml:"system-out,omitempty"`
}

// junitProblem is the reason why a test was skipped, failed, or was not run.
type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}
