package main

import (
	"fmt"
	"io"
	"strings"
)

// hostileInputs are the inputs of TestHostile.
func hostileInputs() []hostileInput {
	var list []hostileInput
	kind := hostileAutomaton
	add := func(name string, write func(io.Writer)) {
		list = append(list, hostileInput{name: name, kind: kind, write: write})
	}
	piped := func(name string, write func(io.Writer)) {
		list = append(list, hostileInput{name: name, kind: kind, write: write, pipe: true})
	}

	// Acceptance. (Bounded by package omega.)
	add("three states, 640 clauses of three marks", accepting(3, 40, 120, clauses(640, 120, 1)))
	add("three states, 500 clauses that nothing satisfies", accepting(3, 20, 60, clauses(500, 60, 2)))
	add("60 pairs of Streett", accepting(4, 60, 120, pairs(60, "&", "(Fin(%d)|Inf(%d))")))
	add("60 pairs of Rabin", accepting(4, 60, 120, pairs(60, "|", "(Fin(%d)&Inf(%d))")))
	add("10^4 pairs of Rabin", accepting(2, 20, 20000, pairs(10000, "|", "(Fin(%d)&Inf(%d))")))
	add("10^5 marks", accepting(10, 10000, 100000, func(w io.Writer) { joined(w, 100000, "&", "Inf(%d)") }))
	add("10^5 marks on an edge", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 100000 ")
		joined(w, 100000, "&", "Inf(%d)")
		io.WriteString(w, "\n--BODY--\nState: 0\n[t] 0 {")
		joined(w, 100000, " ", "%d")
		io.WriteString(w, "}\n--END--\n")
	})
	add("30000 negated marks", func(w io.Writer) {
		const n = 30000
		fmt.Fprintf(w, "HOA: v1.1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: %d ", n)
		joined(w, n, "&", "Inf(!%d)")
		io.WriteString(w, "\n--BODY--\n")
		for s := range 2 {
			fmt.Fprintf(w, "State: %d\n", s)
			for e := range 2000 {
				fmt.Fprintf(w, "[t] %d {%d}\n", (s+e)%2, (2000*s+7*e)%n)
			}
		}
		io.WriteString(w, "--END--\n")
	})
	add("parity with 2000 colours", accepting(2, 1000, 2000, func(w io.Writer) {
		for i := range 2000 {
			fmt.Fprintf(w, []string{"Inf(%d)|(", "Fin(%d)&("}[i%2], 1999-i)
		}
		io.WriteString(w, "f"+strings.Repeat(")", 2000))
	}))
	add("deep parentheses in the acceptance", header(nested("Acceptance: 1 ", "(", "Inf(0)", ")", "", 1000000)))
	add("deep alternation in the acceptance", accepting(1, 1, 2, nested("", "(Inf(0)&(Fin(1)|", "Inf(1)", "))", "", 100000)))

	// Labels. (Reading and printing them is bounded by packages omega and hoa.)
	add("parity of 30 propositions by aliases", oneState(30, parityAliases(30), text("@29")))
	add("parity of 300 propositions by aliases", oneState(300, parityAliases(300), text("@299")))
	add("30 conjunctions i & i+30", oneState(60, nil, func(w io.Writer) {
		for i := range 30 {
			fmt.Fprintf(w, "%s%d&%d", []string{"|", ""}[b2i(i == 0)], i, i+30)
		}
	}))
	add("3000 clauses over 60 propositions", oneState(60, nil, func(w io.Writer) {
		for i := range 3000 {
			fmt.Fprintf(w, "%s(%d|!%d|%d)", []string{"&", ""}[b2i(i == 0)], i*7%60, i*11%60, i*13%60)
		}
	}))
	add("aliases that double 10^4 times", oneState(1, func(w io.Writer) {
		io.WriteString(w, "Alias: @0 0\n")
		repeated(w, 10000, "Alias: @%[2]d @%[1]d & @%[1]d | !@%[1]d & @%[1]d\n")
	}, text("@10000")))
	add("a chain of 10^5 aliases", oneState(1, func(w io.Writer) {
		io.WriteString(w, "Alias: @0 0\n")
		repeated(w, 100000, "Alias: @%[2]d !@%[1]d\n")
	}, text("@100000")))
	add("deep parentheses in a label", oneState(1, nil, nested("", "(", "0", ")", "", 1000000)))
	add("10^6 negations in a label", oneState(1, nil, nested("", "!", "0", "", "", 1000000)))
	add("10^4 propositions in a label", oneState(10000, nil, func(w io.Writer) { joined(w, 10000, "&", "%d") }))
	add("10^4 propositions or-ed in pairs", oneState(10000, nil, func(w io.Writer) { repeated(w, 4999, "(%[1]d|!%[2]d)&"); io.WriteString(w, "t") }))
	add("a label of 10^6 operands", oneState(2, nil, func(w io.Writer) { repeated(w, 1000000, "0&1|"); io.WriteString(w, "f") }))
	add("implicit labels, 16 propositions", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 2\nStart: 0\n")
		props(w, 16)
		io.WriteString(w, "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n")
		repeated(w, 1<<16, "0\n")
		io.WriteString(w, "State: 1\n")
		repeated(w, 1<<16, "1\n")
		io.WriteString(w, "--END--\n")
	})
	add("implicit labels, 60 propositions", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 1\nStart: 0\n")
		props(w, 60)
		io.WriteString(w, "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n0 0 0\n--END--\n")
	})

	// Size.
	add("10^5 states in a ring", accepting(100000, 1, 1, text("Inf(0)")))
	add("10^6 states in a ring", accepting(1000000, 1, 1, text("Inf(0)")))
	add("10^5 states, two edges at random", randomAutomaton(100000, 2, "", 3))
	add("10^5 edges of a state", accepting(1, 100000, 2, text("Inf(0)&Inf(1)")))
	add("10^4 states and 10^5 initial ones", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 10000\n")
		for i := range 100000 {
			fmt.Fprintf(w, "Start: %d\n", i%10000)
		}
		io.WriteString(w, "AP: 0\nAcceptance: 0 t\n--BODY--\n")
		repeated(w, 10000, "State: %[1]d\n[t] %[1]d\n")
		io.WriteString(w, "--END--\n")
	})
	add("a name of 1 MB of a proposition", func(w io.Writer) {
		name := strings.Repeat("x", 1<<20-1)
		fmt.Fprintf(w, "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"%s\" \"%sy\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0&1] 0\n[!0] 0\n--END--\n", name, name)
	})
	add("a name of 16 MB of a state", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0 \"")
		repeated(w, 16<<20, "x")
		io.WriteString(w, "\"\n[t] 0\n--END--\n")
	})
	add("10^4 automata", func(w io.Writer) {
		repeated(w, 10000, "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} --END--\n")
	})
	list[len(list)-1].many = true
	add("10^5 headers that nobody knows", header(func(w io.Writer) { repeated(w, 100000, "Header%d: 1 \"x\" y\n") }))
	add("10^5 properties", header(func(w io.Writer) {
		io.WriteString(w, "properties:")
		repeated(w, 100000, " x%d unambiguous deterministic")
	}))

	// Numbers.
	for _, line := range []string{"States: 999999999999999999999", "States: 2147483647", "AP: 1000000000 \"a\"", "AP: 99999999999999999999999",
		"Acceptance: 4294967295 t", "Acceptance: 2147483647 Inf(2147483646)", "Start: 99999999999999", "acc-name: generalized-Buchi 999999999", "acc-name: Rabin 100000000000000"} {
		add(line, func(w io.Writer) {
			lines := []string{"States: 1", "Start: 0", "AP: 0", "Acceptance: 0 t", "acc-name: all"}
			io.WriteString(w, "HOA: v1\n")
			for _, l := range lines {
				if name, _, _ := strings.Cut(l, ":"); strings.HasPrefix(line, name+":") {
					l = line
				}
				fmt.Fprintln(w, l)
			}
			io.WriteString(w, "--BODY--\nState: 0\n[t] 0\n--END--\n")
		})
	}

	// Languages.
	add("a complement that explodes", randomAutomaton(40, 3, "", 4))
	add("properties that are hard to decide", randomAutomaton(150, 4, "properties: unambiguous stutter-invariant tight inherently-weak\n", 6))
	add("a weak alternating automaton", alternating(40))
	add("sets of 10^4 states", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 10000\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\n")
		for s := range 10000 {
			fmt.Fprintf(w, "State: %d\n[t] ", s)
			if s < 20 {
				joined(w, 10000, "&", "%d")
				fmt.Fprintln(w)
			} else {
				fmt.Fprintln(w, s)
			}
		}
		io.WriteString(w, "--END--\n")
	})
	add("a start of 10^4 states", func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 10000\nStart: ")
		joined(w, 10000, "&", "%d")
		io.WriteString(w, "\nAP: 2 \"a\" \"b\"\nAcceptance: 0 t\n--BODY--\n")
		repeated(w, 10000, "State: %[1]d\n[0] %[1]d\n[1] %[1]d\n")
		io.WriteString(w, "--END--\n")
	})

	// Text.
	add("10^6 comments in each other", nested("", "/*", "", "*/", "\nnothing\n", 1000000))
	add("a string without an end", header(nested("name: \"", "x", "", "", "", 8<<20)))
	add("16 MB of zeros", nested("", "\x00", "", "", "", 16<<20))
	add("what gzip prints", noise("\x1f\x8b\x08\x00\x00\x00\x00\x00", 1<<20))
	add("10^5 lines of two numbers", nested("", "1 1\n", "", "", "", 100000))
	piped("a line of 1 GB", forever("", "x"))
	piped("a header of 1 GB", forever("HOA: v1\nname: \"", "x"))
	piped("a body of 1 GB", forever("HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n", "[t] 0\n"))

	// Other formats.
	add("LBTT: 10^9 states", text("1000000000 1\n0 1 -1\n0 t\n-1\n"))
	add("LBTT: 10^9 sets", text("1 1000000000t\n0 1\n0 -1 t\n-1\n"))
	add("LBTT: 10^6 negations", nested("1 1\n0 1 0 -1\n0 ", "! ", "p0", "", "\n-1\n", 1000000))
	add("LBTT: 10^6 disjunctions", nested("1 1\n0 1 0 -1\n0 ", "| p0 ", "p1", "", "\n-1\n", 1000000))
	add("DSTAR: 10^9 states", text("DRA v2 explicit\nStates: 1000000000\nAcceptance-Pairs: 1\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig:\n0\n0\n"))
	add("DSTAR: 60 propositions", func(w io.Writer) {
		io.WriteString(w, "DRA v2 explicit\nStates: 1\nAcceptance-Pairs: 1\nStart: 0\n")
		props(w, 60)
		io.WriteString(w, "---\nState: 0\nAcc-Sig: +0\n0\n0\n")
	})
	add("DSTAR: 10^9 pairs", text("DSA v2 explicit\nStates: 1\nAcceptance-Pairs: 1000000000\nStart: 0\nAP: 1 \"a\"\n---\nState: 0\nAcc-Sig: +999999999\n0\n0\n"))
	add("never: a guard of 10^6 operands", nested("never {\naccept_init:\n if\n :: (", "(a) && ", "b", "", ") -> goto accept_init\n fi;\n}\n", 1000000))
	add("never: deep parentheses", nested("never {\naccept_init:\n if\n :: ", "(", "b", ")", " -> goto accept_init\n fi;\n}\n", 1000000))
	add("never: 10^5 states", func(w io.Writer) {
		io.WriteString(w, "never {\n")
		repeated(w, 100000, "T%[1]d:\n if\n :: (a) -> goto T%[2]d\n :: (1) -> goto T%[1]d\n fi;\n")
		io.WriteString(w, "T100000:\n skip\n}\n")
	})
	add("never: deep braces", nested("never ", "{", "", "}", "\n", 1000000))

	hostileTexts(&kind, add, piped)
	return list
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
