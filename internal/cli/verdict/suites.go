package verdict

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Suite is the list of checks of one capture.
type Suite struct {
	Capture string
	Cases   []Case
	Trouble []string // read errors
}

// A Case is one check.
type Case struct {
	Name    string
	File    string // file that contains the check
	Line    int    // line of the check; 0: the whole file
	Skipped string // reason why it was not checked; "": it was checked
	Cause   string // reason why it failed; "": it did not fail
	Report  string // detailed reason
	Places  []Place
}

// A Place is a reason for a failure, at a line of a file.
type Place struct {
	Rule string // broken rule; "": the case itself
	File string
	Line int // 0: the whole file
	Text string
}

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

// WriteReports writes the suites in each form that has a file. If a file is nil, its form is left out.
func WriteReports(toJUnit, toSARIF *outfile.File, list []Suite) error {
	var trouble error
	for _, of := range []struct {
		to   *outfile.File
		form func([]Suite) ([]byte, error)
	}{{toJUnit, junit}, {toSARIF, sarif}} {
		if of.to == nil {
			continue
		}
		b, err := of.form(list)
		if err == nil {
			err = of.to.WriteAll(b)
		}
		trouble = errors.Join(trouble, err)
	}
	return trouble
}

// junit formats suites as JUnit XML. Each read error becomes a case.
func junit(list []Suite) ([]byte, error) {
	var all junitSuites
	for _, o := range list {
		suite := junitSuite{Name: plain(o.Capture)}
		for i := range o.Cases {
			c := &o.Cases[i]
			suite.Tests++
			one := junitCase{Name: plain(c.Name), Class: filepath.Base(c.File), File: c.File, Line: c.Line}
			switch {
			case c.Skipped != "":
				suite.Skipped++
				one.Skipped = &junitSkipped{c.Skipped}
			case c.Cause != "":
				suite.Failures++
				one.Failure = &junitFailure{plain(c.Cause), c.Report}
			}
			suite.Cases = append(suite.Cases, one)
		}
		for _, why := range o.Trouble {
			suite.Tests++
			suite.Errors++
			one := junitCase{Name: UnreadTitle, Class: filepath.Base(o.Capture), File: o.Capture}
			one.Error = &junitFailure{Message: plain(why)}
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

func plain(text string) string { return string(format.AppendPlain(nil, text)) }

// UnreadTitle is the title of a read error.
const UnreadTitle = "the capture can be read"

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

// sarif formats suites as SARIF. Each place of a failure and each read error becomes a result.
func sarif(list []Suite) ([]byte, error) {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "gamedissect", Version: term.Version(),
		URI: "https://github.com/gamedissect/gamedissect", Rules: []sarifRule{}}
	known := make(map[string]bool)
	add := func(id, title string, at Place) {
		if !known[id] {
			known[id] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id, sarifText{title}})
		}
		place := sarifPhysical{Artifact: sarifArtifact{filepath.ToSlash(at.File)}}
		if at.Line > 0 {
			place.Region = &sarifRegion{at.Line}
		}
		run.Results = append(run.Results, sarifResult{id, "error", sarifText{at.Text}, []sarifLocation{{place}}})
	}
	for _, o := range list {
		for _, why := range o.Trouble {
			add(sarifUnread, UnreadTitle, Place{File: o.Capture, Text: why})
		}
		for i := range o.Cases {
			c := &o.Cases[i]
			for _, at := range c.Places {
				add(cmp.Or(at.Rule, filepath.Base(c.File)+"/"+plain(c.Name)), cmp.Or(at.Rule, c.Name), at)
			}
		}
	}
	b, err := json.MarshalIndent(&sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "",
		"  ")
	return append(term.PlainJSON(b), '\n'), err
}

// AppendAnnotation appends GitHub's annotation for a line of a file. Line 0 stands for the whole file.
func AppendAnnotation(b []byte, at Place, title string) []byte {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	b = append(append(b, "::error file="...), property.Replace(plain(filepath.ToSlash(at.File)))...)
	if at.Line > 0 {
		b = strconv.AppendInt(append(b, ",line="...), int64(at.Line), 10)
	}
	b = append(append(b, ",title="...), property.Replace(plain(title))...)
	return append(append(append(b, "::"...), data.Replace(plain(at.Text))...), '\n')
}
