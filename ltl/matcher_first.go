package ltl

import (
	"encoding/binary"
	"slices"
)

// first adds the moves for first_match(r): to the set of all states of r after a letter, or to the
// end if one of them accepts.
func (x *composed) first(p part) {
	r := x.operands[0]
	if p.kind == atEnd || p.kind == atStart && r.accepts(0) {
		return
	}
	members := []int32{0}
	if p.kind == inSet {
		members = members[:0]
		for set := []byte(p.set); len(set) > 0; set = set[4:] {
			members = append(members, int32(binary.LittleEndian.Uint32(set)))
		}
	}
	var moves []move
	for _, s := range members {
		moves = append(moves, r.moves(s)...)
	}
	x.split(anyLetter, moves)
}

// split adds the moves by all letters that a guard allows. It splits them by their values of a
// formula as long as one of the moves depends on it.
func (x *composed) split(on guard, moves []move) {
	if x.spend(1+len(moves)) || !x.guards.possible(on) {
		return
	}
	for _, m := range moves {
		if l, open := x.guards.undecided(on, m.on); open {
			x.split(x.guards.and(on, x.guards.literal(l)), moves)
			x.split(x.guards.and(on, x.guards.literal(l^1)), moves)
			return
		}
	}
	var set []int32
	for _, m := range moves {
		if x.guards.and(on, m.on) == noLetter {
			continue
		}
		if x.operands[0].accepts(m.to) {
			x.add(on, part{kind: atEnd})
			return
		}
		set = append(set, m.to)
	}
	slices.Sort(set)
	var text []byte
	for _, s := range slices.Compact(set) {
		text = binary.LittleEndian.AppendUint32(text, uint32(s))
	}
	if len(text) > 0 {
		x.add(on, part{kind: inSet, set: string(text)})
	}
}
