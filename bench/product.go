package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A ProductRow has the cost of one way to look for a common word of two automata.
type ProductRow struct {
	Family string `json:"family"` // where the automata are from
	Result string `json:"result"` // "empty", "non-empty" or "itself": two times the same
	Way    string `json:"way"`
	Checks int    `json:"checks"` // that all ways decided
	// Of all checks together, and of one: the median and the slowest.
	Seconds float64 `json:"seconds"`
	Median  float64 `json:"median_seconds"`
	Slowest float64 `json:"slowest_seconds"`
	// The median time of the search for a run, which is a part of each check's time.
	Search float64 `json:"search_seconds"`
	// CheckRatio is the mean, over the pairs, of the time of the product check without the
	// search for a run, divided by that of this way. Ratio is the same with that search, as in
	// Figures 4.3 to 4.5 of Gillard 2019.
	CheckRatio float64 `json:"check_ratio"`
	Ratio      float64 `json:"ratio"`
	// Medians of the product's states and edges that were made, and of the bytes
	// that were allocated, garbage too.
	States    int `json:"states"`
	Edges     int `json:"edges"`
	Allocated int `json:"allocated"`
	// The number of checks of the family that some way gave up at a limit, and of
	// translations. The same in all rows of the family.
	Failed int `json:"failed"`
}

// ProductOptions are the options of Product.
type ProductOptions struct {
	Seed     uint64
	Automata int            // random ones, all pairs of which are checked
	Props    int            // of the random automata
	Sets     int            // of their generalized Büchi acceptance
	Random   random.Options // of them
	Formulas int            // random ones of size 30 over 30 propositions
	Time     time.Duration  // for each translation, and each check by one way
	Memory   int64          // bytes, for each check; 0: no limit
}

// wayResult is what a way found: whether there is a run, how much of the product it made, and how
// long it searched for the run.
type wayResult struct {
	found         bool
	states, edges int
	search        time.Duration
}

// ways are the three that Gillard 2019, section 4.7.1, compares, the product check last. Each ends
// with an accepting run if there is one.
var ways = []struct {
	name  string
	check func(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (wayResult, error)
}{
	// The whole product is made, and then searched as any other automaton.
	{"explicit product", func(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (wayResult, error) {
		p := productcheck.NewProduct(left, right)
		a, err := omega.Explore(ctx, p, int(limits.Memory/bytesOfState))
		if err != nil {
			return wayResult{}, err
		}
		result, err := emptiness.Check(ctx, a, limits)
		return wayResult{!result.Empty(), a.NumStates(), a.NumEdges(), result.RunTime}, err
	}},
	// The product is an automaton with labels and marks of its own, made on demand.
	{"on-the-fly product", func(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (wayResult, error) {
		result, err := emptiness.Check(ctx, productcheck.NewProduct(left, right), limits)
		return wayResult{!result.Empty(), result.States, result.Edges, result.RunTime}, err
	}},
	// The search runs on pairs of states; the runs are those of both sides.
	{"product check", func(ctx context.Context, left, right omega.Source, limits emptiness.Limits) (wayResult, error) {
		result, err := productcheck.Intersect(ctx, left, right, limits)
		return wayResult{!result.Empty(), result.Pairs, result.Edges, result.RunTime}, err
	}},
}

// bytesOfState is about what a state of an explicit product takes with its edges.
const bytesOfState = 128

// Product compares three ways to decide whether two automata share a word, as Gillard 2019,
// section 4.7. The inputs are all pairs of random automata, each also with itself, and the
// checks of ltlcross for two translators of random formulas: does an automaton of a formula
// share a word with one of its negation? It passes each row to emit, and fails when ctx is
// done or two ways differ.
func Product(ctx context.Context, o ProductOptions, emit func(ProductRow) error) error {
	for _, family := range []func(context.Context, *productTable) error{o.random, o.translated} {
		t := &productTable{time: o.Time, limits: emptiness.Limits{Memory: o.Memory}}
		if err := family(ctx, t); err != nil {
			return err
		}
		if err := t.emit(emit); err != nil {
			return err
		}
	}
	return nil
}

// random checks pairs of random automata.
func (o *ProductOptions) random(ctx context.Context, t *productTable) error {
	t.family = "random"
	r := rand.New(rand.NewPCG(o.Seed, 4))
	alphabet := omega.NewAlphabet(propositions(o.Props)...)
	var automata []operand
	for range o.Automata {
		automata = append(automata, newOperand(random.Automaton(r, alphabet, omega.GeneralizedBuchi(o.Sets), o.Random)))
	}
	for i, x := range automata {
		for _, y := range automata[i:] {
			if err := t.add(ctx, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// propositions returns p0, p1, and so on.
func propositions(n int) []string {
	props := make([]string, n)
	for i := range props {
		props[i] = fmt.Sprintf("p%d", i)
	}
	return props
}

// translated checks automata of formulas and of their negations.
func (o *ProductOptions) translated(ctx context.Context, t *productTable) error {
	t.family = "formulas"
	for f, err := range Drawn(ltl.RandomOptions{Seed: o.Seed, Props: propositions(30), MinSize: 30, MaxSize: 30}, o.Formulas)(ctx) {
		if err != nil {
			return err
		}
		store := ltl.NewStore()
		f = store.Import(f)
		var sides [2][]*omega.Automaton
		for i, f := range []*ltl.Formula{f, store.Not(f)} {
			for _, name := range plain {
				limited, cancel := context.WithTimeout(ctx, o.Time)
				x, err := translate.With(limited, name, store, f)
				cancel()
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case err != nil:
					t.failed++
				default:
					sides[i] = append(sides[i], x)
				}
			}
		}
		for _, x := range sides[0] {
			for _, y := range sides[1] {
				alphabet := omega.Union(x.Alphabet(), y.Alphabet())
				x, err := x.Over(ctx, alphabet)
				if err != nil {
					return err
				}
				y, err := y.Over(ctx, alphabet)
				if err != nil {
					return err
				}
				if err := t.add(ctx, newOperand(x), newOperand(y)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// operand is an automaton as each way gets it. It keeps its index for all checks that
// it is part of, for each way another one: so each makes what it needs.
type operand []omega.Source

func newOperand(a *omega.Automaton) operand {
	x := make(operand, len(ways))
	for i := range x {
		x[i] = productcheck.NewIndexed(a)
	}
	return x
}

// productTable collects the rows of a family.
type productTable struct {
	family string
	time   time.Duration
	limits emptiness.Limits
	checks int
	failed int
	costs  map[[2]string][]productCost // by result and way
}

// productCost is what a single check took.
type productCost struct {
	wayResult
	time      time.Duration
	allocated int
}

// add checks a pair in all ways. They take turns in being the first, which finds
// nothing of the labels in the caches.
func (t *productTable) add(ctx context.Context, x, y operand) error {
	costs := make([]productCost, len(ways))
	var found bool
	for i := range ways {
		at := (t.checks + i) % len(ways)
		cost, err := t.one(ctx, at, x[at], y[at])
		if err != nil {
			var over *omega.LimitError
			if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.As(err, &over)) {
				t.failed++
				return nil
			}
			return err
		}
		if i > 0 && cost.found != found {
			return errors.New("internal error: two ways to check a product differ: please report")
		}
		costs[at], found = cost, cost.found
	}
	t.checks++
	result := "empty"
	switch {
	case x[0] == y[0]:
		result = "itself"
	case found:
		result = "non-empty"
	}
	if t.costs == nil {
		t.costs = make(map[[2]string][]productCost)
	}
	for i, way := range ways {
		key := [2]string{result, way.name}
		t.costs[key] = append(t.costs[key], costs[i])
	}
	return nil
}

// one checks a pair in one way.
func (t *productTable) one(ctx context.Context, way int, x, y omega.Source) (cost productCost, err error) {
	limited, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	cost.wayResult, err = ways[way].check(limited, x, y, t.limits)
	cost.time = time.Since(start)
	runtime.ReadMemStats(&after)
	cost.allocated = int(after.TotalAlloc - before.TotalAlloc)
	return cost, err
}

// emit gives out the rows that have checks.
func (t *productTable) emit(emit func(ProductRow) error) error {
	for _, result := range []string{"empty", "non-empty", "itself"} {
		check := t.costs[[2]string{result, ways[len(ways)-1].name}]
		for _, way := range ways {
			costs := t.costs[[2]string{result, way.name}]
			if len(costs) == 0 {
				continue
			}
			row := ProductRow{Family: t.family, Result: result, Way: way.name, Checks: len(costs), Failed: t.failed}
			var times, searches, states, edges, allocated []int
			for i, c := range costs {
				row.CheckRatio += ratio(check[i].time-check[i].search, c.time-c.search)
				row.Ratio += ratio(check[i].time, c.time)
				searches = append(searches, int(c.search))
				row.Seconds += c.time.Seconds()
				times = append(times, int(c.time))
				states = append(states, c.states)
				edges = append(edges, c.edges)
				allocated = append(allocated, c.allocated)
			}
			row.Median = time.Duration(median(times)).Seconds()
			average(len(costs), &row.CheckRatio, &row.Ratio)
			row.Search = time.Duration(median(searches)).Seconds()
			row.Slowest = time.Duration(slices.Max(times)).Seconds()
			row.States, row.Edges, row.Allocated = median(states), median(edges), median(allocated)
			if err := emit(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// ratio returns x/y; a y below a nanosecond counts as one.
func ratio(x, y time.Duration) float64 { return float64(x) / float64(max(1, y)) }
