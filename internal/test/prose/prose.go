// Package prose gives tests the phrases that nobody should read in xcheck. They are in the
// file .ci/phrases.yml, which .ci/phrases uses too.
//
// For example, a test of messages fails if [Find] returns something for one of them.
package prose

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

var rule = regexp.MustCompile(`(?m)^  '((?:[^']|'')+)': '(.*)'$`)

// A Phrase is a pattern, and what to write instead.
type Phrase struct {
	*regexp.Regexp
	Instead string
}

// Phrases returns the phrases of the rules in a file: .ci/phrases.yml in the root
// of the repository.
func Phrases(t testing.TB, file string) (list []Phrase) {
	t.Helper()
	rules := must.Get(os.ReadFile(file))
	for _, m := range rule.FindAllStringSubmatch(string(rules), -1) {
		pattern := strings.ReplaceAll(m[1], "''", "'")
		list = append(list, Phrase{regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`), m[2]})
	}
	if len(list) == 0 {
		t.Fatalf("%s has no rules", file)
	}
	return list
}

// Find returns the first phrase in a text, or "". Line breaks count as spaces.
func Find(list []Phrase, text string) (found, instead string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, p := range list {
		if found := p.FindString(text); found != "" {
			return found, p.Instead
		}
	}
	return "", ""
}
