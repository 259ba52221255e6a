package cross_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A grammar says how tightly binary operators bind, which of them group to the left, and how tightly
// what stands behind a unary operator binds.
type grammar struct {
	level map[string]int
	left  string
	unary int
	words map[string]string // what it reads for words
}

// With this variable, the test binary is a translator with a grammar, which is kept alive.
const asGrammar = "XCHECK_TEST_GRAMMAR"

var grammars = map[string]*grammar{
	// LTLParser.g4 of Owl: all but & and | bind equally, to the right.
	"owl": {map[string]int{"|": 1, "&": 2, "xor": 3, "<->": 3, "->": 3, "U": 3, "R": 3, "W": 3, "M": 3}, "| &", 3,
		map[string]string{"tt": "1", "ff": "0", "NOT": "!", "AND": "&"}},
	// Spot's, but U and its like group to the left.
	"left": {map[string]int{"->": 1, "<->": 1, "|": 2, "xor": 3, "&": 4, "U": 5, "R": 5, "W": 5, "M": 5}, "| & xor U R W M", 6, nil},
}

var tokens = regexp.MustCompile(`<->|->|xor|[a-zA-Z_][a-z0-9_]+|[a-zA-Z01&|!()]|[^ ]`)

// read reads operators that bind at least as tightly as least, and puts parentheses around each.
func (g *grammar) read(in *[]string, least int) (f string) {
	next := func() (word string) {
		if len(*in) > 0 {
			word, *in = (*in)[0], (*in)[1:]
		}
		if read := g.words[word]; read != "" {
			word = read
		}
		return word
	}
	switch f = next(); f {
	case "(":
		f = g.read(in, 1)
		next()
	case "!", "X", "F", "G":
		f = "(" + f + " " + g.read(in, g.unary) + ")"
	}
	for len(*in) > 0 && g.level[(*in)[0]] >= least {
		op := next()
		level := g.level[op]
		if slices.Contains(strings.Fields(g.left), op) {
			level++
		}
		f = "(" + f + " " + op + " " + g.read(in, level) + ")"
	}
	return f
}

// serve answers formulas, one a line.
func (g *grammar) serve() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		list := tokens.FindAllString(lines.Text(), -1)
		s := ltl.NewStore()
		f, err := s.Parse(g.read(&list, 1), ltl.Spot)
		if err != nil {
			return err
		}
		a, err := translate.With(context.Background(), "couvreur", s, f)
		if err != nil {
			return err
		}
		if err := hoa.Write(context.Background(), os.Stdout, a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func reader(t *testing.T, name string) *translators.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := translators.ParseCommand(translators.Quote(self), translators.Stream)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Mode: translators.Stream, Command: c, Processes: 1, Env: []string{asGrammar + "=" + name, "GORACE=atexit_sleep_ms=0"}}
}

// TestReadings: tools with another grammar than Spot's are not wrong, but how they read a formula
// is a finding. In all it takes a dozen more calls at most.
func TestReadings(t *testing.T) {
	for name, want := range map[string][]string{
		"owl":  {`"a & b -> c" as "a & (b -> c)"`, `"!a U b" as "!(a U b)"`, `"Fa | b" as nothing`},
		"left": {`"a U b U c" as "(a U b) U c"`, `"a & b -> c" as nothing`},
	} {
		o := cross.Options{Tools: []*translators.Tool{reader(t, name)}, Reference: translate.Of, Readings: true}
		var found []string
		for _, c := range run(t, o, randomFormulas(t, 40, campaign.Inputs(t, 200), 12)) {
			if len(c.Failures()) > 0 {
				t.Errorf("%s: %s: %v", name, c.Formula, c.Failures())
			}
			for _, f := range c.Findings {
				found = append(found, fmt.Sprintf("%s: %s", f.Class, f.Text))
			}
		}
		for _, text := range want {
			text, none := strings.CutSuffix("reading: reads "+text, "nothing")
			if none == slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, text) }) {
				t.Errorf("%s: %q; want %s", name, found, text)
			}
		}
	}
}

// TestUnreadableNames: that a tool can't read names of propositions is a finding, whether it fails or takes them
// for something else. What is wrong with other names is a failure still.
func TestUnreadableNames(t *testing.T) {
	tool := reader(t, "owl")
	for formula, want := range map[string]string{
		"F(tt & X b)":  "names: fails with propositions called tt, but not if they are called p0, p1, …",
		`G("NOT" | a)`: "names: fails with propositions called NOT, but not if they are called p0, p1, …",
		"x.y U AND":    "names: fails with propositions called x.y, AND, but not if they are called p0, p1, …",
		"req U ack":    "",
	} {
		c := run(t, cross.Options{Tools: []*translators.Tool{tool}, Reference: translate.Of}, these(t, formula))[0]
		var found []string
		for _, f := range c.Findings {
			if text := fmt.Sprintf("%s: %s", f.Class, f.Text); !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
		if len(c.Failures()) > 0 || strings.Join(found, "; ") != want {
			t.Errorf("%s: %v, %q; want %q", formula, c.Failures(), found, want)
		}
	}
}
