package certify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
)

// TestLabels compares membership in automata of one edge with the truth of its label, of labels
// with up to 200 parts that share their own parts.
func TestLabels(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b", "c"}
	for range 500 {
		letter := certify.Letter{}
		var labels []*certify.Label
		var truth []bool
		for i, name := range props {
			letter[name] = r.IntN(2) == 0
			labels = append(labels, &certify.Label{Op: certify.Prop, Prop: i})
			truth = append(truth, letter[name])
		}
		for range r.IntN(200) {
			l, value := randomLabel(r, labels, truth)
			labels, truth = append(labels, l), append(truth, value)
		}
		a := &certify.Automaton{Props: props, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
		last := len(labels) - 1
		a.AddEdge(0, labels[last], nil, 0)
		got, err := certify.Accepts(t.Context(), a, &certify.Word{Cycle: []certify.Letter{letter}})
		if err != nil || got != truth[last] {
			t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, truth[last])
		}
	}
}

// randomLabel returns a label of some of the last labels, and its truth.
func randomLabel(r *rand.Rand, labels []*certify.Label, truth []bool) (*certify.Label, bool) {
	pick := func() int { return max(0, len(labels)-1-r.IntN(4)) }
	if r.IntN(3) == 0 {
		i := pick()
		return &certify.Label{Op: certify.Not, Args: labels[i : i+1 : i+1]}, !truth[i]
	}
	l := &certify.Label{Op: certify.And}
	if r.IntN(2) == 0 {
		l.Op = certify.Or
	}
	value := l.Op == certify.And
	for range r.IntN(4) {
		i := pick()
		l.Args = append(l.Args, labels[i])
		if truth[i] == (l.Op == certify.Or) {
			value = truth[i]
		}
	}
	return l, value
}

// TestRings compares membership with arithmetic: a ring of n states sees its mark if its first
// state, at each n-th position of the word, reads a.
func TestRings(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		n, size := 1+r.IntN(300), 1+r.IntN(12)
		a := &certify.Automaton{Props: []string{"a"}, States: n, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
		prop := &certify.Label{Op: certify.Prop}
		a.AddEdge(0, prop, []int{0}, 1%n)
		a.AddEdge(0, &certify.Label{Op: certify.Not, Args: []*certify.Label{prop}}, nil, 1%n)
		for s := 1; s < n; s++ {
			a.AddEdge(s, &certify.Label{Op: certify.True}, nil, (s+1)%n)
		}
		w, want := &certify.Word{}, false
		for range size {
			w.Cycle = append(w.Cycle, certify.Letter{"a": r.IntN(4) == 0})
		}
		for k := range size {
			want = want || w.Cycle[k*n%size]["a"]
		}
		got, err := certify.Accepts(t.Context(), a, w)
		if err != nil || got != want {
			t.Fatalf("seed %d: %d states, word %v: %v, %v, want %v", seed, n, w.Cycle, got, err, want)
		}
	}
}
