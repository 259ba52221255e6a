package cross

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Triage puts the failures of a run into groups by their cause, as far as that can be
// seen from outside of a translator: two failures have one cause if the same translator
// fails in the same way, and what remains of the two formulas when they are made as
// small as can be is the same formula, up to the names of its propositions and duality.
//
// A formula is made small in three rounds. In the first one nothing comes into it that
// was not there: subformulas give way to their operands, propositions become one. Of the
// operators that are left some are part of the cause: the translator is right if the
// formula says the same without them, as in b M (a | b) for a U b. These stay. In the
// second round the others give way to simpler ones, and anything to constants. There
// are many ways down, and they may end at different formulas, so in the third round all
// small formulas with these operators are tried in order, and the first that fails is
// taken. A formula with propositions never becomes one without: in those, other things
// go wrong.
//
// Few formulas need this. If what remained of an earlier formula can also remain of this
// one (see [ltl.Embeds]), then the way to it is known, and no translator is asked.
type Triage struct {
	grind   bool
	grinder func(translators ...string) *Grinder // of so many
	store   *ltl.Store                           // of what remained
	causes  []*Cause
	count   map[string]int // of causes that were looked for, by translator
}

// A Cause is a group of failures.
type Cause struct {
	Translators []string `json:"translators"`
	// Class says what is wrong on Formula: "missing words", "extra words", "missing and
	// extra words", with ", of the negation only" if the automaton of the formula itself
	// is right; or the class of a Failure.
	Class string `json:"class"`
	// Formula is what remained of one of the run's, if it was Ground, and otherwise the
	// smallest of them. It is the automaton for its negation that fails if Negated.
	Formula string `json:"formula"`
	Ground  bool   `json:"ground"`
	Negated bool   `json:"negated"`
	// Word is one on which the automaton is wrong, and Shortest says whether none shorter
	// can be: it is "" where it is no matter of words.
	Word     string `json:"word,omitempty"`
	Size     int    `json:"size"`
	Shortest bool   `json:"shortest"`
	Formulas int    `json:"formulas"` // of the run that are in the group
	// Of these the smallest, and where it stands.
	Original string  `json:"original"`
	Index    int     `json:"index"`
	Seed     *uint64 `json:"seed,omitempty"`

	category string
	key      string         // that of what remained, "" if nothing was ground
	remains  []*ltl.Formula // what remained: formulas for which the automaton is wrong
	least    *ltl.Formula   // the last of them
	indexes  []int32        // of the formulas, increasing
	size     int            // of Original
}

// maxCauses is how many causes of one translator are looked for. One that fails in more
// ways is wrong everywhere.
const maxCauses = 100

// NewTriage returns a triage without failures, of a run with these options. If formulas
// are not to be made small, which takes calls of translators, it tells failures apart by
// their class alone.
func NewTriage(o Options, grind bool) *Triage {
	grinders := map[string]*Grinder{}
	return &Triage{grind: grind, store: ltl.NewStore(), count: map[string]int{}, grinder: func(names ...string) *Grinder {
		key := fmt.Sprintf("%q", names)
		if grinders[key] == nil {
			some := o
			some.Tools = slices.DeleteFunc(slices.Clone(o.Tools), func(t *translators.Tool) bool { return !slices.Contains(names, t.Name) })
			grinders[key] = NewGrinder(some)
		}
		return grinders[key]
	}}
}

// A fault is a failure of one automaton.
type fault struct {
	Subject
	class string // of a Failure
}

// faults returns what is wrong in a case, by the order of its results.
func (c *Case) faults() []fault {
	var list []fault
	for i := range c.Results {
		s := c.Results[i].Subject
		for _, f := range c.failures(func(other Subject) bool { return other == s }) {
			list = append(list, fault{s, f.Class})
		}
	}
	return list
}

// category is what stays the same when a formula is made smaller.
func (f fault) category() string {
	if f.class == "missing" || f.class == "extra" {
		return words
	}
	return f.class
}

// words is the category of automata with a wrong language.
const words = "words"

// quick reports whether a failure takes no time of its own, so that it can be met again
// and again.
func (f fault) quick() bool {
	for _, status := range []translators.Status{translators.Timeout, translators.CPUTime, translators.Memory, translators.TooBig} {
		if strings.HasPrefix(f.class, status.String()) {
			return false
		}
	}
	return true
}

// Add puts the failures of a case into their groups, and returns these, each once. Those
// of which Formulas is 1 are new. It takes the automata for some hundred formulas to make
// a formula small. The error is that ctx is done, or trouble of our own.
func (t *Triage) Add(ctx context.Context, c *Case) (causes []*Cause, err error) {
	panicked, err := guarded(func() (err error) {
		causes, err = t.add(ctx, c)
		return err
	})
	if panicked != "" {
		err = fmt.Errorf("internal error: causes of the failures on %s: %s", c.Formula, panicked)
	}
	return causes, err
}

func (t *Triage) add(ctx context.Context, c *Case) ([]*Cause, error) {
	faults := c.faults()
	if len(faults) == 0 {
		return nil, nil
	}
	s := ltl.NewStore()
	f, err := s.Parse(c.Formula, ltl.Spot)
	if err != nil {
		return nil, err
	}
	var causes []*Cause
	for _, x := range faults {
		input := f
		if x.Negated {
			input = s.Not(f)
		}
		cause := t.known(x, input)
		if cause == nil {
			if cause, err = t.find(ctx, x, input); err != nil {
				return nil, err
			}
		}
		cause.add(c, f, x)
		if !slices.Contains(causes, cause) {
			causes = append(causes, cause)
		}
	}
	return causes, nil
}

// known returns the group of a failure if that is clear without asking translators, or
// nil.
func (t *Triage) known(x fault, input *ltl.Formula) *Cause {
	if cause := t.explaining(x, input); cause != nil {
		return cause
	}
	if t.grind && x.quick() && t.count[x.Translator] < maxCauses {
		return nil
	}
	return t.plain(x)
}

// explaining returns the group of which something can remain of f, or nil.
func (t *Triage) explaining(x fault, f *ltl.Formula) *Cause {
	for _, cause := range t.causes {
		if cause.of(x) && cause.explains(f) {
			return cause
		}
	}
	return nil
}

// explains reports whether something that remained of the group can remain of f.
func (cause *Cause) explains(f *ltl.Formula) bool {
	props := f.Ops().Has(ltl.OpProp)
	return slices.ContainsFunc(cause.remains, func(m *ltl.Formula) bool {
		return (m.Ops().Has(ltl.OpProp) || !props) && ltl.Embeds(m, f)
	})
}

// of reports whether the group is of that translator, which fails in the same category.
func (cause *Cause) of(x fault) bool {
	return cause.Translators[0] == x.Translator && cause.category == x.category()
}

// sameProps reports whether both formulas have propositions, or neither.
func sameProps(f, g *ltl.Formula) bool { return f.Ops().Has(ltl.OpProp) == g.Ops().Has(ltl.OpProp) }

func (t *Triage) new(x fault) *Cause {
	cause := &Cause{Translators: []string{x.Translator}, Class: x.class, category: x.category()}
	if cause.category == words {
		cause.Class = x.class + " words"
	}
	t.causes = append(t.causes, cause)
	return cause
}

// find makes the formula small that a translator fails on, and returns the group of what
// remains, which may be a new one.
func (t *Triage) find(ctx context.Context, x fault, input *ltl.Formula) (*Cause, error) {
	t.count[x.Translator]++
	l := &looking{g: t.grinder(x.Translator), store: t.store, fault: x}
	first, err := l.smallest(ctx, t.store.Import(input), ltl.Structural)
	if err != nil {
		return nil, err
	}
	if err := l.decide(ctx, first); err != nil {
		return nil, err
	}
	formula, err := l.smallest(ctx, first, ltl.AllSteps)
	if err != nil {
		return nil, err
	}
	for formula.Op() == ltl.OpNot {
		formula = formula.Left()
	}
	if formula, err = l.least(ctx, formula); err != nil {
		return nil, err
	}
	shown, err := l.g.Case(ctx, formula)
	if err != nil {
		return nil, err
	}
	if !l.fails(shown) {
		// It does not fail again: by chance, or only as one of many.
		return t.plain(x), nil
	}
	return t.place(x, shown, first, formula), nil
}

// place returns the group of a formula that was made small, first in the first round and
// then at all.
func (t *Triage) place(x fault, shown *Case, first, formula *ltl.Formula) *Cause {
	key := t.store.Canonical(formula).String()
	if formula.Size() == 1 {
		key = "any" // where propositions and constants go wrong, it is not for what they are
	}
	var cause *Cause
	if i := slices.IndexFunc(t.causes, func(other *Cause) bool { return other.of(x) && other.key == key }); i >= 0 {
		cause = t.causes[i]
	} else if cause = t.explaining(x, formula); cause == nil {
		cause = t.new(x)
		cause.Ground, cause.key = true, key
		cause.Formula = formula.String()
		cause.show(shown, x)
	}
	if cause.key == "any" && formula.Op() == ltl.OpProp {
		cause.Formula, cause.Word = formula.String(), "" // people see more in it than in a constant
		cause.show(shown, x)
	}
	if cause.least = formula; cause.Negated {
		cause.least = t.store.Not(formula)
	}
	for _, f := range []*ltl.Formula{first, cause.least} {
		if !slices.Contains(cause.remains, f) {
			cause.remains = append(cause.remains, f)
		}
	}
	t.absorb(x, cause)
	return cause
}

// absorb unites with a group those that had been found before it, and what remained there
// would have been known to belong to it.
func (t *Triage) absorb(x fault, cause *Cause) {
	t.causes = slices.DeleteFunc(t.causes, func(other *Cause) bool {
		if other == cause || !other.of(x) || !other.Ground || !cause.explains(other.least) {
			return false
		}
		for _, index := range other.indexes {
			cause.count(int(index))
		}
		if cause.size == 0 || other.size < cause.size || other.size == cause.size && other.Index < cause.Index {
			cause.Original, cause.Index, cause.Seed, cause.size = other.Original, other.Index, other.Seed, other.size
		}
		cause.remains = append(cause.remains, other.remains...)
		return true
	})
}

// looking is the search for the cause of a failure.
type looking struct {
	g     *Grinder
	store *ltl.Store
	fault fault
	part  ltl.OpSet // the operators that are part of the cause
}

// fails reports whether the translator fails on a formula, or on its negation.
func (l *looking) fails(c *Case) bool {
	return slices.ContainsFunc(c.faults(), func(y fault) bool { return y.category() == l.fault.category() })
}

// decide finds the operators that are part of the cause of a failure on f: those without
// which the same can be said, in some way, such that the translator is right. X can't be
// done without, and counts as one of them.
func (l *looking) decide(ctx context.Context, f *ltl.Formula) error {
	for op := range ltl.OpTriggered + 1 {
		if !f.Ops().Has(op) || op.Arity() == 0 || op == ltl.OpNot {
			continue
		}
		fails := op != ltl.OpNext
		for _, g := range l.store.Rewritten(f, op) {
			if c, err := l.g.Try(ctx, g); err != nil {
				return err
			} else if fails = l.fails(c); !fails {
				break
			}
		}
		if !fails {
			l.part = l.part.With(op)
		}
	}
	return nil
}

// like reports whether g, which is smaller than f, may fail for the same reason.
func (l *looking) like(f, g *ltl.Formula) bool { return sameProps(f, g) && l.part&^g.Ops() == 0 }

// smallest makes a formula smaller, by steps of the given kinds, as long as the automaton
// for it fails in the same category.
func (l *looking) smallest(ctx context.Context, f *ltl.Formula, kinds ltl.Steps) (*ltl.Formula, error) {
	ground, err := l.g.Grind(ctx, Grind{
		Formula:  f,
		Polarity: Positive,
		Steps:    kinds,
		MaxCalls: maxGrindCalls,
		Want:     func(g *ltl.Formula) bool { return l.like(f, g) },
		Fails: func(c *Case) bool {
			return slices.ContainsFunc(c.faults(), func(y fault) bool { return !y.Negated && y.category() == l.fault.category() })
		},
	})
	if err != nil {
		return nil, err
	}
	return l.store.Import(ground.Formula), nil
}

// maxGrindCalls bounds what one formula may take.
const maxGrindCalls = 2000

// maxLeast is how many formulas least tries for each set of operators, and of what size.
const (
	maxLeast     = 1000
	maxLeastSize = 5
)

// least returns the first of all formulas that fail in the same category and are no larger
// than f, which does. They have the operators of f and those of propositional logic, or
// any, if none is part of the cause, or it is a message that tells what the cause is.
// Where there are too many such formulas, it is f.
func (l *looking) least(ctx context.Context, f *ltl.Formula) (*ltl.Formula, error) {
	ops := f.Ops() | ltl.Ops(ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpFalse, ltl.OpTrue)
	f, err := l.first(ctx, f, ops)
	if err == nil && (l.part == 0 || l.fault.category() != words) {
		l.part = 0
		for op := range ltl.OpYesterday {
			ops = ops.With(op)
		}
		f, err = l.first(ctx, f, ops)
	}
	return f, err
}

func (l *looking) first(ctx context.Context, f *ltl.Formula, ops ltl.OpSet) (*ltl.Formula, error) {
	names := f.Props()
	tried := 0
	for size := 1; size <= min(f.Size(), maxLeastSize); size++ {
		for g := range l.store.Enumerate(size, min(len(names), 2), ops) {
			if !l.like(f, g) {
				continue
			}
			if tried++; tried > maxLeast {
				return f, nil
			}
			g = l.store.Rename(g, func(p string) string { return names[p[1]-'0'] })
			c, err := l.g.Try(ctx, g)
			if err != nil {
				return nil, err
			}
			if l.fails(c) {
				return g, nil
			}
		}
	}
	return f, nil
}

// plain returns the group of those that could not be made small.
func (t *Triage) plain(x fault) *Cause {
	for _, cause := range t.causes {
		if cause.of(x) && !cause.Ground {
			return cause
		}
	}
	return t.new(x)
}

// show says what is wrong on the case of the smallest formula.
func (cause *Cause) show(c *Case, x fault) {
	var positive, negative []string
	for _, y := range c.faults() {
		switch {
		case y.category() != x.category():
		case y.Negated:
			negative = append(negative, y.class)
		default:
			positive = append(positive, y.class)
		}
	}
	classes := positive
	if cause.Negated = len(positive) == 0; cause.Negated {
		classes = negative
	}
	cause.Class = strings.Join(classes, " and ")
	if x.category() == words {
		cause.Class += " words"
	}
	if cause.Negated {
		cause.Class += ", of the negation only"
	}
	for _, d := range c.Disagreements {
		if slices.Contains(d.Blamed, Subject{x.Translator, cause.Negated}) && (cause.Word == "" || d.Size < cause.Size) {
			cause.Word, cause.Size, cause.Shortest = d.Word, d.Size, d.Shortest
		}
	}
}

// add adds a formula of the run.
func (cause *Cause) add(c *Case, f *ltl.Formula, x fault) {
	if !cause.count(c.Index) {
		return
	}
	if cause.size == 0 || cmp.Or(cmp.Compare(f.Size(), cause.size), cmp.Compare(c.Index, cause.Index)) < 0 {
		cause.Original, cause.Index, cause.Seed, cause.size = c.Formula, c.Index, c.Seed, f.Size()
		if !cause.Ground {
			cause.Formula, cause.Word = c.Formula, ""
			cause.show(c, x)
		}
	}
}

// count notes that a formula is in the group, and reports whether it was not before.
func (cause *Cause) count(index int) bool {
	i, found := slices.BinarySearch(cause.indexes, int32(index))
	if !found {
		cause.indexes = slices.Insert(cause.indexes, i, int32(index))
		cause.Formulas++
	}
	return !found
}

// Words reports whether it is a matter of languages.
func (cause *Cause) Words() bool { return cause.kind() == words }

// kind is the category, also of a cause that was read from a document.
func (cause *Cause) kind() string {
	if cause.category != "" {
		return cause.category
	}
	class := strings.TrimSuffix(cause.Class, ", of the negation only")
	if strings.HasSuffix(class, " words") {
		return words
	}
	return class
}

// Includes reports whether failures of that class are of this kind: the status of calls
// and what they have in common, or false properties and their text.
func (cause *Cause) Includes(class, signature string) bool {
	if class == "property" {
		return strings.HasPrefix(cause.kind(), "property: ")
	}
	return cause.kind() == signature
}

// Causes returns the groups so far, the most frequent first. Those of several translators
// that have failed on the very same formulas, of which the same remained, are one if their
// automata for that have the same language: their error is the same. To find that
// out takes some calls of them, as long as ctx is not done. The error is trouble of our
// own.
func (t *Triage) Causes(ctx context.Context) ([]*Cause, error) {
	list := []*Cause{} // never nil: [] in JSON
	for _, cause := range t.causes {
		i := -1
		for k, other := range list {
			if !cause.Ground || other.category != cause.category || other.Class != cause.Class || other.key != cause.key ||
				!slices.Equal(other.indexes, cause.indexes) {
				continue
			}
			same, err := t.agree(ctx, cause, other)
			if err != nil && ctx.Err() == nil {
				return nil, err
			}
			if same {
				i = k
			}
		}
		if i < 0 {
			one := *cause
			one.Translators = slices.Clone(cause.Translators)
			list = append(list, &one)
			continue
		}
		list[i].Translators = append(list[i].Translators, cause.Translators...)
	}
	slices.SortStableFunc(list, func(a, b *Cause) int {
		return cmp.Or(cmp.Compare(b.Formulas, a.Formulas), cmp.Compare(a.Index, b.Index))
	})
	return list, nil
}

// agree reports whether the first translators of two groups have automata of the same
// languages for the formula of the first group.
func (t *Triage) agree(ctx context.Context, x, y *Cause) (bool, error) {
	if x.category != words {
		return true, nil
	}
	f, err := t.store.Parse(x.Formula, ltl.Spot)
	if err != nil {
		return false, err
	}
	both := []string{x.Translators[0], y.Translators[0]}
	c, err := t.grinder(both...).Case(ctx, f)
	if err != nil {
		return false, err
	}
	for _, d := range c.Disagreements {
		answers := map[Subject]bool{}
		for _, a := range d.Accepts {
			answers[a.Subject] = a.Accepts
		}
		for _, negated := range []bool{false, true} {
			if answers[Subject{both[0], negated}] != answers[Subject{both[1], negated}] {
				return false, nil
			}
		}
	}
	return len(c.Undecided) == 0, nil
}
