package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// What commands read hostile inputs, by what these are.
type hostileKind uint8

const (
	hostileAutomaton hostileKind = iota // a file of automata
	hostileFormulas                     // a file with formulas, one a line
	hostileWord                         // an argument
	hostileConfig                       // a configuration for run
	hostileReport                       // a document for report
	hostileHistory                      // a database
	hostileCSV                          // a file with formulas in its first column
	hostileArguments                    // a whole command line
)

// A hostileInput is made to take as long, or as much memory, as possible.
type hostileInput struct {
	name  string
	kind  hostileKind
	write func(w io.Writer) // the input, or the arguments with a line each
	many  bool              // it is many inputs, each with an answer of its own
	pipe  bool              // too large for a file: it comes on standard input, and has no end of its own
}

// repeated writes n parts, each made of its number.
func repeated(w io.Writer, n int, format string) {
	b := bufio.NewWriterSize(w, 1<<16)
	defer b.Flush()
	numbers := strings.Contains(format, "%")
	for i := range n {
		if !numbers {
			b.WriteString(format)
		} else if strings.Contains(format, "%[2]d") {
			fmt.Fprintf(b, format, i, i+1)
		} else {
			fmt.Fprintf(b, format, i)
		}
	}
}

// joined writes n parts with something between them.
func joined(w io.Writer, n int, between, format string) {
	fmt.Fprintf(w, format, 0)
	for i := 1; i < n; i++ {
		fmt.Fprintf(w, between+format, i)
	}
}

// text writes a constant text.
func text(s string) func(io.Writer) { return func(w io.Writer) { io.WriteString(w, s) } }

// nested writes what is n times between two brackets.
func nested(before, open, inner, end, after string, n int) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, before)
		repeated(w, n, open)
		io.WriteString(w, inner)
		repeated(w, n, end)
		io.WriteString(w, after)
	}
}

// props declares n propositions.
func props(w io.Writer, n int) {
	fmt.Fprintf(w, "AP: %d", n)
	repeated(w, n, ` "p%d"`)
	fmt.Fprintln(w)
}

// oneState writes an automaton of one state, the edge of which has the label.
func oneState(ap int, aliases, label func(w io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 1\nStart: 0\n")
		props(w, ap)
		if aliases != nil {
			aliases(w)
		}
		io.WriteString(w, "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[")
		label(w)
		io.WriteString(w, "] 0 {0}\n--END--\n")
	}
}

// accepting writes an automaton of states in a ring, with a mark on each of its edges in turn.
func accepting(states, edges, marks int, condition func(w io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		fmt.Fprintf(w, "HOA: v1\nStates: %d\nStart: 0\nAP: 1 \"a\"\nAcceptance: %d ", states, marks)
		condition(w)
		io.WriteString(w, "\n--BODY--\n")
		for s := range states {
			fmt.Fprintf(w, "State: %d\n", s)
			for e := range edges {
				fmt.Fprintf(w, "[t] %d", (s+1)%states)
				if marks > 0 {
					fmt.Fprintf(w, " {%d}", (s*edges+e)%marks)
				}
				fmt.Fprintln(w)
			}
		}
		io.WriteString(w, "--END--\n")
	}
}

// clauses writes random clauses of three literals over marks.
func clauses(n, marks int, seed uint64) func(io.Writer) {
	return func(w io.Writer) {
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range n {
			if i > 0 {
				io.WriteString(w, "&")
			}
			var list []string
			for range 3 {
				list = append(list, []string{"Inf", "Fin"}[r.IntN(2)]+fmt.Sprintf("(%d)", r.IntN(marks)))
			}
			fmt.Fprintf(w, "(%s)", strings.Join(list, "|"))
		}
	}
}

// pairs writes a condition of n pairs of marks.
func pairs(n int, between, format string) func(io.Writer) {
	return func(w io.Writer) {
		for i := range n {
			if i > 0 {
				io.WriteString(w, between)
			}
			fmt.Fprintf(w, format, 2*i, 2*i+1)
		}
	}
}

// parityAliases says that an odd number of the propositions hold, by aliases.
func parityAliases(n int) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, "Alias: @0 0\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(w, "Alias: @%d @%d & !%d | !@%d & %d\n", i, i-1, i, i-1, i)
		}
	}
}

// randomAutomaton writes a nondeterministic Büchi automaton with the header's lines.
func randomAutomaton(states, edges int, header string, seed uint64) func(io.Writer) {
	return func(w io.Writer) {
		r := rand.New(rand.NewPCG(seed, 1))
		fmt.Fprintf(w, "HOA: v1\nStates: %d\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n%s--BODY--\n", states, header)
		for s := range states {
			fmt.Fprintf(w, "State: %d\n", s)
			for range edges {
				fmt.Fprintf(w, "[%s] %d%s\n", []string{"0&1", "0&!1", "!0&1", "!0&!1", "0", "!1"}[r.IntN(6)], r.IntN(states), []string{"", "", " {0}"}[r.IntN(3)])
			}
		}
		io.WriteString(w, "--END--\n")
	}
}

// alternating writes a weak alternating automaton that has to be made nondeterministic.
func alternating(states int) func(io.Writer) {
	return func(w io.Writer) {
		r := rand.New(rand.NewPCG(5, 2))
		fmt.Fprintf(w, "HOA: v1\nStates: %d\nStart: 0\nAP: 3 \"a\" \"b\" \"c\"\nAcceptance: 1 Inf(0)\n--BODY--\n", states)
		for s := range states {
			mark := []string{"", " {0}"}[s%2]
			fmt.Fprintf(w, "State: %d\n[t] %d%s\n", s, s, mark)
			for _, l := range []string{"0", "1", "2", "!0", "!1&2"} {
				fmt.Fprintf(w, "[%s] %d&%d&%d%s\n", l, s, min(states-1, s+1+r.IntN(5)), min(states-1, s+1+r.IntN(9)), mark)
			}
		}
		io.WriteString(w, "--END--\n")
	}
}

// header writes a small automaton with more lines in its header.
func header(lines func(w io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n")
		lines(w)
		io.WriteString(w, "\n--BODY--\nState: 0\n[0] 0 {0}\n--END--\n")
	}
}

// forever writes a gigabyte, unless the reader ends before.
func forever(before, part string) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, before)
		block := []byte(strings.Repeat(part, 1<<16/len(part)))
		for range 1 << 30 / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
}

// noise writes bytes that mean nothing.
func noise(before string, n int) func(io.Writer) {
	return func(w io.Writer) {
		io.WriteString(w, before)
		r := rand.NewChaCha8([32]byte{1})
		io.CopyN(w, r, int64(n))
	}
}
