package cross

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// seededCore names a file for the counts of a build whose core has a bug. Then internal errors
// are no failures of TestTrust.
const seededCore = "XCHECK_SEEDED_CORE"

// trustCounts says how the answers of xcheck on the corpus agree with the truth.
type trustCounts struct {
	Cases  answers // a wrong translator beside the reference, with all proofs
	Checks answers // of two automata, by xcheck compare and xcheck intersect
	// Unproved counts the cases whose disagreement no check has found, but that are not proved either.
	Unproved int
	// Short are the same cases with all short words, but without random words and without proofs.
	// ShortAlone counts those in which a short word refutes a check that has passed.
	Short      answers
	ShortAlone int
}

// answers counts answers. Each is counted once, as the first of these that it is.
type answers struct {
	FalseAlarms int // a difference is reported that does not exist
	Errors      int // internal errors
	Undecided   int
	Hidden      int // a difference is not reported
	Right       int
}

// TestTrust compares the answers of xcheck with the truth that another tool has computed:
// about recorded automata that were mutated, and about pairs of automata.
func TestTrust(t *testing.T) {
	var trust trustCounts
	var mu sync.Mutex
	inParallel(corpus.Records[mutant](t, "mutants.jsonl.gz"), func(m mutant) {
		verdict, unproved, why := m.examine(t, Options{Words: 20, Prove: ProveAll})
		short, refuted, shortWhy := m.examine(t, Options{Exhaustive: Cheap})
		mu.Lock()
		defer mu.Unlock()
		trust.Cases.count(verdict)
		if unproved {
			trust.Unproved++
		}
		trust.Short.count(short)
		if refuted {
			trust.ShortAlone++
		}
		complain(t, verdict, "%s, %s of %s: %s\n%s", m.Formula, m.Mutation, m.Tool, why, m.HOA)
		if short != hidden || os.Getenv(seededCore) == "" { // by longer words
			complain(t, short, "short words: %s, %s of %s: %s\n%s", m.Formula, m.Mutation, m.Tool, shortWhy, m.HOA)
		}
	})
	inParallel(corpus.Records[recordedPair](t, "pairs.jsonl.gz"), func(p recordedPair) {
		for _, q := range p.questions() {
			verdict, why := q.ask()
			mu.Lock()
			trust.Checks.count(verdict)
			if verdict != hidden || os.Getenv(seededCore) == "" { // which no proof is there to find
				complain(t, verdict, "%s, %s: %s\n%s\n%s", p.Kind, q.name, why, p.A, p.B)
			}
			mu.Unlock()
		}
	})
	t.Logf("%+v", trust)
	if trust.Cases.sum() < 700/trustShare || trust.Checks.sum() < 900/trustShare {
		t.Error("too few records")
	}
	if name := os.Getenv(seededCore); name != "" {
		text, err := json.Marshal(trust)
		if err == nil {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A trustVerdict is a field of answers.
type trustVerdict uint8

const (
	falseAlarm trustVerdict = iota
	internalError
	leftOpen
	hidden
	right
)

func (v trustVerdict) String() string {
	return [...]string{"false alarm", "internal error", "undecided", "hidden", "right"}[v]
}

func (a *answers) count(v trustVerdict) {
	*[...]*int{&a.FalseAlarms, &a.Errors, &a.Undecided, &a.Hidden, &a.Right}[v]++
}

func (a *answers) sum() int { return a.FalseAlarms + a.Errors + a.Undecided + a.Hidden + a.Right }

// complain reports an answer that is not right. A core with a bug may end in internal errors.
func complain(t *testing.T, v trustVerdict, format string, args ...any) {
	t.Helper()
	if v == right || os.Getenv(seededCore) != "" && v != falseAlarm && v != hidden {
		return
	}
	t.Errorf("%s: %s", v, fmt.Sprintf(format, args...))
}

// trustShare is how many records there are for one that is asked about without a campaign, and seededShare
// in a build with a bug: some bugs have an effect on one record in fifty.
const trustShare, seededShare = 48, 16

// inParallel calls do for each record, two at a time; without a campaign for some of them.
func inParallel[Record any](records iter.Seq[Record], do func(Record)) {
	queue := make(chan Record)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for r := range queue {
				do(r)
			}
		})
	}
	share := trustShare
	if os.Getenv(seededCore) != "" {
		share = seededShare
	}
	for r := range campaign.Sample(records, share) {
		queue <- r
	}
	close(queue)
	workers.Wait()
}

// A mutant is a recorded automaton of a formula after a mutation, and how it differs from the formula.
type mutant struct {
	Formula, Tool, Mutation, HOA string
	Missing, Extra               bool
}

// examine makes the case in which a translator gives the mutant. It returns the verdict on the answer,
// and why. again reports whether only the second look noticed something: the check of a proof, or of a
// short word without one. A wrong automaton is never proved, even by a wrong search.
func (m *mutant) examine(t *testing.T, o Options) (v trustVerdict, again bool, why string) {
	var c *outcome.Case
	ask := func(_ *translators.Tool, f *ltl.Formula) *translators.Output {
		if f.String() != c.Formula {
			return &translators.Output{Alone: true, Outcome: translators.Outcome{Status: outcome.Skipped}}
		}
		a, _, err := hoa.ReadOne(t.Context(), []byte(m.HOA))
		if err != nil {
			panic(err)
		}
		return &translators.Output{Outcome: translators.Outcome{Status: outcome.OK}, Automaton: a, Alone: true}
	}
	o.Tools, o.Reference = tools("mutant"), translate.Of
	r := fake(&o, ask, ask)
	c = &outcome.Case{Formula: parse(t, m.Formula).String()}
	c = caseOf(t, r, m.Formula)
	kinds := map[outcome.Kind]bool{}
	for _, d := range c.Disagreements {
		if why := m.refute(&d); why != "" {
			return falseAlarm, false, why
		}
		kinds[d.Kind] = true
	}
	lacking := m.Missing && !kinds["missing"] || m.Extra && !kinds["extra"]
	refuted := len(c.Contradictions) > 0
	byProof := 0
	for _, text := range c.Errors {
		if strings.HasPrefix(text, "internal error: proof of ") {
			byProof++
		}
	}
	if (m.Missing || m.Extra) && slices.ContainsFunc(c.Results, func(r outcome.Result) bool { return r.Proved }) {
		t.Errorf("%s, %s of %s: a wrong automaton is proved", m.Formula, m.Mutation, m.Tool)
	}
	switch {
	case len(c.Errors) > 0:
		return internalError, refuted || lacking && len(c.Errors) == byProof, strings.Join(c.Errors, "\n")
	case lacking && len(c.Undecided) > 0:
		return leftOpen, false, fmt.Sprint(c.Undecided)
	case lacking && o.Prove == ProveAll && os.Getenv(seededCore) != "":
		return leftOpen, true, "" // not proved, as it should be
	case lacking:
		return hidden, false, fmt.Sprintf("missing %v, extra %v; found %v by %+v", m.Missing, m.Extra, kinds, c.Checks)
	}
	return right, false, ""
}

// refute returns why a disagreement is wrong, or "".
func (m *mutant) refute(d *outcome.Disagreement) string {
	if d.Kind == "missing" && !m.Missing || d.Kind == "extra" && !m.Extra {
		return fmt.Sprintf("%v are blamed: %s", d.Blamed, d.Kind)
	}
	if !slices.Equal(d.Blamed, []outcome.Subject{{Translator: "mutant"}}) {
		return fmt.Sprintf("%v are blamed", d.Blamed)
	}
	word, err := certify.ParseWord(d.Word)
	if err != nil {
		return err.Error()
	}
	f, err := ltl.NewStore().Parse(m.Formula, ltl.Spot)
	if err != nil {
		return err.Error()
	}
	truth, err := certify.Holds(context.Background(), f, word)
	if err != nil || truth != (d.Kind == "missing") {
		return fmt.Sprintf("the formula is %v on %s (%v)", truth, d.Word, err)
	}
	return ""
}

// A recordedPair is two automata, and which inclusions are true, where that is known.
type recordedPair struct {
	Kind, A, B string
	Intersect  *bool `json:"intersect"`
	AInB       *bool `json:"a_in_b"`
	BInA       *bool `json:"b_in_a"`
}

// A question is whether two automata, or one and the complement of another, share a word.
type question struct {
	name       string
	x, y       string
	complement bool // of y
	shared     bool // the truth
}

func (p *recordedPair) questions() (list []question) {
	if p.Intersect != nil {
		list = append(list, question{"intersect", p.A, p.B, false, *p.Intersect})
	}
	if p.AInB != nil {
		list = append(list, question{"A & !B", p.A, p.B, true, !*p.AInB})
	}
	if p.BInA != nil {
		list = append(list, question{"B & !A", p.B, p.A, true, !*p.BInA})
	}
	return list
}

// ask decides the question as the commands do.
func (q *question) ask() (v trustVerdict, why string) {
	panicked, err := guard.Call(func() (err error) {
		v, err = q.decide(context.Background())
		return err
	})
	if panicked != "" {
		return internalError, panicked
	}
	if err != nil {
		return internalError, err.Error()
	}
	return v, ""
}

func (q *question) decide(ctx context.Context) (trustVerdict, error) {
	x, _, err := hoa.ReadOne(ctx, []byte(q.x))
	if err != nil {
		return 0, err
	}
	y, _, err := hoa.ReadOne(ctx, []byte(q.y))
	if err != nil {
		return 0, err
	}
	alphabet := omega.Union(x.Alphabet(), y.Alphabet())
	if x, err = x.Over(ctx, alphabet); err != nil {
		return 0, err
	}
	if y, err = y.Over(ctx, alphabet); err != nil {
		return 0, err
	}
	first, second := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
	d := productcheck.Decider{}
	r, err := d.Decide(ctx, first.In(), productcheck.Side{Language: second, In: !q.complement})
	switch {
	case err != nil:
		return 0, err
	case r.Undecided != nil:
		return leftOpen, nil
	case r.Empty() && q.shared:
		return hidden, nil
	case r.Empty():
		return right, nil
	}
	in, out := []*productcheck.Language{first, second}, []*productcheck.Language(nil)
	if q.complement {
		in, out = in[:1], in[1:]
	}
	w, err := d.Shortest(ctx, r.Word.Concrete(), in, out)
	if err != nil {
		return 0, err
	}
	for i, l := range slices.Concat(in, out) {
		if err := l.Automaton().Certify(ctx, w.Word, i < len(in)); err != nil {
			return 0, err
		}
	}
	if !q.shared {
		return falseAlarm, nil
	}
	return right, nil
}
