package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/bisect"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A Bisecting says which versions of a translator [Bisect] tests, and how.
type Bisecting struct {
	Versions []string // the oldest first
	Bad      int      // the place of a version believed to be bad, or -1
	// Build returns the command that builds a version. It may be nil, or return "".
	Build        func(version string) string
	BuildTimeout time.Duration
	// Plan returns the plan of a version: its translator, and the formulas to check.
	Plan func(version string) (*Plan, error)
	// Fails reports whether a class belongs to the failure.
	Fails func(outcome.Class) bool
	// Progress, if set, gets a line for each test.
	Progress func(text string)
}

// Bisect finds out in which version a failure came, and in which it went. A version is bad if its
// translator fails in this way on one of the formulas. It is good if nothing is wrong on any. It is
// skipped if it can't be built, or fails in another way.
//
// If ctx is done, the result is what is known by then, and says so. It is an error if no version
// can be tested or formulas can't be read.
func Bisect(ctx context.Context, b *Bisecting) (*outcome.Bisection, error) {
	if b == nil || len(b.Versions) == 0 || b.Plan == nil || b.Fails == nil {
		return nil, errors.New("no versions of a translator given")
	}
	s := &bisection{Bisecting: b, result: &outcome.Bisection{Started: time.Now().UTC().Truncate(time.Second), Versions: len(b.Versions),
		Oldest: b.Versions[0], Newest: b.Versions[len(b.Versions)-1], Tests: []outcome.VersionTest{}}}
	found, err := bisect.Search(ctx, len(b.Versions), b.Bad, s.test)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		s.result.Unfinished, err = "time limit", nil
	case ctx.Err() != nil:
		s.result.Unfinished, err = "interrupted", nil
	case err != nil:
		return nil, err
	case s.skipped():
		last := s.result.Tests[len(s.result.Tests)-1]
		return nil, fmt.Errorf("no version can be tested: %s: %s", last.Version, last.Why)
	case found.Broke == nil && slices.Contains(found.Verdicts, bisect.Untested):
		s.result.Unfinished = "a version that was not tested may be bad"
	}
	s.result.FirstBad, s.result.FirstGood = s.change(found.Broke), s.change(found.Fixed)
	return s.result, err
}

type bisection struct {
	*Bisecting
	result *outcome.Bisection
}

func (s *bisection) change(c *bisect.Change) *outcome.VersionChange {
	if c == nil {
		return nil
	}
	x := &outcome.VersionChange{Version: s.Versions[c.At], Open: s.Versions[c.Before+1 : c.At]}
	if c.Before >= 0 {
		x.Before = s.Versions[c.Before]
	}
	return x
}

func (s *bisection) test(ctx context.Context, i int) (bisect.Verdict, error) {
	version := s.Versions[i]
	v, why, err := s.verdict(ctx, version)
	if err != nil || ctx.Err() != nil {
		return bisect.Untested, cmp.Or(ctx.Err(), err)
	}
	s.result.Tests = append(s.result.Tests, outcome.VersionTest{Version: version, Verdict: v.String(), Why: why})
	if s.Progress != nil {
		text := fmt.Sprintf("%d: %s is %s", len(s.result.Tests), version, v)
		if v == bisect.Skipped {
			text = fmt.Sprintf("%d: %s skipped", len(s.result.Tests), version)
		}
		if why != "" {
			text += ": " + why
		}
		s.Progress(text)
	}
	if n := len(s.result.Tests); n == maxSkipped && s.skipped() {
		return v, fmt.Errorf("the newest %d versions cannot be tested: %s: %s; leave them out if older ones can", n, version, why)
	}
	return v, nil
}

// maxSkipped is how many versions are tried if none can be tested, for example because the command
// is wrong.
const maxSkipped = 16

// skipped reports whether no version could be tested so far.
func (s *bisection) skipped() bool {
	return !slices.ContainsFunc(s.result.Tests, func(t outcome.VersionTest) bool { return t.Verdict != bisect.Skipped.String() })
}

// verdict builds and tests a version, and says why it is not good.
func (s *bisection) verdict(ctx context.Context, version string) (v bisect.Verdict, why string, err error) {
	if s.Build != nil {
		if line := s.Build(version); line != "" {
			why, err := build(ctx, line, s.BuildTimeout)
			if why != "" || err != nil {
				return bisect.Skipped, why, err
			}
		}
	}
	plan, err := s.Plan(version)
	if err != nil {
		return bisect.Untested, "", err
	}
	for _, tool := range plan.Tools {
		if why := tool.Missing(ctx); why != "" {
			return bisect.Skipped, line(why), nil
		}
	}
	cases, err := s.cases(ctx, plan)
	if err != nil {
		return bisect.Untested, "", err
	}
	return s.judge(cases)
}

var errBad = errors.New("the version is bad")

// cases runs the tools of a plan on its first formula, which is the smallest of a failure. Only if the
// failure is not there, it runs them on the others, until one shows it.
func (s *bisection) cases(ctx context.Context, p *Plan) (cases []*outcome.Case, err error) {
	next, _, err := p.Formulas()
	if err != nil {
		return nil, err
	}
	runner, err := p.runner()
	if err != nil {
		return nil, err
	}
	o := p.options(runner)
	o.Readings = false
	check := func(most int) error {
		return cross.Run(ctx, o, func() (cross.Input, error) {
			if most == 0 {
				return cross.Input{}, io.EOF
			}
			most--
			return next(ctx)
		}, func(c *outcome.Case) error {
			if cases = append(cases, c); s.shows(c) != nil {
				return errBad
			}
			return nil
		})
	}
	if err = check(1); err == nil {
		err = check(-1)
	}
	if errors.Is(err, errBad) {
		err = nil
	}
	return cases, errors.Join(err, runner.Close())
}

// shows returns the failure that is looked for, if a case has it.
func (s *bisection) shows(c *outcome.Case) *outcome.Failure {
	list := c.Failures()
	if i := slices.IndexFunc(list, func(f outcome.Failure) bool { return s.Fails(f.Class) }); i >= 0 {
		return &list[i]
	}
	return nil
}

// judge says whether cases show the failure. If "missing words" are looked for, these cases are
//
//	G a: passed    F a: missing words      bad: missing words on F a
//	G a: passed    F a: crash 11           skipped: crash (SIGSEGV) on F a
//	G a: passed    F a: passed             good
func (s *bisection) judge(cases []*outcome.Case) (v bisect.Verdict, why string, err error) {
	if len(cases) == 0 {
		return bisect.Untested, "", errors.New("no formulas")
	}
	for _, c := range cases {
		if c.Error != "" {
			return bisect.Untested, "", errors.New(c.Error)
		}
		if f := s.shows(c); f != nil {
			return bisect.Bad, line(report.ClassName(f.Class)) + " on " + line(c.Formula), nil
		}
	}
	for _, c := range cases {
		if why := unsound(c); why != "" {
			return bisect.Skipped, why + " on " + line(c.Formula), nil
		}
	}
	return bisect.Good, "", nil
}

// unsound says why a case does not show that a translator is right, or "".
func unsound(c *outcome.Case) string {
	if list := c.Failures(); len(list) > 0 {
		return line(report.ClassName(list[0].Class))
	}
	for i := range c.Results {
		if r := &c.Results[i]; r.Asked() && r.Status != outcome.OK {
			return line(string(r.Status) + ": " + r.Detail)
		}
	}
	switch {
	case len(c.Undecided) > 0:
		return "undecided check (" + line(c.Undecided[0].Why) + ")"
	case len(c.Errors) > 0:
		return "internal error: " + line(c.Errors[0])
	case !c.Checked:
		return "nothing to compare"
	}
	return ""
}

func line(text string) string { return outcome.Line(text, 80) }

// build runs a command that builds a version. It returns why the build failed, or "": "the build
// failed (exit status 2): make: *** [all] Error 2". The error is internal, or ctx is done.
func build(ctx context.Context, command string, timeout time.Duration) (why string, err error) {
	host, err := process.NewSupervisor(1, "")
	if err != nil {
		return "", err
	}
	defer func() {
		host.Stop()
		err = errors.Join(err, host.Close())
	}()
	p, err := host.New(process.Limits{Timeout: timeout, MaxOutput: 1 << 20}, nil, false)
	if err != nil {
		return "", err
	}
	defer p.Remove()
	p.Command = process.Command{Line: "(" + command + "\n) >/dev/null"}
	if err := host.Enter(ctx); err != nil {
		return "", err
	}
	defer host.Leave()
	if err := p.Launch(ctx, ""); err != nil {
		return "", fmt.Errorf("cannot start the build: %w", err)
	}
	defer p.ClosePipes()
	reason := p.Wait(ctx, "")
	if err := p.End(); err != nil {
		return "", err
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(reason, process.ErrTimeout):
		return fmt.Sprintf("the build took longer than %v", timeout), nil
	case reason != nil:
		return "", reason
	case p.State.Success():
		return "", nil
	}
	why = "the build failed (" + p.State.String() + ")"
	if said := complaint(p.Stderr.Ends()); said != "" {
		why += ": " + line(said)
	}
	return why, nil
}

// complaint returns the line of a build's messages that says what is wrong: the first that speaks
// of an error, or else the last one.
//
//	error: Your local changes would be overwritten by checkout:    this one
//		main.c
//	Aborting
func complaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, l := range lines {
		if speaksOfError().MatchString(l) {
			return strings.TrimSpace(l)
		}
	}
	return lines[len(lines)-1]
}

var speaksOfError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(error|fatal)\b`) })
