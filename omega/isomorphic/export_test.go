package isomorphic

// NewLimited is NewSet for generations of so many bytes.
func NewLimited(props []string, limit int64) *Set {
	s := NewSet(props)
	s.limit = limit
	return s
}

// Young returns the number of different hashes in the younger generation.
func (s *Set) Young() int { return len(s.young.by) }
