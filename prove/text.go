package prove

import (
	"context"
	"io"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/prooftext"
)

// A SyntaxError says where the text of a proof is not as it should be.
type SyntaxError = prooftext.SyntaxError

// ErrLineBreak reports a proof that has no text form.
var ErrLineBreak = prooftext.ErrLineBreak

// Write writes the text form of a proof, after it has read it back and checked it: so the file is right, whatever
// is in memory. docs/proofs.md describes it. Write fails as Check does: with a *certify.Refusal also if the text
// is no proof, with certify.ErrLarge also past 64 MiB, or a mebibyte for one label, and with ErrLineBreak.
func Write(ctx context.Context, w io.Writer, p *certify.Proof) error {
	return prooftext.Write(ctx, w, p, MaxEffort)
}

// Read reads the text form of a proof, and makes the tableau. It reads what Write writes: formulas of the kernel
// and of the memory may come in any order. It checks nothing else.
func Read(ctx context.Context, r io.Reader) (*certify.Proof, error) {
	return prooftext.Read(ctx, r, MaxEffort)
}
