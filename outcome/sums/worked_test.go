package sums

import (
	"encoding/hex"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedExamples runs the examples in the comments on signatures.
func TestWorkedExamples(t *testing.T) {
	var s, other Shown
	s.Add([]outcome.Signature{5}, 3)
	other.Add([]outcome.Signature{5}, 5)
	other.Add([]outcome.Signature{300}, 7)
	s.Merge(other)
	if got := s[5]; got != (By{First: 3, Again: true}) {
		t.Errorf("%+v", got)
	}
	if form, err := s.MarshalBinary(); err != nil || hex.EncodeToString(form) != "010507a7020e" {
		t.Errorf("%x, %v", form, err)
	}
}
