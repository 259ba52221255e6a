// Package campaign decides what a test tries: how many inputs, and whether it runs at all.
//
// Each test has a number of random inputs. By default it tries a fifth of them. The environment
// variable XCHECK_CAMPAIGN makes them more:
//
//	XCHECK_CAMPAIGN=x1      the test's number, with the same seed, and all other inputs
//	XCHECK_CAMPAIGN=x4      four times that number
//	XCHECK_CAMPAIGN=20000   20000 random inputs, with a new seed, and all other inputs
package campaign

import (
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// Tests allocate much for little that stays.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// setting returns the value of the variable without its x, and whether it has one.
func setting() (number string, multiple bool) {
	return strings.CutPrefix(os.Getenv("XCHECK_CAMPAIGN"), "x")
}

// Long reports whether this is a campaign with a number of inputs.
func Long() bool {
	number, multiple := setting()
	return number != "" && !multiple
}

// Whole reports whether this is a campaign of any kind, and not the short form of a test.
func Whole() bool { return os.Getenv("XCHECK_CAMPAIGN") != "" }

// Only skips a test that takes long, unless this is a campaign.
func Only(t testing.TB) {
	t.Helper()
	if !Whole() {
		t.Skip("only in a campaign: XCHECK_CAMPAIGN=x1")
	}
}

// Needs skips a test that starts programs, unless all of them are on PATH.
func Needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
}

// Shadow runs the tests of a package with programs of these names in front of PATH. They print no
// automaton. So a run that looks for translators fails on every machine, not only where some are installed.
func Shadow(tests func() int, names []string) (code int) {
	dir := must.Get(os.MkdirTemp("", "xcheck-shadow-"))
	defer os.RemoveAll(dir)
	must.Do(os.Chmod(dir, 0o755)) // some tests run as somebody else
	for _, name := range names {
		must.Do(os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho no automaton\nexit 1\n"), 0o755))
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return tests()
}

// Inputs returns how many random inputs a test tries, where n is the test's number: by default a
// fifth of it, rounded up.
func Inputs(t testing.TB, n int) int {
	t.Helper()
	text, multiple := setting()
	if !Whole() {
		return (n + 4) / 5
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

// Seed returns the seed of random inputs: the given one, or in a long campaign a new one, which
// is logged. It fits an int64, as TOML has.
func Seed(t testing.TB, seed uint64) uint64 {
	t.Helper()
	if Long() {
		seed = rand.Uint64() >> 1
		t.Logf("seed %d", seed)
	}
	return seed
}

// Seeded returns how many random inputs a test tries, and their seed.
func Seeded(t testing.TB, n int, seed uint64) (int, uint64) {
	t.Helper()
	return Inputs(t, n), Seed(t, seed)
}

// Alternate returns one of the items in turn, by the number i of the input. In a campaign it
// returns all of them.
func Alternate[Item any](i int, items ...Item) []Item {
	if Whole() {
		return items
	}
	return items[i%len(items):][:1]
}

// Sample returns one in n of the items, or in any campaign all.
func Sample[Item any](items iter.Seq[Item], n int) iter.Seq[Item] {
	if Whole() {
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
