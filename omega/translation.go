package omega

import "cmp"

// A Translation maps labels of one alphabet to another, by the names of the propositions.
type Translation struct {
	from, to *Alphabet
	prop     []Label // of each proposition of from, in to; False: to does not have it
	memo     map[Label]Label
}

// NewTranslation returns a Translation to an alphabet that may lack propositions. A letter is in the
// result if some valuation of the missing propositions puts it into the original label. Without b,
// a&b | !b&c becomes a | c. An alphabet that is nil has no propositions.
func NewTranslation(from, to *Alphabet) *Translation {
	from, to = cmp.Or(from, NewAlphabet()), cmp.Or(to, NewAlphabet())
	t := &Translation{from: from, to: to, memo: make(map[Label]Label)}
	for _, p := range from.props {
		label := False
		if i, ok := to.index[p]; ok {
			label = to.Prop(i)
		}
		t.prop = append(t.prop, label)
	}
	t.memo[False] = False
	t.memo[from.True()] = to.True()
	return t
}

// Label returns the translation of l.
func (t *Translation) Label(l Label) Label {
	if m, ok := t.memo[l]; ok {
		return m
	}
	i, lo, hi := t.from.Split(l)
	m, n := t.Label(hi), t.Label(lo)
	if p := t.prop[i]; p != False {
		m, n = t.to.And(p, m), t.to.And(t.to.Not(p), n)
	}
	m = t.to.Or(m, n)
	t.memo[l] = m
	return m
}
