package guide

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Digest returns what the guide learns from a case, in some bytes, so that the case need not be kept
// for a run that resumes: its work, and the signatures that are in no digest of an earlier case. Call
// it for the cases of the run in the order of their indexes.
func (g *Guide) Digest(c *outcome.Case) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := work(c)
	text := binary.AppendUvarint(nil, uint64(n))
	if n == costly {
		return text // no signature is learned
	}
	list := c.Signatures()
	slices.Sort(list)
	for _, s := range slices.Compact(list) {
		if !g.told[s] {
			g.told[s] = true
			text = binary.LittleEndian.AppendUint64(text, uint64(s))
		}
	}
	return text
}

// Recall takes the Digest of the case with some index instead of the case. It ignores those of other
// formulas than the guide's.
func (g *Guide) Recall(index int, digest []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, ok := g.place[index]
	if !ok {
		return nil
	}
	work, k := binary.Uvarint(digest)
	if k <= 0 || work > costly || (len(digest)-k)%8 != 0 {
		return errors.New("damaged answers")
	}
	var list []outcome.Signature
	for rest := digest[k:]; len(rest) > 0; rest = rest[8:] {
		s := outcome.Signature(binary.LittleEndian.Uint64(rest))
		g.told[s] = true
		list = append(list, s)
	}
	delete(g.place, index)
	q := &g.asked[n-g.first]
	g.answer(q, list, costOf(q.formula.Size(), int(work)))
	return nil
}
