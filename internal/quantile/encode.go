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

// MarshalBinary returns varints: the version, how many numbers are not positive, then two for each
// bucket with numbers: its distance from the bucket before it, and its count. Equal sketches
// have equal forms. 7 is in bucket 98 and 7.1 in bucket 99, so the form of -1, 7, 7 and 7.1 is
//
//	1  1  98-(-1037) 2  1 1    01 01 ef08 02 01 01
//
// The first distance starts one bucket below the lowest, which is -1036.
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
		if length <= 0 || length > 1 && text[length-1] == 0 { // there is a shorter varint
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
