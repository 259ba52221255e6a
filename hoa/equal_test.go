package hoa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/promela"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// conditions returns a condition of each family, several random ones, and one of many marks.
func conditions(r *rand.Rand) (list []omega.Acceptance) {
	names := []string{"all", "none", "Buchi", "co-Buchi", "generalized-Rabin 2 1 2", "generalized-Rabin 1 0", "generalized-Rabin 2 0 2", "generalized-Buchi 40"}
	for n := range 4 {
		for _, name := range []string{"generalized-Buchi", "generalized-co-Buchi", "Rabin", "Streett",
			"parity min even", "parity min odd", "parity max even", "parity max odd"} {
			names = append(names, fmt.Sprintf("%s %d", name, n))
		}
	}
	for _, name := range names {
		list = append(list, must.Get(omega.NamedAcceptance(name)))
	}
	list = append(list, omega.Acceptance{Sets: 2, Condition: omega.AnyOf(omega.Inf(0), omega.Inf(1))})
	for n := range 6 {
		list = append(list, omega.Acceptance{Sets: 1 + n, Condition: random.Condition(r, 1+n, 0.3)})
	}
	return list
}

// conditionForms are conditions that say the same of other marks.
var conditionForms = []struct {
	name string
	of   func(c omega.Acceptance) omega.Acceptance
}{
	{"as named", func(c omega.Acceptance) omega.Acceptance { return c }},
	{"complemented", func(c omega.Acceptance) omega.Acceptance { return c }}, // see complemented
	{"unused", func(c omega.Acceptance) omega.Acceptance {
		return omega.Acceptance{Sets: 2*c.Sets + 2, Condition: c.Condition.Renumber(func(i int) int { return 2*i + 1 })}
	}},
	{"doubled", func(c omega.Acceptance) omega.Acceptance {
		return omega.Acceptance{Sets: c.Sets, Condition: omega.AllOf(omega.AnyOf(c.Condition, c.Condition), c.Condition)}
	}},
}

// complemented returns the automaton whose text has !i for each mark i of the condition.
func complemented(t *testing.T, a *omega.Automaton) *omega.Automaton {
	var text bytes.Buffer
	must.Do(hoa.Write(t.Context(), &text, a))
	lines := slices.DeleteFunc(strings.Split(text.String(), "\n"), func(l string) bool { return strings.HasPrefix(l, "acc-name:") })
	return parsed(t, strings.NewReplacer("Inf(", "Inf(!", "Fin(", "Fin(!").Replace(strings.Join(lines, "\n")))
}

var startForms = []struct {
	name string
	of   func(a *omega.Automaton) *omega.Automaton
}{
	{"no states", func(a *omega.Automaton) *omega.Automaton {
		return omega.NewBuilder(a.Alphabet(), a.Acceptance()).Automaton()
	}},
	{"no initial state", func(a *omega.Automaton) *omega.Automaton { return must.Get(a.From()) }},
	{"one initial state", func(a *omega.Automaton) *omega.Automaton { return must.Get(a.From(1)) }},
	{"two initial states", func(a *omega.Automaton) *omega.Automaton { return must.Get(a.From(2, 0)) }},
}

// TestWritten: what is written in a format is read as an automaton of the same language and name,
// or the error says why it can't be written. That is compared by products with complements, and by
// certify on random words.
func TestWritten(t *testing.T) {
	ctx, r := t.Context(), rand.New(rand.NewPCG(campaign.Seed(t, 3), 0))
	tried, equal, refused := 0, map[string]int{}, map[string]int{}
	props := [][]string{{"a"}, {"p0", "Req"}, {"x == 1"}, {}, {"with space", "\"\\\n}"}, {"t", "G", "P[1]@l"}}
	titles := []string{"", "G(a) */ {\"", "never { T0_init: /* ", "HOA: v1\nStates: 2\n--END--", "2 1t\n0 1"}
	for _, c := range conditions(r) {
		for _, marks := range conditionForms {
			for _, start := range startForms {
				for _, onStates := range []bool{false, true} {
					alphabet := omega.NewAlphabet(props[r.IntN(len(props))]...)
					a := random.Automaton(r, alphabet, marks.of(c), random.Options{States: 3, Density: 0.5, Marks: 0.3, StateMarks: onStates})
					if marks.name == "complemented" {
						a = complemented(t, a)
					}
					a = start.of(a)
					a.Name = titles[r.IntN(len(titles))]
					for _, f := range hoa.Formats() {
						if f.Write == nil || !f.Readable() {
							continue
						}
						tried++
						if why := written(ctx, r, f, a); why == "" {
							equal[f.Name]++
						} else if refused[f.Name]++; !strings.HasPrefix(why, "refused: ") || f.Name == "hoa" {
							t.Errorf("%s, %s, marks %s, on states: %v, %s, %q: %s", f.Name, c, marks.name, onStates, start.name, alphabet.Props(), why)
						}
					}
				}
			}
		}
	}
	t.Logf("of %d, read as equal: %v; refused with a reason: %v", tried, equal, refused)
	for name, least := range map[string]int{"hoa": tried / 4, "never": tried / 14, "lbtt": tried / 10} {
		if equal[name] < least {
			t.Errorf("%s: %d automata were written, want %d", name, equal[name], least)
		}
	}
}

// differ returns an error with a word that only one of the automata accepts, or nil.
func differ(ctx context.Context, a, b *omega.Automaton) error {
	a, b, err := a.OneAlphabet(ctx, b)
	if err != nil {
		return err
	}
	x, y := productcheck.NewLanguage(a), productcheck.NewLanguage(b)
	for _, in := range []bool{true, false} {
		if d, err := new(productcheck.Decider).Decide(ctx, productcheck.Side{Language: x, In: in}, productcheck.Side{Language: y, In: !in}); err != nil || !d.Empty() {
			return fmt.Errorf("%v, %+v", err, d)
		}
	}
	return nil
}

// written writes an automaton, and reads it. It returns "" if that is equal, or what is wrong.
func written(ctx context.Context, r *rand.Rand, f *hoa.Format, a *omega.Automaton) string {
	var text bytes.Buffer
	err := f.Write(ctx, &text, a)
	var unfit *hoa.AcceptanceError
	switch errors.As(err, &unfit); {
	case unfit != nil:
		clauses, ok := a.Acceptance().Condition.Simplify().Clauses()
		if ok && (len(clauses) < 2 || f.Name == "lbtt") {
			return "refused without need: " + err.Error()
		}
		return "refused: " + err.Error()
	case err != nil && f.Name == "never" && strings.HasSuffix(err.Error(), "is no proposition of Promela; HOA can write it"):
		return "refused: " + err.Error()
	case err != nil:
		return err.Error()
	}
	b, warnings, err := hoa.ReadOne(ctx, text.Bytes())
	if err != nil || len(warnings) > 0 {
		return fmt.Sprintf("%v, %v\n%s", err, warnings, &text)
	}
	if f.Name == "hoa" && b.Name != a.Name {
		return fmt.Sprintf("the name %q", b.Name)
	}
	b = b.Renamed(func(p string) string {
		for _, q := range a.Alphabet().Props() {
			if promela.Name(p) == promela.Name(q) {
				return q
			}
		}
		return p
	})
	if err := differ(ctx, a, b); err != nil {
		return fmt.Sprintf("%v\n%s", err, &text)
	}
	for range 5 {
		w := random.Word(r, a.Alphabet(), 2, 3)
		accepted := must.Get(a.Accepts(ctx, w))
		if err := b.Certify(ctx, w.Over(b.Alphabet()), accepted); err != nil {
			return fmt.Sprintf("%s: %v\n%s", w, err, &text)
		}
	}
	return ""
}

// TestClaimPropositions: a claim has each proposition that a guard can have.
func TestClaimPropositions(t *testing.T) {
	const none = "is no proposition of Promela"
	for props, want := range map[[2]string]string{
		{"Req", "x == 1"}:               "",
		{"x == 1", "x==2"}:              "",
		{"x > 3", "p:x"}:                "",
		{"a[2]", "proc@label"}:          "",
		{"P[1]@l", "P[i + 1]:v.w"}:      "",
		{"q?[m, 1]", "len(q) - 1 << 2"}: "",
		{"(a || !b) == c", "a & 4"}:     "", // an atom with Boolean operators
		{"x ^ y", "-x"}:                 "",
		{"f(x)", "f (x)"}:               "are the same in Promela",
		{"x==1", "x == 1"}:              "are the same in Promela",
		{"p", "a && b"}:                 none,
		{"p", "a & b"}:                  none,
		{"p", "!a"}:                     none,
		{"p", "(a -> b : c)"}:           none,
		{"p", "true"}:                   none,
		{"p", "2"}:                      none,
		{"p", "goto"}:                   none,
		{"p", "G a"}:                    none,
		{"p", "a)) || ((b"}:             none,
		{"p", "x = 1"}:                  none,
		{"p", ""}:                       none,
	} {
		alphabet := omega.NewAlphabet(props[:]...)
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStart(b.AddState())
		p, q := alphabet.Prop(0), alphabet.Prop(1)
		b.AddEdge(0, alphabet.Or(alphabet.And(p, alphabet.Not(q)), alphabet.And(q, alphabet.Not(p))), 1, 0)
		a := b.Automaton()
		var text bytes.Buffer
		err := hoa.WriteNever(t.Context(), &text, a)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", props, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", props, err)
			continue
		}
		back, _, err := hoa.ReadOne(t.Context(), text.Bytes())
		if err != nil || !slices.Equal(slices.Sorted(slices.Values(back.Alphabet().Props())), slices.Sorted(slices.Values(props[:]))) {
			t.Errorf("%q: %v\n%s", props, err, &text)
			continue
		}
		if err := differ(t.Context(), a, back); err != nil {
			t.Errorf("%q: %v\n%s", props, err, &text)
		}
	}
}
