package outcome

import "fmt"

// A Contradiction is a check that passed although a short word is on both sides.
type Contradiction struct {
	Check string            `json:"check"` // the passed check
	Word  string            `json:"word"`  // the word
	Left  ContradictionSide `json:"left"`  // the first automaton
	Right ContradictionSide `json:"right"` // the second automaton
}

func (x *Contradiction) String() string {
	passed := Relation(x.Left.Subject.String(), x.Right.Subject.String(), !x.Left.Complement, !x.Right.Complement)
	return fmt.Sprintf("the check %q passed, but there is a counterexample: the word %s; please report this", passed, x.Word)
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
