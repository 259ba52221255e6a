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

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A bogus is a formula on which a translator fails, and how it does.
type bogus struct {
	formula *ltl.Formula
	c       *outcome.Case
	failure outcome.Failure
}

// bogusFormulas returns random formulas on which a tool fails.
func bogusFormulas(t testing.TB, o cross.Options, n int) (list []bogus) {
	t.Helper()
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: 1, Props: []string{"a", "b", "c"}, MinSize: 8, MaxSize: 20}))
	formulas := map[int]*ltl.Formula{}
	next := func() (cross.Input, error) {
		if len(formulas) == 10*n {
			return cross.Input{}, io.EOF
		}
		f, err := g.Next()
		formulas[len(formulas)] = f
		return cross.Input{Formula: f}, err
	}
	if err := cross.Run(context.Background(), o, next, func(c *outcome.Case) error {
		if failures := c.Failures(); len(failures) > 0 && len(list) < n {
			list = append(list, bogus{formulas[c.Index], c, failures[0]})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(list) < n {
		t.Fatalf("only %d formulas", len(list))
	}
	return list
}

// descend is the plain descent: a run for each candidate, with everything that a run does,
// until one fails in the same way, and so on. It returns the number of calls.
func descend(t testing.TB, o cross.Options, b bogus) (calls int) {
	s := ltl.NewStore()
	f := s.Import(b.formula)
	for {
		next := f
		for g := range s.Shrink(f, ltl.AllSteps) {
			failed := false
			if err := cross.Run(context.Background(), o, inputs(cross.Input{Formula: g}), func(c *outcome.Case) error {
				failed = b.failure.In(c)
				if calls += len(c.Results); o.Tools[0].Mode == translators.Stream {
					calls += len(blamed(c)) // each is confirmed
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if failed {
				next = g
				break
			}
		}
		if next == f {
			return calls
		}
		f = next
	}
}

// BenchmarkGrind grinds 25 formulas for each of eight wrong translators in different ways: with a Grinder for
// each formula, with one for all formulas of a translator, as in a run, and by a plain descent. The times and
// calls are per formula.
func BenchmarkGrind(b *testing.B) {
	const each = 25
	runner := must.Get(translators.NewRunner(2, b.TempDir()))
	defer runner.Close()
	type job struct {
		kept cross.Options
		list []bogus
	}
	var jobs []job
	for _, mutation := range []string{"U as W", "R as U", "M as R", "F as X", "xor as |", "<-> as ->", "drop", "toggle"} {
		o := cross.Options{Tools: []*translators.Tool{streamed(b, mutation)}, Runner: runner, Reference: translate.Of,
			Words: 20, Properties: true}
		jobs = append(jobs, job{o, bogusFormulas(b, o, each)})
	}
	ways := []struct {
		name string
		do   func(*job) int
	}{
		{"grind", func(j *job) (calls int) {
			for _, x := range j.list {
				calls += ground(b, cross.NewGrinder(j.kept), x)
			}
			return calls
		}},
		{"grind-run", func(j *job) (calls int) {
			g := cross.NewGrinder(j.kept)
			for _, x := range j.list {
				calls += ground(b, g, x)
			}
			return calls
		}},
		{"plain", func(j *job) (calls int) {
			for _, x := range j.list {
				calls += descend(b, j.kept, x)
			}
			return calls
		}},
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			calls := 0
			for b.Loop() {
				for i := range jobs {
					calls += way.do(&jobs[i])
				}
			}
			formulas := float64(b.N * each * len(jobs))
			b.ReportMetric(float64(calls)/formulas, "calls/formula")
			b.ReportMetric(b.Elapsed().Seconds()*1000/formulas, "ms/formula")
		})
	}
}

// ground grinds a formula, and returns the number of calls.
func ground(t testing.TB, g *cross.Grinder, x bogus) int {
	before := g.Calls()
	must.Get(g.Grind(context.Background(), x.c, x.failure, cross.GrindOptions{Steps: ltl.AllSteps}))
	return g.Calls() - before
}

// The test binary is also a translator: with this variable set, it prints an automaton of its argument, after
// a mutation if the variable names one: of the automaton, or (weak, "U as W") of the formula.
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
	c := must.Get(translators.ParseCommand(command, translators.Spawn))
	return &translators.Tool{Name: name, Command: c, Env: env, Limits: translators.Limits{Timeout: 20 * time.Second}}
}
