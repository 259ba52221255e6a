// Package memory measures how much memory the process uses, and tells the garbage collector how much
// it may use.
package memory

import "runtime/metrics"

// A Sample reads how much it is. It is for one goroutine.
type Sample []metrics.Sample

// NewSample returns a Sample.
func NewSample() Sample {
	return Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
}

// InUse returns how many bytes the Go runtime has from the system and has not given back. What
// it has may be garbage, or not have been touched yet.
func (s Sample) InUse() int64 {
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
