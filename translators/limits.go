package translators

import (
	"math"
	"time"
)

// Limits limit a call. Zero means the default, or no limit if there is no default.
type Limits struct {
	Timeout time.Duration // from the start to the end, or from a question to its answer
	CPU     time.Duration // of all its processes together
	// MaxOutput limits standard output, or the file of %O, in bytes.
	MaxOutput int64
	// Memory limits the resident memory of all processes together, in bytes. AddressSpace
	// limits the mapped memory of each process.
	Memory, AddressSpace int64
	OpenFiles            int // of each process
}

// Defaults of Limits.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Timeout <= 0 {
		l.Timeout = DefaultTimeout
	}
	if l.MaxOutput <= 0 {
		l.MaxOutput = DefaultMaxOutput
	}
	l.MaxOutput = min(l.MaxOutput, math.MaxInt/2)
	return l
}
