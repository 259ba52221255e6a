package cross

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A specification is the language that the automata of a case should have. It comes from a
// formula (truths), or from an automaton that was given to tools (accepted).
type specification interface {
	// holds reports whether a word has it, by package certify.
	holds(ctx context.Context, w *certify.Word) (bool, error)
	// quick is the same by the packages that find words.
	quick(ctx context.Context, w *omega.Word) (bool, error)
	// languages returns languages that exactly those words are in, and languages that
	// they are not in, that hold, or that don't.
	languages(ctx context.Context, truth bool) (in, out []*productcheck.Language, err error)
	// holdsOnAll reports, by package certify, whether it is the same, as given, on every
	// completion of a word.
	holdsOnAll(ctx context.Context, truth bool, w *certify.Word) (bool, error)
	// closed returns propositions that a word must determine for that.
	closed() []string
	String() string // "formula Ga"
}

// A certifier turns words into disagreements. Every answer in them comes from package certify,
// which reads the word as it is printed and the automata as they were read.
type certifier struct {
	specification specification
	members       []*member
	decider       *productcheck.Decider
	found         []outcome.Disagreement
	words         map[string]*omega.Word // that were judged, by their texts
	witnesses     []outcome.Witness
	undone        []outcome.Undecided
	errors        []string
	wrong         bool // the reference has been found to be
}

// certify certifies a word that a check has found, and adds the disagreements that it shows. The error
// is that ctx is done.
func (j *certifier) certify(ctx context.Context, w *foundWord) error {
	found, err := j.entries(ctx, w.Word)
	if err == nil {
		err = w.certify(ctx)
	}
	if err != nil {
		return j.uncertified(ctx, w.Word, err)
	}
	j.witness(w.space, found)
	j.add(found...)
	return nil
}

// witness keeps the word of some disagreements, with what all automata say.
func (j *certifier) witness(space int, found []outcome.Disagreement) {
	if len(found) > 0 {
		d := &found[0]
		j.witnesses = append(j.witnesses, outcome.Witness{Space: space, Word: d.Word, Size: d.Size, Accepts: d.Accepts})
	}
}

// uncertified notes that a word was found and could not be certified or explained. At a limit, this is undecided.
// Otherwise, it is an internal error. The error is that ctx is done.
func (j *certifier) uncertified(ctx context.Context, w *omega.Word, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case overLimit(err):
		j.undone = append(j.undone, outcome.Undecided{Check: "certificate of the word " + w.String(), Why: err.Error()})
	default:
		j.fail(w, err.Error())
	}
	return nil
}

// certify fails if the word is not in the automata as the check says that found it.
func (w *foundWord) certify(ctx context.Context) error {
	m, in := w.x, !w.inX
	x, y, err := w.has(ctx, w.Word)
	if err != nil || y {
		return err
	}
	if x {
		m, in = w.y, !w.inY
	}
	return fmt.Errorf("the check %q found it, but its membership in %s is %v", w.text, m.name(), in)
}

// entries returns the disagreements that a word shows: one for the automata that lack it, one for those that
// have it and should not. It fails if nobody is wrong.
func (j *certifier) entries(ctx context.Context, w *omega.Word) ([]outcome.Disagreement, error) {
	ctx, cancel := within(ctx, j.decider.Limits.Time)
	defer cancel()
	word, err := certify.ParseWord(w.String())
	if err != nil {
		return nil, err
	}
	truth, err := j.specification.holds(ctx, word)
	if err != nil {
		return nil, timeLimit(ctx, err)
	}
	d := outcome.Disagreement{Size: w.Size(), Shortest: w.Size() == 1, Truth: truth}
	blamed := map[outcome.Kind][]outcome.Subject{}
	var wrong *member // of the reference
	for _, m := range j.members {
		accepts, err := m.accepts(ctx, word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name(), timeLimit(ctx, err))
		}
		right := accepts == m.shouldAccept(truth)
		if m.own && !right {
			wrong = m
		}
		if m.proved && !right && !j.wrong {
			j.wrong = true // to say it once is enough
			j.fail(w, fmt.Sprintf("%s is proved, and wrong on this word; please report this", m.name()))
		}
		for i, s := range m.subjects {
			d.Accepts = append(d.Accepts, outcome.Answer{Subject: s, Accepts: accepts, Right: right})
			if right || m.own && i == len(m.subjects)-1 {
				continue
			}
			kind := outcome.Missing
			if accepts {
				kind = outcome.Extra
			}
			blamed[kind] = append(blamed[kind], s)
		}
	}
	var found []outcome.Disagreement
	for _, kind := range []outcome.Kind{outcome.Missing, outcome.Extra} {
		if len(blamed[kind]) > 0 {
			d.Kind, d.Blamed, d.Word = kind, blamed[kind], w.String() // made here: most words show nothing
			found = append(found, d)
			j.words[d.Word] = w
		}
	}
	// If the run's own reference is wrong, that is an internal error of the case, and no disagreement with it.
	if wrong != nil && !j.wrong {
		j.wrong = true // to say it once is enough
		j.fail(w, fmt.Sprintf("the reference is wrong on this word (%s); please report this", wrong.subjects[len(wrong.subjects)-1]))
	}
	if len(found) == 0 && wrong == nil {
		return nil, errNobody
	}
	return found, nil
}

func (j *certifier) fail(w *omega.Word, why string) {
	j.errors = append(j.errors, fmt.Sprintf("internal error: word %s of %s: %s", w, j.specification, why))
}

// add keeps, of the disagreements that blame the same automata for the same
// kind of error, the one with the shortest word, if possible proved to be that.
func (j *certifier) add(list ...outcome.Disagreement) {
	for _, d := range list {
		i := slices.IndexFunc(j.found, func(e outcome.Disagreement) bool { return d.Kind == e.Kind && slices.Equal(d.Blamed, e.Blamed) })
		if i < 0 {
			j.found = append(j.found, d)
			continue
		}
		if e := j.found[i]; d.Size < e.Size || d.Size == e.Size && (d.Shortest && !e.Shortest || d.Shortest == e.Shortest && d.Word < e.Word) {
			j.found[i] = d
		}
	}
}

// sorted returns the disagreements in an order that does not depend on how they were found.
func (j *certifier) sorted() []outcome.Disagreement {
	slices.SortFunc(j.found, func(d, e outcome.Disagreement) int {
		if c := cmp.Compare(e.Kind, d.Kind); c != 0 { // missing first
			return c
		}
		return strings.Compare(fmt.Sprint(d.Blamed), fmt.Sprint(e.Blamed))
	})
	return j.found
}

// certifiedShare is how many random words there are for one that is looked at by package
// certify even if package omega finds nothing wrong on it.
const certifiedShare = 5

// tryWords compares each automaton with the formula on n random words, by the quick membership test of
// package omega. It stops at the first word that can't be certified. The error is that the whole run was
// canceled.
func (j *certifier) tryWords(ctx context.Context, alphabet *omega.Alphabet, n int, r *rand.Rand) error {
	for i := range n {
		w := random.Word(r, alphabet, 4, 4).Concrete()
		// A word on which somebody is wrong is certified, and so are some of the others: an error of the test
		// must not go unnoticed.
		wrong, err := j.suspicious(ctx, w)
		if err == nil && !wrong && i%certifiedShare > 0 {
			continue
		}
		var found []outcome.Disagreement
		if err == nil {
			found, err = j.entries(ctx, w)
		}
		if none := errors.Is(err, errNobody); none && !wrong {
			continue
		} else if err == nil && !wrong || none {
			err = fmt.Errorf("the membership test says that a translator is wrong: %v, and the certificate says the opposite", wrong)
		}
		if err != nil {
			return j.uncertified(ctx, w, err) // the other words would fail in the same way
		}
		j.add(found...)
	}
	return nil
}

// suspicious reports whether some automaton is wrong on a word according to package omega.
func (j *certifier) suspicious(ctx context.Context, w *omega.Word) (bool, error) {
	truth, err := j.specification.quick(ctx, w)
	if err != nil {
		return false, err
	}
	for _, m := range j.members {
		accepts, err := m.language.Automaton().Accepts(ctx, w)
		if err != nil {
			return false, fmt.Errorf("%s: %w", m.name(), err)
		}
		if accepts != m.shouldAccept(truth) {
			return true, nil
		}
	}
	return false, nil
}

// errNobody says that a word shows no disagreement.
var errNobody = errors.New("no automaton is wrong on this word")

// accepts is the answer of package certify.
func (m *member) accepts(ctx context.Context, w *certify.Word) (bool, error) {
	return certify.Accepts(ctx, m.automaton(), w)
}

// automaton returns the automaton for package certify.
func (m *member) automaton() *certify.Automaton {
	if m.plain == nil {
		m.plain = m.language.Automaton().Plain()
	}
	return m.plain
}

// confirm asks the tools again, each in a process of its own, for the outputs that the case blames though
// other formulas came before them in their process. It reports whether an output has changed, so that the
// case has to be checked again.
func (x *caseRun) confirm(ctx context.Context, c *outcome.Case) (again bool, err error) {
	for i := range x.calls {
		call := &x.calls[i]
		out := call.out
		if !blames(c, i) {
			continue
		}
		// Earlier formulas, or an answer that came late, may be to blame, however often a fresh process was wrong
		// before. Each output is asked for again at most once, and once more with other names of propositions.
		if !out.Alone {
			fresh, err := x.fresh(ctx, call)
			if err != nil {
				return false, err
			}
			x.flow.holds(x.index, fresh.Size)
			atomic.AddInt64(&x.read, fresh.Size)
			changed := different(ctx, out, fresh)
			unstable := changed && !x.alike(ctx, c, call.Subject, out, fresh)
			if unstable {
				out.Distrust()
			}
			call.out = confirmed(out, fresh, unstable)
			if changed {
				again = true
				continue
			}
		}
		changed, err := x.renamed(ctx, c, call)
		if err != nil {
			return false, err
		}
		again = again || changed
	}
	return again, nil
}

// blames reports whether something is wrong with result i. (What else is odd about
// an output does not depend on its formula.)
func blames(c *outcome.Case, i int) bool {
	r := &c.Results[i]
	return r.Failed() ||
		slices.ContainsFunc(c.Disagreements, func(d outcome.Disagreement) bool { return slices.Contains(d.Blamed, r.Subject) }) ||
		slices.ContainsFunc(c.Findings, func(f outcome.Finding) bool {
			return f.Subject == r.Subject && (f.Class == outcome.FalseProperty || f.Class == outcome.UnknownProposition || f.Class == outcome.PropositionCase)
		})
}

// different reports whether two outputs for the same formula are not the same: other
// automata up to names, or automata of which other things are said.
func different(ctx context.Context, kept, fresh *translators.Output) bool {
	x, y := kept.Automaton, fresh.Automaton
	if kept.Status != fresh.Status || (x == nil) != (y == nil) {
		return true
	}
	if x == nil {
		return false
	}
	// A process may number propositions in the order in which it has met them.
	if !slices.Equal(claims(x), claims(y)) {
		return true
	}
	alphabet := omega.Union(x.Alphabet(), y.Alphabet())
	x, errX := x.Over(ctx, alphabet)
	y, errY := y.Over(ctx, alphabet)
	return errX != nil || errY != nil || identity(x) != identity(y)
}

// sameWords is on how many random words two automata that are not the same must agree.
const sameWords = 50

// alike reports whether two outputs are the same but for the numbers of states and other
// things that a tool may choose at random: whether they agree on the words that the case
// blames the first for, and on random ones. Equality would take complements. An
// answer to another question soon differs on a random word.
func (x *caseRun) alike(ctx context.Context, c *outcome.Case, s outcome.Subject, kept, fresh *translators.Output) bool {
	a, b := kept.Automaton, fresh.Automaton
	if a == nil || b == nil || kept.Status != fresh.Status || !slices.Equal(claims(a), claims(b)) {
		return false
	}
	alphabet := omega.Union(a.Alphabet(), b.Alphabet()) // each may lack propositions of the other
	agree := func(w *omega.Word) bool {
		inA, errA := a.Accepts(ctx, w)
		inB, errB := b.Accepts(ctx, w)
		return (errA == nil) == (errB == nil) && inA == inB // what can't be decided of either is no difference
	}
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		if word := x.words[d.Word]; slices.Contains(d.Blamed, s) && !agree(word.Over(omega.Union(word.Alphabet, alphabet))) {
			return false
		}
	}
	r := rand.New(rand.NewPCG(uint64(a.NumStates()), uint64(b.NumStates()))) // the same words in each run
	for range sameWords {
		if !agree(random.Word(r, alphabet, 3, 3).Concrete()) {
			return false
		}
	}
	return true
}

// claims returns what an automaton declares of itself and its propositions, sorted.
func claims(a *omega.Automaton) []string {
	list := slices.Sorted(slices.Values(a.Alphabet().Props()))
	return append(append(list, a.Declared.AccName), a.Declared.Properties...)
}

// confirmed returns the output of a fresh process, with the oddities of the output of a process that was kept
// alive.
func confirmed(kept, fresh *translators.Output, odd bool) *translators.Output {
	out := *fresh
	out.Alone = true
	out.Oddities = slices.Clone(kept.Oddities)
	// A difference that is not due to chance is odd as well, unless both are failures. If the answer
	// belongs to another question, so does its name.
	if text := unstable(kept, fresh); odd && text != "" {
		out.Oddities = slices.DeleteFunc(out.Oddities, func(o translators.Oddity) bool { return o.Class == outcome.OtherName })
		out.Oddities = append(out.Oddities, translators.Oddity{Class: outcome.Unstable, Text: text})
	}
	for _, o := range fresh.Oddities {
		if !slices.Contains(out.Oddities, o) {
			out.Oddities = append(out.Oddities, o)
		}
	}
	return &out
}

// unstable says how two outputs differ; "" if neither is an automaton.
func unstable(kept, fresh *translators.Output) string {
	x, y := kept.Automaton, fresh.Automaton
	switch {
	case x != nil && y != nil:
		return fmt.Sprintf("the kept-alive process and a fresh one gave different automata (%d states and %d edges, %d states and %d edges)",
			x.NumStates(), x.NumEdges(), y.NumStates(), y.NumEdges())
	case x != nil:
		return fmt.Sprintf("the kept-alive process gave an automaton, but a fresh one failed (%s)", fresh.Status)
	case y != nil:
		return fmt.Sprintf("the kept-alive process failed (%s), but a fresh one gave an automaton", kept.Status)
	}
	return ""
}
