package history

import (
	"errors"
	"os"
	"testing"
)

// BenchmarkAdd stores cases: their number a second, and the bytes of the file for each.
func BenchmarkAdd(b *testing.B) {
	s := openTemporary(b)
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		if err := r.Add(sample(i)); err != nil {
			b.Fatal(err)
		}
		i++
	}
	if err := errors.Join(r.Flush(), s.Close()); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(s.Path())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(i), "bytes/case")
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "cases/s")
}

// BenchmarkResume finds out which of 100,000 cases are there, and reads all of them.
func BenchmarkResume(b *testing.B) {
	s := openTemporary(b)
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		b.Fatal(err)
	}
	const number = 100000
	for i := range number {
		if err := r.Add(sample(i)); err != nil {
			b.Fatal(err)
		}
	}
	if err := r.Flush(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		info, err := s.Unfinished(ctx, plan(""))
		if err != nil {
			b.Fatal(err)
		}
		if r, err = s.Resume(ctx, info); err != nil || r.Stored() != number {
			b.Fatal(r.Stored(), err)
		}
		for i := range number {
			if _, err := r.Case(ctx, i); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/number, "µs/case")
}
