package random

// For tests.
var (
	Key     = key
	Trivial = trivial
)
