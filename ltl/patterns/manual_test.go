package patterns

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestManual compares the table of the manual with the sets: it has a row for each publication,
// with all names of its sets, the numbers of their formulas, and their parameters if that is not n
// ≥ 1.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/patterns.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	var sources []string
	named := make(map[string][]string)
	for _, s := range Sets() {
		source := short(s.Source)
		if named[source] == nil {
			sources = append(sources, source)
		}
		named[source] = append(named[source], entry(s))
	}
	var want []string
	for _, source := range sources {
		want = append(want, fmt.Sprintf("| %s | %s |", source, strings.Join(named[source], ", ")))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table of docs/patterns.md should be\n%s", strings.Join(want, "\n"))
	}
}

// entry returns what the manual has of a set:
//
//	`eh`=`eh-patterns` 1..12    a list
//	`or-fg`=`ccj-xi`            a family with one parameter n ≥ 1
//	`sejk-f` n≥1 m≥1            another family
func entry(s *Set) string {
	text := "`" + strings.Join(append([]string{s.Name}, s.Also...), "`=`") + "`"
	if s.Len() > 0 {
		text += fmt.Sprintf(" 1..%d", s.Len())
	}
	if slices.Equal(s.Parameters, one) {
		return text
	}
	for _, p := range s.Parameters {
		text += fmt.Sprintf(" %s≥%d", p.Name, p.Least)
	}
	return text
}

var (
	initial = regexp.MustCompile(`\p{Lu}\. `)
	year    = regexp.MustCompile(`\b\d{4}\b`)
)

// short returns the surnames of the authors, and the year:
//
//	K. Etessami, G. J. Holzmann: Optimizing Büchi Automata. CONCUR 2000, LNCS 1877
//
// is "Etessami, Holzmann 2000". Of more than three authors, it has the first.
func short(source string) string {
	authors, title, _ := strings.Cut(source, ": ")
	names := strings.Split(initial.ReplaceAllString(authors, ""), ", ")
	if len(names) > 3 {
		names = []string{names[0] + " et al."}
	}
	venue := title[strings.LastIndex(title, ". ")+2:]
	return strings.Join(names, ", ") + " " + year.FindString(venue)
}

// TestShort: the publications have different short names.
func TestShort(t *testing.T) {
	if got, want := short(eh), "Etessami, Holzmann 2000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	full := make(map[string]string)
	for _, s := range Sets() {
		if other := full[short(s.Source)]; other != "" && other != s.Source {
			t.Errorf("%q is short for %q and %q", short(s.Source), other, s.Source)
		}
		full[short(s.Source)] = s.Source
	}
}
