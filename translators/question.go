package translators

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A question is a formula as a tool gets it, or an automaton: then there is no formula.
type question struct {
	store    *ltl.Store      // its own
	formula  *ltl.Formula    // of any store
	about    string          // what an automaton is called
	texts    map[byte]string // in what the tool asks for: by placeholders in lower case
	alphabet *omega.Alphabet // of the automaton
	// original maps the names of propositions to those that they stand for, if they
	// were renamed; otherwise it is nil.
	original map[string]string
	around   ltl.Parentheses
	timeout  time.Duration // instead of the tool's own if it is shorter; 0: none
	reading  time.Duration // that reading the answer may take; 0: any
}

// bound returns the limits of a tool for this question.
func (q *question) bound(l Limits) Limits {
	l = l.withDefaults()
	if q.timeout > 0 {
		l.Timeout = min(l.Timeout, q.timeout)
	}
	return l
}

// question prepares a formula. Operators that the tool or a syntax does not have are rewritten,
// regular expressions where translate.LTL can. If the tool can't read the name of a proposition, or
// Relabel is set, all are renamed. The error says why the tool can't be given the formula.
func (t *Tool) question(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*question, error) {
	q := &question{store: ltl.NewStore(), formula: f, timeout: timeout, reading: t.Limits.withDefaults().Timeout, around: ltl.Every}
	if t.Sparse || t.Builtin != nil {
		q.around = ltl.Fewest
	}
	without := t.Without | t.Command.Without()
	inputs := t.inputs()
	for _, p := range inputs {
		without |= syntaxes[p].Missing()
	}
	// Expressions go first: their formulas may have operators that the tool lacks, too.
	if without.HasPSL() && f.Ops().HasPSL() {
		if g, ok := translate.LTL(ctx, q.store, q.store.Import(f)); ok {
			q.formula = g
		}
	}
	if q.formula.Ops()&without != 0 {
		var err error
		if q.formula, err = q.store.Unabbreviate(q.formula, without); err != nil {
			return nil, err
		}
	}
	// If some name can't be written or read, all are renamed: p0 may be one of the others.
	if t.Relabel || slices.ContainsFunc(q.formula.Props(), t.misreads) || q.write(inputs, t.Mode != Spawn) != nil {
		q.formula, q.original = q.store.Relabel(q.formula)
		if err := q.write(inputs, t.Mode != Spawn); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// misreads reports whether the tool, as far as it is known, does not take a name for a proposition.
// LBT and most other tools with its syntax know only p0, p1, …; those with Spin's syntax, no name
// that starts with an underscore.
func (t *Tool) misreads(name string) bool {
	for _, p := range t.inputs() {
		if p == placeholderOf[ltl.LBT] && !lbtName().MatchString(name) || p == placeholderOf[ltl.Spin] && name[:min(1, len(name))] == "_" {
			return true
		}
	}
	return t.Words != nil && (!identifier().MatchString(name) || slices.Contains(t.Words, name))
}

var (
	lbtName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^p[0-9]+$`) })
	identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-zA-Z0-9_]*$`) })
)

// write makes the texts; if lines is set, each must fit on a line.
func (q *question) write(inputs []byte, lines bool) error {
	q.texts = make(map[byte]string, len(inputs))
	for _, p := range inputs {
		syntax := syntaxes[p]
		text, err := q.formula.Parenthesized(syntax, q.around)
		if err != nil {
			return err
		}
		if lines && strings.ContainsAny(text, "\n\r") {
			return errors.New("the formula does not fit on one line: the name of a proposition has a newline")
		}
		q.texts[p] = text
	}
	return nil
}

// in is an input.
func (q *question) in(placeholder byte) (string, error) {
	text, ok := q.texts[placeholder]
	if !ok {
		return "", fmt.Errorf("internal error: %%%c was not prepared", placeholder)
	}
	return text, nil
}

func (q *question) String() string {
	if q.formula == nil {
		return q.about
	}
	return "the formula " + q.formula.String()
}

// spelled gives propositions that are expressions of Promela the spelling that the tool was given.
func (q *question) spelled(a *omega.Automaton) *omega.Automaton {
	if q.formula != nil {
		return a.Spelled(q.formula.Props())
	}
	return a.Spelled(q.alphabet.Props())
}

// restore gives an automaton the formula's own propositions.
func (q *question) restore(a *omega.Automaton) *omega.Automaton {
	if q.original == nil {
		return q.spelled(a)
	}
	own := map[string]bool{}
	for _, name := range q.original {
		own[name] = true
	}
	taken := maps.Clone(own)
	for _, p := range a.Alphabet().Props() {
		taken[p] = true
	}
	return a.Renamed(func(p string) string {
		if name, given := q.original[p]; given {
			return name
		}
		if !own[p] {
			return p
		}
		// The tool does not know this name of the formula's. It means another proposition, which gets
		// another name.
		for taken[p] {
			p += "'"
		}
		taken[p] = true
		return p
	})
}

const (
	// namedWords is on how many random words a name that is written otherwise than the
	// formula must agree with it.
	namedWords = 40
	// A name that is not the formula is not read if it is longer than maxName and than
	// four times the formula: that would take time for nothing.
	maxName   = 1 << 13
	manyProps = 400 // words of more propositions take long to evaluate
)

// misnamed reports whether the name of an automaton is another formula. Tools write the formula in
// their own way, and some simplify it first, so only the meaning counts. A name is no formula if it has other
// propositions than the formula's and the automaton's own, or is just a number: it is a word ("result"), or
// the name of what the tool made of the formula.
func (q *question) misnamed(a *omega.Automaton) bool {
	name := a.Name
	if name == "" || name == "0" || name == "1" || q.formula == nil {
		return false
	}
	limit := maxName
	for _, text := range q.texts {
		if text == name { // the usual case
			return false
		}
		limit = max(limit, 4*len(text))
	}
	if len(name) > limit {
		return false
	}
	formula := q.store.Import(q.formula)
	f, err := q.store.Parse(name, ltl.Spot)
	if err != nil || f == formula {
		return false
	}
	// A word like "result" parses as a proposition, and is no name of a formula.
	both, own := q.store.And(f, formula).Props(), a.Alphabet().Props()
	if len(both)+len(own) > manyProps || slices.ContainsFunc(f.Props(), func(p string) bool {
		return !slices.Contains(q.formula.Props(), p) && !slices.Contains(own, p)
	}) {
		return false
	}
	// The text differs, but tools simplify: so the meaning decides. What can't be evaluated says nothing.
	same, err := probablyValid(q.store.Equiv(f, formula), both, name)
	return err == nil && !same
}

// probablyValid reports whether f holds on random words over props.
func probablyValid(f *ltl.Formula, props []string, seed string) (bool, error) {
	h := fnv.New64a()
	io.WriteString(h, seed)
	r := rand.New(rand.NewPCG(h.Sum64(), 0)) // the same words for the same question
	alphabet := omega.NewAlphabet(props...)
	for range namedWords {
		if holds, err := random.Word(r, alphabet, 3, 3).Holds(f); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}
