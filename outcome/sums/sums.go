// Package sums adds up the plain cases of a run, so that a history need not keep each of them.
//
// A case is plain if nothing about it needs a look: every translator gave an automaton or was not
// asked, and all checks were decided and passed. The [Sums] of the plain cases and all other cases
// make the same report as all cases do, except for comparisons of single formulas.
//
// The sums of parts, merged in any order, are the sums of the whole. All numbers are counts except
// Transitions, whose last digits may depend on the order.
package sums

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/quantile"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Sums add up the cases that a compacted run only counts. The zero value has no cases.
type Sums struct {
	Cases int `json:"cases"` // number of formulas, or of automata if these are the inputs
	// number of formulas with nothing to compare
	Unchecked int  `json:"unchecked,omitempty"`
	Passed    int  `json:"passed"`              // number of checks that passed
	Proved    int  `json:"proved"`              // number of automata that are proved
	Unproved  int  `json:"unproved"`            // number of automata that are not, where that was tried
	NoChecks  bool `json:"no_checks,omitempty"` // true if the run had no checks
	Automata  bool `json:"automata,omitempty"`  // true if the inputs are automata
	Kinds
	Tools []*Tool `json:"translators"`          // sums of each translator
	Shown Shown   `json:"signatures,omitempty"` // the signatures that were shown
}

// Kinds count the inputs by their kinds.
type Kinds struct {
	Sizes map[int]int `json:"sizes,omitempty"` // number of formulas of each size
	// number of formulas with each number of propositions
	Props map[int]int `json:"propositions,omitempty"`
	// number of formulas of each syntactic class
	Classes map[string]int `json:"classes,omitempty"`
	// number of inputs and words, for each size up to which all words were tried
	Short map[int]Tried `json:"exhaustive,omitempty"`
}

// Tried adds up cases in which all words up to the same size were tried.
type Tried struct {
	Cases int `json:"cases"` // number of formulas, or of automata if these are the inputs
	Words int `json:"words"` // number of words
}

// Add adds the input of a case, and returns its formula. That is nil for an automaton, and for a text
// that is no formula: a case does not keep one that is not UTF-8 as it was. It has no kind then.
func (k *Kinds) Add(c *outcome.Case) (f *ltl.Formula) {
	if c == nil {
		return nil
	}
	var kind Kinds
	if x := c.Exhaustive; x != nil {
		kind.Short = map[int]Tried{x.Size: {1, x.Words}}
	}
	if c.Automaton == nil {
		f, _ = ltl.NewStore().Parse(c.Formula, ltl.Spot)
	}
	if f != nil {
		kind.Sizes = map[int]int{f.Size(): 1}
		kind.Props = map[int]int{len(f.Props()): 1}
		kind.Classes = map[string]int{f.SyntacticClass().String(): 1}
	}
	k.Merge(kind)
	return f
}

// Merge adds other counts, and does not change them.
func (k *Kinds) Merge(other Kinds) {
	k.Sizes, k.Props, k.Classes = added(k.Sizes, other.Sizes), added(k.Props, other.Props), added(k.Classes, other.Classes)
	if k.Short == nil {
		k.Short = maps.Clone(other.Short)
		return
	}
	for size, x := range other.Short {
		k.Short[size] = Tried{k.Short[size].Cases + x.Cases, k.Short[size].Words + x.Words}
	}
}

// A Tool adds up what one translator made of these cases.
type Tool struct {
	Name    string `json:"name"`              // name of the translator
	OK      int    `json:"ok"`                // number of calls that gave an automaton
	Skipped int    `json:"skipped,omitempty"` // number of calls that were skipped
	// why the first skipped formula was skipped; missing if none was
	Skip string `json:"skip_reason,omitempty"`
	Sizes
	Time time.Duration `json:"time"`     // time of all calls, in nanoseconds
	CPU  time.Duration `json:"cpu_time"` // CPU time of all calls, in nanoseconds
	// memory in bytes, the most of any call; 0 if it is not known
	MaxRSS   int64    `json:"max_rss"`
	Sketches Sketches `json:"sketches"` // distributions of sizes and times
}

// Sizes add up sizes of the automata of a translator.
type Sizes struct {
	States int `json:"states"` // number of states of all automata
	Edges  int `json:"edges"`  // number of edges of all automata
	omega.Totals
	// by how many letters the shortest accepting runs are longer than the shortest words, summed up
	Excess   int `json:"excess"`
	ExcessOf int `json:"excess_automata"` // number of automata in the sum excess
}

// A Size is a number in Sizes, of one automaton or summed up.
type Size struct {
	Name    string // in JSON, of its column in CSV, and of the measure
	Heading string // in the table of translators; "" if it is not there
	Of      func(*Sizes) float64
	add     func(sum, more *Sizes)
}

// Table lists the sizes that are summed up and compared. The last ones are the first to be left out
// of a narrow table of translators. Adding one takes a field in [omega.Totals], which
// [omega.Automaton.Statistics] counts, and a row here.
var Table = []Size{
	size("states", "states", func(s *Sizes) *int { return &s.States }),
	size("edges", "edges", func(s *Sizes) *int { return &s.Edges }),
	size("transitions", "", func(s *Sizes) *float64 { return &s.Transitions }),
	size("acc", "sets", func(s *Sizes) *int { return &s.Sets }),
}

func size[T int | float64](name, heading string, at func(*Sizes) *T) Size {
	return Size{name, heading, func(s *Sizes) float64 { return float64(*at(s)) }, func(sum, more *Sizes) { *at(sum) += *at(more) }}
}

// SizesOf returns the sizes of one automaton.
func SizesOf(r *outcome.Result) Sizes {
	if r == nil {
		return Sizes{}
	}
	s := Sizes{States: r.States, Edges: r.Edges, Totals: r.Totals}
	if r.Excess != nil {
		s.Excess, s.ExcessOf = *r.Excess, 1
	}
	return s
}

// Add adds the sizes of other automata.
func (s *Sizes) Add(other Sizes) {
	for _, x := range Table {
		x.add(s, &other)
	}
	s.Excess += other.Excess
	s.ExcessOf += other.ExcessOf
}

// Sketches have the distributions of states, edges, and seconds of each call that gave an
// automaton.
type Sketches struct {
	States  quantile.Sketch `json:"states"`  // distribution of the numbers of states
	Edges   quantile.Sketch `json:"edges"`   // distribution of the numbers of edges
	Seconds quantile.Sketch `json:"seconds"` // distribution of the times
}

// Plain reports whether a case is plain.
func Plain(c *outcome.Case) bool {
	if c == nil || c.Error != "" || c.Replayed || len(c.Disagreements)+len(c.Undecided)+len(c.Findings)+len(c.Errors)+len(c.Contradictions) > 0 {
		return false
	}
	return !slices.ContainsFunc(c.Checks, func(k outcome.Check) bool { return k.Verdict != outcome.Passed }) &&
		!slices.ContainsFunc(c.Results, func(r outcome.Result) bool {
			return r.Asked() && r.Status != outcome.OK && r.Status != outcome.Skipped
		})
}

// Add adds a plain case. place is its place among the cases of the run, from 1.
func (s *Sums) Add(c *outcome.Case, place int) {
	if c == nil {
		return
	}
	s.Cases++
	s.Passed += len(c.Checks)
	s.Automata = s.Automata || c.Automaton != nil
	s.Kinds.Add(c)
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() {
			s.NoChecks = true // without checks, negations are not asked
			continue
		}
		if r.Proved {
			s.Proved++
		} else if r.Unproved != "" {
			s.Unproved++
		}
		s.Of(r.Translator).add(r)
	}
	if !c.Checked && !s.NoChecks { // checks were made, but nothing was compared
		s.Unchecked++
	}
	s.Shown.Add(c.Signatures(), place)
}

// Of returns the sums of the translator with a name, which may be new.
func (s *Sums) Of(name string) *Tool {
	k := slices.IndexFunc(s.Tools, func(t *Tool) bool { return t.Name == name })
	if k < 0 {
		k = len(s.Tools)
		s.Tools = append(s.Tools, &Tool{Name: name})
	}
	return s.Tools[k]
}

func (t *Tool) add(r *outcome.Result) {
	if r.Status == outcome.Skipped {
		t.Skipped++
		if t.Skip == "" {
			t.Skip = r.Detail
		}
	} else {
		t.OK++
		t.Sizes.Add(SizesOf(r))
		t.Sketches.States.Add(float64(r.States))
		t.Sketches.Edges.Add(float64(r.Edges))
		t.Sketches.Seconds.Add(r.Seconds)
	}
	t.Time += duration(r.Seconds)
	t.CPU += duration(r.CPU)
	t.MaxRSS = max(t.MaxRSS, r.MaxRSS)
}

// duration rounds to nanoseconds.
func duration(seconds float64) time.Duration { return time.Duration(seconds*1e9 + 0.5) }

// Merge adds other sums, and does not change them.
func (s *Sums) Merge(other *Sums) {
	if other == nil {
		return
	}
	s.Cases += other.Cases
	s.Unchecked += other.Unchecked
	s.Passed += other.Passed
	s.Proved += other.Proved
	s.Unproved += other.Unproved
	s.NoChecks = s.NoChecks || other.NoChecks
	s.Automata = s.Automata || other.Automata
	s.Kinds.Merge(other.Kinds)
	for _, t := range other.Tools {
		s.Of(t.Name).merge(t)
	}
	s.Shown.Merge(other.Shown)
}

func (t *Tool) merge(other *Tool) {
	t.OK += other.OK
	t.Skipped += other.Skipped
	if t.Skip == "" || other.Skip != "" && other.Skip < t.Skip { // whatever the order of merges
		t.Skip = other.Skip
	}
	t.Sizes.Add(other.Sizes)
	t.Time += other.Time
	t.CPU += other.CPU
	t.MaxRSS = max(t.MaxRSS, other.MaxRSS)
	t.Sketches.States.Merge(&other.Sketches.States)
	t.Sketches.Edges.Merge(&other.Sketches.Edges)
	t.Sketches.Seconds.Merge(&other.Sketches.Seconds)
}

// added adds counts to the counts in to, and returns these.
func added[K comparable](to, counts map[K]int) map[K]int {
	if to == nil { // a copy: counts must not change when more is added
		return maps.Clone(counts)
	}
	for key, n := range counts {
		to[key] += n
	}
	return to
}

// Shown has the signatures that cases have shown.
type Shown map[outcome.Signature]By

// By says who has shown a signature: the first case, by its place, and whether another case has.
// The sum of {First: 3} and {First: 5} is {First: 3, Again: true}.
type By struct {
	First int
	Again bool
}

// Add adds the signatures of a case.
func (s *Shown) Add(list []outcome.Signature, place int) {
	for _, x := range list {
		s.add(x, By{First: place})
	}
}

// Merge adds what other cases have shown.
func (s *Shown) Merge(other Shown) {
	for x, by := range other {
		s.add(x, by)
	}
}

func (s *Shown) add(x outcome.Signature, by By) {
	if *s == nil {
		*s = Shown{}
	}
	if was, ok := (*s)[x]; ok {
		by = By{First: min(was.First, by.First), Again: was.Again || by.Again || was.First != by.First} // two cases
	}
	(*s)[x] = by
}

var errShown = errors.New("damaged signatures")

// shownVersion is the first byte of the binary form, which is never empty.
const shownVersion = 1

// MarshalBinary returns a version, and two varints for each signature in ascending order: its
// distance from the one before, and twice the place, plus one if another case has shown it. That
// takes 10 to 14 bytes for most signatures. If the cases 3 and 5 have shown signature 5, and case 7
// has shown 300:
//
//	1  5 2·3+1  300-5 2·7    01 05 07 a702 0e
func (s Shown) MarshalBinary() ([]byte, error) {
	text := []byte{shownVersion}
	last := outcome.Signature(0)
	for _, x := range slices.Sorted(maps.Keys(s)) {
		place := uint64(s[x].First) << 1
		if s[x].Again {
			place++
		}
		text = binary.AppendUvarint(text, uint64(x-last))
		text = binary.AppendUvarint(text, place)
		last = x
	}
	return text, nil
}

// UnmarshalBinary reads what MarshalBinary returned.
func (s *Shown) UnmarshalBinary(text []byte) error {
	if len(text) == 0 || text[0] != shownVersion {
		return errShown
	}
	text = text[1:]
	read := Shown{}
	for last := outcome.Signature(0); len(text) > 0; {
		step, n := binary.Uvarint(text)
		if n <= 0 || len(read) > 0 && (step == 0 || last+outcome.Signature(step) < last) { // signatures ascend
			return errShown
		}
		last += outcome.Signature(step)
		place, k := binary.Uvarint(text[n:])
		if k <= 0 {
			return errShown
		}
		read[last] = By{int(place >> 1), place&1 == 1}
		text = text[n+k:]
	}
	*s = read
	return nil
}

// MarshalText returns the binary form in base64, so that it is a string in JSON.
func (s Shown) MarshalText() ([]byte, error) {
	form, err := s.MarshalBinary()
	return base64.RawStdEncoding.AppendEncode(nil, form), err
}

// UnmarshalText reads what MarshalText returned.
func (s *Shown) UnmarshalText(text []byte) error {
	form, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return errShown
	}
	return s.UnmarshalBinary(form)
}
