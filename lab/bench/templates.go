package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A template is a formula of Schuppan and Biere 2005, appendix B, with a small model that violates
// it. The paper's models are circuits and programs of thousands of states. These have the same
// subjects.
type template struct {
	name, about string
	formula     string // the specification
	system      protocol
	props       []prop
}

// A prop is a proposition of a model.
type prop struct {
	name  string
	holds func(v *vars) bool
}

// templates lists the formulas that can be read without doubt. The names in quotes are the paper's;
// the variants "nv" add GF p, and in brp also GF q. Three formulas are not as printed:
//
//   - "brp ¬L, nv" is printed as !FG(…) & GFp & GFq. Then each counterexample of "brp ¬L" would also
//     be one of this formula. But in Table 3, the shortest ones have lengths 1 and 24. So the
//     negation must cover the whole conjunction, as in "prod-cons 1".
//   - "dme ¬L, nv" has a parenthesis too many. Without it, the negation covers the whole here too.
//   - "prod-cons 0" lacks a parenthesis. In the other formulas of prod-cons, all operands of binary
//     operators are in parentheses. Only one place for the missing one achieves this.
func templates() []template {
	const brp, dme = "FG(p -> (O q -> O r))", "G(p -> (p T (!p T !q)))"
	const root = "!(FG p -> !(q S r))"
	rootProps := []prop{{"p", func(v *vars) bool { return v[0] != 2 }}, {"q", at(0, 1)}, {"r", at(0, 0)}}
	list := []template{
		{"1394-0", "a root is named among 3 nodes of IEEE 1394", root, naming(3), rootProps},
		{"1394-4-0", "the same among 4 nodes", root, naming(4), rootProps},
		{"abp-L", "alternating bit protocol: nothing was lost", "G(p -> Y H q)", alternating(),
			[]prop{{"p", at(0, 2)}, {"q", func(v *vars) bool { return v[2] != gone && v[3] != gone }}}},
		{"brp", "bounded retransmission", "!" + brp, retransmission(), retransmissionProps()},
		{"brp-nv", "the same where files are sent forever", "!(" + brp + " & GF p & GF q)", retransmission(), retransmissionProps()},
	}
	for _, n := range []int{2, 5, 6} {
		props := []prop{{"p", at(0, 2)}, {"q", at(1, 2)}}
		ring := tokens(n)
		list = append(list,
			template{fmt.Sprintf("dme%d", n), fmt.Sprintf("mutual exclusion by a token in a ring of %d", n), "!" + dme, ring, props},
			template{fmt.Sprintf("dme%d-nv", n), "the same where one gets in again and again", "!(" + dme + " & GF p)", ring, props})
	}
	return append(list,
		template{"prod-cons-0", "producer and consumer: an item is consumed, or none stays in the buffer",
			"!(G !p & GF(q & (q S r)) & GF((q & (q S r)) -> (s S t)))", producer(),
			[]prop{{"p", at(0, 4)}, {"q", at(0, 2)}, {"r", at(0, 1)}, {"s", func(v *vars) bool { return v[0] > 0 }}, {"t", at(0, 0)}}},
		template{"prod-cons-1", "producer and consumer, one item at a time", "!(G(p -> (p S (q S (r S (s S t))))) & GF p)", producer(),
			[]prop{{"p", at(0, 4)}, {"q", at(0, 3)}, {"r", at(0, 2)}, {"s", at(0, 1)}, {"t", at(0, 0)}}},
		template{"prod-cons-3", "the same: an item is consumed", "G(p -> F q)", producer(),
			[]prop{{"p", at(0, 1)}, {"q", at(0, 4)}}})
}

// at holds if variable i has a value.
func at(i int, value uint8) func(v *vars) bool {
	return func(v *vars) bool { return v[i] == value }
}

// violation makes the model of a template. It fails if there is no counterexample of at most
// longestTemplate states.
func (m template) violation(*rand.Rand) (*Violation, error) {
	v := &Violation{store: ltl.NewStore()}
	f, err := v.store.Parse(m.formula, ltl.Spot)
	if err != nil {
		return nil, err
	}
	if v.negation = v.store.Not(f); f.Op() == ltl.OpNot {
		v.negation = f.Left()
	}
	var names []string
	for _, p := range m.props {
		names = append(names, p.name)
	}
	v.alphabet = omega.NewAlphabet(names...)
	// The states are numbered as they are met, breadth first.
	number := map[vars]omega.State{m.system.initial: 0}
	states := []vars{m.system.initial}
	for i := 0; i < len(states); i++ {
		var set uint64
		for k, p := range m.props {
			if p.holds(&states[i]) {
				set |= 1 << k
			}
		}
		v.labels = append(v.labels, v.alphabet.Cube(set, (1<<len(m.props)-1)&^set))
		var next []omega.State
		for _, w := range m.system.after(nil, &states[i]) {
			if _, ok := number[w]; !ok {
				number[w] = omega.State(len(states))
				states = append(states, w)
			}
			if s := number[w]; !slices.Contains(next, s) { // two commands may lead to the same state
				next = append(next, s)
			}
		}
		v.next = append(v.next, next)
	}
	return v, v.shortest(longestTemplate)
}

// longestTemplate bounds the search of a shortest counterexample.
const longestTemplate = 14

// naming is the identification of a root: node 0 of n waits for a request of each other. These may
// do something else before.
func naming(n int) protocol {
	return protocol{processes: n, commands: func(i int) []command {
		if i == 0 {
			all := func(v *vars) bool { return !slices.Contains(v[1:n], 0) }
			return []command{{at: 0, to: 1, guard: all}, {at: 1, to: 2}, {at: 2, to: 2}}
		}
		return []command{{at: 0, to: 0}, {at: 0, to: 1}}
	}}
}

// What a channel of the alternating bit protocol may hold, beside a bit.
const (
	none = 2 + iota
	gone
)

// alternating is the alternating bit protocol. Variable 0 is the place of the sender, 1 the place
// of the receiver, 2 and 3 are the channels, 4 and 5 the bits. The sender sends, waits, and goes
// on. It sends again if something was lost.
func alternating() protocol {
	p := protocol{processes: 2, commands: func(i int) []command {
		if i == 0 {
			return []command{
				{at: 0, to: 1, effect: func(v *vars) { v[2] = v[4] }},
				{at: 0, to: 1, effect: func(v *vars) { v[2] = gone }},
				{at: 1, to: 0, guard: func(v *vars) bool { return v[2] == gone || v[3] == gone }, effect: func(v *vars) { v[2], v[3] = none, none }},
				{at: 1, to: 2, guard: func(v *vars) bool { return v[3] == v[4] }, effect: func(v *vars) { v[3] = none }},
				{at: 2, to: 0, effect: func(v *vars) { v[4] ^= 1 }},
			}
		}
		full := func(v *vars) bool { return v[2] < none }
		receive := func(v *vars) {
			if v[2] == v[5] {
				v[5] ^= 1
			}
		}
		return []command{
			{at: 0, to: 0, guard: full, effect: func(v *vars) { receive(v); v[3], v[2] = v[2], none }},
			{at: 0, to: 0, guard: full, effect: func(v *vars) { receive(v); v[3], v[2] = gone, none }},
		}
	}}
	p.initial[2], p.initial[3] = none, none
	return p
}

// retransmission sends files of two frames, each at most twice. The sender asks (0), sends (1), and
// reports that the file is there (2) or may be not (3). Variable 1 counts frames, 2 attempts, 3
// says whether the receiver has the whole file.
func retransmission() protocol {
	return protocol{processes: 1, commands: func(int) []command {
		more := func(v *vars) bool { return v[1] < 2 && v[2] < 2 }
		return []command{
			{at: 0, to: 0},
			{at: 0, to: 1, effect: func(v *vars) { v[1], v[2], v[3] = 0, 0, 0 }},
			{at: 1, to: 1, guard: more, effect: func(v *vars) { v[1]++; v[2] = 0; v[3] = v[1] / 2 }},
			{at: 1, to: 1, guard: more, effect: func(v *vars) { v[2]++ }},
			{at: 1, to: 2, guard: func(v *vars) bool { return v[1] == 2 }},
			{at: 1, to: 3, guard: func(v *vars) bool { return v[2] == 2 }},
			{at: 2, to: 0}, {at: 3, to: 0},
		}
	}}
}

// retransmissionProps: a report (p), a request (q), and a whole file (r).
func retransmissionProps() []prop {
	return []prop{
		{"p", func(v *vars) bool { return v[0] >= 2 }},
		{"q", func(v *vars) bool { return v[0] == 1 && v[1] == 0 && v[2] == 0 }},
		{"r", at(3, 1)},
	}
}

// tokens is a ring of n users with a token, which is variable n. Each is idle (0), waits (1), or
// has the token and is in its critical section (2). Idle users pass the token on. One may do
// nothing, but not forever while another one is in its critical section.
func tokens(n int) protocol {
	return protocol{processes: n, commands: func(i int) []command {
		mine := func(v *vars) bool { return int(v[n]) == i }
		pass := func(v *vars) { v[n] = uint8((i + 1) % n) }
		free := func(v *vars) bool { return !slices.Contains(v[:n], 2) }
		return []command{
			{at: 0, to: 0, guard: free}, {at: 0, to: 1},
			{at: 0, to: 0, guard: mine, effect: pass},
			{at: 1, to: 2, guard: mine},
			{at: 2, to: 0, effect: pass},
		}
	}}
}

// producer makes an item (0), puts it (1), has it in the buffer (2), while the consumer gets (3)
// and consumes it (4). Each may take its time.
func producer() protocol {
	return protocol{processes: 1, commands: func(int) []command {
		var list []command
		for k := range uint8(5) {
			list = append(list, command{at: k, to: k}, command{at: k, to: (k + 1) % 5})
		}
		return list
	}}
}
