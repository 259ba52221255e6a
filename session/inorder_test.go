package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestInOrder: cases that have overtaken others are passed on in the order of their indexes. At the
// end all are, but none after an error.
func TestInOrder(t *testing.T) {
	fails := errors.New("fails")
	for _, c := range []struct {
		name  string
		shard Shard
		come  []int
		want  []int // after these
		flush []int // and after the last
		fails int   // the index of the case on which pass does
	}{
		{"in order", Shard{}, []int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2}, -1},
		{"the first is slow", Shard{}, []int{1, 3, 2, 0, 4}, []int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3, 4}, -1},
		{"the first does not come", Shard{}, []int{2, 1}, nil, []int{1, 2}, -1},
		{"of a shard", Shard{2, 3}, []int{4, 1, 10, 7}, []int{1, 4, 7, 10}, []int{1, 4, 7, 10}, -1},
		{"of the only shard", Shard{1, 1}, []int{1, 0, 3}, []int{0, 1}, []int{0, 1, 3}, -1},
		{"fails", Shard{}, []int{1, 0, 3, 2}, []int{0, 1}, []int{0, 1}, 1},
	} {
		var got []int
		o := inOrder{shard: c.shard, next: c.shard.first(), pass: func(x *outcome.Case) error {
			if got = append(got, x.Index); x.Index == c.fails {
				return fails
			}
			return nil
		}}
		failed := 0
		for _, index := range c.come {
			if err := o.add(&outcome.Case{Index: index}); err == fails {
				failed++
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if err := o.flush(); err != nil || !slices.Equal(got, c.flush) || (failed == 1) != (c.fails >= 0) {
			t.Errorf("%s: at the end %v, want %v; %d errors, %v", c.name, got, c.flush, failed, err)
		}
	}
}

// TestInOrderSums: cases of which there are only sums hold up no others.
func TestInOrderSums(t *testing.T) {
	var got []int
	o := inOrder{shard: Shard{2, 3}, next: 1, never: func(index int) bool { return index < 20 && index != 10 },
		pass: func(c *outcome.Case) error { got = append(got, c.Index); return nil }}
	for _, index := range []int{10, 25, 22} {
		if err := o.add(&outcome.Case{Index: index}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []int{10, 22, 25}) {
		t.Error(got)
	}
}

// TestInOrderLong: no more than maxWaiting cases wait for one. If there are more, they overtake it.
func TestInOrderLong(t *testing.T) {
	var got []int
	o := inOrder{pass: func(c *outcome.Case) error { got = append(got, c.Index); return nil }}
	for index := 1; index <= maxWaiting; index++ {
		o.add(&outcome.Case{Index: index})
	}
	if len(got) > 0 {
		t.Errorf("%d cases are passed on", len(got))
	}
	o.add(&outcome.Case{Index: maxWaiting + 1})
	o.add(&outcome.Case{Index: 0})
	if len(got) != maxWaiting+2 || got[0] != 1 || got[maxWaiting+1] != 0 {
		t.Errorf("%d cases are passed on", len(got))
	}
}

// TestOvertaken: all reports to files and the text are the same, in whatever order the cases are
// completed. Standard output gets them at once.
func TestOvertaken(t *testing.T) {
	var all recorder
	if _, err := Run(t.Context(), planOf(t, []string{right, wrong, fails}, tautologies...), &all); err != nil {
		t.Fatal(err)
	}
	written := func(order []int) (files map[string]string, stdout string) {
		dir := t.TempDir()
		p := planOf(t, []string{right, wrong, fails}, tautologies...)
		var text, out bytes.Buffer
		p.Stdout = &out
		for _, f := range []string{"json", "markdown", "html", "junit"} {
			p.Config.Output.Report(f, filepath.Join(dir, f))
		}
		p.Config.Output.Report("csv", "-")
		s, err := begin(t.Context(), p, []report.Sink{&report.Text{W: &text, AtEnd: true}})
		if err != nil {
			t.Fatal(err)
		}
		s.reports.summary.Provenance = nil // it has a time
		for _, i := range order {
			if err := s.reports.add(all.cases[i]); err != nil {
				t.Fatal(err)
			}
		}
		err = errors.Join(s.reports.order.flush(), s.reports.causes.end(s.period, true), s.runner.Close(), s.reports.end(nil, 0))
		if s.period.cancel(nil); err != nil {
			t.Fatal(err)
		}
		files = map[string]string{"text": text.String()}
		for _, f := range []string{"json", "markdown", "html", "junit"} {
			content, err := os.ReadFile(filepath.Join(dir, f))
			if err != nil {
				t.Fatal(err)
			}
			files[f] = string(content)
		}
		return files, out.String()
	}
	want, _ := written([]int{0, 1, 2, 3, 4})
	overtaken := []int{3, 1, 4, 0, 2}
	got, stdout := written(overtaken)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%s\nand in order it is\n%s", name, got[name], want[name])
		}
	}
	for at := 0; len(overtaken) > 0; overtaken = overtaken[1:] {
		spelled, _ := new(spelling.Speller).SpellText(tautologies[overtaken[0]])
		n := strings.Index(stdout[at:], spelled)
		if n < 0 {
			t.Fatalf("standard output has not %q next:\n%s", tautologies[overtaken[0]], stdout[at:])
		}
		at += n
	}
}

// TestInOrderExample runs the example in the comment of inOrder.
func TestInOrderExample(t *testing.T) {
	var passed []int
	o := &inOrder{pass: func(c *outcome.Case) error { passed = append(passed, c.Index); return nil }}
	for i, want := range [][]int{0: {0}, 1: {0}, 2: {0, 1, 2}} {
		if err := o.add(&outcome.Case{Index: [...]int{0, 2, 1}[i]}); err != nil || !slices.Equal(passed, want) {
			t.Errorf("passed on %v, %v; want %v", passed, err, want)
		}
	}
}
