// Package suite runs published suites of automata: it decides the inclusion of pairs, or
// complements single automata, with xcheck and with rival commands side by side.
//
// A problem is a list of files. [Suite.Problems] takes them from a list file or finds them in a
// folder. [Suite.Run] gives each problem to each tool, one at a time and under the same limits, and
// passes each [Result] to its caller. A [Row] adds up the results of a tool as competitions do:
// solved problems, timeouts, time, and PAR-2, the mean time where an unsolved problem counts twice
// the limit. [Plot] draws a cactus plot: how many problems each tool solves within a time.
//
// The answers of all tools are compared with each other and with published ones; see
// [Result.Wrong].
package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A Suite is a set of problems with the tools and the limits to solve them.
type Suite struct {
	Kind   Kind
	Folder string
	List   string        // of the problems; "" for those in the folder
	Time   time.Duration // for one tool and one problem
	Memory int64         // in bytes, for the same
	Rivals []Rival
	// Processor makes Time and Result.Seconds processor time, so that what else the machine does
	// counts less. Otherwise they are wall time.
	Processor bool

	// Unlisted says which states accept in a file in BA that lists none: "all" or "none".
	Unlisted string
}

// Self is the name of xcheck among the tools.
const Self = "xcheck"

// A Status says how a tool did with a problem.
type Status string

// The statuses.
const (
	Solved  Status = "solved"
	Timeout Status = "timeout"
	Memory  Status = "memory"
	Failed  Status = "failed"
)

// A Result is what a tool did with a problem.
type Result struct {
	Problem string `json:"problem"` // name of the problem
	Tool    string `json:"tool"`    // name of the tool
	Status  Status `json:"status"`  // "solved", "timeout", "memory" or "failed"
	// the answer to a solved inclusion; missing for a complement
	Answer   Answer `json:"answer,omitempty"`
	Expected Answer `json:"expected,omitempty"` // the published answer
	// the step that decided it: product, identical, direct, fair, lookahead, delayed, kept,
	// negation, or a construction of complements
	DecidedBy productcheck.Step `json:"decided_by,omitempty"`
	// time in seconds, with reading, and with the start of a rival's process
	Seconds float64 `json:"seconds"`
	// states of the complement, or states of the product that xcheck visited
	States int `json:"states,omitempty"`
	// why the tool failed, or what is wrong with the complement
	Message string `json:"message,omitempty"`
	// true if the answer is not the published one, or not xcheck's
	Wrong bool `json:"wrong,omitempty"`
}

// Run gives each problem to xcheck and to each rival, one at a time, and passes the results to
// emit. It fails when ctx is done, when no rival can run, and with the errors of emit.
func (s *Suite) Run(ctx context.Context, problems []Problem, emit func(Result) error) error {
	host, err := process.NewSupervisor(1, "")
	if err != nil {
		return err
	}
	defer host.Close()
	defer host.Stop()
	for i := range problems {
		// The answers of the others are compared with this one.
		own, err := s.own(ctx, &problems[i])
		if err != nil {
			return err
		}
		if err := emit(own.Result); err != nil {
			return err
		}
		for _, rival := range s.Rivals {
			r, err := s.ask(ctx, host, rival, &problems[i])
			if err != nil {
				return err
			}
			if err := s.compare(ctx, r, own); err != nil {
				return err
			}
			if err := emit(r.Result); err != nil {
				return err
			}
		}
	}
	return nil
}

// solution is a result with the automata that it is judged by.
type solution struct {
	Result
	input, complement *omega.Automaton // of a complement problem; complement is nil if it is not solved
}

// own solves a problem with xcheck.
func (s *Suite) own(ctx context.Context, p *Problem) (*solution, error) {
	r := &solution{Result: Result{Problem: p.Name, Tool: Self, Expected: p.Expected}}
	limited, cancel := s.limited(budget.WithMemory(ctx, s.Memory))
	defer cancel()
	taken := s.stopwatch()
	var err error
	if s.Kind == Inclusion {
		err = s.include(limited, p, r)
	} else {
		err = s.complement(limited, p, r)
	}
	r.Seconds = taken().Seconds()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && context.Cause(limited) == errTime { // whatever was made of the end of the context
		err = &budget.TimeError{Limit: s.Time}
	}
	r.Status = statusOf(err)
	switch {
	case err != nil:
		r.Message, r.Answer = err.Error(), "" // an answer that came too late does not count
	case s.Kind == Complement:
		return r, s.check(ctx, r)
	default:
		r.Wrong = p.Expected != "" && r.Answer != p.Expected
	}
	return r, nil
}

// statusOf says what an error of xcheck's own means.
func statusOf(err error) Status {
	var late *budget.TimeError
	var limit *omega.LimitError
	switch {
	case err == nil:
		return Solved
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late):
		return Timeout
	case errors.As(err, &limit):
		return Memory
	}
	return Failed
}

// read reads the automata of a problem.
func (s *Suite) read(ctx context.Context, p *Problem) (list []*omega.Automaton, err error) {
	texts := make([][]byte, len(p.Files))
	for i, name := range p.Files {
		if texts[i], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: no files given", p.Name)
	}
	return s.automata(ctx, p.Files, texts)
}

// Remark returns a line for a result that needs an explanation: a wrong answer or a failure. It
// returns "" for others.
func (r Result) Remark() string {
	text := ""
	switch {
	case r.Wrong && r.Answer != "":
		text = "answers " + string(r.Answer)
		if r.Expected != "" {
			text += ", published " + string(r.Expected)
		}
	case r.Wrong:
		text = "wrong: " + r.Message
	case r.Status == Failed:
		text = "failed: " + r.Message
	default:
		return ""
	}
	return fmt.Sprintf("%s: %s: %s", r.Problem, r.Tool, text)
}
