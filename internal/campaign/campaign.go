// Package campaign decides how many inputs a test tries: a few, or as many random ones as the
// environment variable XCHECK_CAMPAIGN says and all others.
package campaign

import (
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Long reports whether this is a campaign.
func Long() bool { return os.Getenv("XCHECK_CAMPAIGN") != "" }

// Inputs returns how many random inputs a test tries: n, or the number of a campaign.
func Inputs(t testing.TB, n int) int {
	t.Helper()
	if !Long() {
		return n
	}
	n, err := strconv.Atoi(os.Getenv("XCHECK_CAMPAIGN"))
	if err != nil {
		t.Fatalf("XCHECK_CAMPAIGN=%q: expected a number", os.Getenv("XCHECK_CAMPAIGN"))
	}
	return n
}

// Seeded is Inputs with the seed for them: the given one, or in a campaign a new one,
// which is logged. It fits an int64, as TOML has.
func Seeded(t testing.TB, n int, seed uint64) (int, uint64) {
	t.Helper()
	if Long() {
		seed = rand.Uint64() >> 1
		t.Logf("seed %d", seed)
	}
	return Inputs(t, n), seed
}

// Sample returns one in n of the items, or in a campaign all.
func Sample[Item any](items iter.Seq[Item], n int) iter.Seq[Item] {
	if Long() {
		n = 1
	}
	return func(yield func(Item) bool) {
		i := 0
		for item := range items {
			if i%n == 0 && !yield(item) {
				return
			}
			i++
		}
	}
}
