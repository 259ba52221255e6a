package outcome

import "fmt"

// A Verdict is the answer of a check.
type Verdict string

const (
	Passed     Verdict = "passed"
	Failed     Verdict = "failed"
	NotDecided Verdict = "undecided"
)

// A Kind says how the automata that a disagreement blames are wrong on its word.
type Kind string

const (
	Missing Kind = "missing" // they reject it, and should accept it
	Extra   Kind = "extra"   // they accept it, and should reject it
)

// A FindingClass says what is odd about an automaton, or about what was printed with it.
type FindingClass string

const (
	FalseProperty      FindingClass = "property"         // it is declared, and false
	UnknownProposition FindingClass = "proposition"      // the formula does not have it
	PropositionCase    FindingClass = "proposition-case" // the formula has it, in other letters
	Alternation        FindingClass = "alternation"      // of an automaton that was given to the tool without
	TextBefore         FindingClass = "text-before"      // other text before the automaton
	TextAfter          FindingClass = "text-after"       // or after it
	SecondAutomaton    FindingClass = "second-automaton" // more than one automaton
	UnknownHeader      FindingClass = "header"           // an unknown header with a capital letter
	TwoReadings        FindingClass = "two-readings"     // Spot reads another automaton in the never claim
	OtherName          FindingClass = "name"             // the automaton is named after another formula
	Names              FindingClass = "names"            // the translator can't read names of propositions
	Reading            FindingClass = "reading"          // it groups operators in its own way
	Unflushed          FindingClass = "unflushed"        // a process that was kept alive did not flush its output
	Unstable           FindingClass = "unstable"         // a process without earlier formulas behaved differently
)

// A Check is a check that was done: do two automata, or their complements, share a word?
type Check struct {
	// what must share no word: "P a & N b", "P a & !(P b)", "!(P a) & !(N b)", where P is the
	// automaton of the formula, N the automaton of the negation and ! the complement; or
	// "products with state space 0"
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"` // "passed" if no word is shared
	// the step that decided it: product, identical, direct, fair, lookahead, delayed, kept,
	// negation, or a construction of complements; missing if it is undecided
	DecidedBy string `json:"decided_by,omitempty"`
	// construction of each complement, from left to right; "negation" if the automaton of the
	// negation is the complement
	Constructions []string `json:"constructions"`
	// number of states of complements that were made for this check
	Macrostates int `json:"macrostates"`
	// number of pairs of states that were visited
	ProductStates int `json:"product_states"`
}

// An Undecided is a check that was given up.
type Undecided struct {
	// the check, as in checks, or another: "P a is tight", "strength of P a", "comparison with P a"
	Check string `json:"check"`
	Text  string `json:"text,omitempty"` // the check in words: "a is included in b"
	Why   string `json:"why"`            // the limit that was reached
}

// A Finding is something odd about an automaton that is no disagreement of languages.
type Finding struct {
	Subject
	// what is odd: property, header, two-readings, proposition, proposition-case, alternation, name,
	// names, reading, text-before, text-after, second-automaton, unflushed or unstable
	Class FindingClass `json:"class"`
	// the declared property that is false, as its header names it: "deterministic", "!weak", "acc-name"
	Property string `json:"property,omitempty"`
	Text     string `json:"text"` // what is odd, and what shows it
	// the formula that it is about, if that is not the formula of the case
	Formula string `json:"formula,omitempty"`
}

// FailureClass returns the class of findings like this one, whatever the formula. It says which
// property is false.
func (f *Finding) FailureClass() Class { return Class{Finding: f.Class, Said: f.Property} }

// A Disagreement is a word on which some automaton is wrong.
type Disagreement struct {
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word"`
	Size int    `json:"size"` // number of letters of the word, before the cycle and in it
	// true if it is proved that no shorter word shows the same
	Shortest bool `json:"shortest"`
	// the word without the literals that play no part; missing if all play one
	General string `json:"general,omitempty"`
	// the shortest prefix of the word that settles the truth of the formula, whatever follows;
	// missing if there is none
	Prefix string `json:"prefix,omitempty"`
	// true if the formula holds on the word; with xcheck aut, if the automaton given accepts it
	Truth bool `json:"truth"`
	// "missing": the blamed automata reject a word that they should accept; "extra": they accept
	// one that they should reject
	Kind    Kind      `json:"kind"`
	Accepts []Answer  `json:"accepts"` // the answer of each automaton
	Blamed  []Subject `json:"blamed"`  // the automata that are wrong
	// how the blamed automata come to their answers, at most 10
	Explanations []Explanation `json:"explanations,omitempty"`
	// for an extra word: why an automaton of the other side rightly accepts it; missing if there is
	// none
	Opposite *Explanation `json:"opposite,omitempty"`
	// truth of the subformulas along the word; missing if the word has more than 200 positions
	Table *TruthTable `json:"truth_table,omitempty"`
}

// An Answer says whether an automaton accepts the word of a disagreement.
type Answer struct {
	Subject
	Accepts bool `json:"accepts"` // true if the automaton accepts the word
	Right   bool `json:"right"`   // true if that answer is right
}

// A Witness is a word with the answers of all automata.
type Witness struct {
	Word    string
	Size    int
	Accepts []Answer
	Space   int // number of the random state space in whose products it was found, from 1; 0: in none
}

// A Contradiction is a check that passed although a short word is on both sides.
type Contradiction struct {
	Check string            `json:"check"` // the passed check
	Word  string            `json:"word"`  // the word
	Left  ContradictionSide `json:"left"`  // the first automaton
	Right ContradictionSide `json:"right"` // the second automaton
}

func (x *Contradiction) String() string {
	passed := x.Left.Relation(x.Right)
	return fmt.Sprintf("the check %q passed, but there is a counterexample: the word %s; please report this", passed, x.Word)
}

// A ContradictionSide is an automaton of a check, or its complement.
type ContradictionSide struct {
	Subject
	HOA string `json:"hoa"` // the automaton in HOA format
	// true if the complement of the automaton is meant
	Complement bool `json:"complement"`
}

// Relation says in words what a check of two sides expects: that they share no word.
func (x ContradictionSide) Relation(y ContradictionSide) string {
	switch {
	case !x.Complement && !y.Complement:
		return x.String() + " and " + y.String() + " share no word"
	case !x.Complement:
		return x.String() + " is included in " + y.String()
	case !y.Complement:
		return y.String() + " is included in " + x.String()
	}
	return x.String() + " and " + y.String() + " together accept every word"
}
