package patterns

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// A lasso is a word: the letters before the cycle once, then the letters of the cycle again and
// again.
type lasso struct {
	prefix, cycle int
	on            map[string][]bool
}

// at reports whether the proposition is true at a position.
func (w *lasso) at(p string, i int) bool {
	if i >= w.prefix {
		i = w.prefix + (i-w.prefix)%w.cycle
	}
	return w.on[p][i]
}

// end is the number of different positions.
func (w *lasso) end() int { return w.prefix + w.cycle }

// some reports whether f is true at some position, where it depends on the word from
// there on; and so for the other three.
func (w *lasso) some(f func(i int) bool) bool {
	for i := range w.end() {
		if f(i) {
			return true
		}
	}
	return false
}

func (w *lasso) often(f func(i int) bool) bool {
	return w.some(func(i int) bool { return i >= w.prefix && f(i) })
}

func (w *lasso) always(f func(i int) bool) bool { return !w.some(func(i int) bool { return !f(i) }) }
func (w *lasso) almost(f func(i int) bool) bool { return !w.often(func(i int) bool { return !f(i) }) }

// p returns the truth of p1, p2, ….
func (w *lasso) p(letter string, k int) func(i int) bool {
	name := letter + string(rune('0'+k))
	return func(i int) bool { return w.at(name, i) }
}

func (w *lasso) q(name string) func(i int) bool { return func(i int) bool { return w.at(name, i) } }

// forAll reports whether f is true of all numbers from 1 to n, exists whether it is of one.
func forAll(n int, f func(k int) bool) bool {
	for k := 1; k <= n; k++ {
		if !f(k) {
			return false
		}
	}
	return true
}

func exists(n int, f func(k int) bool) bool { return !forAll(n, func(k int) bool { return !f(k) }) }

// inTurn reports whether p1, …, pn occur in this order, two of them perhaps at once:
// the first p1 is as good as any other.
func (w *lasso) inTurn(letter string, n int) bool {
	i := 0
	return forAll(n, func(k int) bool {
		stop := i + w.end()
		for i < stop && !w.p(letter, k)(i) {
			i++
		}
		return i < stop
	})
}

// inARow reports whether p is true n times in a row.
func (w *lasso) inARow(p string, n int) bool {
	return w.some(func(i int) bool { return forAll(n, func(k int) bool { return w.at(p, i+k-1) }) })
}

// phases reports whether the word from position i on can be read in n phases. At each
// position of phase k, stay(k) is true. A phase may be empty. Phase k+1 begins only
// where begin(k+1) is true, and the last phase ends where begin(n+1) is.
func (w *lasso) phases(i, n int, stay, begin func(k, i int) bool) bool {
	now := map[int]bool{1: true}
	for range n*w.end() + 1 {
		next := map[int]bool{}
		for k := 1; k <= n; k++ {
			if !now[k] {
				continue
			}
			if begin(k+1, i) {
				if k == n {
					return true
				}
				now[k+1] = true
			}
			if stay(k, i) {
				next[k] = true
			}
		}
		now = next
		i++
	}
	return false
}

// leftNest reports whether (… (p1 op p2) op …) op pn is true, by the definition of op.
func (w *lasso) leftNest(n int, op func(f, g func(i int) bool, i int) bool) bool {
	f := w.p("p", 1)
	for k := 2; k <= n; k++ {
		before, g := f, w.p("p", k)
		known := make([]int, 20*w.end())
		f = func(i int) bool {
			if i >= w.prefix {
				i = w.prefix + (i-w.prefix)%w.cycle
			}
			if known[i] == 0 {
				known[i] = 1
				if op(before, g, i) {
					known[i] = 2
				}
			}
			return known[i] == 2
		}
	}
	return f(0)
}

// meanings say for each family in other words when a word satisfies its formula.
var meanings = map[string]func(w *lasso, n, m int) bool{
	"and-f":  func(w *lasso, n, _ int) bool { return forAll(n, func(k int) bool { return w.some(w.p("p", k)) }) },
	"and-fg": func(w *lasso, n, _ int) bool { return forAll(n, func(k int) bool { return w.almost(w.p("p", k)) }) },
	"and-gf": func(w *lasso, n, _ int) bool { return forAll(n, func(k int) bool { return w.often(w.p("p", k)) }) },
	"or-fg":  func(w *lasso, n, _ int) bool { return exists(n, func(k int) bool { return w.almost(w.p("p", k)) }) },
	"or-g":   func(w *lasso, n, _ int) bool { return exists(n, func(k int) bool { return w.always(w.p("p", k)) }) },
	"or-gf":  func(w *lasso, n, _ int) bool { return exists(n, func(k int) bool { return w.often(w.p("p", k)) }) },
	"gh-q": func(w *lasso, n, _ int) bool {
		return !exists(n, func(k int) bool { return !w.some(w.p("p", k)) && !w.always(w.p("p", k+1)) })
	},
	"gh-r": func(w *lasso, n, _ int) bool {
		return !exists(n, func(k int) bool { return !w.often(w.p("p", k)) && !w.almost(w.p("p", k+1)) })
	},
	"gf-equiv": func(w *lasso, n, _ int) bool {
		return w.often(w.q("z")) == forAll(n, func(k int) bool { return w.often(w.p("a", k)) })
	},
	"gf-implies": func(w *lasso, n, _ int) bool {
		return w.often(w.q("z")) || exists(n, func(k int) bool { return !w.often(w.p("a", k)) })
	},
	"go-theta": func(w *lasso, n, _ int) bool {
		unanswered := w.some(func(i int) bool {
			return w.at("q", i) && forAll(w.end(), func(k int) bool { return !w.at("r", i+k-1) })
		})
		return unanswered && forAll(n, func(k int) bool { return w.often(w.p("p", k)) })
	},
	"ms-phi-r": func(w *lasso, n, _ int) bool { return w.rabinStreett(n, true) },
	"ms-phi-s": func(w *lasso, n, _ int) bool { return w.rabinStreett(n, false) },
	"sejk-j": func(w *lasso, n, _ int) bool {
		return forAll(n, func(k int) bool { return w.often(w.p("b", k)) }) || exists(n, func(k int) bool { return !w.often(w.p("a", k)) })
	},
	"sejk-k": func(w *lasso, n, _ int) bool {
		return forAll(n, func(k int) bool { return w.often(w.p("a", k)) || w.almost(w.p("b", k)) })
	},
	"sejk-f": func(w *lasso, n, m int) bool {
		// Which of GF a0, …, GF an are true decides what is demanded of b.
		switch b := w.q("b"); {
		case w.often(w.q("a0")):
			return w.often(b)
		case exists(n, func(k int) bool { return w.often(w.p("a", k)) }):
			return w.almost(b)
		default:
			return forAll(w.end(), func(k int) bool { return b(m + k - 1) })
		}
	},
	"ccj-alpha":      func(w *lasso, n, _ int) bool { return w.inTurn("p", n) && w.inTurn("q", n) },
	"ccj-beta":       func(w *lasso, n, _ int) bool { return w.inARow("p", n) && w.inARow("q", n) },
	"ccj-beta-prime": func(w *lasso, n, _ int) bool { return w.inARow("p", n) && w.inARow("q", n) },
	"eil-gsi": func(w *lasso, n, _ int) bool {
		since := exists(n+1, func(k int) bool {
			return w.at("b", k-1) && forAll(n-k+1, func(j int) bool { return w.at("a", k-1+j) })
		})
		return !since || w.at("c", n)
	},
	"pps-arbiter-standard": func(w *lasso, n, _ int) bool { return w.arbiter(n, false) },
	"pps-arbiter-strict":   func(w *lasso, n, _ int) bool { return w.arbiter(n, true) },
	"fxg-or": func(w *lasso, n, _ int) bool {
		// Each of the nested G may begin as late as it likes.
		return w.some(w.p("p", 0)) || exists(n, func(k int) bool { return w.almost(w.p("p", k)) })
	},
	"gxf-and": func(w *lasso, n, _ int) bool {
		return w.always(w.q("p0")) && forAll(n, func(k int) bool { return w.often(w.p("p", k)) })
	},
	"gf-equiv-xn": func(w *lasso, n, _ int) bool {
		return w.often(func(i int) bool { return w.at("a", i) == w.at("a", i+n) })
	},
	// Either a is false infinitely often, or it is true from some position on.
	"gf-implies-xn": func(*lasso, int, int) bool { return true },
	"modulo-counter": func(w *lasso, n, _ int) bool {
		// The propositions occur in the order c(n-1), …, c0.
		i := 0
		return forAll(n, func(k int) bool {
			stop := i + w.end()
			for i < stop && !w.p("c", n-k)(i) {
				i++
			}
			return i < stop
		})
	},
	"ms-example": func(w *lasso, n, m int) bool {
		return w.inTurn("b", m) && w.often(func(i int) bool {
			return forAll(n, func(k int) bool { return w.p("a", k)(i + k - 1) })
		})
	},
	"ms-phi-h": func(w *lasso, n, _ int) bool {
		return exists(n+1, func(k int) bool {
			return w.almost(func(i int) bool { return w.at("a", i) == (k%2 == 1) || w.at("b", i+k-1) })
		})
	},
	"tv-f1": boundedResponse,
	"tv-f2": boundedResponse,
	"tv-g1": boundedHold,
	"tv-g2": boundedHold,
	"tv-uu": func(w *lasso, n, _ int) bool {
		at := func(k, i int) bool { return w.p("p", k)(i) }
		return w.always(func(i int) bool { return !at(1, i) || w.phases(i, n, at, at) })
	},
	"u-left": func(w *lasso, n, _ int) bool {
		return w.leftNest(n, func(f, g func(i int) bool, i int) bool {
			for j := range w.end() {
				switch {
				case g(i + j):
					return true
				case !f(i + j):
					return false
				}
			}
			return false
		})
	},
	"r-left": func(w *lasso, n, _ int) bool {
		return w.leftNest(n, func(f, g func(i int) bool, i int) bool {
			for j := range w.end() {
				switch {
				case !g(i + j):
					return false
				case f(i + j):
					return true
				}
			}
			return true
		})
	},
	"u-right": func(w *lasso, n, _ int) bool { return w.rightNest(n, true) },
	"r-right": func(w *lasso, n, _ int) bool { return !w.rightNest(n, false) },
}

// arbiter reports whether an arbiter of n clients serves them. A strict one keeps its rules until
// the clients break theirs; any other need not if they ever do.
func (w *lasso) arbiter(n int, strict bool) bool {
	if exists(n, func(k int) bool { return w.p("i", k)(0) }) {
		return true
	}
	if exists(n, func(k int) bool { return w.p("o", k)(0) }) {
		return false
	}
	same := func(k, i int) bool { return w.p("i", k)(i) == w.p("o", k)(i) }
	requests := func(i int) bool {
		return forAll(n, func(k int) bool { return same(k, i) || w.p("i", k)(i) == w.p("i", k)(i+1) })
	}
	grants := func(i int) bool {
		granted := 0
		for k := 1; k <= n; k++ {
			if w.p("o", k)(i) {
				granted++
			}
		}
		return granted <= 1 && forAll(n, func(k int) bool { return !same(k, i) || w.p("o", k)(i) == w.p("o", k)(i+1) })
	}
	assumed := w.always(requests) && forAll(n, func(k int) bool {
		return w.often(func(i int) bool { return !w.p("i", k)(i) || !w.p("o", k)(i) })
	})
	served := forAll(n, func(k int) bool { return w.often(func(i int) bool { return same(k, i) }) })
	switch {
	case assumed && !served:
		return false
	case !strict:
		return !assumed || w.always(grants)
	}
	for i := range w.end() {
		if !requests(i) {
			return true
		}
		if !grants(i) {
			return false
		}
	}
	return true
}

// rabinStreett goes down from the pair n, which is a conjunction or a disjunction, to
// the pair 0: a true conjunction or a false disjunction decides.
func (w *lasso) rabinStreett(n int, conjunction bool) bool {
	for k := n; k > 0; k-- {
		a, b := w.almost(w.p("a", k)), w.often(w.p("b", k))
		if conjunction && a && b {
			return true
		}
		if !conjunction && !a && !b {
			return false
		}
		conjunction = !conjunction
	}
	a, b := w.almost(w.q("a0")), w.often(w.q("b0"))
	return a && b || !conjunction && (a || b)
}

// rightNest reports whether p1 … p(n-1) last for a while each, and then there is pn,
// all with the given value.
func (w *lasso) rightNest(n int, value bool) bool {
	at := func(k, i int) bool { return w.p("p", k)(i) == value }
	if n == 1 {
		return at(1, 0)
	}
	return w.phases(0, n-1, at, func(k, i int) bool { return k < n || at(n, i) })
}

func boundedResponse(w *lasso, n, _ int) bool {
	return w.always(func(i int) bool { return !w.at("p", i) || exists(n, func(k int) bool { return w.at("q", i+k-1) }) })
}

func boundedHold(w *lasso, n, _ int) bool {
	return w.always(func(i int) bool { return !w.at("p", i) || forAll(n, func(k int) bool { return w.at("q", i+k-1) }) })
}

// TestMeanings compares formulas and meanings on random words.
func TestMeanings(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, s := range sets() {
		meaning := meanings[s.Name]
		if meaning == nil {
			continue
		}
		request := Request{s, [2]span{{1, 4}, {1, 1}}}
		if len(s.Parameters) == 2 {
			request.ranges[1].high = 3
		}
		for f := range request.All() {
			m := 0
			if len(f.Numbers) == 2 {
				m = f.Numbers[1]
			}
			var seen [2]bool
			both := s.Name != "gf-implies-xn"
			for words := 0; words < 200 || both && words < 50_000 && !(seen[0] && seen[1]); words++ {
				w := randomLasso(r, f.Props())
				want := meaning(w, f.Numbers[0], m)
				if got := must.Get(f.Holds(w.prefix, w.cycle, w.at)); got != want {
					t.Fatalf("seed %d: %s: %s on %+v is %v, but means %v", seed, f.Name(), f, *w, got, want)
				}
				if want {
					seen[1] = true
				} else {
					seen[0] = true
				}
			}
			if both && !(seen[0] && seen[1]) {
				t.Errorf("seed %d: %s was always %v", seed, f.Name(), seen[1])
			}
		}
	}
}

// randomLasso returns a word, on which some propositions are rare and some are mostly true.
func randomLasso(r *rand.Rand, props []string) *lasso {
	w := &lasso{r.IntN(4), 1 + r.IntN(8), map[string][]bool{}}
	bias := r.Float64()
	for _, p := range props {
		often := r.Float64()
		if r.IntN(2) == 0 {
			often = bias
		}
		for range w.end() {
			w.on[p] = append(w.on[p], r.Float64() < often)
		}
	}
	return w
}

// TestAllMeant tests that every family has a meaning here or in the test of blow-ups or
// of counters.
func TestAllMeant(t *testing.T) {
	for _, s := range sets() {
		_, here := meanings[s.Name]
		_, block := blockWriters[s.Name]
		_, counter := counterCarries[s.Name]
		if s.make != nil && !here && !block && !counter {
			t.Errorf("%s is not tested", s.Name)
		}
	}
}
