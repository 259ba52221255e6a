package patterns

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// blockWriters write a block, of n letters a (false) or b (true), as sets of propositions.
var blockWriters = map[string]func(block []bool) [][]string{
	"kv-psi": func(block []bool) (list [][]string) {
		for _, b := range block {
			list = append(list, []string{letter(b)})
		}
		return list
	},
	"kr-n": func(block []bool) (list [][]string) {
		for i, b := range block {
			list = append(list, []string{letter(b) + strconv.Itoa(i+1)})
		}
		return list
	},
	"kr-nlogn": func(block []bool) (list [][]string) {
		digits := 1
		if len(block) > 1 {
			digits = bits.Len(uint(len(block) - 1))
		}
		for i, b := range block {
			for k := range digits {
				list = append(list, []string{[]string{"y", "z"}[i>>k&1]})
			}
			list = append(list, []string{letter(b)})
		}
		return list
	},
}

func letter(b bool) string {
	if b {
		return "b"
	}
	return "a"
}

// same reports whether exactly the given propositions are true at a position.
func (w *lasso) same(i int, props []string) bool {
	for p := range w.on {
		if w.at(p, i) != slices.Contains(props, p) {
			return false
		}
	}
	return true
}

// repeats reports whether the word is c block c … c block c d block c c c …, where the block behind
// d also stands before d.
func (w *lasso) repeats(blocks [][][]string) bool {
	// Behind c, begin is where the next block or d may be.
	seen := make([]bool, len(blocks))
	block := func(i int) int {
		return slices.IndexFunc(blocks, func(b [][]string) bool {
			return forAll(len(b), func(k int) bool { return w.same(i+k-1, b[k-1]) })
		})
	}
	length := len(blocks[0])
	for i := 0; i <= w.end()+length && w.same(i, []string{"c"}); i++ {
		b := block(i + 1)
		if b >= 0 {
			seen[b] = true
			i += length
			continue
		}
		if !w.same(i+1, []string{"d"}) {
			return false
		}
		b = block(i + 2)
		return b >= 0 && seen[b] && forAll(w.end(), func(k int) bool { return w.same(i+1+length+k, []string{"c"}) })
	}
	return false
}

// repeatsByPosition says the same of kv-psi, which demands less of what is before d: only
// that some block there is the right one, between two c.
func (w *lasso) repeatsByPosition(n int) bool {
	one := func(i int) string {
		name, count := "", 0
		for p := range w.on {
			if w.at(p, i) {
				name = p
				count++
			}
		}
		if count > 1 {
			return "several"
		}
		return name
	}
	if w.some(func(i int) bool { return one(i) == "several" }) {
		return false
	}
	d := 0
	for d < w.end() && one(d) != "d" {
		d++
	}
	is := func(i int, text string) bool {
		return forAll(len(text), func(k int) bool { return one(i+k-1) == text[k-1:k] })
	}
	text := ""
	for k := 1; k <= n; k++ {
		if x := one(d + k); x != "a" && x != "b" {
			return false
		}
		text += one(d + k)
	}
	if d == w.end() || !forAll(w.end(), func(k int) bool { return one(d+n+k) == "c" }) {
		return false
	}
	return exists(d, func(k int) bool { return is(k-1, "c"+text+"c") })
}

// TestBlowUps compares formulas and meanings on words that are nearly or just right.
func TestBlowUps(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for name, write := range blockWriters {
		for f := range (Request{byName()[name], [2]span{{1, 4}, {1, 1}}}).All() {
			n := f.Numbers[0]
			var blocks [][][]string
			for value := range 1 << n {
				block := make([]bool, n)
				for i := range block {
					block[i] = value>>i&1 != 0
				}
				blocks = append(blocks, write(block))
			}
			right := 0
			const words = 200
			for range words {
				w := randomBlocks(r, blocks, f.Props())
				want := false
				if name == "kv-psi" {
					want = w.repeatsByPosition(n)
				} else {
					want = w.repeats(blocks)
				}
				if got := must.Get(f.Holds(w.prefix, w.cycle, w.at)); got != want {
					t.Fatalf("seed %d: %s: %s on %+v is %v, but means %v", seed, f.Name(), f, *w, got, want)
				}
				if want {
					right++
				}
			}
			if right < words/10 || right > words-words/10 {
				t.Errorf("seed %d: %s was true on %d of %d words", seed, f.Name(), right, words)
			}
		}
	}
}

// randomBlocks returns a word that repeats a block, or one that does not quite.
func randomBlocks(r *rand.Rand, blocks [][][]string, props []string) *lasso {
	var word [][]string
	var seen []int
	for range r.IntN(4) {
		b := r.IntN(len(blocks))
		seen = append(seen, b)
		word = append(append(word, []string{"c"}), blocks[b]...)
	}
	b := r.IntN(len(blocks))
	if len(seen) > 0 && r.IntN(5) > 0 {
		b = seen[r.IntN(len(seen))]
	}
	word = append(append(word, []string{"c"}, []string{"d"}), blocks[b]...)
	w := &lasso{on: map[string][]bool{}}
	w.cycle = 1 + r.IntN(2)
	for range w.cycle {
		word = append(word, []string{"c"})
	}
	w.prefix = len(word) - w.cycle
	for _, p := range props {
		for _, letter := range word {
			w.on[p] = append(w.on[p], slices.Contains(letter, p))
		}
	}
	for range r.IntN(3) { // no error in a third of the words
		p := w.on[props[r.IntN(len(props))]]
		i := r.IntN(len(p))
		p[i] = !p[i]
	}
	return w
}

// counterCarries are the families of counters, and whether they have carries.
var counterCarries = map[string]bool{
	"rv-counter": false, "rv-counter-linear": false,
	"rv-counter-carry": true, "rv-counter-carry-linear": true,
}

// countingWord returns 0, 1, …, 2^n-1, 0, … as the bits of one number after the other, with a carry
// where the bit and all before it are 1.
func countingWord(n int, carries bool) string {
	var letters []string
	for number := range 1 << n {
		for i := range n {
			letter := []string{"!b", "b"}[number>>i&1]
			letter += "&" + []string{"!m", "m"}[len("m")-min(i, 1)]
			if carries {
				carry := "c"
				for k := range i + 1 {
					if number>>k&1 == 0 {
						carry = "!c"
					}
				}
				letter += "&" + carry
			}
			letters = append(letters, letter)
		}
	}
	return "cycle{" + strings.Join(letters, "; ") + "}"
}

// TestCounters tests that each formula is true on the one word, and on no other.
func TestCounters(t *testing.T) {
	for name, carries := range counterCarries {
		for f := range (Request{byName()[name], [2]span{{1, 6}, {1, 1}}}).All() {
			n := f.Numbers[0]
			w, err := omega.ParseWord(context.Background(), countingWord(n, carries))
			if err != nil {
				t.Fatal(err)
			}
			if holds, err := w.Holds(f.Formula); err != nil || !holds {
				t.Errorf("%s: %s on %s: %v, %v", f.Name(), f, w, holds, err)
			}
			if n <= 3 {
				onlyModel(t, &f, w)
			}
		}
	}
}

// onlyModel tests that no word but w satisfies f.
func onlyModel(t *testing.T, f *Formula, w *omega.Word) {
	store := ltl.NewStore()
	x, err := translate.With(t.Context(), "gastin-oddoux", store, store.Import(f.Formula))
	if err != nil {
		t.Fatal(err)
	}
	others, err := complement.With(t.Context(), "", must.Get(w.Automaton().Over(context.Background(), x.Alphabet())), 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := productcheck.Intersect(t.Context(), x, others, emptiness.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Empty() {
		t.Errorf("%s: %s has another model than %s", f.Name(), f, w)
	}
}
