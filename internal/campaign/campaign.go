// Package campaign decides how many inputs a test tries.
//
// By default they are few. The environment variable XCHECK_CAMPAIGN makes them more:
//
//	XCHECK_CAMPAIGN=20000   so many random inputs, with a new seed, and all others
//	XCHECK_CAMPAIGN=x4      four times the default, with the same seed, and all others
package campaign

import (
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// setting returns the value of the variable without its x, and whether it has one.
func setting() (number string, multiple bool) {
	return strings.CutPrefix(os.Getenv("XCHECK_CAMPAIGN"), "x")
}

// Long reports whether this is a campaign with a number of inputs.
func Long() bool {
	number, multiple := setting()
	return number != "" && !multiple
}

// Inputs returns how many random inputs a test tries, where n is the default.
func Inputs(t testing.TB, n int) int {
	t.Helper()
	text, multiple := setting()
	if text == "" && !multiple {
		return n
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("XCHECK_CAMPAIGN=%q: expected a number, or x and a number", os.Getenv("XCHECK_CAMPAIGN"))
	}
	if multiple {
		return n * number
	}
	return number
}

// Seeded is Inputs with the seed for them: the given one, or a new one, which is logged. It fits
// an int64, as TOML has.
func Seeded(t testing.TB, n int, seed uint64) (int, uint64) {
	t.Helper()
	if Long() {
		seed = rand.Uint64() >> 1
		t.Logf("seed %d", seed)
	}
	return Inputs(t, n), seed
}

// Sample returns one in n of the items, or in any campaign all.
func Sample[Item any](items iter.Seq[Item], n int) iter.Seq[Item] {
	if os.Getenv("XCHECK_CAMPAIGN") != "" {
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
