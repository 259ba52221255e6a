package certify

import (
	"encoding/binary"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// refute reports whether no completion gives f the truth that is unwanted. A node of the graph that
// it searches is a position with the truth of each part there. Arcs lead to the nodes of the next
// position that agree with the laws.
func (o *openTruth) refute(f *ltl.Formula, unwanted value) (bool, error) {
	var states [][]value
	var places []int
	note := func(p int, v []value) int {
		key := string(binary.AppendUvarint(nil, uint64(p)))
		for _, x := range v {
			key += string(rune(x))
		}
		n := o.nodes.of(key)
		if n == len(states) {
			states, places = append(states, v), append(places, p)
		}
		return n
	}
	first := make([]value, len(o.parts))
	first[o.place[f]] = unwanted
	err := o.choose(0, nil, first, func(v []value) { note(0, v) })
	for n := 0; err == nil && n < len(states); n++ {
		v, p := states[n], o.next(places[n])
		demands, marks := o.demands(v)
		if demands == nil {
			continue
		}
		err = o.choose(p, v, demands, func(next []value) {
			o.arcs = append(o.arcs, arc{n, note(p, next), marks})
		})
	}
	if err != nil {
		return false, err
	}
	fair := &Condition{Op: AllOf}
	for i, part := range o.parts {
		if fixpoint(part.Op()) {
			fair.Args = append(fair.Args, &Condition{Op: Inf, Mark: i})
		}
	}
	found, err := cycle(o.ctx, len(states), o.arcs, fair)
	return !found, err
}

// demands returns the truth that parts must have at the next position, if v is their truth at one;
// nil if some part would have to be true and false. The marks are the parts that v does not put off:
// those that have to wait forever are not fulfilled.
func (o *openTruth) demands(v []value) (list []value, marks []int) {
	list = make([]value, len(v))
	for i, f := range o.parts {
		part := i
		switch {
		case f.Op() == ltl.OpNext:
			part = o.place[f.Left()]
		case !fixpoint(f.Op()):
			continue
		case o.law(f, v) != open:
			marks = append(marks, i)
			continue
		case v[i] == valueOf(greatest(f.Op())):
			marks = append(marks, i)
		}
		if list[part] == not(v[i]) {
			return nil, nil
		}
		list[part] = v[i]
	}
	return list, marks
}

// law returns the truth of an operator of the future if that of its operands settles it.
func (o *openTruth) law(f *ltl.Formula, v []value) value {
	return future(f.Op(), o.among(v, f.Left()), o.among(v, f.Right()), open)
}

func (o *openTruth) among(v []value, f *ltl.Formula) value {
	if f == nil {
		return open
	}
	return v[o.place[f]]
}

// choose calls each with every truth of the parts at position p that agrees with the letter, the
// demands, and the truth of the parts one position earlier (nil at the first position).
func (o *openTruth) choose(p int, before, demands []value, each func([]value)) error {
	v := make([]value, len(o.parts))
	var from func(i int) error
	from = func(i int) error {
		if err := o.spend(); err != nil {
			return err
		}
		if i == len(v) {
			each(append([]value(nil), v...))
			return nil
		}
		allowed := [...]value{o.values[i][p], demands[i], o.computed(i, p, before, v)}
		for _, x := range []value{no, yes} {
			fits := true
			for _, y := range allowed {
				fits = fits && (y == open || x == y)
			}
			if v[i] = x; !fits {
				continue
			}
			if err := from(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return from(0)
}

// computed returns the truth of part i at position p, if it follows from that of the parts before it
// and from the position before.
func (o *openTruth) computed(i, p int, before, v []value) value {
	f := o.parts[i]
	switch op := f.Op(); {
	case op == ltl.OpProp || op == ltl.OpNext || o.values[i][p] != open:
		return o.values[i][p]
	case fixpoint(op):
		return o.law(f, v)
	case ltl.PastOps.Has(op):
		last := open
		if before != nil {
			last = before[i]
			if op == ltl.OpYesterday || op == ltl.OpWeakYesterday {
				last = before[o.place[f.Left()]]
			}
		}
		return past(op, p, o.among(v, f.Left()), o.among(v, f.Right()), last)
	default:
		return connective(op, o.among(v, f.Left()), o.among(v, f.Right()))
	}
}
