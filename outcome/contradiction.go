package outcome

import "fmt"

// A Contradiction is a result of the audit, or of all short words: a check passed, but some word
// is in both sides.
type Contradiction struct {
	Check string `json:"check"` // the passed check
	// the way that found the word: "words", "product", "forq", "search" or "exhaustive"
	Way string `json:"way"`
	// a word that is on both sides; missing if it is only known to exist
	Word string `json:"word,omitempty"`
	// true if the word is confirmed: the check is wrong, not the audit
	Certified bool              `json:"certified"`
	Left      ContradictionSide `json:"left"`  // the first automaton
	Right     ContradictionSide `json:"right"` // the second automaton
}

func (x *Contradiction) String() string {
	word := "a word"
	if x.Word != "" {
		word = "the word " + x.Word
	}
	if x.Certified {
		word += ", certified,"
	}
	passed := Relation(x.Left.Subject.String(), x.Right.Subject.String(), !x.Left.Complement, !x.Right.Complement)
	if x.Way == "exhaustive" {
		return fmt.Sprintf("the check %q passed, but there is a counterexample: %s; please report this", passed, word)
	}
	return fmt.Sprintf("the check %q passed, but its audit (%s) finds a counterexample: %s; please report this", passed, x.Way, word)
}

// A ContradictionSide is an automaton of a check, or its complement.
type ContradictionSide struct {
	Subject
	HOA string `json:"hoa"` // the automaton in HOA format
	// true if the complement of the automaton is meant
	Complement bool `json:"complement"`
}

// Relation says in words what a check expects of two languages, or of their complements: that
// they share no word.
func Relation(x, y string, inX, inY bool) string {
	switch {
	case inX && inY:
		return x + " and " + y + " share no word"
	case inX:
		return x + " is included in " + y
	case inY:
		return y + " is included in " + x
	}
	return x + " and " + y + " together accept every word"
}
