package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Time   string        `xml:"time,attr"`
	Suites []*junitSuite `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Host       string          `xml:"hostname,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []*junitCase    `xml:"testcase"`
	Out        *junitText      `xml:"system-out"`

	class   string
	seconds float64
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     *junitText   `xml:"system-out"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",innerxml"`
}

// A junitText is text that has been made fit for XML.
type junitText struct {
	Text string `xml:",innerxml"`
}

// junitTime is how a suite says when it started, in UTC.
const junitTime = "2006-01-02T15:04:05"

// maxText bounds a text within a test case: commands may hold large automata.
const maxText = 16 << 10

// excerpt returns a text, without its middle if it is long.
func excerpt(text string) string {
	if len(text) <= maxText {
		return text
	}
	head, tail := text[:maxText/2], text[len(text)-maxText/4:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n… (%d bytes left out)\n", len(text)-len(head)-len(tail)) + strings.ToValidUTF8(tail, "")
}

// lines returns a text in XML, on lines of its own. What XML can't have is replaced.
func lines(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte("\n"+strings.TrimSuffix(excerpt(text), "\n")+"\n"))
	return plainLines.Replace(b.String())
}

// plainLines undoes what is necessary in attributes only.
var plainLines = strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t", "&#39;", "'", "&#34;", `"`)

// out returns what a suite or test case prints, nil if that is nothing.
func out(text string) *junitText {
	if text == "" {
		return nil
	}
	return &junitText{lines(text)}
}

func decimal(seconds float64) string { return strconv.FormatFloat(max(0, seconds), 'f', 3, 64) }

func (j *junit) write(w io.Writer) error {
	all := junitSuites{Name: "xcheck", Suites: j.list}
	var total float64
	for _, s := range j.list {
		s.Time = decimal(s.seconds)
		total += max(0, s.seconds)
		for _, c := range s.Cases {
			s.Tests++
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	all.Time = decimal(total)
	b := bufio.NewWriter(guard.Writer(w))
	b.WriteString(xml.Header)
	e := xml.NewEncoder(b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	b.WriteByte('\n')
	return b.Flush()
}
