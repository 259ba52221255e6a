package ltl

import "errors"

// ErrLarge reports an expression that has too many states to be evaluated on a word.
var ErrLarge = errors.New("regular expression too large to be evaluated on a word")

// maxMatching bounds the steps that the expressions of a formula may take on a word: a fraction of
// a second, and some hundred megabytes at worst.
const maxMatching = 1 << 20

// An allowance counts the steps that are left. Once it is used up, results mean nothing.
type allowance struct{ left int }

// spend counts steps, and reports whether there are none left.
func (a *allowance) spend(n int) bool {
	a.left = max(a.left-n, -1)
	return a.left < 0
}

// A matcher is a nondeterministic automaton, without empty moves, that accepts the words of an
// expression. Its states are made when they are asked for, and numbered from 0, the initial one.
// That of an expression with operands has states that are made of those of its operands:
//
//	r | s | …         the initial one, and those of r, s, …
//	r ; s ; …         those of r, s, …
//	r && s            pairs: both read each letter
//	r & s             pairs, and those of r and s alone, after the end of the other one
//	r[*i..j]          a state of r, and the number of the word of r that is being read
//	first_match(r)    sets of states of r, none of them accepting (Rabin and Scott 1959)
//
// For example, with the last state accepting:
//
//	{a;b}[*2]              0 -a-> 1 -b-> 2 -a-> 3 -b-> 4
//	first_match(a[+];b)    0 -a-> 1;  1 -a&!b-> 1;  1 -b-> 2
type matcher interface {
	// moves returns the moves from a state. The result must not be changed.
	moves(state int32) []move
	accepts(state int32) bool
}

// A move leads to a state on the letters that a guard allows.
type move struct {
	on guard
	to int32
}

// matchers makes the matchers of one evaluation, each only once.
type matchers struct {
	*allowance
	guards *guards
	known  map[*SERE]matcher
}

func newMatchers() *matchers {
	a := &allowance{maxMatching}
	return &matchers{a, newGuards(a), make(map[*SERE]matcher)}
}

func (m *matchers) of(r *SERE) matcher {
	if x, ok := m.known[r]; ok {
		return x
	}
	x := m.make(r)
	m.known[r] = x
	return x
}

func (m *matchers) make(r *SERE) matcher {
	if r.op == SERELetter {
		return &letterMatcher{m.guards.letter(r.letter)}
	}
	if r.op == SEREEmpty {
		return emptyMatcher{}
	}
	x := &composed{matchers: m, r: r, number: make(map[part]int32)}
	for _, q := range r.operands() {
		x.operands = append(x.operands, m.of(q))
	}
	x.state(part{kind: atStart})
	return x
}

// A letterMatcher reads one letter: state 1 is after it.
type letterMatcher struct{ letter guard }

func (x *letterMatcher) accepts(state int32) bool { return state == 1 }
func (x *letterMatcher) moves(state int32) []move {
	if state == 1 {
		return nil
	}
	return []move{{x.letter, 1}}
}

// An emptyMatcher accepts the empty word.
type emptyMatcher struct{}

func (emptyMatcher) accepts(int32) bool { return true }
func (emptyMatcher) moves(int32) []move { return nil }

// operands returns those of r: two or more for | and ;, whose nested operands are counted as one
// list.
func (r *SERE) operands() []*SERE {
	if r.right == nil {
		return []*SERE{r.left}
	}
	if r.op != SEREOr && r.op != SEREConcat {
		return []*SERE{r.left, r.right}
	}
	var list []*SERE
	for stack := []*SERE{r}; len(stack) > 0; {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if q.op == r.op {
			stack = append(stack, q.right, q.left)
		} else {
			list = append(list, q)
		}
	}
	return list
}
