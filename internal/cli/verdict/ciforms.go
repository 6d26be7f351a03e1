package verdict

import (
	"encoding/json"
	"encoding/xml"
	"path/filepath"

	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// JUnit and SARIF are what systems for continuous integration read.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Error   *junitFailure `xml:"error,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit formats outcomes as JUnit XML: a suite for each capture, in it a case for each expectation and for each read
// error.
func junit(list []outcome) ([]byte, error) {
	var all junitSuites
	for _, o := range list {
		suite := junitSuite{Name: string(term.AppendPlain(nil, o.capture))}
		for _, res := range o.results {
			suite.Tests++
			one := junitCase{Name: string(term.AppendPlain(nil, res.Name)), Class: filepath.Base(res.File), File: res.File,
				Line: res.Line}
			switch {
			case res.Skipped != "":
				suite.Skipped++
				one.Skipped = &junitSkipped{res.Skipped}
			case !res.OK():
				suite.Failures++
				one.Failure = &junitFailure{string(term.AppendPlain(nil, res.Cause())), plainReport(o.capture, res)}
			}
			suite.Cases = append(suite.Cases, one)
		}
		for _, why := range o.trouble {
			suite.Tests++
			suite.Errors++
			one := junitCase{Name: unreadTitle, Class: filepath.Base(o.capture), File: o.capture}
			one.Error = &junitFailure{Message: string(term.AppendPlain(nil, why))}
			suite.Cases = append(suite.Cases, one)
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	b, err := xml.MarshalIndent(&all, "", "  ")
	return append(append([]byte(xml.Header), term.PlainXML(b)...), '\n'), err
}

// unreadTitle is the title of a read error.
const unreadTitle = "the capture can be read"

// plainReport returns a result as the text form shows it.
func plainReport(capture string, res *expect.Result) string {
	r := &verdicts{out: term.NewOutput(nil, 0)}
	r.text(capture, res)
	return string(r.out.Buf)
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID   string    `json:"id"`
	Text sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule      string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

// sarifUnread is the rule ID of a read error.
const sarifUnread = "capture-unread"

// sarif formats outcomes as SARIF: a result for each failure, at the line of the expectation, and for each read error.
func sarif(list []outcome) ([]byte, error) {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "gamedissect", Version: term.Version(),
		URI: "https://github.com/gamedissect/gamedissect", Rules: []sarifRule{}}
	known := make(map[string]bool)
	rule := func(id, text string) {
		if !known[id] {
			known[id] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id, sarifText{text}})
		}
	}
	for _, o := range list {
		for _, why := range o.trouble {
			rule(sarifUnread, unreadTitle)
			at := sarifLocation{sarifPhysical{Artifact: sarifArtifact{filepath.ToSlash(o.capture)}}}
			run.Results = append(run.Results, sarifResult{sarifUnread, "error", sarifText{why}, []sarifLocation{at}})
		}
		for _, res := range o.results {
			if res.OK() {
				continue
			}
			id := filepath.Base(res.File) + "/" + string(term.AppendPlain(nil, res.Name))
			rule(id, res.Name)
			for _, t := range annotations(o.capture, res) {
				at := sarifLocation{sarifPhysical{sarifArtifact{filepath.ToSlash(res.File)}, &sarifRegion{max(t.line, 1)}}}
				run.Results = append(run.Results, sarifResult{id, "error", sarifText{t.text}, []sarifLocation{at}})
			}
		}
	}
	b, err := json.MarshalIndent(&sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "",
		"  ")
	return append(term.PlainJSON(b), '\n'), err
}
