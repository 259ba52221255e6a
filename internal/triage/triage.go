// Package triage groups the failures of a run by cause.
//
// It sees translators only from outside. Two failures have one cause if the same translator fails in
// the same way, and both formulas shrink to the same one. Names of propositions and the order of
// operands do not count. Failures that are not shrunk are kept by samples.
//
// A formula shrinks in three rounds:
//
//  1. Subformulas become their operands, and propositions are merged. Nothing new enters the
//     formula. Some of the remaining operators are part of the cause: without them, the
//     translator is right on an equivalent formula, such as b M (a | b) for a U b. These stay.
//  2. Other operators become simpler ones, and subformulas become constants.
//  3. Different ways can end at different formulas. So all small formulas with these operators
//     are tried in order, and the first that fails is taken.
//
// A formula with propositions never becomes one without, because constants have other
// failures. Nor does a formula with missing words become one with extra words, unless a negation
// turns them. Such a formula becomes a failure of its own.
//
// Some failures depend on no operator, but on the size of a formula, on the number of its propositions,
// or on how often one occurs. A few formulas that differ in nothing else show that, and come first.
//
// Few formulas need this. If a formula can shrink to the formula of a known cause (see
// [ltl.Embeds]), no translator is called.
package triage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Triage has the causes of the failures that were added.
type Triage struct {
	options  Options
	grinders map[string]*grinder // by the names of their translators
	store    *ltl.Store          // of what remained
	causes   []*causeGroup
	count    map[string]int           // of causes that were looked for, by translator
	spent    map[string]time.Duration // for that
	bare     map[outcome.Fault]bool   // a bare proposition fails, but few other formulas
	limits   map[outcome.Limit]int
	most     time.Duration // for one
	share    int           // a search has one part in so many of the calls that are left

	unfinished []unexplained // searches that reached a limit
	slips      []unexplained // other failures that searches came to
}

// Options say how to search for causes.
type Options struct {
	// Grind has the options of the run, and shrinks its formulas, which takes calls of translators.
	// If it is nil, failures are grouped only by class.
	Grind *cross.Options
	// MaxCalls limits the calls of each translator for shrinking; 0 means no limit. Later
	// failures are grouped by what is known by then.
	MaxCalls int
	// Grinding, if not nil, is called before each call of a translator, with the formula to
	// shrink and the number of calls so far. Several goroutines may call it at once.
	Grinding func(translator, formula string, calls int)
}

// DefaultCalls is the MaxCalls of a run: enough for two bugs, which take 50 to 270 calls.
const DefaultCalls = 300

const (
	// maxCauses is how many causes of one translator are looked for. One that fails in more
	// ways is wrong everywhere.
	maxCauses = 100
	// maxAlike is how many groups there are of failures with the same message.
	maxAlike = 10
	// minCalls is how many calls there must be left for one more search, and showCalls how many of them are
	// for what comes at its end: a fresh process confirms what was found, and its case is made.
	minCalls  = 10
	showCalls = 4
	// maxTime bounds the time that one cause may take, and maxTimes says how many times that
	// all of one translator may. Those that answer in a second or more need it: the run waits.
	maxTime  = time.Minute
	maxTimes = 5
)

// New returns an empty Triage.
func New(o Options) *Triage {
	return &Triage{options: o, grinders: map[string]*grinder{}, store: ltl.NewStore(),
		count: map[string]int{}, spent: map[string]time.Duration{}, bare: map[outcome.Fault]bool{}, limits: map[outcome.Limit]int{}, most: maxTime, share: 3}
}

// Limits returns how many failures could not be shrunk or kept, by the limit that was reached.
func (t *Triage) Limits() map[outcome.Limit]int {
	for _, cause := range t.causes {
		t.limits[outcome.Samples] = max(t.limits[outcome.Samples], cause.more)
	}
	return t.limits
}

// Add groups the failures of a case, and returns their causes, each once. New causes have
// Formulas 1. Shrinking a formula takes the automata of some hundred formulas, and at most a
// minute. When ctx is done, failures are grouped only by class, and so are those on automata, in a
// Triage that does not grind. The error is internal.
func (t *Triage) Add(ctx context.Context, c *outcome.Case) (causes []*outcome.Cause, err error) {
	c = cmp.Or(c, &outcome.Case{})
	panicked, err := guard.Call(func() (err error) {
		causes, err = t.add(ctx, c)
		return err
	})
	if panicked != "" {
		err = fmt.Errorf("internal error: causes of the failures on %s: %s", c.Formula, panicked)
	}
	return causes, err
}

func (t *Triage) add(ctx context.Context, c *outcome.Case) ([]*outcome.Cause, error) {
	list := c.Faults()
	if len(list) == 0 {
		return nil, nil
	}
	s := ltl.NewStore()
	f := s.True()
	if c.Automaton == nil {
		var err error
		if f, err = s.Parse(c.Formula, ltl.Spot); err != nil {
			return nil, err
		}
	}
	var causes []*outcome.Cause
	for _, fault := range list {
		x := unexplained{failure: failure{fault, c.Options(fault.Translator)}, input: f, c: c,
			timeout: cross.CandidateTimeout(c, func(s outcome.Subject) bool { return s == fault.Subject })}
		if x.Polarity == outcome.Negation {
			x.input = s.Not(f)
		}
		for t.slips = []unexplained{x}; len(t.slips) > 0; {
			x, t.slips = t.slips[0], t.slips[1:]
			cause := t.known(x.failure, x.input)
			found := cause == nil
			if found {
				var err error
				if cause, err = t.find(ctx, x); err != nil {
					return nil, err
				}
			}
			if x.slipped && !(found && cause.Ground) { // it is known, or a limit was reached
				t.causes = slices.DeleteFunc(t.causes, func(cause *causeGroup) bool { return cause.Formulas == 0 })
				continue
			}
			cause.add(t.store, x.input, c, x.failure)
			if !slices.Contains(causes, &cause.Cause) {
				causes = append(causes, &cause.Cause)
			}
		}
	}
	return causes, nil
}

// An unexplained failure is one of a case.
type unexplained struct {
	failure
	input   *ltl.Formula // the automaton for it is wrong
	c       *outcome.Case
	timeout time.Duration // of a call for a smaller formula
	limit   outcome.Limit // that ended the last search
	slipped bool          // the search for another one came to it
}

// known returns the group of a failure if that is clear without asking translators, or if a limit was
// reached; otherwise nil.
func (t *Triage) known(x failure, input *ltl.Formula) *causeGroup {
	if cause := t.explaining(x, input, kindsOf(x.Class), ^ltl.OpSet(0)); cause != nil {
		return cause
	}
	ground := 0
	for _, cause := range t.causes {
		if cause.of(x) && cause.Ground {
			ground++
		}
	}
	alike := !x.Class.Words && ground >= maxAlike // enough groups with the same message
	var limit outcome.Limit
	if t.options.Grind != nil && !x.Class.Exhausted() {
		switch {
		case t.left(x.Translator) < minCalls:
			limit = outcome.GrindCalls
		case t.spent[x.Translator] >= maxTimes*t.most:
			limit = outcome.GrindTime
		case t.count[x.Translator] >= maxCauses || alike:
			limit = outcome.GrindCauses
		default:
			return nil
		}
		t.limits[limit]++
	}
	return t.unshrunk(x, limit)
}

// first returns the first group of the same failure that fits, or nil.
func (t *Triage) first(x failure, fits func(*causeGroup) bool) *causeGroup {
	i := slices.IndexFunc(t.causes, func(cause *causeGroup) bool { return cause.of(x) && fits(cause) })
	if i < 0 {
		return nil
	}
	return t.causes[i]
}

// explaining returns the group that explains the failure on f with its options and wrong words, or nil.
func (t *Triage) explaining(x failure, f *ltl.Formula, words kinds, part ltl.OpSet) *causeGroup {
	return t.first(x, func(cause *causeGroup) bool {
		return within(cause.Options, x.options) && cause.explains(f, words, part)
	})
}

// plain returns the group of the failures that could not be made small.
func (t *Triage) plain(x failure) *causeGroup {
	if cause := t.first(x, func(cause *causeGroup) bool { return !cause.Ground }); cause != nil {
		return cause
	}
	return t.new(x)
}

func (t *Triage) new(x failure) *causeGroup {
	cause := &causeGroup{Cause: outcome.Cause{Record: outcome.Record{Translators: []string{x.Translator}, Class: x.Class}, Options: x.options}}
	t.causes = append(t.causes, cause)
	return cause
}

// find shrinks the formula that a translator fails on, and the set of its options. It returns the group
// of the smallest ones, which may be a new group. At the limit of time or calls, these are the smallest
// so far, and finish searches on if calls are left in the end.
func (t *Triage) find(ctx context.Context, x unexplained) (*causeGroup, error) {
	t.count[x.Translator]++
	begin := time.Now()
	// No deadline: that would be taken for the limit of a check.
	inTime, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(min(t.most, maxTimes*t.most-t.spent[x.Translator]), cancel)
	defer func() {
		timer.Stop()
		t.spent[x.Translator] += time.Since(begin)
	}()
	input := t.store.Import(x.input)
	l := t.newSearch(x)
	l.start(input)
	// Fewer options first, since each smaller formula is tried with the options that are left. The
	// smallest formula may need fewer still.
	err := l.fewerOptions(inTime)
	if err == nil {
		err = t.search(inTime, l, input)
	}
	if err == nil {
		err = l.fewerOptions(inTime)
	}
	late := err != nil && (inTime.Err() != nil || errors.Is(err, errCalls))
	if err != nil && !late {
		return nil, err
	}
	if late {
		switch {
		case errors.Is(err, errCalls):
			x.limit = outcome.GrindCalls
		case ctx.Err() == nil: // otherwise the run is over, which is no limit of the search
			x.limit = outcome.GrindTime
		}
		if x.limit != "" {
			t.limits[x.limit]++
		}
		if !x.slipped { // the case may have an unfinished cause already
			t.unfinished = append(t.unfinished, x)
		}
		sameSize := l.wrong == l.kept && l.wrong.Size() == input.Size()
		if !l.minimal && len(l.options) == len(x.options) && (sameSize || isAtom(l.formula)) {
			// Nothing became smaller; or a proposition is left, of which it is not known whether it fails
			// by itself or explains larger formulas.
			return t.unshrunk(x.failure, x.limit), nil
		}
	}
	cause, err := t.place(ctx, l)
	if ctx.Err() != nil {
		return t.plain(x.failure), nil
	}
	if err == nil && late && cause.Formulas == 0 {
		cause.Unfinished, cause.Limit = true, t.limitText(x.limit)
	}
	if l.slip != nil && !x.slipped {
		x.input, x.slipped, x.limit = l.slip, true, ""
		x.Class.Missing, x.Class.Extra = l.others&missing != 0, l.others&extra != 0
		t.slips = append(t.slips, x)
	}
	return cause, err
}

// limitText says which limit ended a search: "100 calls".
func (t *Triage) limitText(limit outcome.Limit) string {
	switch limit {
	case outcome.GrindCalls:
		return plural.Of(t.options.MaxCalls, "call")
	case outcome.GrindTime:
		return t.most.String()
	case outcome.GrindCauses:
		return "many causes"
	}
	return ""
}

// unshrunk is plain, for a failure that was not shrunk because of a limit.
func (t *Triage) unshrunk(x failure, limit outcome.Limit) *causeGroup {
	cause := t.plain(x)
	if limit != "" {
		cause.Limit = t.limitText(limit)
	}
	return cause
}

// finish spends the calls that are left, in equal parts, on the searches that reached the limit. They
// begin anew, but what was tried is known, so they are soon where they were.
func (t *Triage) finish(ctx context.Context) error {
	defer func(share int) { t.share = share }(t.share)
	for {
		list := t.unfinished
		t.unfinished = nil
		again := false
		for i, x := range list {
			if t.left(x.Translator) < minCalls || ctx.Err() != nil || t.spent[x.Translator] >= maxTimes*t.most {
				continue
			}
			if t.limits[x.limit]--; t.limits[x.limit] <= 0 { // it counts if it is reached again
				delete(t.limits, x.limit)
			}
			x.limit = ""
			others := 0
			for _, y := range list[i:] {
				if y.Translator == x.Translator {
					others++
				}
			}
			t.share = others
			again = true
			before := t.first(x.failure, func(cause *causeGroup) bool {
				return slices.Contains(cause.indexes, int32(x.c.Index)) && cause.Limit != ""
			})
			if before == nil {
				continue // another cause explains it by now
			}
			if before.Ground {
				t.causes = slices.DeleteFunc(t.causes, func(cause *causeGroup) bool { return cause == before })
			}
			cause, err := t.find(ctx, x)
			if err != nil {
				return err
			}
			cause.add(t.store, x.input, x.c, x.failure)
			switch {
			case cause == before:
			case before.Ground:
				cause.take(before)
			default:
				if i, found := slices.BinarySearch(before.indexes, int32(x.c.Index)); found {
					before.indexes = slices.Delete(before.indexes, i, i+1)
					before.Formulas--
				}
				if before.Formulas == 0 {
					t.causes = slices.DeleteFunc(t.causes, func(cause *causeGroup) bool { return cause == before })
				}
			}
		}
		if !again {
			return nil
		}
	}
}

// newSearch returns the search for the cause of a failure. It has a third of the calls that are left,
// as other failures may come, and in the end an equal share.
func (t *Triage) newSearch(x unexplained) *causeSearch {
	l := &causeSearch{store: t.store, failure: x.failure, most: unlimited, timeout: x.timeout,
		calls: func() int { return t.calls(x.Translator) }}
	if left := t.left(x.Translator); left < unlimited {
		l.most = l.calls() + max(left/t.share, min(left, minCalls)) - showCalls
	}
	l.known = func(f *ltl.Formula) bool { return t.explaining(l.failure, f, l.words, l.part) != nil }
	l.grinder = func(options []string) (*grinder, error) { return t.grinder(options, x.Translator) }
	return l
}

// search makes the formula small, and says how far what remains of it reaches. A bare proposition explains
// nothing if the translator is right on most other formulas: then the way has to end before it.
func (t *Triage) search(ctx context.Context, l *causeSearch, input *ltl.Formula) error {
	key := l.Key()
	for {
		l.start(input)
		l.larger = t.bare[key] && !isAtom(input)
		if err := l.search(ctx); err != nil {
			return err
		}
		if l.scope == everywhere {
			var err error
			if l.scope, err = l.reach(ctx); err != nil {
				return err
			}
		}
		if l.scope != bare {
			return nil
		}
		t.bare[key] = true
		if l.larger || isAtom(input) { // another round would be the same
			return nil
		}
	}
}

// place returns the group of what a search came to. It is the group without a formula if the
// failure does not show again: then it was by chance, or one of many.
func (t *Triage) place(ctx context.Context, l *causeSearch) (*causeGroup, error) {
	x := l.failure
	key := t.key(l)
	cause := t.first(x, func(other *causeGroup) bool { return other.key == key && slices.Equal(other.Options, x.options) })
	if cause == nil {
		cause = t.explaining(x, l.wrong, l.words, l.part) // known by another way
	}
	better := cause != nil && cause.key == "any" && l.formula.Op() == ltl.OpProp
	if cause == nil || better {
		g, err := l.grinder(l.options)
		if err != nil {
			return nil, err
		}
		shown, err := g.Case(ctx, l.formula)
		if err != nil {
			return nil, err
		}
		if l.found(shown) == 0 {
			return t.plain(x), nil
		}
		if cause == nil {
			cause = t.new(x)
			cause.limited, cause.Ground, cause.key, cause.scope = l.most != unlimited, true, key, l.scope
			cause.part, cause.measure = l.part, l.least
		}
		// People see more in a proposition than in a constant.
		cause.Formula = l.formula.String()
		cause.describe(shown, x.Fault)
	}
	cause.least = l.wrong
	for _, f := range []*ltl.Formula{l.kept, cause.least} {
		if !slices.Contains(cause.remains, f) {
			cause.remains = append(cause.remains, f)
		}
	}
	t.absorb(x, cause)
	return cause, nil
}

// key returns what is the same for all failures of a cause.
func (t *Triage) key(l *causeSearch) string {
	switch {
	case l.scope == bare:
		return "bare"
	case l.scope == named:
		return "named " + l.formula.Name()
	case l.scope == repeated:
		return fmt.Sprintf("repeated %d", l.least)
	case l.scope == byProps:
		return fmt.Sprintf("propositions %d", l.least)
	case l.scope == bySize && l.part == 0:
		return "large"
	case l.formula.Size() == 1:
		return "any" // where propositions and constants go wrong, it is not for what they are
	}
	return keyOf(t.store, l.wrong)
}

// keyOf returns a formula up to names and order. The negation of a R b is a U b with other propositions.
// No more is the same: a translator may be wrong on a -> b, and right on !a | b.
func keyOf(s *ltl.Store, wrong *ltl.Formula) string {
	f := unnegated(wrong)
	if wrong.Op() == ltl.OpNot {
		f = s.Dual(s.NNF(f))
	}
	return s.Canonical(f).String()
}

// absorb unites with a group those that had been found before it, and what remained there
// would have been known to belong to it.
func (t *Triage) absorb(x failure, cause *causeGroup) {
	if cause.scope == named || cause.scope == bare {
		return // what has such a cause never became anything else
	}
	t.causes = slices.DeleteFunc(t.causes, func(other *causeGroup) bool {
		if other == cause || !other.of(x) || !other.Ground || !within(cause.Options, other.Options) || !cause.explains(other.least, kindsOf(other.Class), other.part) {
			return false
		}
		cause.take(other)
		return true
	})
}

// A grinder is one for some translators.
type grinder struct {
	*cross.Grinder
	translators []string
}

// grinder returns the grinder for some translators. The options replace the options that they would draw.
func (t *Triage) grinder(options []string, names ...string) (*grinder, error) {
	key := fmt.Sprintf("%q %q", options, names)
	if t.grinders[key] == nil {
		some := *t.options.Grind
		var err error
		if some.Tools, err = some.Select(func(t *translators.Tool) bool { return slices.Contains(names, t.Name) }, func(string) []string { return options }); err != nil {
			return nil, err
		}
		g := &grinder{cross.NewGrinder(some), names}
		if t.options.Grinding != nil {
			g.Asking = func(translator string, f *ltl.Formula) { t.options.Grinding(translator, f.String(), t.Calls()) }
		}
		t.grinders[key] = g
	}
	return t.grinders[key], nil
}

// Calls returns the number of calls of translators for shrinking.
func (t *Triage) Calls() int {
	n := 0
	for _, g := range t.grinders {
		n += g.Calls()
	}
	return n
}

// left returns how many calls of a translator are left.
func (t *Triage) left(translator string) int {
	if t.options.MaxCalls == 0 {
		return unlimited
	}
	most := t.options.MaxCalls
	drawing := func(tool *translators.Tool) bool { return tool.Name == translator && len(tool.Options) > 0 }
	if slices.ContainsFunc(t.options.Grind.Tools, drawing) {
		most *= drawingCalls
	}
	return most - t.calls(translator)
}

// drawingCalls is how many times as many calls there are for a translator that draws options: its
// failures have more causes, and each takes calls without some of its options.
const drawingCalls = 10

// calls returns how many calls of a translator were made.
func (t *Triage) calls(translator string) int {
	n := 0
	for _, g := range t.grinders {
		if slices.Contains(g.translators, translator) {
			n += g.Calls() / len(g.translators) // it calls all of them for each formula
		}
	}
	return n
}
