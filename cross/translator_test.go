package cross_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// The test binary is also a translator: with this variable set, it prints an
// automaton of its argument, after a mutation if the variable names one: of the automaton, or (weak,
// "U as W") of the formula.
const asTranslator = "XCHECK_TEST_TRANSLATOR"

func TestMain(m *testing.M) {
	seeded.Main()
	if g := grammars[os.Getenv(asGrammar)]; g != nil {
		if err := g.serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if mutation := os.Getenv(asTranslator); mutation != "" {
		if err := answer(context.Background(), os.Stdout, mutation, os.Args[1], ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// answer prints the automaton of a formula, with a name.
func answer(ctx context.Context, out io.Writer, mutation, formula, name string) error {
	a, err := mutated(mutation, formula)
	if err != nil {
		return err
	}
	a.Name = name
	return hoa.Write(ctx, out, a)
}

// mutated returns the built-in automaton of a formula, mutated.
func mutated(mutation, formula string) (*omega.Automaton, error) {
	s := ltl.NewStore()
	if mutation == "weak" {
		formula = strings.ReplaceAll(formula, " U ", " W ")
	}
	f, err := s.Parse(formula, ltl.Spot)
	if err != nil {
		return nil, err
	}
	if op, as, ok := strings.Cut(mutation, " as "); ok {
		f = misread(s, f, op, as)
	}
	algorithm := "gastin-oddoux"
	if mutation == "gpvw" {
		algorithm = "gpvw"
	}
	a, err := translate.With(context.Background(), algorithm, s, f)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	io.WriteString(h, mutation+formula)
	return mutate(a, mutation, rand.New(rand.NewPCG(h.Sum64(), 0))), nil
}

// misread returns f with one operator for another.
func misread(s *ltl.Store, f *ltl.Formula, op, as string) *ltl.Formula {
	o := f.Op()
	if o.String() == op {
		o, _ = ltl.ParseOp(as)
	}
	switch o.Arity() {
	case 1:
		return s.Unary(o, misread(s, f.Left(), op, as))
	case 2:
		return s.Binary(o, misread(s, f.Left(), op, as), misread(s, f.Right(), op, as))
	}
	return f
}

// mutate drops an edge, toggles a mark, or negates a literal of a label.
func mutate(a *omega.Automaton, mutation string, r *rand.Rand) *omega.Automaton {
	if a.NumEdges() == 0 || a.Alphabet().Len() == 0 {
		return a
	}
	victim := r.IntN(a.NumEdges())
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	n := 0
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if n == victim {
				switch mutation {
				case "drop":
					e.Label = omega.False
				case "toggle":
					if sets := a.Acceptance().Sets; sets > 0 {
						m := b.Marks().Of(r.IntN(sets))
						e.Marks = b.Marks().Union(b.Marks().Minus(e.Marks, m), b.Marks().Minus(m, e.Marks))
					}
				case "negate":
					e.Label = negateLiteral(a.Alphabet(), e.Label, r)
				}
			}
			n++
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
	}
	return b.Automaton()
}

func negateLiteral(alphabet *omega.Alphabet, l omega.Label, r *rand.Rand) omega.Label {
	cubes, _ := alphabet.Cover(l)
	i := r.IntN(len(cubes))
	if len(cubes[i]) == 0 {
		return l
	}
	cubes[i][r.IntN(len(cubes[i]))] ^= 1
	sum := omega.False
	for _, c := range cubes {
		cube := alphabet.True()
		for _, x := range c {
			p := alphabet.Prop(x.Prop())
			if x.Negated() {
				p = alphabet.Not(p)
			}
			cube = alphabet.And(cube, p)
		}
		sum = alphabet.Or(sum, cube)
	}
	return sum
}

// tool returns a translator within this process, with a mutation.
func tool(t testing.TB, mutation string) *translators.Tool {
	t.Helper()
	x := shell(t, mutation, "mutated %f")
	x.Builtin = func(ctx context.Context, in string, out io.Writer) error { return answer(ctx, out, mutation, in, "") }
	return x
}

// streamed is tool for a translator that is kept alive, and names its automata.
func streamed(t testing.TB, mutation string) *translators.Tool {
	t.Helper()
	x := tool(t, mutation)
	x.Mode = translators.Stream
	x.Builtin = func(ctx context.Context, in string, out io.Writer) error { return answer(ctx, out, mutation, in, in) }
	return x
}

func shell(t testing.TB, name, command string, env ...string) *translators.Tool {
	t.Helper()
	c, err := translators.ParseCommand(command, translators.Spawn)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Command: c, Env: env, Limits: translators.Limits{Timeout: 20 * time.Second}}
}
