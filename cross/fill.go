package cross

import (
	"context"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// fill does the checks, as long as ctx allows, which is run or ends before it. At the time limit of
// the case, it keeps what was found by then, and says what was under way. The error is that
// the whole run was canceled, that the time limit was reached, or an internal one.
func (x *caseRun) fill(run, ctx context.Context, c *outcome.Case) error {
	ctx = x.Limits.WithMemory(ctx)
	alphabet, err := x.find(ctx, c)
	var list members
	given := 0
	if err == nil {
		x.stage.enter("reference translation")
		list, given, err = x.members(ctx, c, alphabet)
	}
	if err != nil {
		if late(ctx) {
			c.Undecided = append(c.Undecided, x.undecided(ctx, ""))
		}
		return err
	}
	ch := &checker{
		ctx:     ctx,
		stage:   x.stage,
		decider: productcheck.Decider{Limits: x.Limits, Algorithm: x.Complement, Emptiness: x.Emptiness},
		members: list,
		trusts:  x.quick,
	}
	short, err := x.tryShortWords(ctx, c, list.all(), alphabet)
	if err == nil {
		ch.tell = func(words ...*omega.Word) { x.tell(ctx, c, ch, words) }
		ch.tell(short.words()...)
		err = x.compare(ctx, c, ch, alphabet)
	}
	if err != nil && !late(ctx) {
		return err
	}
	if x.NoChecks {
		c.Undecided = append(c.Undecided, ch.undone...)
		if err != nil {
			c.Undecided = append(c.Undecided, x.undecided(ctx, ""))
		}
		return err
	}
	c.Checked = given > 1 || given == 1 && (x.Words > 0 || short.size > 0) && x.given == nil
	j := &certifier{words: x.words, specification: x.specification(alphabet, list.all()), members: list.all(), decider: &ch.decider}
	if err != nil {
		c.Checked = short.size > 0 || slices.ContainsFunc(ch.done, func(d outcome.Check) bool { return d.Verdict != outcome.NotDecided })
		ch.undone = append(ch.undone, x.undecided(ctx, ""))
		inTime, cancel := context.WithTimeout(run, certifying)
		x.certify(inTime, ch, j)
		x.addShortWords(inTime, c, ch, j, short)
		cancel()
		c.Disagreements = append(c.Disagreements, j.sorted()...)
	} else {
		x.stage.enter("certification of words")
		x.certify(ctx, ch, j)
		if err = x.checkWords(ctx, c, j, alphabet, ch, short); err != nil && !late(ctx) {
			return err
		} else if err != nil {
			ch.undone = append(ch.undone, x.undecided(ctx, ""))
		}
	}
	finish(c, ch, j)
	return err
}

// finish adds what the checks and the words have shown, but for the disagreements.
func finish(c *outcome.Case, ch *checker, j *certifier) {
	c.Undecided = append(append(c.Undecided, ch.undone...), j.undone...)
	c.Checks = append(c.Checks, ch.done...)
	c.Errors = append(c.Errors, j.errors...)
	c.Witnesses = j.witnesses
}

// keep notes what the case would be if it ended now.
func (x *caseRun) keep(c *outcome.Case, ch *checker, j *certifier) {
	k := *c
	k.Results = slices.Clone(c.Results)
	k.Undecided, k.Checks, k.Errors = slices.Clip(c.Undecided), slices.Clip(c.Checks), slices.Clip(c.Errors)
	k.Findings = slices.Clone(c.Findings)
	k.Disagreements = append([]outcome.Disagreement{}, j.sorted()...)
	finish(&k, ch, j)
	x.stage.kept.Store(&k)
}

// compare does the checks of automata with each other, and of what they declare.
func (x *caseRun) compare(ctx context.Context, c *outcome.Case, ch *checker, alphabet *omega.Alphabet) (err error) {
	switch {
	case x.NoChecks:
	case x.NoComplement:
		err = ch.between(ch.members[0], ch.members[1], false)
	case x.AllPairs:
		err = ch.allPairs()
	default:
		err = ch.byClasses()
	}
	if err == nil {
		x.stage.enter("products with state spaces")
		err = ch.byProducts(c, &x.Products, alphabet, !x.NoChecks)
	}
	if err == nil && x.Properties && !x.NoChecks {
		err = x.properties(ctx, c, ch)
	}
	if err == nil && !x.quick && !x.NoChecks {
		x.stage.enter("proofs")
		err = x.prove(ctx, c, ch, alphabet)
	}
	return err
}

// certify certifies the words that the checks have found.
func (x *caseRun) certify(ctx context.Context, ch *checker, j *certifier) {
	for i := range ch.found {
		w := &ch.found[i]
		if ctx.Err() != nil || j.certify(ctx, w) != nil {
			ch.undone = append(ch.undone, outcome.Undecided{Check: w.check, Text: w.text, Why: "no time left to certify the word " + w.String()})
		}
	}
}

// checkWords takes the short words, tries random ones, and makes disagreements of all that are wrong.
// The error is that ctx is done, or an internal one.
func (x *caseRun) checkWords(ctx context.Context, c *outcome.Case, j *certifier, alphabet *omega.Alphabet, ch *checker, short *shortWords) (err error) {
	x.keep(c, ch, j)
	err = x.addShortWords(ctx, c, ch, j, short)
	if err == nil && len(j.members) > 0 && (!x.quick || len(ch.undone) > 0) {
		x.stage.enter("random words")
		// Words of this case: they depend on nothing but the formula, or the automaton.
		err = j.tryWords(ctx, alphabet, x.Words, rand.New(rand.NewPCG(hash(x.name()), 0)))
	}
	if err == nil && !x.quick {
		x.keep(c, ch, j)
		x.stage.enter("shortest words")
		err = j.shorten(ctx)
	}
	if err == nil {
		short.agree(j)
	}
	c.Disagreements = append(c.Disagreements, j.sorted()...)
	if err == nil && !x.quick {
		x.keep(c, ch, j)
		x.stage.enter("propositions that play no part")
		if err = j.generalize(ctx, c.Disagreements); err == nil {
			err = j.prefixes(ctx, c.Disagreements)
		}
	}
	if err == nil && !x.quick {
		x.keep(c, ch, j)
		x.stage.enter("explanations")
		err = x.explain(ctx, c, j)
	}
	return err
}

// hash returns the FNV hash of a text.
func hash(text string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	return h.Sum64()
}
