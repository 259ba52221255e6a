package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A shard is one of the parts of a run, written I/N. The zero value is all of it.
type shard struct {
	part, parts int
}

func (s *shard) Set(text string) error {
	part, parts, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(part)
	n, err2 := strconv.Atoi(parts)
	if err != nil || err2 != nil || i < 1 || i > n {
		return errors.New("expected I/N with I from 1 to N, such as 1/4")
	}
	s.part, s.parts = i, n
	return nil
}

func (s *shard) String() string {
	if s.parts == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.part, s.parts)
}

func (s *shard) Type() string { return "I/N" }

// has reports whether a case is in the part.
func (s *shard) has(index int) bool { return s.parts == 0 || index%s.parts == s.part-1 }

// count returns how many of n cases are in the part.
func (s *shard) count(n int) int {
	if s.parts == 0 {
		return n
	}
	return (n + s.parts - s.part) / s.parts
}
