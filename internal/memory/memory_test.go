package memory

import (
	"runtime"
	"testing"
)

// TestInUse: what is allocated is in use.
func TestInUse(t *testing.T) {
	s := NewSample()
	before := s.InUse()
	const size = 64 << 20
	block := make([]byte, size)
	if grown := s.InUse() - before; grown < size/2 || grown > 4*size {
		t.Errorf("%d bytes more after %d were allocated", grown, size)
	}
	runtime.KeepAlive(block)
}
