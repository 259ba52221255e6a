package xcheck_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// functions calls each function that takes an automaton, a word or a formula, and returns the
// errors by the functions' names.
func functions(ctx context.Context, a *omega.Automaton, w *omega.Word, f *ltl.Formula) map[string]error {
	errs := map[string]error{"WriteHOA": xcheck.WriteHOA(io.Discard, a)}
	good := must.Get(xcheck.ReadHOA(strings.NewReader(gfa)))
	_, errs["Eval"] = xcheck.Eval(ctx, f, w)
	_, errs["Accepts"] = xcheck.Accepts(ctx, a, w)
	_, errs["Explain"] = xcheck.Explain(ctx, a, w)
	_, errs["Translate"] = xcheck.Translate(ctx, f)
	_, errs["Complement"] = xcheck.Complement(ctx, a)
	_, errs["Empty"] = xcheck.Empty(ctx, a)
	_, errs["Intersect"] = xcheck.Intersect(ctx, good, a)
	_, errs["Difference"] = xcheck.Difference(ctx, a, good)
	_, errs["Compare"] = xcheck.Compare(ctx, good, a)
	return errs
}

const gfa = `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`

// TestNothing: what is nil, or has the zero value, is an error.
func TestNothing(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	for name, x := range map[string]struct {
		a *omega.Automaton
		w *omega.Word
		f *ltl.Formula
	}{
		"nil":        {},
		"zero value": {new(omega.Automaton), new(omega.Word), nil},
		"no cycle":   {nil, omega.NewWord(alphabet, []omega.Label{alphabet.True()}, nil), nil},
		"no letter":  {nil, omega.NewWord(alphabet, nil, []omega.Label{omega.False}), nil},
	} {
		for function, err := range functions(t.Context(), x.a, x.w, x.f) {
			if err == nil {
				t.Errorf("%s of %s: no error", function, name)
			}
		}
		if _, err := xcheck.Eval(t.Context(), must.Get(xcheck.ParseLTL("a")), x.w); err == nil {
			t.Errorf("Eval on a word of %s: no error", name)
		}
	}
	zero := must.Get(xcheck.Translate(t.Context(), new(ltl.Formula))) // the constant 0
	if must.Get(xcheck.Eval(t.Context(), new(ltl.Formula), must.Get(xcheck.ParseWord("cycle{a}")))) != xcheck.False || !must.Get(xcheck.Empty(t.Context(), zero)).Empty() {
		t.Error("the zero formula is not 0")
	}
	if _, err := xcheck.ReadHOA(nil); err == nil {
		t.Error("ReadHOA(nil): no error")
	}
	if err := xcheck.WriteHOA(nil, must.Get(xcheck.ReadHOA(strings.NewReader(gfa)))); err == nil {
		t.Error("WriteHOA(nil): no error")
	}
}

// TestNoContext: a nil context is an error that says so.
func TestNoContext(t *testing.T) {
	a, w, f := must.Get(xcheck.ReadHOA(strings.NewReader(gfa))), must.Get(xcheck.ParseWord("cycle{a}")), must.Get(xcheck.ParseLTL("GFa"))
	for function, err := range functions(nil, a, w, f) {
		if function != "WriteHOA" && (err == nil || !strings.Contains(err.Error(), "no context given")) {
			t.Errorf("%s: %v", function, err)
		}
	}
}

// TestTexts: texts that are no formula, word or automaton are errors with a place.
func TestTexts(t *testing.T) {
	for _, text := range []string{"", "a U", "G(", "\x00", "a;b", strings.Repeat("(", 1<<18), strings.Repeat("!", 1<<18) + "a"} {
		var syntax *ltl.SyntaxError
		if _, err := xcheck.ParseLTL(text); !errors.As(err, &syntax) {
			t.Errorf("ParseLTL(%.20q): %v", text, err)
		}
	}
	for _, text := range []string{"", "a", "a; b", "cycle{}", "cycle{a", "cycle{0}", "cycle{a} b", "cycle{G a}", "cycle{(", "\xff"} {
		var syntax *ltl.SyntaxError
		if _, err := xcheck.ParseWord(text); !errors.As(err, &syntax) {
			t.Errorf("ParseWord(%q): %v", text, err)
		}
	}
	for _, text := range []string{"", "x", "HOA: v1", gfa + gfa, gfa + "x", strings.Replace(gfa, "] 0", "] 7", 1), "HOA: v1 --ABORT--", "\x00\xff"} {
		if a, err := xcheck.ReadHOA(strings.NewReader(text)); err == nil || a != nil {
			t.Errorf("ReadHOA(%q): %v, %v", text, a, err)
		}
	}
	failing := errors.New("the disk is broken")
	if _, err := xcheck.ReadHOA(io.MultiReader(strings.NewReader(gfa[:20]), broken{failing})); err != failing {
		t.Errorf("ReadHOA of a reader that fails: %v", err)
	}
	// As many zeros as one likes, and no more than that is read.
	endless := io.MultiReader(strings.NewReader("HOA: v1"), broken{nil})
	if _, err := xcheck.ReadHOA(endless); err == nil {
		t.Error("ReadHOA of a reader without an end: no error")
	}
}

var spaces = strings.Repeat(" ", 1<<16)

// broken is a reader that fails, or without an error one of endless spaces.
type broken struct{ err error }

func (b broken) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	return copy(p, spaces), nil
}

// hostile has automata that are cheap to write and expensive to work on.
func hostile() map[string]string {
	ring := func(states int, condition, edges string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: %s\n--BODY--\n", states, condition)
		for s := range states {
			fmt.Fprintf(&b, "State: %d\n", s)
			b.WriteString(strings.NewReplacer("NEXT", fmt.Sprint((s+1)%states), "FAR", fmt.Sprint((7*s+3)%states)).Replace(edges))
		}
		b.WriteString("--END--\n")
		return b.String()
	}
	random := func(states int, condition string) string {
		r := rand.New(rand.NewPCG(7, 0))
		var b strings.Builder
		fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: %s\n--BODY--\n", states, condition)
		for s := range states {
			fmt.Fprintf(&b, "State: %d\n", s)
			for range 4 {
				fmt.Fprintf(&b, "[%s] %d", []string{"0&1", "0&!1", "!0&1", "!0&!1"}[r.IntN(4)], r.IntN(states))
				if r.IntN(3) == 0 {
					fmt.Fprintf(&b, " {%d}", r.IntN(int(condition[0]-'0')))
				}
				b.WriteString("\n")
			}
		}
		b.WriteString("--END--\n")
		return b.String()
	}
	var pairs, wide []string
	for i := range 30 {
		pairs = append(pairs, fmt.Sprintf("(Fin(%d)|Inf(%d))", 2*i, 2*i+1))
		wide = append(wide, fmt.Sprintf("%d&%d", i, i+30))
	}
	var props strings.Builder
	for i := range 60 {
		fmt.Fprintf(&props, " \"p%d\"", i)
	}
	return map[string]string{
		"alternating, not weak":        `HOA: v1 States: 2 Start: 0&1 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 1&0 State: 1 [0] 0 [!0] 1 --END--`,
		"alternating, very weak":       `HOA: v1 States: 3 Start: 0&1 AP: 1 "a" Acceptance: 1 Fin(0) --BODY-- State: 0 {0} [0] 0 [0] 2 State: 1 [!0] 1 [0] 1&2 State: 2 [t] 2 --END--`,
		"no state":                     `HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--`,
		"no initial state":             `HOA: v1 States: 1 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`,
		"60 states to complement":      random(60, "1 Inf(0)"),
		"two pairs to complement":      random(40, "4 (Fin(0)&Inf(1))|(Fin(2)&Inf(3))"),
		"Streett":                      ring(30, "60 "+strings.Join(pairs, "&"), "[0] NEXT {0 3 17 44} [!0] FAR {1 20 31} [1] 0 {2 9 58}\n"),
		"3*10^4 states":                ring(30_000, "2 Inf(0)&Fin(1)", "[0] NEXT {0} [1] FAR {1}\n"),
		"a label without a good order": "HOA: v1 States: 1 Start: 0 AP: 60" + props.String() + " Acceptance: 1 Inf(0) --BODY-- State: 0 [" + strings.Join(wide[:12], "|") + "] 0 {0} --END--",
	}
}

// TestHostile: on hostile automata, each function ends with its context. Two complements take minutes
// and more; the other calls may have an answer before.
func TestHostile(t *testing.T) {
	w, f := must.Get(xcheck.ParseWord("a; cycle{b; !a}")), must.Get(xcheck.ParseLTL("a U b"))
	for name, text := range hostile() {
		a, err := xcheck.ReadHOA(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for function, call := range map[string]func(context.Context) error{
			"Accepts":    func(ctx context.Context) error { _, err := xcheck.Accepts(ctx, a, w); return err },
			"Explain":    func(ctx context.Context) error { _, err := xcheck.Explain(ctx, a, w); return err },
			"Complement": func(ctx context.Context) error { _, err := xcheck.Complement(ctx, a); return err },
			"Empty":      func(ctx context.Context) error { _, err := xcheck.Empty(ctx, a); return err },
			"Compare": func(ctx context.Context) error {
				b, err := xcheck.Translate(ctx, f)
				if err == nil {
					_, err = xcheck.Compare(ctx, a, b)
				}
				return err
			},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			start := time.Now()
			err := call(ctx)
			cancel()
			endless := function == "Complement" && strings.HasSuffix(name, "to complement")
			if took := time.Since(start); endless && !errors.Is(err, context.DeadlineExceeded) || took > time.Minute {
				t.Errorf("%s, %s: %v after %v", name, function, err, took)
			}
		}
	}
}

// TestLimits: past a limit, Compare fails with an error that names it, and has what was found.
func TestLimits(t *testing.T) {
	a := must.Get(xcheck.Translate(t.Context(), must.Get(xcheck.ParseLTL("FGa | FGb"))))
	large := must.Get(xcheck.Translate(t.Context(), must.Get(xcheck.ParseLTL("FGa | FGb | FGc | FGd | FGe"))))
	b := must.Get(xcheck.Translate(t.Context(), must.Get(xcheck.ParseLTL("GFa"))))
	for text, limits := range map[string]omega.Limits{
		"limit of 1 macrostates":    {Macrostates: 1},
		"limit of 1 product states": {ProductStates: 1},
		"memory limit of 1 bytes":   {Memory: 1},
		"time limit of 1ns":         {Time: 1},
	} {
		checker := xcheck.Checker{Limits: limits}
		c, err := checker.Compare(t.Context(), b, large)
		if err == nil || !strings.Contains(err.Error(), "undecided: "+text) {
			t.Errorf("%s: error %v", text, err)
		}
		if c == nil || c.Equal() || c.Verdict() != xcheck.Undecided || !strings.HasPrefix(c.String(), "undecided: "+text) {
			t.Errorf("%s: %v", text, c)
		}
		var limit *omega.LimitError
		if late := limits.Time > 0; errors.Is(err, context.DeadlineExceeded) != late || errors.As(err, &limit) == late {
			t.Errorf("%s: the error is of the wrong type: %#v", text, err)
		}
	}
	checker := xcheck.Checker{Limits: omega.Limits{WordSteps: 1}}
	c, err := checker.Compare(t.Context(), b, a)
	if err != nil || c.OnlyInA.Word == nil || c.OnlyInA.Shortest() || c.OnlyInA.Why == nil {
		t.Errorf("a word that is not proved to be shortest: %v, %v", c, err)
	}
}

// TestLargeFormulas: formulas whose automata are too large end with their context or a limit.
func TestLargeFormulas(t *testing.T) {
	var fair, deep strings.Builder
	fair.WriteString("1")
	for i := range 2000 {
		fmt.Fprintf(&fair, " & GF(p%d | X q%d)", i, i)
	}
	deep.WriteString("a")
	for range 8000 {
		deep.WriteString(" U (b U (F a R X b")
	}
	deep.WriteString(strings.Repeat(")", 16000))
	for _, text := range []string{fair.String(), deep.String()} {
		f, err := xcheck.ParseLTL(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		start := time.Now()
		_, err = xcheck.Translate(ctx, f)
		cancel()
		if took := time.Since(start); err == nil || took > time.Minute {
			t.Errorf("%.30s…: %v after %v", text, err, took)
		}
		long := must.Get(xcheck.ParseWord("a; " + strings.Repeat("a&!b;", 5000) + "cycle{b&!a}"))
		ctx = omega.Limits{Memory: 1 << 20}.WithMemory(t.Context())
		var limit *omega.LimitError
		if _, err := xcheck.Eval(ctx, f, long); !errors.As(err, &limit) {
			t.Errorf("Eval of %.30s…: %v", text, err)
		}
	}
}
