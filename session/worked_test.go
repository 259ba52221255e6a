package session

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/bisect"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedShards runs the examples in the comments on shards.
func TestWorkedShards(t *testing.T) {
	shard := Shard{2, 4}
	if n := shard.Count(10); n != 3 {
		t.Errorf("%d of 10 inputs", n)
	}
	union := &history.Union{Missing: []int{2}, Unfinished: []int{3, 4}}
	union.Parts = []history.Part{{Shards: 4}}
	worked.Shows(t, "merge.go", Lacks(union))

	left := 10
	f := &feed{ctx: t.Context(), shard: shard, number: -1, period: &period{}, inputs: func(context.Context) (cross.Input, error) {
		if left--; left < 0 {
			return cross.Input{}, io.EOF
		}
		return cross.Input{}, nil
	}}
	for _, want := range []struct{ number, skipped int }{{1, 1}, {5, 3}, {9, 3}} {
		in, err := f.ofShard()
		if err != nil || f.number != want.number || in.Skipped != want.skipped {
			t.Errorf("input %d, %d skipped, %v; want %d", f.number, in.Skipped, err, want)
		}
	}
	if _, err := f.ofShard(); err != io.EOF {
		t.Error(err)
	}
}

// TestWorkedJudge runs the examples in the comment of judge.
func TestWorkedJudge(t *testing.T) {
	s := &bisection{Bisecting: &Bisecting{Fails: func(c outcome.Class) bool { return c.Missing }}}
	subject := outcome.Subject{Translator: "mine"}
	made := func(formula string, status outcome.Status) *outcome.Case {
		c := outcome.NewCase(0, formula, nil)
		c.Checked = true
		c.Results = []outcome.Result{{Subject: subject, Status: status}}
		return c
	}
	passed, missing, crash := made("F a", outcome.OK), made("F a", outcome.OK), made("F a", outcome.Crash)
	missing.Disagreements = []outcome.Disagreement{{Kind: outcome.Missing, Blamed: []outcome.Subject{subject}}}
	crash.Results[0].Failure = outcome.Class{Status: outcome.Crash, Code: 11}
	for _, test := range []struct {
		second *outcome.Case
		v      bisect.Verdict
		why    string
	}{
		{missing, bisect.Bad, "missing words on F a"},
		{crash, bisect.Skipped, "crash (SIGSEGV) on F a"},
		{passed, bisect.Good, ""},
	} {
		v, why, err := s.judge([]*outcome.Case{made("G a", outcome.OK), test.second})
		if v != test.v || why != test.why || err != nil {
			t.Errorf("%s: %s, %v", v, why, err)
		}
		worked.Shows(t, "bisect.go", strings.TrimSuffix(v.String()+": "+why, ": "))
	}
}

// TestBisectCalls: a version is called for the first formula, and for others only if the failure is not there.
func TestBisectCalls(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	for _, x := range []struct {
		command, formulas string
		verdict           bisect.Verdict
		asked             int // formulas: two calls for each, and perhaps one to see whether the tool is there
	}{
		{wrong, "012", bisect.Bad, 1},
		{right, "012", bisect.Good, 3},
		{`{one} case %f in *b*) echo '` + all + `';; '!'*) echo '` + none + `';; *) echo '` + all + `';; esac`, "01", bisect.Bad, 2},
		{fails, "0", bisect.Skipped, 1},
	} {
		os.Remove(calls)
		var formulas []string
		for _, i := range x.formulas {
			formulas = append(formulas, tautologies[i-'0'])
		}
		s := &bisection{Bisecting: &Bisecting{Fails: func(c outcome.Class) bool { return c.Words }, Plan: func(string) (*Plan, error) {
			name, command, _ := strings.Cut(x.command, " ")
			return planOf(t, []string{name + " echo >>" + calls + "; " + command, "{ref} " + strings.TrimPrefix(right, "{right} ")}, formulas...), nil
		}}}
		v, why, err := s.verdict(t.Context(), "1.0")
		text, _ := os.ReadFile(calls)
		if err != nil || v != x.verdict || len(text)/2 != x.asked {
			t.Errorf("%s: %s, %s, %v, %d calls; want %s, %d formulas", x.command, v, why, err, len(text), x.verdict, x.asked)
		}
	}
}

// TestWorkedRules runs the examples in the comment of wrong: a timeout counts if it is an error.
func TestWorkedRules(t *testing.T) {
	c := outcome.NewCase(0, "F a", nil)
	c.Results = []outcome.Result{{Status: outcome.Timeout}}
	c.Undecided = []outcome.Undecided{{}}
	for timeouts, want := range map[configs.Timeouts]bool{configs.TimeoutsFail: false, configs.TimeoutsIgnore: false, configs.TimeoutsError: true} {
		l := &rules{}
		l.Timeouts = timeouts
		if got := l.wrong(c); got != want {
			t.Errorf("%v: wrong is %v", timeouts, got)
		}
	}
}
