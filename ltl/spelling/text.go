package spelling

import (
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// String returns the formula with parentheses around each operand: (a) U (X(b)).
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch {
	case n.op == ltl.OpProp || n.op == ltl.OpClosure:
		b.WriteString(n.text)
	case len(n.operands) == 0:
		b.WriteString(n.op.String())
	case len(n.operands) == 1:
		b.WriteString(n.op.String())
		x := n.operands[0]
		if n.op == ltl.OpNot && x.closure {
			x.write(b)
			return
		}
		if n.op == ltl.OpNext && len(x.operands) == 0 && x.op != ltl.OpProp && x.op != ltl.OpClosure {
			b.WriteString("((" + x.op.String() + "))") // so that X0 is no proposition
			return
		}
		x.operand(b)
	default:
		for i, x := range n.operands {
			if i > 0 {
				b.WriteString(" " + n.op.String() + " ")
			}
			x.operand(b)
		}
	}
}

func (n *node) operand(b *strings.Builder) {
	b.WriteByte('(')
	n.write(b)
	b.WriteByte(')')
}
