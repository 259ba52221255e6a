package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// saveContradictions writes what reproduces the contradictions of a case, each into a new
// folder, and tells how.
func (p *Plan) saveContradictions(c *outcome.Case) error {
	for i := range c.Contradictions {
		folder, err := newFolder(fmt.Sprintf("xcheck-internal-error-%d", c.Index+1))
		if err == nil {
			err = saveContradiction(folder, c, &c.Contradictions[i])
		}
		if err != nil {
			return fmt.Errorf("saving the automata of an internal error: %w", err)
		}
		p.note("internal error: %v\n  saved in %s; reproduce with: %s", &c.Contradictions[i], folder, reproduction(folder, &c.Contradictions[i]))
	}
	return nil
}

// newFolder makes a folder of that name. If the name is taken, it adds a number.
func newFolder(name string) (string, error) {
	for n := 1; ; n++ {
		folder := name
		if n > 1 {
			folder = fmt.Sprintf("%s-%d", name, n)
		}
		if err := os.Mkdir(folder, 0o777); !errors.Is(err, fs.ErrExist) {
			return folder, err
		}
	}
}

// saveContradiction writes the two automata, and the case with all that is known.
func saveContradiction(folder string, c *outcome.Case, x *outcome.Contradiction) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	for name, data := range map[string]string{"left.hoa": x.Left.HOA, "right.hoa": x.Right.HOA, "case.json": string(text) + "\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// reproduction returns the command that decides the check alone.
func reproduction(folder string, x *outcome.Contradiction) string {
	left, right := translators.Quote(filepath.Join(folder, "left.hoa")), translators.Quote(filepath.Join(folder, "right.hoa"))
	switch {
	case !x.Left.Complement && !x.Right.Complement:
		return fmt.Sprintf("xcheck intersect %s %s", left, right)
	case x.Left.Complement && x.Right.Complement:
		return fmt.Sprintf("xcheck complement %s | xcheck compare - %s", left, right)
	}
	return fmt.Sprintf("xcheck compare %s %s", left, right)
}
