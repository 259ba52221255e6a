package ltl

import (
	"fmt"
	"strings"
)

// Notation is how Formula.Text spells the operators of Spot's syntax.
type Notation uint8

const (
	Letters Notation = iota // G(a -> Fb)
	UTF8                    // □(a → ◇b), which Parse reads as Spot's syntax
	LaTeX                   // \mathsf{G}(a \rightarrow \mathsf{F}\,b), for math mode
)

var notationNames = [...]*[numOps]string{
	Letters: &opNames,
	UTF8: {"0", "1", "", "¬", "∧", "∨", "→", "↔", "⊕", "○", "◇", "□", "U", "R", "W", "M",
		"Y", "Z", "O", "H", "S", "T"},
	LaTeX: {`\bot`, `\top`, "", `\lnot `, `\land`, `\lor`, `\rightarrow`, `\leftrightarrow`, `\oplus`,
		`\mathsf{X}\,`, `\mathsf{F}\,`, `\mathsf{G}\,`, `\mathsf{U}`, `\mathsf{R}`, `\mathsf{W}`, `\mathsf{M}`,
		`\mathsf{Y}\,`, `\mathsf{Z}\,`, `\mathsf{O}\,`, `\mathsf{H}\,`, `\mathsf{S}`, `\mathsf{T}`},
}

// Text returns the formula with the precedences of Spot's syntax, in one of its
// notations, with the fewest parentheses, or with all of them: around each operand
// that is no proposition or constant. Of a formula that is too large to be printed, it
// is what String returns.
func (f *Formula) Text(n Notation, parentheses bool) string {
	p := &printer{names: notationNames[n], latex: n == LaTeX, full: parentheses}
	if f.Printable() != nil {
		return f.summary()
	}
	p.run(f, p.spot)
	return p.b.String()
}

// latexName returns a proposition for LaTeX's math mode: a letter as it is, a word
// upright in italics, digits behind them as an index, and any other name as text.
func latexName(name string) string {
	word := strings.TrimRight(name, "0123456789")
	index := name[len(word):]
	for _, c := range word {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			word = ""
		}
	}
	switch {
	case word == "":
		return `\texttt{` + latexText.Replace(name) + "}"
	case len(word) > 1:
		word = `\mathit{` + word + "}"
	}
	if index != "" {
		word += fmt.Sprintf("_{%s}", index)
	}
	return word
}

// latexText escapes the characters that mean something in LaTeX's text.
var latexText = strings.NewReplacer(`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "_", `\_`, "{", `\{`, "}", `\}`, "\n", " ")
