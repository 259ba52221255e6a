package hoa

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// aliases makes the texts of all labels. A label that has a small cover is a disjunction of
// cubes. For any other, the parts of its diagram are written as aliases, each once, the
// smaller ones first:
//
//	Alias: @0 28&!29 | !28&29
//	Alias: @1 27&!@0 | !27&@0
func (w *writer) aliases() {
	alphabet := w.a.Alphabet()
	for s := range omega.State(w.a.NumStates()) {
		for _, e := range w.a.Edges(s) {
			if _, ok := w.labels[e.Label]; ok {
				continue
			}
			if w.budget.Err() != nil {
				return
			}
			if cubes, ok := alphabet.Cover(e.Label); ok {
				w.labels[e.Label] = disjunction(cubes)
			} else {
				w.labels[e.Label] = w.alias(e.Label)
			}
		}
	}
}

// disjunction returns the text of a label with a cover.
func disjunction(cubes []omega.Cube) string {
	var b strings.Builder
	for i, cube := range cubes {
		if i > 0 {
			b.WriteString(" | ")
		}
		if len(cube) == 0 {
			b.WriteByte('t')
		}
		for j, x := range cube {
			if j > 0 {
				b.WriteByte('&')
			}
			if x.Negated() {
				b.WriteByte('!')
			}
			b.WriteString(strconv.Itoa(x.Prop()))
		}
	}
	return b.String()
}

// alias returns an operand that stands for a label, which is written as an alias if it has
// not been.
func (w *writer) alias(l omega.Label) string {
	alphabet := w.a.Alphabet()
	switch l {
	case omega.False:
		return "f"
	case alphabet.True():
		return "t"
	}
	if text, ok := w.parts[l]; ok {
		return text
	}
	if not := alphabet.Not(l); not < l {
		return "!" + w.alias(not)
	}
	prop, lo, hi := alphabet.Split(l)
	p := strconv.Itoa(prop)
	var text string
	switch {
	case lo == omega.False && hi == alphabet.True():
		text = p
	case lo == omega.False:
		text = p + "&" + w.alias(hi)
	case hi == omega.False:
		text = "!" + p + "&" + w.alias(lo)
	case lo == alphabet.True():
		text = "!" + p + " | " + w.alias(hi)
	case hi == alphabet.True():
		text = p + " | " + w.alias(lo)
	default:
		text = p + "&" + w.alias(hi) + " | !" + p + "&" + w.alias(lo)
	}
	if text != p {
		fmt.Fprintf(w, "Alias: @%d %s\n", w.named, text)
		text = "@" + strconv.Itoa(w.named)
		w.named++
	}
	if w.parts == nil {
		w.parts = map[omega.Label]string{}
	}
	w.parts[l] = text
	return text
}
