package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

const (
	// maxMemory is how many bytes the states and edges of a translation, and what it
	// needs to make them, may take.
	maxMemory = 512 << 20

	// maxSubformulas bounds the distinct subformulas of a formula that is translated. What
	// takes linear time needs no look at the context then.
	maxSubformulas = 1 << 17

	// maxBits bounds the number of bits of a state: of its subformulas, or whatever the
	// algorithm has in its states. A state then takes at most 4 KB, and few of them are
	// made from one look at the memory to the next.
	maxBits = 1 << 15
)

// admit fails if ctx is done, or with an omega.LimitError if f has too many subformulas.
func admit(ctx context.Context, f *ltl.Formula) error {
	if err := ctx.Err(); err != nil || f.Size() <= maxSubformulas {
		return err
	}
	if len(f.Subformulas()) > maxSubformulas {
		return &omega.LimitError{What: "subformulas", Limit: maxSubformulas}
	}
	return nil
}

// admitBits fails with an omega.LimitError if states would have too many bits.
func admitBits(n int) error {
	if n > maxBits {
		return &omega.LimitError{What: "subformulas in a state", Limit: maxBits}
	}
	return nil
}

// stepLength returns how many usual steps it takes to combine labels and sets of bits: a
// diagram of a label may be as deep as there are propositions.
func stepLength(alphabet *omega.Alphabet, bits int) int {
	return 1 + max(alphabet.Len(), bits/64)/16
}
