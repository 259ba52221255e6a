package session

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one of the parts of a run, written I/N. It has the inputs with the numbers I-1, I-1+N,
// I-1+2N and so on: 2/4 has 1, 5, 9. The zero Shard has all inputs.
type Shard struct {
	Part, Parts int // Part is from 1 to Parts
}

// Set reads a text such as 1/4.
func (s *Shard) Set(text string) error {
	part, parts, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(part)
	n, err2 := strconv.Atoi(parts)
	if err != nil || err2 != nil || i < 1 || i > n {
		return errors.New("expected I/N with I from 1 to N, such as 1/4")
	}
	s.Part, s.Parts = i, n
	return nil
}

// String returns the text that Set reads, "" for the zero Shard.
func (s *Shard) String() string {
	if s.Parts == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Parts)
}

// Type returns what help calls the value.
func (s *Shard) Type() string { return "I/N" }

// Has reports whether the shard has the input with a number.
func (s Shard) Has(number int) bool { return s.Parts == 0 || number%s.Parts == s.Part-1 }

// first returns the number of the first input that the shard has.
func (s Shard) first() int { return max(0, s.Part-1) }

// after returns the number of the input that the shard has after one of its own.
func (s Shard) after(number int) int { return number + max(1, s.Parts) }

// Count returns how many of the first n inputs the shard has: 2/4 has 3 of 10.
func (s Shard) Count(n int) int {
	if s.Parts == 0 {
		return n
	}
	return (n + s.Parts - s.Part) / s.Parts
}

// whole reports whether the shard has all inputs.
func (s Shard) whole() bool { return s.Parts <= 1 }
