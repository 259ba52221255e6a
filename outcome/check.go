package outcome

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
	OtherName          FindingClass = "name"             // the automaton is named after another formula
	Unstable           FindingClass = "unstable"         // a process without earlier formulas behaved differently
)

// A Check is a check that was done: do two automata, or their complements, share a word?
type Check struct {
	Check   string  `json:"check"` // "P a & N b", "P a & !(P b)", "!(P a) & !(N b)", "products with state space 0"
	Verdict Verdict `json:"verdict"`
	// DecidedBy names the step that decided it: see productcheck.Step. Missing if it is undecided.
	DecidedBy string `json:"decided_by,omitempty"`
	// Constructions has the construction of each complement, from left to right. "negation" means that
	// the automaton for the negation served as the complement.
	Constructions []string `json:"constructions"`
	Macrostates   int      `json:"macrostates"`    // of the complements, made for this check
	ProductStates int      `json:"product_states"` // pairs of states visited
	// Emptiness is the requested emptiness check, if it applied to the product.
	Emptiness string `json:"emptiness,omitempty"`
	// Audited says that the check passed, and was decided again in another way.
	Audited bool `json:"audited,omitempty"`
}

// An Undecided is a check that was given up.
type Undecided struct {
	Check string `json:"check"` // that of a Check, "comparison with P a", "P a is tight", "P a on cycle{…}", "P a in products with state space 0"
	// Text is Check for people: "a is included in b (negation)", "comparison with a".
	Text string `json:"text,omitempty"`
	Why  string `json:"why"`
}

// A Property is what a header declares of an automaton, by its name: "deterministic", "!weak". The
// "acc-name" counts as one.
type Property string

// A Finding is something odd about an automaton that is no disagreement of languages.
type Finding struct {
	Subject
	Class    FindingClass `json:"class"`
	Property Property     `json:"property,omitempty"` // that is false, if Class is FalseProperty
	Text     string       `json:"text"`
}

// FailureClass returns the class of findings like this one, whatever the formula. It says which
// property is false.
func (f *Finding) FailureClass() Class { return Class{Finding: f.Class, Said: string(f.Property)} }

// A Disagreement is a word on which some automaton is wrong.
type Disagreement struct {
	Word     string `json:"word"`
	Size     int    `json:"size"`
	Shortest bool   `json:"shortest"` // proved that no shorter word shows the same
	// General is the word without the literals that play no part: every completion shows the
	// same. It is empty if none can be left out, or none could be within the limits.
	General string `json:"general,omitempty"`
	// Prefix is the shortest prefix of the word after which the formula has the same truth whatever
	// follows: a bad prefix if Truth is false, a good prefix if it is true. Propositions that play
	// no part in that are left out. It is empty if there is none, or none within the limits.
	Prefix string `json:"prefix,omitempty"`
	// Truth says whether the formula holds on the word. An automaton for the formula is right
	// if it accepts the word exactly when Truth is set. One for the negation is right if it
	// rejects the word exactly then.
	Truth   bool      `json:"truth"`
	Kind    Kind      `json:"kind"`
	Accepts []Answer  `json:"accepts"`
	Blamed  []Subject `json:"blamed"`
	// Explanations say how each blamed automaton arrives at its answer. Table says which parts
	// of the formula hold along the word; it is nil if the word is too long.
	Explanations []Explanation `json:"explanations,omitempty"`
	// Opposite explains an automaton of the other polarity that rightly accepts the word too, if
	// the word is an extra one: so both sides have an accepting run. It is nil if there is none.
	Opposite *Explanation `json:"opposite,omitempty"`
	Table    *TruthTable  `json:"truth_table,omitempty"`
}

// An Answer says whether an automaton accepts the word of a disagreement.
type Answer struct {
	Subject
	Accepts bool `json:"accepts"`
	Right   bool `json:"right"`
}
