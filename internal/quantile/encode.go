package quantile

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
)

// version is the first byte of the binary form.
const version = 1

var errDamaged = errors.New("damaged sketch")

// MarshalBinary returns a form of some bytes for each bucket that has numbers: the version, the
// numbers that are not positive, then for each such bucket how far it is from the last one, and its
// count. All are varints. Equal sketches have equal forms.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	text := binary.AppendUvarint([]byte{version}, s.zeros)
	last := lowest - 1
	for k, n := range s.counts {
		if n > 0 {
			text = binary.AppendUvarint(text, uint64(s.first+k-last))
			text = binary.AppendUvarint(text, n)
			last = s.first + k
		}
	}
	return text, nil
}

// UnmarshalBinary reads what MarshalBinary returned, and refuses anything else.
func (s *Sketch) UnmarshalBinary(text []byte) error {
	if len(text) == 0 || text[0] != version {
		return errDamaged
	}
	text = text[1:]
	next := func() (n uint64) {
		n, length := binary.Uvarint(text)
		if length <= 0 || length > 1 && text[length-1] == 0 { // it could be shorter
			text = nil
			return 0
		}
		text = text[length:]
		return n
	}
	if len(text) == 0 {
		return errDamaged
	}
	var read Sketch
	whole := len(text)
	if read.zeros = next(); read.zeros == 0 && len(text) == whole || text == nil {
		return errDamaged
	}
	total := read.zeros
	for last := lowest - 1; len(text) > 0; {
		step := next()
		if step == 0 || step > uint64(highest-last) || len(text) == 0 {
			return errDamaged
		}
		last += int(step)
		n := next()
		if total += n; n == 0 || total < n {
			return errDamaged
		}
		read.add(last, n)
	}
	read.counts = slices.Clip(read.counts)
	*s = read
	return nil
}

// MarshalText returns the binary form in base64, so that a sketch is a string in JSON.
func (s *Sketch) MarshalText() ([]byte, error) {
	form, err := s.MarshalBinary()
	return base64.RawStdEncoding.AppendEncode(nil, form), err
}

// UnmarshalText reads what MarshalText returned.
func (s *Sketch) UnmarshalText(text []byte) error {
	form, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return errDamaged
	}
	return s.UnmarshalBinary(form)
}
