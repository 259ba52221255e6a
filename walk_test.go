package xcheck_test

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/exhaustive"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/internal/transform/shrink"
	"github.com/xcheck-ltl/xcheck/internal/transform/simulation"
	"github.com/xcheck-ltl/xcheck/internal/transform/stutter"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
	randomomega "github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/xchecktest"
)

// walked has the exported functions of the public packages, and the types with exported methods.
// TestWalk names what it lacks.
var walked = []any{
	xcheck.Accepts, xchecktest.Check[string, string], xcheck.Compare, xcheck.Complement, xcheck.Difference, xcheck.Empty, xcheck.Eval, xcheck.Explain,
	xcheck.Intersect, xcheck.ParseLTL, xcheck.ParseWord, xcheck.ReadHOA, xcheck.Translate, xcheck.Words, xcheck.WriteHOA,
	new(xcheck.Answer), new(xchecktest.Report), new(xcheck.Checker), new(xcheck.Comparison), new(xcheck.Truth), new(xcheck.Verdict),
	disjuncts.Of, new(disjuncts.Disjunct), certify.Accepts, certify.Disjoint, certify.Letters, certify.NewTableau, new(certify.Condition), new(certify.Cube), new(certify.Edge), new(certify.Proof), new(certify.Refusal), new(certify.Strategy),
	new(certify.Tableau), new(certify.Label), prove.Equivalence, prove.Inclusion, prove.New, prove.Read, prove.Write, new(prove.Prover), new(prove.SyntaxError), certify.Holds,
	certify.HoldsOnAll, certify.ParseWord, new(certify.Automaton), new(certify.OpenError), new(certify.Word),
	complement.Algorithms, complement.Buchi, complement.GeneralizedBuchi, complement.Nonalternating,
	complement.Nondeterministic, complement.Prepare,
	complement.Smallest, complement.Try, complement.Whole,
	new(complement.Complement), new(complement.Form), new(complement.Subject),
	configs.Complete, configs.CompleteAutomaton, configs.Default,
	configs.Load, configs.NewFile, configs.Parse, configs.ParseBytes, configs.ParseDuration,
	configs.ParseProps, configs.ParseSizes, configs.SettingOf, configs.Shorthands, configs.ShorthandOf,
	new(configs.Checks), new(configs.Error), new(configs.Errors), new(configs.Formulas), new(configs.Limits), new(configs.Translator),
	new(configs.Output), new(configs.Random), new(configs.Setting), new(configs.Shorthand), new(configs.Until),
	cross.CandidateTimeout, cross.GrindAutomaton, cross.NewGrinder, cross.Run, new(cross.Grinder), new(cross.Options),
	explain.Acceptance, explain.Annotate, explain.Progression, explain.Repair, explain.Truths,
	triage.New, triage.Unite, new(triage.Triage),
	emptiness.Check, emptiness.ShortestRun, emptiness.TakeSurvey,
	new(emptiness.Minimizer), new(emptiness.Result), new(emptiness.Run),
	exhaustive.Check, exhaustive.Words,
	history.CheckFile, history.Hash, history.Open, history.OpenExisting, new(history.Comparison), new(history.Decided),
	new(history.Info), new(history.Line), new(history.Run), new(history.RunningError), new(history.Store), new(history.Union),
	new(history.VersionError),
	cross.DefaultProducts, outcome.BothPolarities, outcome.States, outcome.Statuses, report.DefaultMeasures, report.Formats,
	hoa.Formats, hoa.NewReader, hoa.ReadOne, hoa.Split, hoa.Write,
	hoa.WriteDot, hoa.WriteLBTT, hoa.WriteNever, new(hoa.AcceptanceError), new(hoa.Format), new(hoa.LimitError), new(hoa.PropositionError),
	new(hoa.MissingStateError), new(hoa.Piece), new(hoa.Reader), new(hoa.Splitter),
	new(hoa.Warning),
	ltl.Classes, ltl.Embeds, ltl.NewGenerator, ltl.NewStore, ltl.Ops, ltl.ParseOp,
	ltl.ParseSEREWeights, ltl.ParseSyntax, ltl.ParseWeights, ltl.PropText, ltl.SEREKinds, ltl.TextSize, new(ltl.Class),
	new(ltl.Formula), new(ltl.Generator), new(ltl.Implication), new(ltl.Op), new(ltl.OpSet), new(ltl.SERE),
	new(ltl.SEREKind), new(ltl.SEREOp), new(ltl.Store), new(ltl.Syntax), new(ltl.SyntaxError), new(ltl.Truths),
	patterns.Parse, patterns.Sets, new(patterns.Error), new(patterns.Formula), new(patterns.Request), new(patterns.Set),
	random.New, random.ParseProfile, random.Profiles,
	new(random.Generator), new(random.Profile),
	spelling.Same, new(spelling.Speller),
	omega.AcceptingPart[omega.Marks], omega.AllOf, omega.AnyOf, omega.Buchi, omega.Explore, omega.Fin, omega.Letters, omega.NoLimits,
	omega.GeneralizedBuchi, omega.Inf, omega.MemoryOf, omega.NamedAcceptance, omega.NewAlphabet, omega.NewBuilder,
	omega.NewMarkTable,
	omega.NewWord, omega.Parity, omega.ParseCondition, omega.ParseWord,
	omega.Supported, omega.Union, new(omega.Acceptance), new(omega.Alphabet),
	new(omega.Automaton), new(omega.Builder), new(omega.Components), new(omega.Condition),
	new(omega.JointMarks), new(omega.Lasso[int]), new(omega.Literal), new(omega.MarkTable), new(omega.OpenError),
	new(omega.Strength), new(omega.Translation), new(omega.Word),

	isomorphic.Equal, isomorphic.NewSet, new(isomorphic.Set),
	randomomega.Automaton, randomomega.Condition, randomomega.NewGenerator, randomomega.ParsePattern, randomomega.Word,
	new(randomomega.Generator),
	new(randomomega.GeneratorOptions), new(randomomega.Pattern),
	runs.Explain, runs.Tight, runs.Verify, runs.VerifyExplanation,
	new(outcome.Given), outcome.NewCase, outcome.ParseClass,
	new(outcome.ContradictionSide), new(outcome.Case), new(outcome.Cause),
	new(outcome.Change), new(outcome.Class), new(outcome.Contradiction), new(outcome.ExitStatus),
	new(outcome.Explanation), new(outcome.Failure), new(outcome.Fault), new(outcome.Finding), new(outcome.From),
	new(outcome.Path), new(outcome.Polarity), new(outcome.Kind), new(outcome.Record), new(outcome.Regression), new(outcome.Result), new(outcome.Status),
	new(outcome.Stay), new(outcome.Step), new(outcome.Subject), new(outcome.Timeline),
	productcheck.Intersect, productcheck.NewIndexed, productcheck.NewLanguage,
	productcheck.NewProduct, new(productcheck.Decider), new(productcheck.Indexed), new(productcheck.Language),
	new(omega.Limits), new(productcheck.Product), new(productcheck.Result), new(productcheck.Stuttering),
	properties.Names, new(properties.Answer), new(properties.Checker),
	report.ClassName, new(report.Sizes), report.Document, report.FormatOf,
	report.NewCSV, report.MeasureNames, report.NewComparison, table.New, new(table.Table),
	report.NewSummary, report.SummaryOf, new(report.Counts), report.Read,
	report.Written, new(report.CSV),
	new(report.Columns), new(report.Comparison), new(report.Format), new(report.FormatError),
	new(report.Group), new(report.LTLCrossLog), new(report.Pair),
	new(report.Progress), new(report.Site), new(report.SiteCause), new(report.Summary),
	new(report.Text), new(report.Verdict),
	session.AutomataFile, session.CheckCommand, session.Concat, session.FileRecord, session.Input,
	session.KnownTranslators, session.OpenHistory, session.Merge, session.Repeat,
	session.Run, session.Shrink, session.StoredRecords, session.Totals,
	session.WriteSite, new(session.Choice), new(session.Merged), new(session.Plan), new(session.Record), new(session.Shard),
	new(session.Shrunk),
	input.Excerpted, input.Located, input.NewAutomata, input.NewColumn, input.NewLines, input.Start, new(input.Automata),
	new(input.Column), new(input.Files), new(input.Lines),
	convert.Advance, convert.Clauses, convert.Complete, convert.Degeneralize,
	convert.StateBased,
	letters.Classes,
	reduce.Merged, reduce.NewDelayed, reduce.NewPreorder, reduce.Parity, reduce.Reduce,
	reduce.StateBased, reduce.WithoutDeadEnds, new(reduce.Preorder),
	shrink.MeasureOf, shrink.Steps, new(shrink.Measure),
	simulation.Proves, new(simulation.Kind),
	stutter.Class, stutter.Closure, stutter.Collapse, stutter.SelfLoops,
	translate.Algorithms, translate.LTL, translate.New, translate.Of, translate.ParseAlgorithm, translate.With, new(translate.Algorithm),
	translators.AdoptOrphans, translators.Modes, translators.NewAutomaton, translators.NewRunner,
	translators.ParseAutomatonCommand, translators.ParseCommand, translators.ParseOptionGroup, translators.Pattern,
	translators.Quote, translators.SignalName, translators.SignalName, translators.SplitName, translators.WithState, new(translators.Command),
	new(translators.CommandError), new(translators.Mode), new(translators.Outcome), new(translators.Output),
	new(translators.Runner), new(translators.Tool),
	witness.Ambiguous, witness.NotTight, witness.Shortest, new(witness.Result),
}

// unwalked are the functions that TestWalk does not call.
var unwalked = map[string]string{
	"translators.AdoptOrphans": "changes the process",
	"internal/history.Noting":  "adds to a context",
	"ltl.Derive":               "has a type parameter",
	"session.KnownTranslators": "starts what is on PATH",
	"session.Plan.Known":       "starts what is on PATH",
}

// searchParts matches what package emptiness has for the searches of the laboratory.
var searchParts = regexp.MustCompile(`^internal/emptiness\.(NewExplorer|Grown|Search|(Explorer|Hunt|Finder)\..*)$`)

// useful are the zero values with unexported fields that have methods for use.
var useful = []any{new(ltl.Store), new(ltl.Formula), new(omega.Alphabet), new(omega.Automaton), new(omega.Word)}

const modulePath = "github.com/xcheck-ltl/xcheck"

// A walkedCall is a function, or a method as a function of its receiver.
type walkedCall struct {
	name   string
	f      reflect.Value
	method bool
}

// walkedCalls returns all that is called.
func walkedCalls() (list []walkedCall) {
	for _, x := range walked {
		v := reflect.ValueOf(x)
		if v.Kind() == reflect.Func {
			name, _, _ := strings.Cut(runtime.FuncForPC(v.Pointer()).Name(), "[")
			list = append(list, walkedCall{strings.TrimLeft(strings.TrimPrefix(name, modulePath), "/."), v, false})
			continue
		}
		t := v.Type().Elem()
		name, _, _ := strings.Cut(t.Name(), "[")
		for i := range v.Type().NumMethod() {
			m := v.Type().Method(i)
			list = append(list, walkedCall{strings.TrimLeft(strings.TrimPrefix(t.PkgPath(), modulePath)+"."+name+"."+m.Name, "/."), m.Func, true})
		}
	}
	return slices.DeleteFunc(list, func(c walkedCall) bool { return unwalked[c.name] != "" })
}

// exported lists the exported functions and methods of the public packages.
func exported(t *testing.T) (names []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || path == "lab" || strings.HasPrefix(path, ".") && path != "."):
			return cmp.Or(err, fs.SkipDir)
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || file.Name.Name == "main" {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				if generic, ok := receiver.(*ast.IndexExpr); ok {
					receiver = generic.X
				}
				if !receiver.(*ast.Ident).IsExported() {
					continue
				}
				name = receiver.(*ast.Ident).Name + "." + name
			}
			names = append(names, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path))+"."+name, ".."))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A walker makes arguments.
type walker struct {
	good map[reflect.Type]func() reflect.Value
	// opaque are the types that functions make, and of which the zero value is not for use.
	opaque map[reflect.Type]bool
}

var contextType = reflect.TypeFor[context.Context]()

func newWalker() *walker {
	w := &walker{map[reflect.Type]func() reflect.Value{}, map[reflect.Type]bool{}}
	formula := func() *ltl.Formula { return must.Get(xcheck.ParseLTL("a U b")) }
	automaton := func() *omega.Automaton { return must.Get(xcheck.Translate(context.Background(), formula())) }
	for _, f := range []any{
		formula, automaton, ltl.NewStore, context.Background,
		func() *ltl.SERE { return must.Get(xcheck.ParseLTL("{a[*];b}")).SERE() },
		func() omega.Source { return automaton() },
		func() *omega.Word { return must.Get(xcheck.ParseWord("a; cycle{b&!a}")) },
		func() *omega.Alphabet { return omega.NewAlphabet("a", "b") },
		func() *omega.Builder {
			b := omega.NewBuilder(omega.NewAlphabet("a", "b"), omega.Buchi())
			b.AddStates(3)
			return b
		},
		func() *omega.Condition { return omega.Inf(0) },
		func() *omega.MarkTable { return omega.NewMarkTable(3) },
		func() omega.Acceptance { return omega.Buchi() },
		func() []xchecktest.Options { return []xchecktest.Options{{Random: 1}} },
		func() omega.State { return 0 },
		func() int { return 1 },
		func() string { return "a" },
		func() []byte { return []byte("a") },
		func() io.Reader { return strings.NewReader("G a") },
		func() io.Writer { return io.Discard },
		func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
	} {
		v := reflect.ValueOf(f)
		w.good[v.Type().Out(0)] = func() reflect.Value { return v.Call(nil)[0] }
	}
	return w
}

// usual returns an argument that a function expects.
func (w *walker) usual(t reflect.Type) reflect.Value {
	if f := w.good[t]; f != nil {
		return f()
	}
	if t.Kind() == reflect.Func {
		return w.odd(t)
	}
	return reflect.Zero(t)
}

// odd returns the zero value that a pointer points to, a negative number, a number that is too large,
// or a function that returns zero values.
func (w *walker) odd(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.New(t.Elem())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-1)
	case reflect.Uint8:
		v.SetUint(77)
	case reflect.String:
		v.SetString("no such")
	case reflect.Slice:
		return reflect.Append(v, w.odd(t.Elem()))
	case reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			return out
		})
	default:
		return w.usual(t)
	}
	return v
}

// args returns arguments for a function. It returns false if the receiver would be nil, or the zero
// value of a type that is opaque.
func (w *walker) args(c walkedCall, of func(i int, t reflect.Type) reflect.Value) (list []reflect.Value, ok bool) {
	for i := range c.f.Type().NumIn() {
		t := c.f.Type().In(i)
		v := of(i, t)
		if c.method && i == 0 {
			if v.IsNil() {
				v = reflect.New(t.Elem())
			}
			if v.Elem().IsZero() && w.opaque[t] {
				return nil, false
			}
		}
		list = append(list, v)
	}
	return list, true
}

// call calls a function, takes two elements of a sequence that it returns, and returns the results,
// or the panic.
func (c walkedCall) call(args []reflect.Value) (out []reflect.Value, panicked any) {
	defer func() { panicked = recover() }()
	if c.f.Type().IsVariadic() {
		out = c.f.CallSlice(args)
	} else {
		out = c.f.Call(args)
	}
	for _, x := range out {
		if t := x.Type(); t.Kind() == reflect.Func && !x.IsNil() && (t.CanSeq() || t.CanSeq2()) {
			n := 0
			x.Call([]reflect.Value{reflect.MakeFunc(t.In(0), func([]reflect.Value) []reflect.Value {
				n++
				return []reflect.Value{reflect.ValueOf(n < 2)}
			})})
		}
	}
	return out, nil
}

// TestWalk calls every exported function with zero values, in place of each argument and of all, with
// a context that is canceled, and from two goroutines. None may panic.
func TestWalk(t *testing.T) {
	w, calls := newWalker(), walkedCalls()
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	for _, name := range exported(t) {
		if unwalked[name] == "" && !searchParts.MatchString(name) && !slices.Contains(names, name) {
			t.Errorf("walked lacks %s", name)
		}
	}
	for _, c := range calls {
		for i := range c.f.Type().NumOut() {
			if r := c.f.Type().Out(i); r.Kind() == reflect.Pointer && r.Elem().Kind() == reflect.Struct {
				for k := range r.Elem().NumField() {
					w.opaque[r] = w.opaque[r] || !r.Elem().Field(k).IsExported()
				}
			}
		}
	}
	for _, c := range calls {
		for k := 0; c.method && c.f.Type().In(0).Elem().Kind() == reflect.Struct && k < c.f.Type().In(0).Elem().NumField(); k++ {
			if f := c.f.Type().In(0).Elem().Field(k); f.Anonymous && f.Type.Kind() != reflect.Struct {
				w.opaque[c.f.Type().In(0)] = true
			}
		}
	}
	for _, x := range useful {
		delete(w.opaque, reflect.TypeOf(x))
	}

	t.Chdir(t.TempDir())
	stdin := os.Stdin
	os.Stdin = must.Get(os.Open(os.DevNull))
	defer func() { os.Stdin = stdin }()

	// What a function returns is an argument for others. A history needs a file, and no call gets one.
	for range 2 {
		for _, c := range calls {
			known := &walker{maps.Clone(w.good), w.opaque}
			args, ok := known.args(c, func(_ int, t reflect.Type) reflect.Value { return known.usual(t) })
			if !ok || strings.HasPrefix(c.name, "internal/history.Open") || c.name == "session.OpenHistory" {
				continue
			}
			out, _ := c.call(args)
			for i, x := range out {
				if x.Kind() == reflect.Pointer && !x.IsNil() && w.good[x.Type()] == nil {
					w.good[x.Type()] = func() reflect.Value {
						args, _ := known.args(c, func(_ int, t reflect.Type) reflect.Value { return known.usual(t) })
						again, _ := c.call(args)
						return again[i]
					}
				}
			}
		}
	}
	for _, c := range calls {
		w.walk(t, c)
	}
	t.Logf("%d functions", len(calls))
}

// walk calls one function with usual arguments, with zero values, and with one argument that is zero,
// odd or canceled. A method has its receiver as argument 0.
func (w *walker) walk(t *testing.T, c walkedCall) {
	try := func(how string, k int, of func(reflect.Type) reflect.Value) (out []reflect.Value) {
		args, ok := w.args(c, func(i int, t reflect.Type) reflect.Value {
			if i == k || k < 0 && t != contextType {
				return of(t)
			}
			return w.usual(t)
		})
		if !ok {
			return nil
		}
		out, panicked := c.call(args)
		// A Builder says that a state was not added, as a slice says that it has no such index.
		text, _ := panicked.(string)
		refused := (how == "odd" || how == "zero") && strings.HasPrefix(c.name, "omega.Builder.") && strings.HasPrefix(text, "omega: there is no state")
		if panicked != nil && !refused {
			t.Errorf("%s panics, %s argument %d (-1: all): %v", c.name, how, k, panicked)
		}
		return out
	}
	try("usual", -1, w.usual)
	try("zero", -1, reflect.Zero)
	for k := range c.f.Type().NumIn() {
		if c.f.Type().In(k) != contextType {
			try("zero", k, reflect.Zero)
			try("odd", k, w.odd)
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		out := try("canceled", k, func(reflect.Type) reflect.Value { return reflect.ValueOf(ctx) })
		if n := len(out); n > 0 && c.ours() && out[n-1].Type() == reflect.TypeFor[error]() {
			if err, _ := out[n-1].Interface().(error); !errors.Is(err, context.Canceled) {
				t.Errorf("%s with a context that is canceled returns %v", c.name, err)
			}
		}
	}
	w.concurrently(c)
}

// concurrently calls a function from two goroutines, which share formulas, and the arguments of
// functions of package xcheck.
func (w *walker) concurrently(c walkedCall) {
	shared, ok := w.args(c, func(_ int, t reflect.Type) reflect.Value { return w.usual(t) })
	if !ok {
		return
	}
	var both sync.WaitGroup
	for range 2 {
		args, _ := w.args(c, func(i int, t reflect.Type) reflect.Value {
			if t == reflect.TypeFor[*ltl.Formula]() || c.ours() && t != reflect.TypeFor[io.Reader]() {
				return shared[i]
			}
			return w.usual(t)
		})
		both.Go(func() { c.call(args) })
	}
	both.Wait()
}

// ours reports whether the function is of package xcheck.
func (c walkedCall) ours() bool { return c.name[0] < 'a' }
