package ltl

import (
	"fmt"
	"strings"
)

// Op is the operator at the top of a formula.
type Op uint8

// The operators. The past operators look at the positions up to the present one. At the first
// position, Y f is false and Z f is true, whatever f is.
const (
	OpFalse Op = iota
	OpTrue
	OpProp // an atomic proposition
	OpNot
	OpAnd
	OpOr
	OpImplies
	OpEquiv
	OpXor
	OpNext              // X
	OpFinally           // F
	OpGlobally          // G
	OpUntil             // U
	OpRelease           // R
	OpWeakUntil         // W
	OpStrongRelease     // M
	OpYesterday         // Y
	OpWeakYesterday     // Z, the dual of Y
	OpOnce              // O
	OpHistorically      // H, the dual of O
	OpSince             // S
	OpTriggered         // T, the dual of S
	OpClosure           // {r}: some prefix is a word of r, or all prefixes start words of r
	OpSuffixConjunction // {r}<>->f: f holds at the last position of some word of r that starts here
	OpSuffixImplication // {r}[]->f: f holds at the last position of each such word
	numOps
)

// Arity returns the number of operands that are formulas: 0, 1 or 2.
func (op Op) Arity() int {
	switch op {
	case OpFalse, OpTrue, OpProp, OpClosure:
		return 0
	case OpNot, OpNext, OpFinally, OpGlobally, OpYesterday, OpWeakYesterday, OpOnce, OpHistorically,
		OpSuffixConjunction, OpSuffixImplication:
		return 1
	}
	return 2
}

var opNames = [numOps]string{"0", "1", "ap", "!", "&", "|", "->", "<->", "xor", "X", "F", "G", "U", "R", "W", "M",
	"Y", "Z", "O", "H", "S", "T", "{}", "<>->", "[]->"}

// String returns the operator in Spot's syntax, or in NuSMV's for past operators. It returns
// "ap" for OpProp.
func (op Op) String() string {
	if op >= numOps {
		return fmt.Sprintf("operator %d", uint8(op))
	}
	return opNames[op]
}

// ParseOp returns the operator whose String is name.
func ParseOp(name string) (Op, bool) {
	for op, s := range opNames {
		if s == name {
			return Op(op), true
		}
	}
	return 0, false
}

// OpSet is a set of operators.
type OpSet uint32

// Ops returns the set of ops.
func Ops(ops ...Op) OpSet {
	var s OpSet
	for _, op := range ops {
		s |= 1 << op
	}
	return s
}

// PastOps is the set of all past operators.
const PastOps OpSet = 1<<OpYesterday | 1<<OpWeakYesterday | 1<<OpOnce | 1<<OpHistorically | 1<<OpSince | 1<<OpTriggered

// HasPast reports whether s contains a past operator.
func (s OpSet) HasPast() bool { return s&PastOps != 0 }

// PSLOps is the set of the operators with an expression.
const PSLOps OpSet = 1<<OpClosure | 1<<OpSuffixConjunction | 1<<OpSuffixImplication

// HasPSL reports whether s contains an operator with an expression.
func (s OpSet) HasPSL() bool { return s&PSLOps != 0 }

// Has reports whether s contains op.
func (s OpSet) Has(op Op) bool { return s>>op&1 != 0 }

// With returns s with op added.
func (s OpSet) With(op Op) OpSet { return s | 1<<op }

// String returns the operators, separated by spaces.
func (s OpSet) String() string {
	var list []string
	for op := range numOps {
		if s.Has(op) {
			list = append(list, op.String())
		}
	}
	return strings.Join(list, " ")
}
