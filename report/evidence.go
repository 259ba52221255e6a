package report

import (
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An evidence records which translators fail together. The zero value is empty.
type evidence struct {
	kinds map[outcome.Fault]*occurrences
	count map[string]int // kinds of a translator
	cases int32
}

// occurrences are the formulas on which a translator fails in one way.
type occurrences struct {
	list []occurrence // in the order of the cases
	more int          // that came when there were maxOccurrences
}

// An occurrence is a formula on which a translator fails, and how: the same number for the same
// wrong answers on the same words.
type occurrence struct {
	index int32
	how   uint32
}

const (
	maxOccurrences = 1 << 16 // of a kind of failure of a translator
	maxKinds       = 1000    // of a translator
)

func (e *evidence) add(c *outcome.Case) {
	index := e.cases
	e.cases++
	list := c.Faults()
	if len(list) == 0 {
		return
	}
	if e.kinds == nil {
		e.kinds, e.count = map[outcome.Fault]*occurrences{}, map[string]int{}
	}
	how := map[outcome.Fault]uint32{}
	for _, x := range list {
		key := x.Key()
		// The order of the faults of a case must not matter.
		how[key] ^= sameness(c, x)
	}
	for key, number := range how {
		s := e.kinds[key]
		switch {
		case s == nil && e.count[key.Translator] == maxKinds: // memory is bounded
			continue
		case s == nil:
			s = &occurrences{}
			e.kinds[key] = s
			e.count[key.Translator]++
		}
		if len(s.list) == maxOccurrences {
			s.more++ // only their number is known
			continue
		}
		s.list = append(s.list, occurrence{index, number})
	}
}

// A habit counts what the failures of a translator have in common, and the other cases do not.
type habit struct {
	cases, failures int
	all, failing    map[string]int // by features of asking and reading
}

// habits are the habits of the translators.
type habits map[string]*habit

// add adds a case. The formula is nil if the case has none.
func (h *habits) add(c *outcome.Case, f *ltl.Formula) {
	var asked []string
	if f != nil {
		for op := ltl.OpXor; op <= ltl.OpTriggered; op++ {
			if f.Ops().Has(op) {
				asked = append(asked, operator+op.String())
			}
		}
		if strings.Contains(c.Formula, `"`) {
			asked = append(asked, "a proposition in quotes")
		}
	}
	faults := c.Faults()
	for i, r := range c.Results {
		// A translator counts once for a case: at its first result, if it was asked at all.
		same := func(o outcome.Result) bool { return o.Translator == r.Translator }
		if slices.ContainsFunc(c.Results[:i], same) || !slices.ContainsFunc(c.Results, func(o outcome.Result) bool { return same(o) && o.Asked() }) {
			continue
		}
		features := map[string]bool{} // each counts once for a case
		for _, feature := range asked {
			features[feature] = true
		}
		for _, o := range c.Findings {
			if o.Translator == r.Translator && o.Class != outcome.FalseProperty && o.Class != outcome.Unstable {
				features[found+string(o.Class)] = true // the other classes are failures, not habits
			}
		}
		x := (*h)[r.Translator]
		if x == nil {
			x = &habit{all: map[string]int{}, failing: map[string]int{}}
			if *h == nil {
				*h = habits{}
			}
			(*h)[r.Translator] = x
		}
		fails := slices.ContainsFunc(faults, func(o outcome.Fault) bool { return o.Translator == r.Translator })
		if x.cases++; fails {
			x.failures++
		}
		// A feature counts in all cases and in those that fail, so that chance can be judged.
		for feature := range features {
			if x.all[feature]++; fails {
				x.failing[feature]++
			}
		}
	}
}

const (
	operator = "the operator " // begins a feature of asking, and found one of reading
	found    = "the finding "
	// byChance is the probability below which chance does not explain a common feature.
	byChance = 0.001
)

// common names the features that all failures of a translator have, if chance does not explain them.
// It is "" for none. A finding counts whatever the chance: perhaps the reading is wrong.
func (x *habit) common() string {
	var list []string
	for feature, n := range x.failing {
		chance := math.Pow(float64(x.all[feature])/float64(x.cases), float64(x.failures))
		if n == x.failures && (strings.HasPrefix(feature, found) || chance < byChance) {
			list = append(list, feature)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// findCommon finds out what the failures of each translator have in common.
func (t *Summary) findCommon() {
	for _, x := range t.Translators {
		if h := t.habits[x.Name]; h != nil {
			x.InCommon = h.common()
		}
	}
}

// hints returns what all failures of a translator have in common. Translators with new failures come first, and
// then those that are wrong most often.
func (t *Summary) hints() []string {
	order := &Summary{Translators: slices.Clone(t.Translators)}
	rank := func(x *ToolStats) int {
		if r := t.Regression; r != nil && slices.ContainsFunc(r.Groups, func(g outcome.Group) bool { return news(&g) && slices.Contains(g.Translators, x.Name) }) {
			return math.MaxInt
		}
		return x.WrongP + x.WrongN
	}
	slices.SortStableFunc(order.Translators, func(a, b *ToolStats) int { return cmp.Compare(rank(b), rank(a)) })
	return order.each(t.common)
}

// common returns a hint, or "". There is a hint if all failures of a translator have something in common,
// or most of its calls fail on syntax. A report shows the hint before it blames the translator.
func (t *Summary) common(x *ToolStats) string {
	var contains, comes []string
	for _, what := range strings.Split(x.InCommon, ", ") {
		if finding, ok := strings.CutPrefix(what, found); ok {
			comes = append(comes, finding)
		} else if what != "" {
			contains = append(contains, strings.TrimPrefix(what, operator))
		}
	}
	var list clauseList
	advice := "choose the syntax of its formulas with %f, %s, %l or %w, or with --tool-syntax or the key syntax for standard input"
	if t.Automata {
		advice = "choose the format of its input with %H, %S, %L or %B"
	}
	list.addIf(x.InCommon == "" && x.syntax > 1 && 2*x.syntax > x.Formulas, "%d of %s of %s fail on syntax: %s", x.syntax, plural.Of(x.Formulas, "call"), x.Name, advice)
	what := strings.Join(contains, " and ")
	list.addIf(what != "", "every formula on which %s fails contains %s: first check that it reads %s as xcheck writes it", x.Name, what, what)
	list.addIf(len(comes) > 0, "every failure of %s has a minor finding (%s): first check how its output is read", x.Name, strings.Join(comes, ", "))
	return strings.Join(list, "; ")
}

// speaksOfSyntax matches what tools print about an input that they cannot read.
var speaksOfSyntax = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(syntax|pars(e|er|ing)|(un)?expected)\b`) })

// sameness returns a number that is the same for faults with the same wrong answers.
func sameness(c *outcome.Case, x outcome.Fault) uint32 {
	h := fnv.New32a()
	io.WriteString(h, x.Class.String()+map[outcome.Polarity]string{outcome.Negation: " N"}[x.Polarity])
	if x.Class.Words {
		for _, d := range c.Disagreements {
			if d.Kind.Class() == x.Class && slices.Contains(d.Blamed, x.Subject) {
				io.WriteString(h, " "+d.Word)
			}
		}
	}
	// Different translators may end with the same status, and different messages.
	for i := range c.Results {
		if r := &c.Results[i]; r.Subject == x.Subject && r.Failed() {
			io.WriteString(h, r.Detail)
		}
	}
	return h.Sum32()
}

// alike reports whether both fail in the same way on at least half of the cases on which either fails.
func (s *occurrences) alike(o *occurrences) bool {
	// Both are looked at as far as the one goes that is cut off first.
	end := int32(math.MaxInt32)
	for _, x := range []*occurrences{s, o} {
		if n := len(x.list); x.more > 0 {
			end = min(end, x.list[n-1].index)
		}
	}
	how, same, all := map[int32]uint32{}, 0, 0
	for _, x := range s.list {
		if x.index <= end {
			how[x.index] = x.how
			all++
		}
	}
	for _, x := range o.list {
		if x.index > end {
			break
		}
		of, both := how[x.index]
		if !both {
			all++
		} else if of == x.how {
			same++
		}
	}
	return len(s.list) > 0 && len(o.list) > 0 && 2*same >= all
}

// problems groups causes by who fails, and how. The most severe problem is first, then the most frequent.
func (e *evidence) problems(causes []*outcome.Cause) []outcome.Problem {
	list := []outcome.Problem{} // never nil: [] in JSON
	groups := map[outcome.Fault][]int{}
	var order []outcome.Fault
	for i, cause := range causes {
		for _, name := range cause.Translators {
			key := outcome.Fault{Subject: outcome.Subject{Translator: name}, Class: cause.Class}.Key()
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	// Being alike is not transitive: a problem has those that are alike to who fails most.
	slices.SortFunc(order, func(x, y outcome.Fault) int {
		return cmp.Or(cmp.Compare(e.formulas([]outcome.Fault{y}), e.formulas([]outcome.Fault{x})), cmp.Compare(x.Translator, y.Translator), cmp.Compare(x.Class.String(), y.Class.String()))
	})
	for len(order) > 0 {
		first := order[0]
		var members, rest []outcome.Fault
		for _, key := range order {
			if key == first || e.together(causes, first, key, groups) {
				members = append(members, key)
			} else {
				rest = append(rest, key)
			}
		}
		list = append(list, e.problem(causes, members, groups))
		order = rest
	}
	slices.SortStableFunc(list, func(a, b outcome.Problem) int {
		return cmp.Or(cmp.Compare(severityOf(a.Class), severityOf(b.Class)), cmp.Compare(b.Formulas, a.Formulas), cmp.Compare(a.Causes[0], b.Causes[0]))
	})
	return list
}

// together reports whether two translators share a problem. They do if they share a cause. If
// formulas were made small for both, and none remains for both, they don't.
func (e *evidence) together(causes []*outcome.Cause, x, y outcome.Fault, groups map[outcome.Fault][]int) bool {
	if x.Class != y.Class {
		return false
	}
	if slices.ContainsFunc(groups[x], func(i int) bool { return slices.Contains(groups[y], i) }) {
		return true
	}
	a, b := smallest(causes, groups[x]), smallest(causes, groups[y])
	if len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(f string) bool { return slices.Contains(b, f) }) {
		return false
	}
	s, o := e.kinds[x], e.kinds[y]
	return s != nil && o != nil && s.alike(o)
}

// smallest returns the keys of the causes whose formula is a smallest one.
func smallest(causes []*outcome.Cause, places []int) (keys []string) {
	for _, i := range places {
		if c := causes[i]; c.Ground && !c.Unfinished {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

func (e *evidence) problem(causes []*outcome.Cause, members []outcome.Fault, groups map[outcome.Fault][]int) outcome.Problem {
	var p outcome.Problem
	for _, key := range members {
		p.Translators = append(p.Translators, key.Translator)
		for _, i := range groups[key] {
			if !slices.Contains(p.Causes, i) {
				p.Causes = append(p.Causes, i)
			}
		}
	}
	slices.SortStableFunc(p.Causes, func(i, k int) int { // the smallest formula first, then the shortest word
		a, b := causes[i], causes[k]
		return cmp.Or(cmp.Compare(ltl.TextSize(a.Formula), ltl.TextSize(b.Formula)), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Index, b.Index))
	})
	p.Class, p.Formulas = causes[p.Causes[0]].Class, e.formulas(members)
	for _, i := range p.Causes {
		p.Class = p.Class.Join(causes[i].Class)
		for _, x := range causes[i].Samples { // the smallest one alone gave the cause its class
			p.Class = p.Class.Join(x.Class)
		}
		p.Formulas = max(p.Formulas, causes[i].Formulas) // of a run that is known by its causes only
	}
	return p
}

// formulas returns on how many formulas some of the translators fail in their way.
func (e *evidence) formulas(members []outcome.Fault) int {
	if s := e.kinds[members[0]]; len(members) == 1 && s != nil {
		return len(s.list) + s.more
	}
	var indexes []int32
	more := 0
	for _, key := range members {
		s := e.kinds[key]
		if s == nil {
			continue
		}
		for _, x := range s.list {
			indexes = append(indexes, x.index)
		}
		more = max(more, s.more) // at least: they may be the same formulas
	}
	slices.Sort(indexes)
	return len(slices.Compact(indexes)) + more
}
