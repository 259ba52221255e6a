package report

import (
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/translators"
)

// ClassName returns a class of failures as people read it. In JSON and in a history a class has
// the number of a signal, which differs between systems:
//
//	crash 11: assertion failed              crash (SIGSEGV): assertion failed
//	extra words, of the negation only       extra words (negation only)
func ClassName(class string) string {
	if words, ok := strings.CutSuffix(class, ", of the negation only"); ok {
		return ClassName(words) + " (negation only)"
	}
	head, said, found := strings.Cut(class, ":")
	status, number, _ := strings.Cut(head, " ")
	signal, err := strconv.Atoi(number)
	if status != translators.Crash.String() || err != nil {
		return class
	}
	head = status + " (" + translators.SignalName(signal) + ")"
	if found {
		head += ":" + said
	}
	return head
}
