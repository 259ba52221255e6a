package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A ProductRow has the cost of one way to look for a common word of two automata.
type ProductRow struct {
	Family string `json:"family" table:"automata"` // family of the inputs
	// "empty", "non-empty", or "itself": an automaton and itself
	Result string `json:"result" table:"result"`
	Way    string `json:"way" table:"way"`       // the way in which the product was searched
	Checks int    `json:"checks" table:"checks"` // number of pairs of automata that all ways decided
	// number of pairs of the family for which a way met a limit
	Failed       int     `json:"failed" table:"failed"`
	Untranslated int     `json:"untranslated" table:"untranslated"`  // number of translations that met a limit
	Seconds      float64 `json:"seconds" table:"seconds,2"`          // time of all checks, in seconds
	Median       float64 `json:"median_seconds" table:"median ms,2"` // median time of a check, in seconds
	// median time of the conversion of the automata, in seconds
	Conversion float64 `json:"conversion_seconds" table:"conversion ms,2"`
	// median time of the search for a run, in seconds
	Search  float64 `json:"search_seconds" table:"search ms,2"`
	Slowest float64 `json:"slowest_seconds" table:"slowest ms,1"` // time of the slowest check, in seconds
	// time of the last way of the family divided by the time of this way, without the search for a run:
	// the mean over the checks
	CheckRatio float64 `json:"check_ratio" table:"check ratio,2"`
	// time of the last way of the family divided by the time of this way, without the search for a run:
	// the median over the checks
	MedianCheckRatio float64 `json:"median_check_ratio" table:"median check ratio,2"`
	// time of the last way of the family divided by the time of this way, as in Figures 4.3 to 4.5 of
	// Gillard 2019: the mean over the checks
	Ratio float64 `json:"ratio" table:"ratio,2"`
	// time of the last way of the family divided by the time of this way: the median over the checks
	MedianRatio float64 `json:"median_ratio" table:"median ratio,2"`
	Converted   int     `json:"converted" table:"converted"` // median number of states of the converted automata
	States      int     `json:"states" table:"states"`       // median number of states of the product that were made
	Edges       int     `json:"edges" table:"edges"`         // median number of edges of the product that were made
	Allocated   int     `json:"allocated" table:"KiB"`       // median number of bytes that were allocated
}

// ProductOptions are the options of Product.
type ProductOptions struct {
	Seed     uint64
	Automata int            // random automata; all pairs are checked
	Props    int            // of the random automata
	Sets     int            // of their generalized Büchi acceptance
	Random   random.Options // of them
	Formulas int            // random ones of size 30 over 30 propositions
	// Conditions is the number of random automata, and of products, for each of the conditions
	// for which the generic check is compared with a conversion.
	Conditions int
	Time       time.Duration // for each translation, and each check by one way
	Memory     int64         // bytes, for each of these; 0: no limit
}

// A productCost is what a check found and took: whether there is a run, how much of the product was
// made, and how long parts of it took.
type productCost struct {
	found         bool
	states, edges int
	search        time.Duration
	conversion    time.Duration // to another acceptance condition
	converted     int           // states after that
	time          time.Duration // of all of it
	allocated     int           // bytes
}

// productWay decides whether two automata share a word. It ends with an accepting run if they do.
type productWay struct {
	name  string
	check func(ctx context.Context, left, right omega.Source, limits omega.Limits) (productCost, error)
}

// productWays are the three that Gillard 2019, section 4.7.1, compares, the product check last.
var productWays = []productWay{
	// The whole product is made, and then searched as any other automaton.
	{"explicit product", func(ctx context.Context, left, right omega.Source, limits omega.Limits) (productCost, error) {
		p := productcheck.NewProduct(left, right)
		a, err := omega.Explore(ctx, p, omega.NoLimits())
		if err != nil {
			return productCost{}, err
		}
		result, err := product.Check(ctx, a, limits)
		return productCost{found: !result.Empty(), states: a.NumStates(), edges: a.NumEdges(), search: result.RunTime}, err
	}},
	// The product is an automaton with labels and marks of its own, made on demand.
	{"on-the-fly product", func(ctx context.Context, left, right omega.Source, limits omega.Limits) (productCost, error) {
		return common(ctx, productcheck.NewProduct(left, right), nil, limits)
	}},
	// The search runs on pairs of states; the runs belong to both sides.
	{"product check", common},
}

// conditions are the acceptance conditions for which Gillard 2019, chapter 6, proposes to compare
// the generic check with a conversion.
var conditions = []string{"Rabin 3", "Streett 3", "parity max odd 6"}

// The number of states of automata that are checked alone, and of automata in products.
const (
	aloneStates = 5000
	pairStates  = 100
)

// conversionWays decide whether an automaton of any condition accepts a word, or two share one. The
// generic check comes last.
var conversionWays = []productWay{
	{"conversion, couvreur", func(ctx context.Context, left, right omega.Source, limits omega.Limits) (r productCost, err error) {
		start, size := time.Now(), 0
		for _, side := range []*omega.Source{&left, &right} {
			if *side == nil {
				continue
			}
			a, err := complement.GeneralizedBuchi(ctx, (*side).(*omega.Automaton), omega.Limits{})
			if err != nil {
				return r, err
			}
			size += a.NumStates()
			*side = a
		}
		took := time.Since(start)
		r, err = common(ctx, left, right, limits)
		r.conversion, r.converted = took, size
		return r, err
	}},
	{"generic", common},
}

// common decides whether two automata share a word, or whether left accepts one if right is nil.
func common(ctx context.Context, left, right omega.Source, limits omega.Limits) (productCost, error) {
	if right == nil {
		result, err := product.Check(ctx, left, limits)
		return productCost{found: !result.Empty(), states: result.States, edges: result.Edges, search: result.RunTime}, err
	}
	result, err := productcheck.Intersect(ctx, left, right, limits)
	return productCost{found: !result.Empty(), states: result.Pairs, edges: result.Edges, search: result.RunTime}, err
}

// Product compares three ways to decide whether two automata share a word, as Gillard 2019,
// section 4.7. The inputs are all pairs of random automata, each also with itself, and the
// checks of ltlcross for three translators of random formulas: does an automaton of a formula
// share a word with one of its negation? Then it compares, for other acceptance conditions, the
// generic check with a conversion, as chapter 6 proposes. It passes each row to emit, and fails
// when ctx is done or two ways differ.
func Product(ctx context.Context, o ProductOptions, emit func(ProductRow) error) error {
	families := []productFamily{{"random", productWays, o.random}, {"formulas", productWays, o.translated}}
	return o.measure(ctx, slices.Concat(families, o.conditions(aloneStates, pairStates)), emit)
}

// measure passes the rows of each family to emit.
func (o *ProductOptions) measure(ctx context.Context, families []productFamily, emit func(ProductRow) error) error {
	for _, f := range families {
		t := &productTable{productFamily: f, time: o.Time, limits: omega.Limits{Memory: o.Memory}.Or(omega.NoLimits()), costs: map[[2]string][]productCost{}}
		if err := f.add(ctx, t); err != nil {
			return err
		}
		if err := t.emit(emit); err != nil {
			return err
		}
	}
	return nil
}

// productFamily is a list of checks, and the ways to decide them.
type productFamily struct {
	name string
	ways []productWay // the last one is what the others are compared with
	add  func(context.Context, *productTable) error
}

// random checks pairs of random automata.
func (o *ProductOptions) random(ctx context.Context, t *productTable) error {
	r := rand.New(rand.NewPCG(o.Seed, 4))
	alphabet := omega.NewAlphabet(propositions(o.Props)...)
	var automata []operand
	for range o.Automata {
		automata = append(automata, t.operand(random.Automaton(r, alphabet, omega.GeneralizedBuchi(o.Sets), o.Random)))
	}
	for i, x := range automata {
		for _, y := range automata[i:] { // each also with itself
			if err := t.check(ctx, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// translated checks automata of formulas and of their negations.
func (o *ProductOptions) translated(ctx context.Context, t *productTable) error {
	for f, err := range Drawn(ltl.RandomOptions{Seed: o.Seed, Props: propositions(30), MinSize: 30, MaxSize: 30}, o.Formulas)(ctx) {
		if err != nil {
			return err
		}
		store := ltl.NewStore()
		f = store.Import(f)
		positive, err := t.translations(ctx, store, f)
		if err != nil {
			return err
		}
		negative, err := t.translations(ctx, store, store.Not(f))
		if err != nil {
			return err
		}
		// All of them are over the propositions that one of them has.
		automata := slices.Concat(positive, negative)
		var alphabets []*omega.Alphabet
		for _, a := range automata {
			alphabets = append(alphabets, a.Alphabet())
		}
		alphabet := omega.Union(alphabets...)
		var operands []operand
		for _, a := range automata {
			a, err := a.Over(ctx, alphabet)
			if err != nil {
				return err
			}
			operands = append(operands, t.operand(a))
		}
		for _, x := range operands[:len(positive)] {
			for _, y := range operands[len(positive):] {
				if err := t.check(ctx, x, y); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// translators stand for ltl2tgba, ltl3ba and ltl2ba, as in Gillard 2019, section 4.7.2.
var translators = []string{"couvreur", "gastin-oddoux", degeneralized}

// degeneralized makes a Büchi automaton with marks on states of what the translator before it made.
const degeneralized = "degeneralized"

// translations returns what the translators make of a formula within the limits.
func (t *productTable) translations(ctx context.Context, store *ltl.Store, f *ltl.Formula) ([]*omega.Automaton, error) {
	var list []*omega.Automaton
	var a *omega.Automaton
	for _, name := range translators {
		_, done, err := measured(budget.WithMemory(ctx, t.limits.Memory), t.time, func(ctx context.Context) (err error) {
			switch {
			case name != degeneralized:
				a, err = translate.With(ctx, name, store, f)
			case a == nil:
				err = context.DeadlineExceeded // as that translation took too long
			default:
				a, err = convert.Degeneralize(ctx, a, true, omega.Limits{})
			}
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case done:
			list = append(list, a)
		default:
			t.untranslated++ // a limit; the others are compared all the same
		}
	}
	return list, nil
}

// conditions returns the families of random automata of each condition: alone, and in pairs, with
// the given number of states.
func (o *ProductOptions) conditions(alone, pair int) (list []productFamily) {
	for _, condition := range conditions {
		list = append(list, productFamily{condition, conversionWays, func(ctx context.Context, t *productTable) error {
			r := rand.New(rand.NewPCG(o.Seed, 6))
			for range o.Conditions {
				a := markedAutomaton(r, omega.NewAlphabet(), condition, alone)
				if err := t.check(ctx, operand{a, a}, operand{nil, nil}); err != nil { // alone
					return err
				}
			}
			return nil
		}}, productFamily{condition + ", pairs", conversionWays, func(ctx context.Context, t *productTable) error {
			r := rand.New(rand.NewPCG(o.Seed, 7))
			alphabet := omega.NewAlphabet(propositions(2)...)
			for range o.Conditions {
				a := markedAutomaton(r, alphabet, condition, pair)
				b := markedAutomaton(r, alphabet, condition, pair)
				if err := t.check(ctx, operand{a, a}, operand{b, b}); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	return list
}

// markedAutomaton returns a random automaton in which some marks are rare and others frequent.
// Each state has an edge to the next one and three others.
func markedAutomaton(r *rand.Rand, alphabet *omega.Alphabet, condition string, n int) *omega.Automaton {
	acceptance, err := omega.NamedAcceptance(condition)
	if err != nil {
		panic(err)
	}
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	often := make([]float64, acceptance.Sets)
	for i := range often {
		// Rare and frequent marks make conditions that hold for one reason or another.
		often[i] = []float64{0, 0.1, 0.5, 0.9}[r.IntN(4)]
	}
	letter := make(omega.Letter, alphabet.Len())
	for s := range n {
		for k := range 4 {
			dst := (s + 1) % n // all states are reached
			if k > 0 {
				dst = r.IntN(n)
			}
			var marks []int
			for i, p := range often {
				if r.Float64() < p {
					marks = append(marks, i)
				}
			}
			for i := range letter {
				letter[i] = r.IntN(2) == 1
			}
			b.AddEdge(omega.State(s), alphabet.LetterLabel(letter), b.Marks().Of(marks...), omega.State(dst))
		}
	}
	return b.Automaton()
}

// propositions returns p0, p1, and so on.
func propositions(n int) []string {
	props := make([]string, n)
	for i := range props {
		props[i] = fmt.Sprintf("p%d", i)
	}
	return props
}

// An operand is an automaton with an index of its own for each way. The index is kept for all
// checks.
type operand []omega.Source

func (t *productTable) operand(a *omega.Automaton) operand {
	x := make(operand, len(t.ways))
	for i := range x {
		x[i] = productcheck.NewIndexed(a)
	}
	return x
}

// productTable collects the rows of a family.
type productTable struct {
	productFamily
	time   time.Duration
	limits omega.Limits
	checks int
	failed int // pairs
	// Translations that met a limit.
	untranslated int

	costs map[[2]string][]productCost // by result and way
}

// check checks a pair in all ways.
func (t *productTable) check(ctx context.Context, x, y operand) error {
	costs := make([]productCost, len(t.ways))
	found := false
	for i := range t.ways {
		// They take turns in being the first, which finds nothing of the labels in the caches.
		at := (t.checks + i) % len(t.ways)
		cost, err := t.one(ctx, at, x[at], y[at])
		if err != nil {
			var over *omega.LimitError
			if ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.As(err, &over)) {
				t.failed++ // and no way counts it
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
	for i, way := range t.ways {
		key := [2]string{result, way.name}
		t.costs[key] = append(t.costs[key], costs[i])
	}
	return nil
}

// A check that makes few states is tried several times, and the least time counts.
const (
	tries     = 5
	fewStates = 5000
)

// one checks a pair in one way.
func (t *productTable) one(ctx context.Context, way int, x, y omega.Source) (productCost, error) {
	least, err := t.once(ctx, way, x, y)
	// On a busy machine, a single try of 0.3 ms may take 60 ms.
	for i := 1; i < tries && err == nil && least.states+least.converted < fewStates; i++ {
		var again productCost
		if again, err = t.once(ctx, way, x, y); again.time < least.time {
			least = again
		}
	}
	return least, err
}

// once is a single try of one.
func (t *productTable) once(ctx context.Context, way int, x, y omega.Source) (cost productCost, err error) {
	limited, cancel := context.WithTimeout(budget.WithMemory(ctx, t.limits.Memory), t.time)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	cost, err = t.ways[way].check(limited, x, y, t.limits)
	cost.time = time.Since(start)
	runtime.ReadMemStats(&after)
	cost.allocated = int(after.TotalAlloc - before.TotalAlloc)
	return cost, err
}

// emit gives out the rows that have checks.
func (t *productTable) emit(emit func(ProductRow) error) error {
	for _, result := range []string{"empty", "non-empty", "itself"} {
		check := t.costs[[2]string{result, t.ways[len(t.ways)-1].name}] // what all ways are compared with
		for _, way := range t.ways {
			costs := t.costs[[2]string{result, way.name}]
			if len(costs) == 0 {
				continue
			}
			row := ProductRow{Family: t.name, Result: result, Way: way.name, Checks: len(costs), Failed: t.failed, Untranslated: t.untranslated}
			var checkRatios, ratios []float64
			for i, c := range costs {
				checkRatios = append(checkRatios, ratio(check[i].time-check[i].search, c.time-c.search))
				ratios = append(ratios, ratio(check[i].time, c.time))
				row.Seconds += c.time.Seconds()
				row.Slowest = max(row.Slowest, c.time.Seconds())
			}
			row.CheckRatio, row.MedianCheckRatio = mean(checkRatios), median(checkRatios)
			row.Ratio, row.MedianRatio = mean(ratios), median(ratios)
			row.Median = medianOf(costs, func(c productCost) time.Duration { return c.time }).Seconds()
			row.Search = medianOf(costs, func(c productCost) time.Duration { return c.search }).Seconds()
			row.Conversion = medianOf(costs, func(c productCost) time.Duration { return c.conversion }).Seconds()
			row.Converted = medianOf(costs, func(c productCost) int { return c.converted })
			row.States = medianOf(costs, func(c productCost) int { return c.states })
			row.Edges = medianOf(costs, func(c productCost) int { return c.edges })
			row.Allocated = medianOf(costs, func(c productCost) int { return c.allocated })
			if err := emit(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// ratio returns x/y; a y below a nanosecond counts as one.
func ratio(x, y time.Duration) float64 { return float64(x) / float64(max(1, y)) }
