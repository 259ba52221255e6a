// Package faulty is a misbehaving translator for tests. It hangs, crashes, floods its output,
// forks, and prints broken, wrong or additional automata.
//
// Its behaviour on a formula depends only on the formula and a seed. So a test knows what a run must report:
// [Options].Fault is the oracle. Formulas without a fault are translated correctly, into HOA.
//
// A test binary becomes the translator when its TestMain calls Main first. It then takes these arguments:
//
//	test FORMULA     translate one formula (spawn)
//	test -F FILE     translate the formulas of a file, one per line (batch)
//	test -           translate the formulas of standard input, one at a time (stream)
package faulty

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Variable is the environment variable that makes a test binary the translator. It has Options in JSON.
const Variable = "XCHECK_TEST_FAULTY"

// Options say what goes wrong how often.
type Options struct {
	Seed uint64
	// Every is how many formulas there are for one with a fault, on average; with 0 there are no faults.
	Every uint64
	// Names tells whether automata are named after their formulas.
	Names bool
	// Marker is a number of seconds so odd that a sleep of that length is ours: all
	// children have it in their command line.
	Marker string
	// Big is how many bytes a flood of output has.
	Big int64
	// Log is a file that gets a line for each fault that depends on what the process was given before,
	// whenever it really shows: the name of the fault, a tab, and the formula.
	Log string
}

// String returns the value of Variable.
func (o Options) String() string {
	return string(must.Get(json.Marshal(o)))
}

// A Fault is one way to misbehave.
type Fault struct {
	Name    string
	Status  outcome.Status       // of a call that ends so
	Finding outcome.FindingClass // that there must be, or ""
	Blame   Blame                // whether the automaton is to be blamed for a disagreement
	Slow    bool                 // it ends with a limit on time: a test has to wait for that
	// Stateful says that it shows only after other formulas. Asked alone, the process is right: at
	// most it is unstable.
	Stateful bool
	act      func(*call)
}

// None is no fault.
var None = &Fault{Name: "none", Status: outcome.OK, act: (*call).answer}

// Blame says what has to come of an automaton that can be checked.
type Blame uint8

const (
	Never Blame = iota
	Always
	Maybe // the automaton speaks of other propositions than the formula
)

// Fault returns the fault of a formula in Spot's syntax, as package ltl prints it: one of
// Faults, those that are not slow four times as often, and mostly None.
func (o Options) Fault(formula string) *Fault {
	if o.Every == 0 {
		return None
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", o.Seed, formula)
	// The low bits of this hash of similar strings are similar.
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	if x%o.Every != 0 {
		return None
	}
	var weighted []*Fault // quick faults are more likely
	for _, f := range Faults {
		if weighted = append(weighted, f); !f.Slow {
			weighted = append(weighted, f, f, f)
		}
	}
	return weighted[x/o.Every%uint64(len(weighted))]
}
