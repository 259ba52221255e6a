package hoa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/promela"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// parsed reads a text with one automaton.
func parsed(t testing.TB, text string) *omega.Automaton {
	t.Helper()
	a, _, err := hoa.ReadOne(context.Background(), []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return a
}

// show writes an automaton in a compact form: acceptance; initial states; then
// each state with its edges.
func show(a *omega.Automaton) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; start", a.Acceptance())
	dst := func(s omega.State) string {
		var parts []string
		for _, t := range a.Universal(s) {
			parts = append(parts, fmt.Sprint(t))
		}
		return strings.Join(parts, "&")
	}
	for _, s := range a.Initial() {
		fmt.Fprintf(&b, " %s", dst(s))
	}
	name := func(i int) string { return a.Alphabet().Props()[i] }
	for s := range omega.State(a.NumStates()) {
		fmt.Fprintf(&b, "; %d:", s)
		for _, e := range a.Edges(s) {
			fmt.Fprintf(&b, " [%s] %s", a.Alphabet().Format(e.Label, name), dst(e.Dst))
			if list := a.Marks().AppendTo(nil, e.Marks); len(list) > 0 {
				fmt.Fprintf(&b, " %v", list)
			}
		}
	}
	return b.String()
}

// TestRead reads what the formats allow.
func TestRead(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"edge labels and marks",
			`HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" acc-name: Buchi Acceptance: 1 Inf(0) --BODY-- State: 0 [0&!1] 1 {0} [t] 0 State: 1 [!0|1]0--END--`,
			`1 Inf(0); start 0; 0: [a&!b] 1 [0] [1] 0; 1: [!a | b] 0`},
		{"state marks go to the edges",
			`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 2 Inf(0)&Fin(1) --BODY-- State: 0 "first" {0} [0] 1 [!0] 0 {1} State: 1 [f] 0 --END--`,
			`2 Inf(0) & Fin(1); start 0; 0: [a] 1 [0] [!a] 0 [0 1]; 1:`},
		{"state labels",
			`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: [0] 0 0 1 State: [!0] 1 {} 0 --END--`,
			`0 t; start 0; 0: [a] 0 [a] 1; 1: [!a] 0`},
		{"implicit labels",
			`HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 1 Fin(0) --BODY-- State: 0 0 0 {0} 0 0 --END--`,
			`1 Fin(0); start 0; 0: [!a&!b] 0 [a&!b] 0 [0] [!a&b] 0 [a&b] 0`},
		{"aliases before the propositions",
			`HOA: v1 Alias: @x 0&!1 Alias: @0 !@x|1 Start: 0 AP: 2 "a" "b" Acceptance: 0 t --BODY-- State: 0 [@0] 0 [!(@x)] 0 --END--`,
			`0 t; start 0; 0: [!a | b] 0 [!a | b] 0`},
		{"nested comments everywhere",
			`/* a /* b */ c */ HOA: /* ] */ v1 States: /**/ 1 Start: 0 AP: 1 "/* a */" Acceptance: 1 Inf /* x */ ( 0 ) --BODY-- State: 0 [ /* ] */ 0 ] 0 { /*}*/ 0 } --END--`,
			`1 Inf(0); start 0; 0: [/* a */] 0 [0]`},
		{"several initial states",
			`HOA: v1 States: 2 Start: 0 Start: 1 AP: 0 Acceptance: 0 t --BODY-- State: 0 State: 1 --END--`,
			`0 t; start 0 1; 0:; 1:`},
		{"no initial state, no state", `HOA: v1 AP: 0 Acceptance: 0 f --BODY-- --END--`, `0 f; start`},
		{"missing States:",
			`HOA: v1 Start: 3 AP: 0 Acceptance: 0 t --BODY-- State: 3 State: 1 [t] 2 State: 0 State: 2 --END--`,
			`0 t; start 3; 0:; 1: [1] 2; 2:; 3:`},
		{"a value ends where another token starts",
			`HOA:v1 States:1Start:0AP:1"a"acc-name:parity min even 1Acceptance:1Inf(0)x:1y"z"t properties:weak/**/Alias:@1 0--BODY--State:0[@1]0{0}--END--`,
			`1 Inf(0); start 0; 0: [a] 0 [0]`},
		{"a proposition without a name",
			`HOA: v1 Start: 0 AP: 2 "" "a" Acceptance: 0 t --BODY-- State: 0 [!0&1] 0 --END--`,
			`0 t; start 0; 0: [!&a] 0`},
		{"names that have the end in them",
			`HOA: v1 foo: bar--ABORT-- 1x--END-- x--END--y Alias: @1--END-- 0 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [@1--END--] 0--END--`,
			`0 t; start 0; 0: [a] 0`},
		{"numbers and names without blanks in LBTT, and a proposition without a name", "1 1t 0 1 0 0 -1\"\" -1", `1 Inf(0); start 0; 0: [] 0 [0]`},
		{"missing AP:", `HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`, `0 t; start 0; 0: [1] 0`},
		{"complements of marks",
			`HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 2 Fin(!0) & Inf(1) | Inf(!0) --BODY-- State: 0 {1} [t] 0 {0} [t] 0 --END--`,
			`3 Fin(2) & Inf(1) | Inf(2); start 0; 0: [1] 0 [0 1] [1] 0 [1 2]`},
		{"universal branching",
			`HOA: v1 States: 3 Start: 0&2 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 [t] 1&2 {0} [t] 1 & 1 State: 1 State: 2 --END--`,
			`1 Fin(0); start 0&2; 0: [1] 1&2 [0] [1] 1; 1:; 2:`},
		{"strings with escapes, and line ends of DOS",
			"HOA: v1\r\nname: \"a \\\"b\\\" \\\\\"\r\nStart: 0\r\nAP: 1 \"x\\\"\\\\y --END--\"\r\nAcceptance: 0 t\r\n--BODY--\r\nState: 0\r\n[0] 0\r\n--END--\r\n",
			`0 t; start 0; 0: [x"\y --END--] 0`},
		{"headers in lower case are ignored",
			`HOA: v1 tool: "x" "1" foo: bar 1 "s" t properties: weak properties: unheard-of Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 --END--`,
			`0 t; start 0; 0:`},
		{"more marks than a word has bits",
			`HOA: v1 Start: 0 AP: 0 Acceptance: 70 Inf(69)&Fin(0) --BODY-- State: 0 {69} [t] 0 {0} --END--`,
			`70 Inf(69) & Fin(0); start 0; 0: [1] 0 [0 69]`},
		{"Spin", `never  {    /* [](p -> <>q) */
T0_init:
	do
	:: ((! ((p)) || (q))) -> goto accept_S20
	:: (1) -> goto T0_S27
	od;
accept_S20:
	do
	:: atomic { ((q)) -> assert(!((q))) }
	od;
T0_S27:
	if
	:: (p) && (q) || !p -> goto T0_init
	fi;
}`, `1 Inf(0); start 0; 0: [!p | q] 1 [1] 2; 1: [q] 3 [0]; 2: [!p | q] 0; 3: [1] 3 [0]`},
		{"LTL2BA", `never { /* <>p */
T0_init :    /* init */
	if
	:: (1) -> goto T0_init
	:: (p) -> goto accept_all
	fi;
accept_all :    /* 1 */
	skip
}`, `1 Inf(0); start 0; 0: [1] 0 [p] 1; 1: [1] 1 [0]`},
		{"comments of C don't nest, and no guard", `never { /* /* a */ T0_init: if :: goto accept_all :: skip -> goto T0_init fi; accept_all: skip }`,
			`1 Inf(0); start 0; 0: [1] 1 [1] 0; 1: [1] 1 [0]`},
		{"assertions lead to accept_all", `never { T0_init: do :: atomic { (p) -> assert(!(p)) } od; accept_all: skip }`,
			`1 Inf(0); start 0; 0: [p] 1; 1: [1] 1 [0]`},
		{"a state without edges", "never { accept_init: T0_init:\n\tdo\n\t:: false\n\tod;\n}", `1 Inf(0); start 0; 0:`},
		{"false, several labels of a state",
			`never { T0_init: do :: (0) -> goto T0_S1 :: 1 -> goto accept_S1 od; T0_S1: accept_S1: false }`,
			`1 Inf(0); start 0; 0: [1] 1; 1:`},
		{"LTL3BA: comments, and guards that are constants", "never { /* G F a */\r\naccept_init : /* init */\r\n\tif\r\n\t:: (1) -> goto T0_S2 // a\r\n\t:: (!p && q) -> goto accept_init\r\n\tfi;\r\nT0_S2 : /* } */\r\n\tfalse;\r\n}\r\n",
			`1 Inf(0); start 0; 0: [1] 1 [0] [!p&q] 0 [0]; 1:`},
		{"Spot", "never { /* F(GFb | G!a) */\nT0_init:\n  if\n  :: ((true)) -> goto T0_init\n  :: ((b)) -> goto accept_S1\n  :: ((!(a)) && (b) || (!(a))) -> goto accept_S1\n  fi;\naccept_S1: /* 1 */\n  do\n  :: atomic { (b) -> assert(!(b)) }\n  :: (!(b)) -> goto T0_init\n  od;\naccept_all:\n  skip\n}",
			`1 Inf(0); start 0; 0: [1] 0 [b] 1 [!a] 1; 1: [b] 2 [0] [!b] 0 [0]; 2: [1] 2 [0]`},
		{"else, comparisons, & and | that bind tighter than &&, and staying in a loop",
			"never x { S_init: do :: x == 1 -> goto b :: (x==1 && y[2]@l<-3) ; goto b :: a | b & c && d | a -> goto b :: else -> goto b :: (a) od; b: false }",
			`1 Inf(0); start 0; 0: [x == 1] 1 [x == 1&y[2]@l<-3] 1 [a | b&c&d] 1 [!x == 1&!a&!b | !x == 1&!a&!c | !x == 1&!a&!d] 1 [a] 0; 1:`},
		{"LBTT: sets on states, and numbers in any order", "3 2\n7 0 1 0 -1\n3 & p0 ! p1\n7 t\n-1\n3 1 -1\n0 ^ i p0 p1 e p0 p1\n-1\n0 0 -1\n-1\n",
			`2 Inf(0) & Inf(1); start 1; 0: [p0&!p1] 1 [0 1] [1] 0 [0 1]; 1: [!p0&p1] 2; 2:`},
		{"LBTT: sets on edges, by Spot", "2 2t\n0 1\n0 -1 t\n1 -1 | & p0 p2 & p1 p2\n-1\n1 0\n1 0 1 -1 & & p0 p1 p2\n1 0 -1 & & p1 p2 ! p0\n-1\n",
			`2 Inf(0) & Inf(1); start 0; 0: [1] 0 [p0&p2 | p2&p1] 1; 1: [p0&p2&p1] 1 [0 1] [!p0&p2&p1] 1 [0]`},
		{"LBTT: sets on both, named by other numbers, and quoted propositions", "1 2st 0 1 9 -1 0 5 -1 \"a \\\"b\\\\\\c\" 0 -1 f -1",
			`2 Inf(0) & Inf(1); start 0; 0: [a "b\\c] 0 [0 1]`},
		{"LBTT without sets or states", "0 0", `0 t; start`},
		{"LBTT with line ends of DOS", "1 1\r\n0 1 0 -1\r\n0 p0\r\n-1\r\n", `1 Inf(0); start 0; 0: [p0] 0 [0]`},
		{"DSTAR: a U b", "DRA v2 explicit\nStates: 3\nAcceptance-Pairs: 1\nStart: 0\nAP: 2 \"a\" \"b\"\n---\nState: 0\nAcc-Sig:\n1\n0\n2\n2\nState: 1\nAcc-Sig: -0\n1\n1\n1\n1\nState: 2\nAcc-Sig: +0\n2\n2\n2\n2\n",
			`2 Fin(0) & Inf(1); start 0; 0: [a&!b] 0 [!a&!b] 1 [b] 2; 1: [1] 1 [0]; 2: [1] 2 [1]`},
		{"DSTAR: Streett, a comment, names, without propositions", "DSA v2 explicit\r\nComment: \"x \\ y\"\r\nStates: 2\r\nAcceptance-Pairs: 2\r\nStart: 1\r\nAP: 0\r\n---\r\nState: 0 \"n\"\r\nAcc-Sig: +0 -1\r\n1\r\nState: 1\r\nAcc-Sig: -0 +1\r\n0\r\n",
			`4 (Fin(0) | Inf(1)) & (Fin(2) | Inf(3)); start 1; 0: [1] 1 [0 3]; 1: [1] 0 [1 2]`},
		{"DSTAR without pairs, and without a header for propositions", "DRA v2 explicit States: 1 Acceptance-Pairs: 0 Start: 0 --- State: 0 Acc-Sig: 0", `0 f; start 0; 0: [1] 0`},
	} {
		a, _, err := hoa.ReadOne(context.Background(), []byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := show(a); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestNeverAsSpin compares what we read with what Spin does: "pan -d" lists the edges of a claim,
// by numbers of states, with a for an accepting one. It writes expressions in its own way.
func TestNeverAsSpin(t *testing.T) {
	ask := func(guard string) string {
		return "never { A: do :: (" + guard + ") -> goto E :: !(" + guard + ") -> goto A od; E: skip }"
	}
	const asked = "5 -> 8 G; 5 -> 5 (!G); 8 -> 9 (1); 9 -> 0 -end-"
	pan := func(guard string) string { return strings.ReplaceAll(asked, "G", guard) }
	for _, c := range []struct{ claim, pan, props string }{
		{ask("x == 1"), pan("((x==1))"), "x == 1"},
		{ask("x > y"), pan("((x>y))"), "x > y"},
		{ask("a.b == 1"), pan("((a.b==1))"), "a.b == 1"},
		{ask("P[1]@lab == 1"), pan("((P[1]@lab==1))"), "P[1]@lab == 1"}, // pan: P[1]._p==lab
		{ask("x + 1 > y"), pan("(((x+1)>y))"), "x + 1 > y"},
		{ask("len(q)>0"), pan("((len(q)>0))"), "len(q)>0"},
		{ask("x[i+1]"), pan("(x[(i+1)])"), "x[i+1]"},
		{ask("q?[m]"), pan("(q?[m])"), "q?[m]"},
		{ask("f(x)"), pan("(f(x))"), "f(x)"}, // pan: the macro's text
		{ask("x % 2\t== 0"), pan("(((x%2)==0))"), "x % 2 == 0"},
		{ask("timeout"), pan("(timeout)"), "timeout"},
		{ask("(x + 1) * 2 > y /* c */"), pan("((((x+1)*2)>y))"), "(x + 1) * 2 > y"},
		{ask("!x == 1"), pan("((!(x)==1))"), "!x == 1"},
		{ask("x & 3"), pan("((x&3))"), "x & 3"},
		{ask("x<<1 != y"), pan("(((x<<1)!=y))"), "x<<1 != y"},
		{ask("p:v"), pan("(p:v)"), "p:v"}, // pan: p.v
		{ask("(p -> (x[1]) : r)\t== 1"), pan("((( (p) -> (x[1]) : (r) )==1))"), "(p -> (x[1]) : r) == 1"},
		{ask("p -> r : (p:v)"), pan("(( (p) -> (r) : ((p:v)) ))"), "p, r, p:v"},
		{ask("p -> r : !r"), pan("(( (p) -> (r) : (!(r)) ))"), "p, r"},
		{"never { A: if :: (x==1) -> goto E :: (x /* */ == 1) && !((x) == 1) -> goto A fi; E: skip }", "1 -> 2 (x==1); 2 -> 0 -end-", "x==1"},
		// Jumps take no step, unless the state accepts.
		{"never { A: goto B; B: if :: (p) -> goto accept_C fi; accept_C: if :: (1) -> goto accept_C fi }", "4 -> 8 (p); 8 -> 8 a (1)", "p"},
		{"never { A: if :: (p) -> goto accept_J :: (1) -> goto A fi; accept_J: goto A }", "5 -> 8 (p); 5 -> 5 (1); 8 -> 5 a (1)", "p"},
		{"never { A: if :: (p) -> goto J :: goto A fi; J: goto K; K: goto C; C: if :: (!p) -> goto accept_D fi; accept_D: if :: (r) -> goto J :: (1) -> goto accept_D fi }",
			"4 -> 10 (p); 4 -> 4 (1); 10 -> 16 (!(p)); 16 -> 10 a (r); 16 -> 16 a (1)", "p, r"},
		// The first state, the end of the claim, and the next state.
		{"never { A: if :: (p) -> goto accept_C fi; A_init: if :: (!p) -> goto accept_C fi; accept_C: if :: (1) -> goto accept_C fi }",
			"3 -> 11 (p); 11 -> 11 a (1)", "p"},
		{"never { A: if :: (p) -> goto B fi; B: skip }", "3 -> 5 (p); 5 -> 6 (1); 6 -> 0 -end-", "p"},
		{"never { A: skip; B: if :: (p) -> goto accept_C fi; accept_C: if :: (1) -> goto accept_C fi }", "1 -> 4 (1); 4 -> 8 (p); 8 -> 8 a (1)", "p"},
		{"never { accept_A: do :: (p) :: (r) -> break od; B: if :: (r) fi }", "4 -> 4 a (p); 4 -> 8 a (r); 8 -> 10 (r); 10 -> 0 -end-", "p, r"},
		// Claims written by hand.
		{"never { do :: true :: p && !q -> break od; accept: do :: !q od }", "4 -> 4 (1); 4 -> 10 (p && !q); 10 -> 10 a (!q)", "p, q"},
		{"never { if :: p -> goto L :: if :: q -> goto L :: else -> goto M fi fi; L: p; M: q }",
			"9 -> 11 (p); 9 -> 11 (q); 9 -> 12 else; 11 -> 12 (p); 12 -> 13 (q); 13 -> 0 -end-", "p, q"},
		{"never { do :: do :: p -> break :: q od :: r -> goto out od; out: skip }", "8 -> 8 (p); 8 -> 4 (q); 8 -> 9 (r); 4 -> 8 (p); 4 -> 4 (q); 9 -> 0 -end-", "p, q, r"},
		{"never { do :: !p :: p -> L: if :: q :: else -> skip; break fi od\n(r)\n}", "1 -> 1 (!p); 1 -> 2 (p); 2 -> 1 (q); 2 -> 3 else; 3 -> 4 (1); 4 -> 5 (r); 5 -> 0 -end-", "p, q, r"},
		{"never { p -> accept: goto L; L: }", "1 -> 2 (p); 2 -> 3 a (1); 3 -> 4 (1); 4 -> 0 -end-", "p"},
		// Runs of pan: atomic is one step.
		{"never { do :: atomic { p -> q -> break } :: r od; accept: do :: r od }", "1 -> 2 (p && q); 1 -> 1 (r); 2 -> 2 a (r)", "p, q, r"},
		{"never { do :: atomic { p -> assert(!p || q) } :: else od }", "1 -> 1 (p && q); 1 -> 9 (p && !q); 1 -> 1 (!p); 9 -> 0 -end-", "p, q"},
		{"never { do :: assert(p || q) od }", "1 -> 1 (p || q); 1 -> 9 (!p && !q); 9 -> 0 -end-", "p, q"},
		// Not Spin's, but translators write it.
		{"never { A: if :: (x = 1) -> goto E :: !(x=1) -> goto A fi; E: skip }", "1 -> 2 (x = 1); 1 -> 1 (!(x = 1)); 2 -> 0 -end-", "x = 1"},
	} {
		a, _, err := hoa.ReadOne(t.Context(), []byte(c.claim))
		if err != nil {
			t.Errorf("%s: %v", c.claim, err)
			continue
		}
		if got := strings.Join(a.Alphabet().Props(), ", "); got != c.props {
			t.Errorf("%s: got the propositions %s, want %s", c.claim, got, c.props)
		}
		// The same edges as a claim that all read in the same way.
		plain, last := "never {", ""
		for edge := range strings.SplitSeq(c.pan, "; ") {
			fields := strings.SplitN(strings.ReplaceAll(edge, " a ", " "), " ", 4)
			if fields[0] != last {
				plain += strings.Repeat(" fi;", min(1, len(last))) + " S" + fields[0] + ": "
				if strings.Contains(edge, " a ") {
					plain += "accept" + fields[0] + ": "
				}
				if last = fields[0]; fields[2] == "0" {
					plain, last = plain+"skip", ""
					continue
				}
				plain += "if"
			}
			plain += " :: " + fields[3] + " -> goto S" + fields[2]
		}
		plain += strings.Repeat(" fi", min(1, len(last))) + " }"
		if err := differ(t.Context(), a.Renamed(promela.Name), parsed(t, plain).Renamed(promela.Name)); err != nil {
			t.Errorf("%s: for Spin, it is %s: %v", c.claim, plain, err)
		}
	}
	// Notes, where Spot reads something else.
	for claim, want := range map[string]string{
		"never { A: skip }":                               "1:12: A: skip at the end accepts, as for Spin; for Spot, it rejects",
		"never { A: skip; accept_all: skip }":             "1:12: A: skip goes on to the next state, as for Spin; for Spot, it stays",
		"never { A: false; A_init: false }":               "1:19: A_init: Spin and Spot start in the first state, whatever its label is",
		"never { A: do :: p :: q -> goto A :: false od }": "1:18: a guard without goto in a loop stays in the state, as for Spin; for Spot, it is no edge",
		"never { A: if :: p fi }":                         "1:18: a guard without goto goes on to the next state, as for Spin; for Spot, it is no edge",
		"never { A: goto accept_all; accept_all: skip }":  "",
		"never { do :: p od; A: skip }":                   "", // Spot reads no statement without a label
	} {
		_, warnings, err := hoa.ReadOne(t.Context(), []byte(claim))
		if got := strings.Trim(fmt.Sprint(warnings), "[]"); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", claim, got, err, want)
		}
	}
}

func TestMetadata(t *testing.T) {
	a, warnings, err := hoa.ReadOne(context.Background(), []byte(`HOA: v1 name: "n" States: 2 Start: 0 AP: 0 acc-name: Rabin 1 Acceptance: 2 Fin(0)&Inf(1)
 properties: weak deterministic
 Controllable-AP: 0 properties: complete --BODY-- State: 1 "one" {0} [t] 1 State: 0 --END--`))
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "n" || a.Declared.AccName != "Rabin 1" || fmt.Sprint(a.Declared.Properties) != "[weak deterministic complete]" ||
		fmt.Sprintf("%q", a.StateNames) != `["" "one"]` || !a.StateMarks {
		t.Errorf("got %+v", a)
	}
	want := "3:2: unknown header Controllable-AP: (its capital letter means that it changes the semantics of the automaton)"
	if len(warnings) != 1 || warnings[0].String() != want {
		t.Errorf("warnings %v", warnings)
	}
}

// TestDeclared: where properties are, the draft v1.1, and how labels and marks are
// written.
func TestDeclared(t *testing.T) {
	a, warnings, err := hoa.ReadOne(context.Background(), []byte(`HOA: v1.1
 properties: weak /* no */ !deterministic
   spot.highlight.states: 0 5
 properties: ! complete acc-name: Buchi States: 4 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
 --BODY-- State: [0] 0 {0} 1 State: 1 0 {0} 1 State: 2 [0] 2 State: 3 {0} --END--`))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	got := fmt.Sprint(a.Declared, a.Written)
	if want := "{Buchi [weak !deterministic !complete] true {4 25} [{2 14} {2 28} {4 14}]} {1 3 2 1 2 0}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a, warnings, err = hoa.ReadOne(context.Background(), []byte("HOA: v1 properties: !weak AP: 0 Acceptance: 0 t --BODY-- --END--"))
	if err != nil || len(warnings) != 1 || warnings[0].String() != "1:21: !weak: version v1 of the format has no negated properties" ||
		fmt.Sprint(a.Declared.Properties) != "[!weak]" {
		t.Errorf("%v, %v: %v", a, warnings, err)
	}
	for _, text := range []string{"HOA: v1.1 properties: ! AP: 0", "HOA: v17", "HOA: v2.1"} {
		if _, _, err := hoa.ReadOne(context.Background(), []byte(text+" Acceptance: 0 t --BODY-- --END--")); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestErrors: each error says where, and what was expected.
func TestErrors(t *testing.T) {
	body := func(s string) string {
		return "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n" + s
	}
	for _, c := range []struct{ in, want string }{
		{"", "1:1: expected an automaton, found nothing"},
		{" /* nothing */ \n", "1:1: expected an automaton, found nothing"},
		{"Usage: ltl2ba [-f formula]\n", `1:1: expected an automaton (…), found "Usage:"`},
		{"HOA: v2 --BODY-- --END--", `1:6: expected version v1 or v1.1, found "v2"`},
		{"HOA: v1\nStates: 1\n--BODY--\n--END--", "3:9: the header has no Acceptance:"},
		{"HOA: v1\nStates: 1\nStates: 1\n--BODY--\n--END--", "3:1: second States:"},
		{"HOA: v1 States: x --BODY-- --END--", `1:17: expected a number of states, found "x"`},
		{"HOA: v1 States: 99999999999 --BODY-- --END--", `1:17: a number of states is greater than 10000000`},
		{`HOA: v1 AP: 2 "a" Acceptance: 0 t --BODY-- --END--`, `1:19: expected a proposition in double quotes, found "Acceptance:"`},
		{`HOA: v1 AP: 1 "a" "b" Acceptance: 0 t --BODY-- --END--`, `1:19: expected no more than the 1 proposition announced, found "\""`},
		{`HOA: v1 AP: 2 "a" "a" Acceptance: 0 t --BODY-- --END--`, `1:19: proposition "a" occurs twice`},
		{`HOA: v1 AP: 2 "" "" Acceptance: 0 t --BODY-- --END--`, `1:18: proposition "" occurs twice`},
		{"HOA: v1 acc-name: 0x 4 Acceptance: 0 t --BODY-- --END--", `1:19: expected the name of an acceptance condition, found "0x"`},
		{"HOA: v1 acc-name: t Acceptance: 0 t --BODY-- --END--", `1:19: expected the name of an acceptance condition, found "t"`},
		{"HOA: v1 acc-name: Acceptance: 0 t --BODY-- --END--", `1:19: expected the name of an acceptance condition, found "Acceptance:"`},
		{`HOA: v1 acc-name: Buchi "x" Acceptance: 1 Inf(0) --BODY-- --END--`, `1:25: expected a header item or --BODY--, found "\""`},
		{"HOA: v1 acc-name: Buchi -1 Acceptance: 1 Inf(0) --BODY-- --END--", `1:25: expected a header item or --BODY--, found "-1"`},
		{"HOA: v1 acc-name: Rabin 01 Acceptance: 1 Inf(0) --BODY-- --END--", `1:25: number "01" starts with a 0: the format has no leading zeros`},
		{`HOA: v1 properties: "weak" Acceptance: 0 t --BODY-- --END--`, `1:21: expected a header item or --BODY--, found "\""`},
		{"HOA: v1 properties: weak t Acceptance: 0 t --BODY-- --END--", `1:26: expected a header item or --BODY--, found "t"`},
		{"HOA: v1 properties: 1 Acceptance: 0 t --BODY-- --END--", `1:21: expected a header item or --BODY--, found "1"`},
		{"HOA: v1.1 properties: !t Acceptance: 0 t --BODY-- --END--", `1:24: expected a property, found "t"`},
		{"HOA: v1 tool: x Acceptance: 0 t --BODY-- --END--", `1:15: expected a tool's name in double quotes, found "x"`},
		{"HOA: v1 tool: Acceptance: 0 t --BODY-- --END--", `1:15: expected a tool's name in double quotes, found "Acceptance:"`},
		{`HOA: v1 tool: "a" "b" "c" Acceptance: 0 t --BODY-- --END--`, `1:23: expected a header item or --BODY--, found "\""`},
		{`HOA: v1 foo: "a`, "1:14: string without an end"},
		{`HOA: v1 foo: 1 -x Acceptance: 0 t --BODY-- --END--`, `1:16: expected a header item or --BODY--, found "-x"`},
		{"HOA: v1 States: 01 Acceptance: 0 t --BODY-- --END--", `1:17: number "01" starts with a 0: the format has no leading zeros`},
		{body("State: 0 [00] 0 State: 1 --END--"), `7:11: number "00" starts with a 0: the format has no leading zeros`},
		{body("State: 0 [t] 0 {00} State: 1 --END--"), `7:17: number "00" starts with a 0: the format has no leading zeros`},
		{body("State: 0 [t] 1 --END--"), "7:16: state 1 has no State: line: every state needs one, even without edges"},
		{body("--END--"), "7:1: states 0-1 have no State: line: every state needs one, even without edges"},
		{"HOA: v1 Start: 3 Acceptance: 0 t --BODY-- State: 1 [t] 2 --END--", "1:58: states 0, 2-3 have no State: line: every state needs one, even without edges"},
		{"HOA: v1 States: 13 Acceptance: 0 t --BODY-- State: 1 State: 3 State: 5 State: 7 State: 9 State: 11 --END--",
			"1:100: states 0, 2, 4, 6, 8, … have no State: line: every state needs one, even without edges"},
		{"HOA: v1 States: 10000000 Acceptance: 0 t --BODY-- --END--", "1:51: states 0-9999999 have no State: line: every state needs one, even without edges"},
		{"HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--", "1:27: mark 1, but there is only 1 mark, number 0"},
		{"HOA: v1 Acceptance: 1 Inf(0 --BODY-- --END--", `1:29: expected ')', found "--BODY--"`},
		{"HOA: v1 Acceptance: 1 Inf(0) & --BODY-- --END--", `1:32: expected Inf(…), Fin(…), t, f or '(', found "--BODY--"`},
		{`HOA: v1 name: "x`, "1:15: string without an end"},
		{"HOA: v1 Acceptance: 0 t Start: 4 States: 2 --BODY-- --END--", "1:25: state 4, but there are only 2 states, numbered from 0"},
		{"HOA: v1 Acceptance: 0 t", "1:24: expected a header item or --BODY--, found the end"},
		{body("State: 0 [0] 1\n"), "8:1: expected State: or --END--, found the end"},
		{body("State: 0 [0] 1 {0"), `7:18: expected the number of a mark or '}', found the end`},
		{body("State: 0 [0] 1 {1} --END--"), "7:17: mark 1, but there is only 1 mark, number 0"},
		{body("State: 2 --END--"), "7:8: state 2, but there are only 2 states, numbered from 0"},
		{body("State: 0 State: 0 --END--"), "7:17: state 0 occurs twice"},
		{body("State: 0 [0] 2 --END--"), "7:14: edge to state 2, but there are only 2 states, numbered from 0"},
		{body("State: 0 [1] 0 --END--"), "7:11: proposition 1, but there is only 1 proposition, number 0"},
		{body("State: 0 [0&] 0 --END--"), `7:13: expected a proposition's number, t, f, @, '!' or '(', found "]"`},
		{body("State: 0 [0 0] 0 --END--"), `7:13: expected '&', '|' or ']', found "0"`},
		{body("State: 0 [@x] 0 --END--"), "7:11: unknown alias @x"},
		{body("State: 0 [(0] 0 --END--"), `7:13: expected '&', '|' or ')', found "]"`},
		{body("State: 0 0 --END--"), "7:12: state 0 has 1 edge without a label: expected one for each of the 2 letters"},
		{body("State: 0 0 0 0 --END--"), "7:14: more than 2^1 edges without a label"},
		{body("State: 0 0 [t] 0 --END--"), "7:12: label on an edge, but the edges before it have none"},
		{body("State: 0 [t] 0 0 --END--"), "7:16: edge without a label, but the edges before it have one"},
		{body("State: [t] 0 [t] 0 --END--"), "7:14: label on an edge of a state that has a label itself"},
		{body("State: 0 [t] --END--"), `7:14: expected a state number, found "--END--"`},
		{body("ü --END--"), `7:1: expected State: or --END--, found "ü"`},
		{body("State: 0 State: 1 --END-- x"), `7:27: expected an automaton (…), found "x"`},
		{body("State: 0 State: 1 --END--\n") + body("--END--"), `8:1: expected one automaton, found a second`},
		{"HOA: v1 /* never closed", `1:9: expected a header item or --BODY--, found "/"`},
		{"never { T0_init: if :: (p) -> goto S fi }", "1:36: no state has the label S"},
		{"never { T0_init: if :: (p -> goto S fi }", `1:27: expected '&&', '||' or ')', found "-"`},
		{"never { T0_init: if :: (p) goto S fi }", `1:28: expected an operator or '->', found "goto"`},
		{"never { T0_init: if :: (p) -> goto T0_init }", `1:44: expected :: or fi, found "}"`},
		{"never { T0_init: if :: (p) -> goto T0_init fi", `1:46: expected ';' or '}', found the end`},
		{"never { a: skip; a: skip }", "1:18: label a occurs twice"},
		{"never { a: skip b: skip }", `1:17: expected an operator or '->', found "b:"`},
		{"never { a: if :: 1 -> goto a fi b: skip }", `1:33: expected ';' or '}', found "b:"`},
		{"never { T1: if :: 1 -> goto 7 fi }", `1:29: expected a label, found "7"`},
		{"never { T1: if :: 1 -> goto fi }", `1:29: expected a label, found "fi"`},
		{"never { T1: goto; }", `1:17: expected a label, found ";"`},
		{"never{7T0_init: skip }", `1:7: expected a proposition, '!' or '(', found "7T0_init:"`},
		{"never { if: skip }", `1:11: expected :: or fi, found ":"`},
		{"never { a.b: skip }", `1:12: expected an operator or '->', found ":"`},
		{"never 7x { a: skip }", `1:7: expected a name or '{', found "7x"`},
		{"never { a: do :: atomic { if :: p fi; q } od }", `1:39: expected '}' behind this statement in atomic, found "q"`},
		{"never { do :: atomic { do :: p od } od }", "1:24: loop in atomic"},
		{"never { do :: L: p od }", "1:15: label L at the start of an option or in atomic: Spin wants it before if, do or atomic"},
		{"1 1\n0 1 -1\n0 p0-1\n-1", `3:5: expected white space, found "-1"`},
		{"never { a: if :: 1b -> goto a fi }", `1:19: expected an operator or '->', found "b"`},
		{"never { a: if :: x. == 1 -> goto a fi }", `1:19: expected an operator or '->', found "."`},
		{"never { a: if :: else -> goto a :: else -> goto a fi }", `1:36: second else of the state`},
		{"never { a: if :: p && else -> goto a fi }", `1:23: expected a proposition, '!' or '(', found "else"`},
		{"never { a: if :: p == -> goto a fi }", `1:23: expected a proposition, '!' or '(', found "-"`},
		{"never { a: if :: x[1 -> goto a fi }", `1:22: expected ']', found "-"`},
		{"never { a: if :: (p -> q) -> goto a fi }", `1:25: expected ':', found ")"`},
		{"never { a: goto b; b: goto a }", `1:17: states only jump to each other`},
		{"never { a: if :: p -> break :: p; q fi }", `1:23: break outside a loop`},
		{"never { p q }", `1:11: expected an operator or '->', found "q"`},
		{"never { p = 1; q }", `1:11: expected an operator or '->', found "="`},
		{"never { a: do :: atomic { p -> assert({) } od }", `1:39: expected a proposition, '!' or '(', found "{"`},
		{"HOA: v1 Alias: @a 0 Alias: @a 1 Acceptance: 0 t --BODY-- --END--", `1:29: expected the name of a new alias, found "a"`},
		{"1 1\n0 2 -1\n-1", `2:3: expected 1 for an initial state, or 0, found "2"`},
		{"1 1\n0 1 -1\n0 U p0 p1\n-1", `3:3: expected a proposition, t, f, !, &, |, ^, i or e, found "U"`},
		{"1 1\n0 1 -1\n0 & p0\n-1", `4:1: expected a proposition, t, f, !, &, |, ^, i or e, found "-1"`},
		{"1 1\n0 1 -1\n0 p0 p1\n-1", `3:6: expected the number of a destination, or -1, found "p1"`},
		{"1 1\n0 1 -1\n3 p0\n-1", `3:1: edge to state 3, but there is none of that number`},
		{"2 1\n0 1 -1\n-1\n0 0 -1\n-1", `4:1: state 0 occurs twice`},
		{"2 1\n0 1 -1\n-1\n", `4:1: expected the number of a state, found the end`},
		{"1 1\n0 1 0 3 -1\n-1", `1:1: 2 acceptance sets used, but 1 acceptance set announced`},
		{"1 1t\n0 1\n0 0-1 t\n-1", `3:4: expected white space, found "-1"`},
		{"DRA v3 explicit", `1:5: expected DRA v2 explicit or DSA v2 explicit, found "v3"`},
		{"DRA v2 explicit\nStates: 1\nStates: 1", `3:1: second States:`},
		{"DRA v2 explicit\nFoo: 1", `2:1: expected Comment:, States:, Acceptance-Pairs:, Start:, AP: or ---, found "Foo:"`},
		{"DRA v2 explicit\nStates: 1\nStart: 0\n---", `4:4: the header has no Acceptance-Pairs:`},
		{"DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 1\nStart: 1\n---", `4:8: state 1, but there is only 1 state, number 0`},
		{"DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig: +1", `8:11: pair 1, but there is only 1 pair, number 0`},
		{"DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig: +0\n0\n1\n", `10:1: edge to state 1, but there is only 1 state, number 0`},
		{"DRA v2 explicit\nStates: 2\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig: +0\n0\nState: 1", `10:1: expected a destination for each letter, found "State:"`},
		{"DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 1\nStart: 0\nAP: 21", `5:5: a number of propositions is greater than 20`},
		{"HOA: v1 Acceptance: 0 t --BODY-- State: 0 [0] \xff --END--", `1:44: proposition 0, but there are no propositions`},
		{"HOA: v1 AP: 2 \"a\xff\" \"a\xff\"", `1:20: proposition "a\xff" occurs twice`},
		{"\xfe\xff x", `1:1: expected an automaton (…), found "\xfe"`},
		{"a /* b", `1:1: expected an automaton (…), found "a"`},
		{"/* b", `1:1: comment without an end`},
		{"HOA: v17 --END--", `1:6: expected version v1 or v1.1, found "v17"`},
		{"never { }", `1:9: expected a statement, found "}"`},
	} {
		_, _, err := hoa.ReadOne(context.Background(), []byte(c.in))
		var syntax *ltl.SyntaxError
		if want := strings.Replace(c.want, "an automaton (…)", "an automaton ("+hoa.Titles()+")", 1); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", c.in, err, want)
		}
	}
}

const small = "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--\n"

// TestStream reads several automata of all formats, with other text between them;
// errors concern one each.
func TestStream(t *testing.T) {
	r := hoa.NewReader(strings.NewReader(small + "never { x: skip }\n" + "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [ --ABORT--\n" +
		"HOA: v1\nbad --END--\n" + small + "Warning: x\n" + smallEdges + " > " + "\n" + smallDSTAR + "\nHOA: v1\nStates: 1\n" + small + "HOA: v1"))
	var got []string
	for {
		_, err := r.Next(t.Context())
		if err == io.EOF {
			break
		}
		got = append(got, fmt.Sprint(err))
	}
	want := []string{"<nil>", "<nil>", "automaton ended by --ABORT--", `5:1: expected a header item or --BODY--, found "bad"`, "<nil>",
		`7:1: expected an automaton (…), found "Warning:"`, "<nil>",
		`12:4: expected an automaton (…), found ">"`, "<nil>",
		"30:1: expected a header item or --BODY--, found the end", "<nil>", "31:8: expected a header item or --BODY--, found the end"}
	if named := strings.ReplaceAll(fmt.Sprint(want), "(…)", "("+hoa.Titles()+")"); fmt.Sprint(got) != named {
		t.Errorf("got %q", got)
	}
}

// TestPipe: an automaton is returned before the other end of the pipe is closed,
// however the text is cut into pieces.
func TestPipe(t *testing.T) {
	for _, text := range []string{small[:len(small)-1], small, "never { x: /* } */ skip }"} {
		for _, step := range []int{1, 2, 3, 7, 1000} {
			pr, pw := io.Pipe()
			read := make(chan bool) // both automata, while the pipe is open
			go func() {
				both := text + text
				for i := 0; i < len(both); i += step {
					io.WriteString(pw, both[i:min(i+step, len(both))])
				}
				<-read
				pw.Close()
			}()
			r := hoa.NewReader(pr)
			for range 2 {
				if a, err := r.Next(t.Context()); err != nil || a.NumStates() != 1 {
					t.Fatalf("%q in steps of %d: %v", text, step, err)
				}
			}
			close(read)
			if _, err := r.Next(t.Context()); err != io.EOF {
				t.Errorf("%q in steps of %d: got %v, want EOF", text, step, err)
			}
		}
	}
}

// randomAutomaton returns a random automaton for round trips and benchmarks.
func randomAutomaton(r *rand.Rand, props, states int, density float64) *omega.Automaton {
	var names []string
	for i := range props {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	return random.Automaton(r, omega.NewAlphabet(names...), omega.GeneralizedBuchi(16),
		random.Options{States: states, Density: density, Marks: 0.2, StateMarks: states%2 == 1})
}

// TestRoundTrip writes random automata and reads them.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 500) {
		a := randomAutomaton(r, i%9, 1+i%20, 0.3)
		var b bytes.Buffer
		must.Do(hoa.Write(context.Background(), &b, a))
		back, _, err := hoa.ReadOne(context.Background(), b.Bytes())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &b)
		}
		if show(a) != show(back) {
			t.Fatalf("seed %d:\n%s\nis read as\n%s", seed, show(a), show(back))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{small, small + small, "never { T0_init: if :: (p && !q) -> goto accept_all fi; accept_all: skip }",
		"never { x: do :: atomic { (p) -> assert(!(p)) } od }",
		"never { do :: do :: (p = 1) -> L: if :: q -> r; goto L :: else fi od :: atomic { if :: p; q -> break fi } od; accept: { r } }",
		"HOA: v1 States: 2 Start: 0&1 Start: 1 AP: 2 \"a\" \"b\" Alias: @x 0|!1 Acceptance: 2 Fin(!0)&(Inf(1)|t) --BODY-- State: 0 {1} [@x&1] 1&0 {0} State: [t] 1 0 --END--",
		"HOA: v1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 {0} /* x */ --END-- --ABORT--",
		"never { a: if :: (x[i + 1] << 2) % y > -len(q) -> break :: q??[m, 1] | (p -> P[1]:x : a.b@l) fi; b: goto c; c: skip; d: skip }",
		"#line 1 \"x\"\nHOA: v1.5 AP: 0 Acceptance: 0 t --BODY-- --END--", "never { a: if :: x == 1 & !(p|q) -> goto b :: else -> goto a fi; b: do :: p // c\n :: atomic { q -> assert(!q) } od }",
		smallLBTT, smallEdges, smallDSTAR, "1 2st\n0 1 9 -1\n0 5 -1 ^ i p0 p1 e t \"a\\\"\"\n-1",
		"DSA v2 explicit States: 1 Acceptance-Pairs: 2 Start: 0 AP: 2 \"a\" \"b\" --- State: 0 \"x\" Acc-Sig: -0 +1 0 // !a\n 0 /* DRA v2 */ 0 0 // a&b\n"} {
		f.Add([]byte(s))
	}
	for _, s := range examples(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := hoa.NewReader(bytes.NewReader(data))
		for range 100 {
			a, err := r.Next(t.Context())
			if err == io.EOF {
				return
			}
			if err != nil || a.NumStates() > 1000 {
				continue
			}
			var b bytes.Buffer
			must.Do(hoa.Write(context.Background(), &b, a))
			back, _, err := hoa.ReadOne(context.Background(), b.Bytes())
			if err != nil || show(back) != show(a) {
				t.Fatalf("%q is written as\n%s\nwhich is read: %v", data, &b, err)
			}
		}
	})
}

func ExampleReader() {
	r := hoa.NewReader(strings.NewReader(`never { /* <>p */
T0_init:
	if
	:: (p) -> goto accept_all
	:: (1) -> goto T0_init
	fi;
accept_all:
	skip
}`))
	for {
		a, err := r.Next(context.Background())
		if err == io.EOF {
			break
		} else if err != nil {
			panic(err)
		}
		hoa.Write(context.Background(), os.Stdout, a)
	}
	// Output:
	// HOA: v1
	// States: 2
	// Start: 0
	// AP: 1 "p"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels state-acc complete
	// --BODY--
	// State: 0
	// [0] 1
	// [t] 0
	// State: 1 {0}
	// [t] 1
	// --END--
}
