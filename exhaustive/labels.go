package exhaustive

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
)

// labels are the labels of an automaton. Parts that several labels share are evaluated once.
type labels struct {
	place  []int // of each proposition of the automaton, among the propositions of letters
	nodes  []labelNode
	number map[*certify.Label]int
	values []column // of the nodes, at each position
}

// A labelNode is a part of a label.
type labelNode struct {
	op   certify.LabelOp
	prop int
	args []int // come before it
}

// newLabels returns the labels of an automaton with the given propositions; none yet.
func newLabels(own, letters []string) (*labels, error) {
	l := &labels{number: map[*certify.Label]int{}}
	for _, name := range own {
		i := slices.Index(letters, name)
		if i < 0 {
			return nil, fmt.Errorf("exhaustive: the letters lack the proposition %q", name)
		}
		l.place = append(l.place, i)
	}
	return l, nil
}

// add returns the number of a label.
func (l *labels) add(label *certify.Label) int {
	if i, ok := l.number[label]; ok {
		return i
	}
	n := labelNode{op: label.Op}
	if label.Op == certify.Prop {
		n.prop = l.place[label.Prop]
	}
	for _, arg := range label.Args {
		n.args = append(n.args, l.add(arg))
	}
	i := len(l.nodes)
	l.nodes = append(l.nodes, n)
	l.number[label] = i
	return i
}

// evaluate makes at ready.
func (l *labels) evaluate(b block) {
	l.values = l.values[:0]
	for pos := range b.size() {
		row := len(l.values)
		for i := range l.nodes {
			n := &l.nodes[i]
			v := column(0)
			switch n.op {
			case certify.True:
				v = all
			case certify.Prop:
				v = b.prop(pos, n.prop)
			case certify.Not:
				v = ^l.values[row+n.args[0]]
			case certify.And:
				v = all
				for _, arg := range n.args {
					v &= l.values[row+arg]
				}
			case certify.Or:
				for _, arg := range n.args {
					v |= l.values[row+arg]
				}
			}
			l.values = append(l.values, v)
		}
	}
}

// at returns the values of all nodes at a position, by their numbers.
func (l *labels) at(pos int) []column { return l.values[pos*len(l.nodes) : (pos+1)*len(l.nodes)] }
