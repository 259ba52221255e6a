package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Power says what a run has tried, and so what it is worth if it found nothing. See
// docs/power.md.
type Power struct {
	// number of formulas in ranges of sizes; empty if the inputs are automata
	Sizes []SizeShare `json:"sizes"`
	// number of formulas with each number of propositions; empty if the inputs are automata
	Propositions []PropositionShare `json:"propositions"`
	// number of formulas of each syntactic class; empty if the inputs are automata
	Classes []ClassShare `json:"classes"`

	// number of inputs for each size up to which all words were tried
	Exhaustive []ExhaustiveShare `json:"exhaustive,omitempty"`

	Decided int `json:"decided"` // number of checks that passed or failed, and of proofs
	// number of undecided checks for each reason, the most frequent first
	Undecided []UndecidedShare `json:"undecided"`

	Inputs     int `json:"inputs"`     // number of formulas, or of automata
	Signatures int `json:"signatures"` // number of different signatures
	// number of signatures that only one input has shown
	Singletons int `json:"singletons"`
	// number of inputs that have shown such a signature
	Singular int `json:"inputs_with_singletons"`
	// estimated probability that one more input shows a new signature
	ChanceOfNew float64 `json:"chance_of_new"`
	// number of signatures after some numbers of inputs, at most 200 points and the last
	Curve []CurvePoint `json:"curve"`
}

// A SizeShare counts the formulas of some sizes.
type SizeShare struct {
	From     int `json:"from"`     // the least size
	To       int `json:"to"`       // the greatest size
	Formulas int `json:"formulas"` // number of formulas
}

// A PropositionShare counts the formulas with as many propositions.
type PropositionShare struct {
	Propositions int `json:"propositions"` // number of propositions
	Formulas     int `json:"formulas"`     // number of formulas
}

// A ClassShare counts the formulas of a syntactic class.
type ClassShare struct {
	Class    string `json:"class"`    // the syntactic class
	Formulas int    `json:"formulas"` // number of formulas
}

// An ExhaustiveShare counts the inputs on which all words up to a size were tried.
type ExhaustiveShare struct {
	Size   int `json:"size"`   // the size of words
	Inputs int `json:"inputs"` // number of formulas, or of automata
	Words  int `json:"words"`  // number of words, summed up over the inputs
}

// An UndecidedShare counts the checks that were not decided for one reason.
type UndecidedShare struct {
	Why    string `json:"why"`    // the limit that was reached
	Checks int    `json:"checks"` // number of checks
}

// A CurvePoint is the number of signatures that the first inputs have shown.
type CurvePoint struct {
	Inputs     int `json:"inputs"`     // number of formulas, or of automata
	Signatures int `json:"signatures"` // number of different signatures
}

// tried counts what a Power reports. The zero value is empty.
type tried struct {
	sizes, props map[int]int             // formulas by size, and by number of propositions
	classes      map[string]int          // and by syntactic class
	exhaustive   map[int]ExhaustiveShare // by size
	decided      int
	inputs       int
	seen         map[uint64]shown
}

// shown says which inputs have shown a signature: the first one, from 1, and whether another one has.
type shown struct {
	first int
	again bool
}

// maxCurve is the maximum number of points of a curve, besides the last.
const maxCurve = 200

// add adds a case that could be read, and returns its formula, or nil.
func (t *tried) add(c *outcome.Case) *ltl.Formula {
	for i := range c.Checks {
		if c.Checks[i].Verdict != outcome.NotDecided {
			t.decided++
		}
	}
	for i := range c.Results {
		if c.Results[i].Proved {
			t.decided++
		}
	}
	t.inputs++
	if t.seen == nil {
		t.sizes, t.props, t.classes = map[int]int{}, map[int]int{}, map[string]int{}
		t.exhaustive, t.seen = map[int]ExhaustiveShare{}, map[uint64]shown{}
	}
	for _, x := range c.Signatures() {
		was := t.seen[x]
		first := cmp.Or(was.first, t.inputs)
		t.seen[x] = shown{first, was.again || first != t.inputs}
	}
	if x := c.Exhaustive; x != nil {
		sum := t.exhaustive[x.Size]
		t.exhaustive[x.Size] = ExhaustiveShare{x.Size, sum.Inputs + 1, sum.Words + x.Words}
	}
	if c.Automaton != nil {
		return nil
	}
	// A case does not keep a text that is not UTF-8 as it was. It has no size then.
	f, _ := ltl.NewStore().Parse(c.Formula, ltl.Spot)
	if f != nil {
		t.sizes[f.Size()]++
		t.props[len(f.Props())]++
		t.classes[f.SyntacticClass().String()]++
	}
	return f
}

// points returns the curve: the number of signatures after some numbers of inputs, at most 200.
func (t *tried) points() []CurvePoint {
	var places []int
	for _, by := range t.seen {
		places = append(places, by.first)
	}
	slices.Sort(places)
	// The step is a power of two: 500 inputs have points after 4, 8, …, 500.
	step := 1
	for t.inputs >= maxCurve*step {
		step *= 2
	}
	curve := []CurvePoint{} // never nil: [] in JSON
	n := 0
	for inputs := step; inputs <= t.inputs; inputs += step {
		for n < len(places) && places[n] <= inputs {
			n++
		}
		curve = append(curve, CurvePoint{inputs, n})
	}
	return curve
}

// Power returns what the cases that were added have tried. It takes time linear in the number of
// signatures.
func (t *Summary) Power() *Power {
	x := &t.tried
	s := &Power{Sizes: []SizeShare{}, Propositions: []PropositionShare{}, Classes: []ClassShare{}, Undecided: []UndecidedShare{},
		Decided: x.decided, Inputs: x.inputs, Signatures: len(x.seen), Curve: x.points()}
	for _, size := range slices.Sorted(maps.Keys(x.sizes)) {
		// Ranges double: 1, 2 to 3, 4 to 7, …, so that large formulas need few.
		last := len(s.Sizes) - 1
		if last < 0 || size > s.Sizes[last].To {
			from, to := 1, 1
			for to < size {
				from, to = to+1, 2*to+1
			}
			s.Sizes = append(s.Sizes, SizeShare{From: from, To: to})
			last++
		}
		s.Sizes[last].Formulas += x.sizes[size]
	}
	for _, n := range slices.Sorted(maps.Keys(x.props)) {
		s.Propositions = append(s.Propositions, PropositionShare{n, x.props[n]})
	}
	for _, c := range ltl.Classes() {
		if len(x.classes) > 0 { // without formulas, no class is worth a 0
			s.Classes = append(s.Classes, ClassShare{c.String(), x.classes[c.String()]})
		}
	}
	for _, size := range slices.Sorted(maps.Keys(x.exhaustive)) {
		s.Exhaustive = append(s.Exhaustive, x.exhaustive[size])
	}
	for _, why := range t.whys.names() {
		s.Undecided = append(s.Undecided, UndecidedShare{why, t.whys[why]})
	}
	// Good and Turing: the chance of a new signature is about the share of inputs with a singleton.
	singular := map[int]bool{}
	for _, by := range x.seen {
		if !by.again {
			s.Singletons++
			singular[by.first] = true
		}
	}
	s.Singular = len(singular)
	if s.Inputs > 0 {
		s.ChanceOfNew = float64(s.Singular) / float64(s.Inputs)
	}
	// The step of the curve need not divide the number of inputs.
	if last := len(s.Curve) - 1; s.Inputs > 0 && (last < 0 || s.Curve[last].Inputs < s.Inputs) {
		s.Curve = append(s.Curve, CurvePoint{s.Inputs, s.Signatures})
	}
	return s
}

// manyInputs is how many inputs a run has whose report for people says what it has tried, without
// -v.
const manyInputs = 1000

// power says in a paragraph what the run has tried. It is "" without inputs.
func (t *Summary) power() string {
	s := t.Power()
	if s.Inputs == 0 {
		return ""
	}
	sentences := []string{t.kinds(s)}
	if all := s.Decided + t.Counts.Undecided; all > 0 {
		text := fmt.Sprintf("%s of %s decided", share(s.Decided, all), plural.Of(all, "check"))
		if t.Counts.Undecided > 0 {
			text += "; undecided: " + shortList(t.whys.most())
		}
		sentences = append(sentences, text)
	}
	if text := s.exhaustive(); text != "" {
		sentences = append(sentences, text)
	}
	if s.Signatures > 0 {
		text := plural.Of(s.Signatures, "signature") + " seen"
		chance := "about " + share(s.Singular, s.Inputs)
		if s.Singular == 0 {
			chance = "less than " + share(1, s.Inputs) // a chance of 0 would claim too much
		}
		sentences = append(sentences, fmt.Sprintf("%s; one more %s shows a new one with a chance of %s", text, t.noun(), chance))
	}
	return strings.Join(sentences, ". ")
}

// kinds says how many inputs there were, and of what kinds.
func (t *Summary) kinds(s *Power) string {
	text := plural.Of(s.Inputs, t.noun())
	if len(s.Propositions) == 0 { // the inputs are no formulas
		return text
	}
	sizes := slices.Sorted(maps.Keys(t.tried.sizes))
	known := 0
	for _, x := range s.Propositions {
		known += x.Formulas
	}
	// The median is the first size up to which there is half of the formulas.
	half, median := 0, 0
	for _, size := range sizes {
		if median = size; 2*(half+t.tried.sizes[size]) >= known {
			break
		}
		half += t.tried.sizes[size]
	}
	least, most := s.Propositions[0].Propositions, s.Propositions[len(s.Propositions)-1].Propositions
	text += " of " + interval("size", sizes[0], sizes[len(sizes)-1])
	if len(sizes) > 1 {
		text += fmt.Sprintf(" (median %d)", median)
	}
	text += " with " + interval("", least, most)
	if text += " propositions"; most == 1 && least == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	slices.SortStableFunc(s.Classes, func(a, b ClassShare) int { return cmp.Compare(b.Formulas, a.Formulas) })
	var classes []string
	for _, c := range s.Classes {
		if c.Formulas > 0 {
			classes = append(classes, share(c.Formulas, known)+" "+c.Class)
		}
	}
	return text + ": " + strings.Join(classes, ", ")
}

// exhaustive says up to which size all words were tried, or "".
func (s *Power) exhaustive() string {
	list, none := s.Exhaustive, 0
	if len(list) > 0 && list[0].Size == 0 {
		list, none = list[1:], list[0].Inputs
	}
	if len(list) == 0 {
		return ""
	}
	text := "All words up to " + interval("size", list[0].Size, list[len(list)-1].Size) + " tried"
	if none > 0 {
		text += fmt.Sprintf(", but none on %d of %d inputs", none, s.Inputs)
	}
	return text
}

// interval returns "size 3" or "sizes 1 to 30".
func interval(what string, from, to int) string {
	text := fmt.Sprint(from)
	if from != to {
		text += fmt.Sprintf(" to %d", to)
		if what != "" {
			what += "s"
		}
	}
	return strings.TrimSpace(what + " " + text)
}

// share returns a part of a whole in percent, with one decimal: 1 of 3 is "33.3 %".
func share(part, all int) string {
	tenths := (2000*part + all) / (2 * all)
	switch {
	case part == all:
		return "100 %"
	case part == 0:
		return "0 %"
	}
	// Only all is 100 %, and only nothing is 0 %: 99,999 of 100,000 are "99.9 %".
	tenths = min(max(tenths, 1), 999)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}
