package ltl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A SEREKind is a kind of node of a random expression. Its names are those of randltl.
type SEREKind uint8

// The kinds. Bounded iterations have bounds up to 3.
const (
	RandomEmptyWord         SEREKind = iota // [*0]
	RandomLetter                            // a Boolean formula
	RandomStar                              // r[*]
	RandomBoundedStar                       // r[*i..j]
	RandomFusionStar                        // r[:*]
	RandomBoundedFusionStar                 // r[:*i..j]
	RandomFirstMatch
	RandomIntersection // &&
	RandomAnd          // &
	RandomOr
	RandomConcat
	RandomFusion
	numSEREKinds
)

var sereKindNames = [numSEREKinds]string{"eword", "boolform", "star", "star_b", "fstar", "fstar_b", "first_match",
	"and", "andNLM", "or", "concat", "fusion"}

var sereKindOps = [numSEREKinds]SEREOp{SEREEmpty, SERELetter, SEREStar, SEREStar, SEREFusionStar, SEREFusionStar,
	SEREFirstMatch, SEREIntersection, SEREAnd, SEREOr, SEREConcat, SEREFusion}

// String returns the name that ParseSEREWeights takes.
func (k SEREKind) String() string { return sereKindNames[k] }

// SEREKinds returns all kinds.
func SEREKinds() []SEREKind {
	list := make([]SEREKind, numSEREKinds)
	for i := range list {
		list[i] = SEREKind(i)
	}
	return list
}

// ParseSEREWeights reads the weights of expressions, such as "fusion=0,star=3". The names are those
// of randltl --sere-priorities.
func ParseSEREWeights(text string) (map[SEREKind]int, error) {
	weights := map[SEREKind]int{}
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		kind := numSEREKinds
		for k, known := range sereKindNames {
			if name == known {
				kind = SEREKind(k)
			}
		}
		if kind == numSEREKinds {
			return nil, fmt.Errorf("weight %q: unknown kind of expression: expected one of %s", part,
				strings.Join(sereKindNames[:], " "))
		}
		if _, ok := weights[kind]; ok {
			return nil, fmt.Errorf("weight %q: %s occurs twice", part, name)
		}
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 0 || n > 1000000 {
			return nil, fmt.Errorf("weight %q: expected a number from 0 to 1000000", part)
		}
		weights[kind] = n
	}
	return weights, nil
}

// A sereGrammar has the weights of random expressions.
type sereGrammar struct {
	weights [numSEREKinds]int
	letters grammar // Boolean formulas
}

func newSEREGrammar(o *RandomOptions) (*sereGrammar, error) {
	g := &sereGrammar{letters: newGrammar(o, booleanOps)}
	for k := range g.weights {
		g.weights[k] = 1
		if w, ok := o.SEREWeights[SEREKind(k)]; ok {
			g.weights[k] = w
		}
	}
	if g.total(1) == 0 {
		return nil, errors.New("random formulas: the weights allow no expression of size 1")
	}
	return g, nil
}

// weight returns the weight of a kind for an expression of size n, and 0 if it does not fit.
func (g *sereGrammar) weight(k SEREKind, n int) int {
	switch arity := sereKindOps[k].Arity(); {
	case k == RandomEmptyWord && n > 1, k == RandomLetter && !g.letters.possible(n), n <= arity:
		return 0
	}
	return g.weights[k]
}

// total returns the sum of the weights for an expression of size n.
func (g *sereGrammar) total(n int) int {
	sum := 0
	for k := range numSEREKinds {
		sum += g.weight(k, n)
	}
	return sum
}

// expression returns a random expression of size n. If the weights allow none, it is a smaller one.
func (g *sereGrammar) expression(r *rand.Rand, s *Store, n int) *SERE {
	for g.total(n) == 0 {
		n--
	}
	x := r.IntN(g.total(n))
	k := SEREKind(0)
	for ; x >= g.weight(k, n); k++ {
		x -= g.weight(k, n)
	}
	switch op := sereKindOps[k]; {
	case k == RandomEmptyWord:
		return s.EmptyWord()
	case k == RandomLetter:
		return s.Letter(g.letters.tree(r, s, n))
	case op == SEREFirstMatch:
		return s.FirstMatch(g.expression(r, s, n-1))
	case op.Arity() == 1:
		low, high := 0, Unbounded
		if k == RandomBoundedStar || k == RandomBoundedFusionStar {
			low = r.IntN(3)
			high = low + r.IntN(4-low)
		}
		return s.iteration(op, g.expression(r, s, n-1), low, high)
	default:
		left := 1 + r.IntN(n-2)
		q := g.expression(r, s, left)
		return s.SEREBinary(op, q, g.expression(r, s, n-1-left))
	}
}

// psl returns a random formula of size n with one of PSLOps at the top, or nil if another operator
// was drawn. others is the sum of the weights of other operators.
func (g *grammar) psl(r *rand.Rand, s *Store, n, others int) *Formula {
	if g.expressions == nil || n < 2 {
		return nil
	}
	closure, conjunction, implication := g.weights[OpClosure], g.weights[OpSuffixConjunction], g.weights[OpSuffixImplication]
	var sizes []int // of the operand
	for m := 1; n > 2 && m <= n-2; m++ {
		if g.possible(m) {
			sizes = append(sizes, m)
		}
	}
	if len(sizes) == 0 {
		conjunction, implication = 0, 0
	}
	x := r.IntN(max(1, closure+conjunction+implication+others))
	if x >= closure+conjunction+implication {
		return nil
	}
	if x < closure {
		return s.Closure(g.expressions.expression(r, s, n-1))
	}
	size := sizes[r.IntN(len(sizes))]
	e := g.expressions.expression(r, s, n-1-size)
	f := g.tree(r, s, size)
	if x < closure+conjunction {
		return s.SuffixConjunction(e, f)
	}
	return s.SuffixImplication(e, f)
}
