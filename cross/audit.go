package cross

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// A passed check has no certificate: a search that ends too early, or a complement that
// lacks a word, hides a disagreement. So some of the passed checks are audited, that is,
// decided again in four other ways:
//
//   - by a naive product, certify.Disjoint, of the automata as they were read and of their
//     complements: certify.Complement of deterministic ones, and of others one that is made
//     in full by another construction, the first for which the product is small enough;
//   - on words: all of the smallest size on, random ones, and those of walks through the two
//     automata, by package certify;
//   - by package forq, which makes no complement, on the automata as they were read, if the
//     check needs one complement;
//   - by productcheck's Again, which has no limit of size: other complements, another
//     emptiness check, no reduction, the sides exchanged.
//
// A word that one of them finds contradicts the check, which is an internal error. The
// automata of a case with an audited check are compared with the formula as well, see tryWalks.
// A naive product of automata and complements that are all by package certify is enough.

// Bounds of an audit.
const (
	auditTime   = 2 * time.Second
	auditStates = 1000    // of a complement that is made in full
	auditArcs   = 1 << 17 // of a naive product
	auditSteps  = 1 << 22 // of an inclusion check, some 60 ms
)

// auditEvery has all cases with a small number audited, and later ones whose number is a
// power of two, by one passed check at least: so that also a short run has some.
const auditEvery = 16

// audited returns which of the passed checks of the case are to be audited. It depends on
// nothing but the case.
func (x *caseRun) audited(passed []passedCheck, done []outcome.Check) (list []passedCheck) {
	if x.Audit == 0 || len(passed) == 0 {
		return nil
	}
	least, first := uint64(math.MaxUint64), passed[0]
	for _, p := range passed {
		n := mixed(hash(x.name() + "\x00" + done[p.done].Check))
		if float64(n)/math.MaxUint64 < x.Audit {
			list = append(list, p)
		}
		if n < least {
			least, first = n, p
		}
	}
	if len(list) == 0 && (x.index < auditEvery || x.index&(x.index-1) == 0) {
		list = append(list, first)
	}
	return list
}

// hash returns the FNV hash of a text.
func hash(text string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	return h.Sum64()
}

// mixed spreads a hash over all numbers: FNV's high bits depend little on the last bytes.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// audit decides checks that have passed again. It takes at most half of the time that the case has
// left: the checks have been decided, and what they need to be reported comes first. An audit that
// does not end by then leaves its check passed, and not audited. The error is that the whole run was
// canceled, or the case has no time left.
func (x *caseRun) audit(ctx context.Context, c *outcome.Case, ch *checker, alphabet *omega.Alphabet) error {
	until := halfTime(ctx)
	for _, p := range x.audited(ch.passed, ch.done) {
		check := &ch.done[p.done]
		if time.Now().After(until) {
			check.Unaudited = true
			continue
		}
		contradiction, decided, err := ch.again(ctx, until, alphabet, &p)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			c.Errors = append(c.Errors, fmt.Sprintf("internal error: audit of the check %q: %v", p.text(), err))
		case contradiction != nil:
			contradiction.Check = check.Check
			c.Contradictions = append(c.Contradictions, *contradiction)
			c.Errors = append(c.Errors, "internal error: "+contradiction.String())
		}
		check.Audited, check.Unaudited = decided, !decided && err == nil
	}
	return nil
}

// halfTime returns when half of the time that ctx has left will be over.
func halfTime(ctx context.Context) time.Time {
	now := time.Now()
	end, ok := ctx.Deadline()
	if !ok {
		return now.Add(math.MaxInt64)
	}
	return now.Add(end.Sub(now) / 2)
}

// found is what a way of an audit has found: that the sides share a word, and which, if the
// way tells; or for sure that they do not, by package certify alone.
type found struct {
	some bool
	word *omega.Word
	sure bool
}

// again decides a passed check in all the ways of an audit, each within its limits, and all until
// some time. It returns the contradiction, if there is one, and whether the check was decided again.
// The error is that the whole run was canceled, or that a way failed.
func (c *checker) again(ctx context.Context, until time.Time, alphabet *omega.Alphabet, p *passedCheck) (*outcome.Contradiction, bool, error) {
	decided, some := false, false
	for _, way := range []struct {
		name   string
		decide func(context.Context, *omega.Alphabet, *passedCheck) (found, error)
	}{{"product", c.byNaiveProduct}, {"words", c.byWords}, {"forq", c.byForq}, {"search", c.bySearch}} {
		inner, cancel := context.WithTimeout(ctx, min(auditTime, time.Until(until)))
		f, err := way.decide(inner, alphabet, p)
		late := inner.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case err == nil && f.some && f.word != nil:
			x, err := c.contradiction(ctx, p, way.name, f.word)
			return x, true, err
		case err == nil && f.some:
			some = true // and another way may find the word
		case err == nil && f.sure:
			return nil, true, nil
		case err == nil:
			decided = decided || way.name != "words" // which only refute
		case !late && !isAuditLimit(err):
			return nil, false, err
		}
	}
	if some {
		x, err := c.contradiction(ctx, p, "product", nil)
		return x, true, err
	}
	return nil, decided, nil
}

// isAuditLimit reports whether an error says that an audit would take too much.
func isAuditLimit(err error) bool {
	var over *omega.LimitError
	return errors.As(err, &over) || errors.Is(err, certify.ErrLarge) || errors.Is(err, certify.ErrNotWeak) ||
		errors.Is(err, omega.ErrNotWeak) || errors.Is(err, complement.ErrUnfit)
}

// contradiction describes a passed check whose sides share a word after all.
func (c *checker) contradiction(ctx context.Context, p *passedCheck, way string, w *omega.Word) (*outcome.Contradiction, error) {
	x := &outcome.Contradiction{Way: way,
		Left:  outcome.ContradictionSide{Subject: p.x.subjects[0], Complement: !p.inX},
		Right: outcome.ContradictionSide{Subject: p.y.subjects[0], Complement: !p.inY}}
	var err error
	if x.Left.HOA, err = text(ctx, p.x.language.Automaton()); err != nil {
		return nil, err
	}
	if x.Right.HOA, err = text(ctx, p.y.language.Automaton()); err != nil || w == nil {
		return x, err
	}
	x.Word = w.String()
	_, x.Certified, err = p.has(ctx, w)
	return x, err
}

func (c *checker) byWords(ctx context.Context, alphabet *omega.Alphabet, p *passedCheck) (found, error) {
	for w := range auditedWords(alphabet, p.x.automaton(), p.y.automaton()) {
		if _, both, err := p.has(ctx, w); err != nil || both {
			return found{some: both, word: w}, err
		}
	}
	return found{}, nil
}

// byNaiveProduct decides the check by a naive product. Where a complement makes it too large, it
// tries others.
func (c *checker) byNaiveProduct(ctx context.Context, _ *omega.Alphabet, p *passedCheck) (f found, err error) {
	var used complement.Algorithm
	if by := p.first.Constructions; len(by) > 0 {
		used = by[len(by)-1]
	}
	for _, by := range complement.Others(used) {
		var sure bool
		if f, sure, err = naiveProduct(ctx, p, by); sure || !isAuditLimit(err) {
			break
		}
	}
	return f, err
}

// naiveProduct decides the check by a naive product, with complements by the given construction
// where package certify has none. It is sure if it needs none.
func naiveProduct(ctx context.Context, p *passedCheck, by complement.Algorithm) (f found, sure bool, err error) {
	x, sureX, err := plainSide(ctx, p.x, p.inX, by)
	if err != nil {
		return found{}, false, err
	}
	y, sureY, err := plainSide(ctx, p.y, p.inY, by)
	if err != nil {
		return found{}, false, err
	}
	sure = sureX && sureY
	disjoint, err := certify.Disjoint(ctx, x, y, auditArcs)
	return found{some: err == nil && !disjoint, sure: err == nil && disjoint && sure}, sure, err
}

// plainSide returns the automaton of a side as it was read, or a complement: by package certify
// if the automaton is deterministic, or else by the given construction. It is sure if no package
// but certify had a part in it.
func plainSide(ctx context.Context, m *member, in bool, by complement.Algorithm) (side *certify.Automaton, sure bool, err error) {
	if in {
		return m.automaton(), true, nil
	}
	if co, err := certify.Complement(m.automaton()); err == nil {
		return co, true, nil
	}
	src, err := complement.Other(ctx, by, m.language.Automaton(), auditStates)
	if err != nil {
		return nil, false, err
	}
	whole, err := omega.Explore(ctx, src, auditStates)
	if err != nil {
		return nil, false, err
	}
	return whole.Plain(), false, nil
}

func (c *checker) bySearch(ctx context.Context, _ *omega.Alphabet, p *passedCheck) (found, error) {
	w, err := c.decider.Again(ctx, p.first, p.x.language.Automaton(), p.inX, p.y.language.Automaton(), p.inY)
	return found{some: w != nil, word: w}, err
}

// byForq decides the check as the inclusion of one automaton in another, if it needs one complement
// and was not decided so.
func (c *checker) byForq(ctx context.Context, _ *omega.Alphabet, p *passedCheck) (found, error) {
	if p.inX == p.inY || p.first.By == productcheck.ByForq {
		return found{}, complement.ErrUnfit
	}
	sides := [2]*omega.Automaton{p.x.language.Automaton(), p.y.language.Automaton()}
	for i, a := range sides {
		var err error
		if sides[i], err = complement.Nonalternating(ctx, a, auditStates); err != nil {
			return found{}, err
		}
	}
	if p.inY {
		sides[0], sides[1] = sides[1], sides[0]
	}
	r, err := forq.Check(ctx, sides[0], sides[1], forq.Limits{States: auditStates, Steps: auditSteps})
	if err != nil || r.Included() {
		return found{}, err
	}
	return found{some: true, word: r.Word.Concrete()}, nil
}
