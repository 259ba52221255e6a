package sums

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Shown has the signatures that cases have shown.
type Shown map[outcome.Signature]By

// By says who has shown a signature: the first case, by its place, and whether another case has.
// The sum of {First: 3} and {First: 5} is {First: 3, Again: true}.
type By struct {
	First int
	Again bool
}

// Add adds the signatures of a case.
func (s *Shown) Add(list []outcome.Signature, place int) {
	for _, x := range list {
		s.add(x, By{First: place})
	}
}

// Merge adds what other cases have shown.
func (s *Shown) Merge(other Shown) {
	for x, by := range other {
		s.add(x, by)
	}
}

func (s *Shown) add(x outcome.Signature, by By) {
	if *s == nil {
		*s = Shown{}
	}
	if was, ok := (*s)[x]; ok {
		by = By{First: min(was.First, by.First), Again: was.Again || by.Again || was.First != by.First} // two cases
	}
	(*s)[x] = by
}

var errShown = errors.New("damaged signatures")

// shownVersion is the first byte of the binary form, which is never empty.
const shownVersion = 1

// MarshalBinary returns a version, and two varints for each signature in ascending order: its
// distance from the one before, and twice the place, plus one if another case has shown it. That
// takes 10 to 14 bytes for most signatures. If the cases 3 and 5 have shown signature 5, and case 7
// has shown 300:
//
//	1  5 2·3+1  300-5 2·7    01 05 07 a702 0e
func (s Shown) MarshalBinary() ([]byte, error) {
	text := []byte{shownVersion}
	last := outcome.Signature(0)
	for _, x := range slices.Sorted(maps.Keys(s)) {
		place := uint64(s[x].First) << 1
		if s[x].Again {
			place++
		}
		text = binary.AppendUvarint(text, uint64(x-last))
		text = binary.AppendUvarint(text, place)
		last = x
	}
	return text, nil
}

// UnmarshalBinary reads what MarshalBinary returned.
func (s *Shown) UnmarshalBinary(text []byte) error {
	if len(text) == 0 || text[0] != shownVersion {
		return errShown
	}
	text = text[1:]
	read := Shown{}
	for last := outcome.Signature(0); len(text) > 0; {
		step, n := binary.Uvarint(text)
		if n <= 0 || len(read) > 0 && (step == 0 || last+outcome.Signature(step) < last) { // signatures ascend
			return errShown
		}
		last += outcome.Signature(step)
		place, k := binary.Uvarint(text[n:])
		if k <= 0 {
			return errShown
		}
		read[last] = By{int(place >> 1), place&1 == 1}
		text = text[n+k:]
	}
	*s = read
	return nil
}

// MarshalText returns the binary form in base64, so that it is a string in JSON.
func (s Shown) MarshalText() ([]byte, error) {
	form, err := s.MarshalBinary()
	return base64.RawStdEncoding.AppendEncode(nil, form), err
}

// UnmarshalText reads what MarshalText returned.
func (s *Shown) UnmarshalText(text []byte) error {
	form, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return errShown
	}
	return s.UnmarshalBinary(form)
}
