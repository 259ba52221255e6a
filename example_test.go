package xcheck_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/report"
)

var ctx = context.Background()

// Do two files hold equivalent automata, and if not, why?
func Example() {
	a, b := automaton("testdata/a.hoa"), automaton("testdata/b.hoa")
	c, err := xcheck.Compare(ctx, a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output:
	// subset
	// only in B: cycle{!a; a}
}

func automaton(name string) *omega.Automaton {
	return must.Get(xcheck.ReadHOA(must.Get(os.Open(name))))
}

// Does an automaton that a tool printed accept exactly the words of the formula, and if not, why?
func Example_formula() {
	f, err1 := xcheck.ParseLTL("G(req -> F ack)")
	specification, err2 := xcheck.Translate(ctx, f)
	tool, err3 := xcheck.ReadHOA(strings.NewReader(`HOA: v1 States: 2 Start: 0 AP: 2 "req" "ack"
		Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [!0] 0 [0] 1 State: 1 [1] 0 --END--`))
	c, err4 := xcheck.Compare(ctx, tool, specification)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	why, err := xcheck.Explain(ctx, tool, c.OnlyInB.Word)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(why)
	// Output:
	// subset
	// only in B: cycle{!req&!ack; req&ack}
	// stuck at letter 3: state 1 has no edge for !req&!ack, only for ack
}

func ExampleParseLTL() {
	f, err := xcheck.ParseLTL("G(req -> F ack)")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f, f.Props())
	_, err = xcheck.ParseLTL("G(req -> ")
	fmt.Println(err)
	// Output:
	// G(req -> Fack) [req ack]
	// 1:10: expected a formula, found the end
}

// A cycle repeats forever. The letter 1 stands for any valuation.
func ExampleParseWord() {
	w, err := xcheck.ParseWord("req&!ack; cycle{!req&ack; 1}")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w, w.Size())
	fmt.Println(w.Concrete())
	// Output:
	// req&!ack; cycle{!req&ack; 1} 3
	// req&!ack; cycle{!req&ack; !req&!ack}
}

func ExampleReadHOA() {
	a, err := xcheck.ReadHOA(strings.NewReader(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
--BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.NumStates(), a.NumEdges(), a.Acceptance())
	_, err = xcheck.ReadHOA(strings.NewReader("HOA: v1 States: 1\n--BODY-- State: 7 --END--"))
	fmt.Println(err)
	// Output:
	// 1 2 1 Inf(0)
	// 2:9: the header has no Acceptance:
}

func ExampleWriteHOA() {
	f, err1 := xcheck.ParseLTL("a U b")
	a, err2 := xcheck.Translate(ctx, f)
	if err := cmp.Or(err1, err2, xcheck.WriteHOA(os.Stdout, a)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// HOA: v1
	// name: "a U b"
	// States: 2
	// Start: 0
	// AP: 2 "a" "b"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels trans-acc deterministic
	// --BODY--
	// State: 0
	// [0&!1] 0
	// [1] 1
	// State: 1
	// [t] 1 {0}
	// --END--
}

func ExampleTranslate() {
	f, err1 := xcheck.ParseLTL("GFa & GFb")
	a, err2 := xcheck.Translate(ctx, f)
	if err := cmp.Or(err1, err2); err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.NumStates(), "state,", a.Acceptance())
	// Output:
	// 1 state, 2 Inf(0) & Inf(1)
}

func ExampleEval() {
	f, err1 := xcheck.ParseLTL("G(req -> F ack)")
	w, err2 := xcheck.ParseWord("cycle{req&!ack}")
	holds, err3 := xcheck.Eval(ctx, f, w)
	if err := cmp.Or(err1, err2, err3); err != nil {
		log.Fatal(err)
	}
	fmt.Println(holds)
	// Output:
	// false
}

func ExampleAccepts() {
	f, err1 := xcheck.ParseLTL("FGa")
	a, err2 := xcheck.Translate(ctx, f)
	w, err3 := xcheck.ParseWord("!a; cycle{a}")
	accepts, err4 := xcheck.Accepts(ctx, a, w)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		log.Fatal(err)
	}
	fmt.Println(accepts)
	// Output:
	// true
}

// Letters of the cycle have a star. The run that reads them forever sees no mark.
func ExampleExplain() {
	f, err1 := xcheck.ParseLTL("FGa")
	a, err2 := xcheck.Translate(ctx, f)
	w, err3 := xcheck.ParseWord("cycle{!a; a}")
	why, err4 := xcheck.Explain(ctx, a, w)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		log.Fatal(err)
	}
	text := &report.Text{W: os.Stdout, Verbose: true}
	if err := text.Explanation(why); err != nil {
		log.Fatal(err)
	}
	// Output:
	// rejecting run sees no marks infinitely often, which violates Inf(0)
	//           letter  state
	//       1*  !a      0 -> 0
	//       2*  a       0 -> 0
	//       * marks the cycle
}

// The complement of F G a is G F !a.
func ExampleComplement() {
	f, err1 := xcheck.ParseLTL("FGa")
	g, err2 := xcheck.ParseLTL("GF!a")
	a, err3 := xcheck.Translate(ctx, f)
	b, err4 := xcheck.Translate(ctx, g)
	co, err5 := xcheck.Complement(ctx, a)
	c, err6 := xcheck.Compare(ctx, co, b)
	if err := cmp.Or(err1, err2, err3, err4, err5, err6); err != nil {
		log.Fatal(err)
	}
	fmt.Println(co.Name, "and", b.Name, "are", c)
	// Output:
	// complement of FGa and GF!a are equal
}

func ExampleEmpty() {
	f, err1 := xcheck.ParseLTL("!a & X a & G(a -> X b)")
	a, err2 := xcheck.Translate(ctx, f)
	x, err3 := xcheck.Empty(ctx, a)
	if err := cmp.Or(err1, err2, err3); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Empty(), x.Word)
	// Output:
	// false cycle{!a&b; a&!b}
}

// Can a and b both hold infinitely often if they never hold together?
func ExampleIntersect() {
	f, err1 := xcheck.ParseLTL("GFa & GFb")
	g, err2 := xcheck.ParseLTL("G!(a & b)")
	a, err3 := xcheck.Translate(ctx, f)
	b, err4 := xcheck.Translate(ctx, g)
	x, err5 := xcheck.Intersect(ctx, a, b)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output:
	// non-empty
	// cycle{a&!b; !a&b}
}

// Does every word on which a holds at last forever satisfy G F a?
func ExampleDifference() {
	f, err1 := xcheck.ParseLTL("FGa")
	g, err2 := xcheck.ParseLTL("GFa")
	a, err3 := xcheck.Translate(ctx, f)
	b, err4 := xcheck.Translate(ctx, g)
	x, err5 := xcheck.Difference(ctx, a, b)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Empty())
	// Output:
	// true
}

// The first formula speaks of a proposition that the second does not have.
func ExampleCompare() {
	f, err1 := xcheck.ParseLTL("a U b")
	g, err2 := xcheck.ParseLTL("F b")
	a, err3 := xcheck.Translate(ctx, f)
	b, err4 := xcheck.Translate(ctx, g)
	c, err5 := xcheck.Compare(ctx, a, b)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Verdict(), c.Equal())
	fmt.Println(c.OnlyInB.Word, c.OnlyInB.Shortest())
	// Output:
	// subset false
	// cycle{!a&!b; !a&b} true
}

// Compare with a given complement construction, and at most a second.
func ExampleChecker() {
	f, err1 := xcheck.ParseLTL("FGa")
	g, err2 := xcheck.ParseLTL("GFa")
	a, err3 := xcheck.Translate(ctx, f)
	b, err4 := xcheck.Translate(ctx, g)
	checker := xcheck.Checker{
		Limits:    omega.Limits{Time: 10 * time.Second, Memory: 100 << 20},
		Algorithm: "ranks",
	}
	c, err5 := checker.Compare(ctx, b, a)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	fmt.Println(c.OnlyInA.Decision.Constructions)
	// Output:
	// superset
	// only in A: cycle{!a; a}
	// [ranks]
}
