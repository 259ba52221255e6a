package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session/input"
)

// automataCauses are the ways in which tools fail or are wrong on automata.
type automataCauses struct {
	session *session
	list    []*shrinking
	known   map[string]*shrinking // by failure
}

// shrinking is a way in which tools fail, with the smallest automaton that shows it.
type shrinking struct {
	outcome.Failure
	first *outcome.Case
}

// maxShrinking is how many ways to fail are shrunk: a tool may fail in ever new ones.
const maxShrinking = 50

func (l *automataCauses) add(_ context.Context, c *outcome.Case) error {
	if l.session.reports.smallest == nil {
		return nil
	}
	size := func(c *outcome.Case) int { return c.Automaton.States + c.Automaton.Edges }
	for _, f := range c.Failures() {
		key := fmt.Sprintf("%s %q", f, f.Translators)
		if x := l.known[key]; x != nil {
			if size(c) < size(x.first) {
				x.first = c // it takes fewer steps from there
			}
		} else if len(l.list) < maxShrinking {
			l.known[key] = &shrinking{f, c}
			l.list = append(l.list, l.known[key])
		} else {
			l.session.reports.summary.Counts.Reach(map[outcome.Limit]int{outcome.Shrunk: 1})
		}
	}
	return nil
}

// end looks for the smallest automaton for each way in which tools fail, and writes it.
func (l *automataCauses) end(ctx context.Context, good bool) error {
	w := l.session.reports.smallest
	if !good || w == nil || ctx.Err() != nil {
		return nil
	}
	l.session.phase("shrinking automata")
	for _, x := range l.list {
		automaton, _, err := hoa.ReadOne(ctx, []byte(x.first.Automaton.HOA)) // it has not been kept
		if err != nil {
			return interrupted(ctx, err)
		}
		ground, err := cross.GrindAutomaton(ctx, l.session.options, cross.Input{Automaton: automaton, Source: x.first.Automaton.Source}, x.Failure)
		if ground != nil {
			if err := writeShrunk(ctx, w, x, ground); err != nil {
				return interrupted(ctx, fmt.Errorf("writing a shrunk automaton: %w", err))
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			// It may fail at random.
			l.session.note("grind: %s: %v", x.first.Automaton.Source, err)
		}
	}
	return nil
}

// interrupted returns an error, unless it is that the run was interrupted.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && isCanceled(err) {
		return nil
	}
	return err
}

// writeShrunk writes what was shrunk, with a comment that says what it shows.
func writeShrunk(ctx context.Context, w io.Writer, from *shrinking, g *cross.AutomatonGrindResult) error {
	var b strings.Builder
	start := from.first.Automaton
	fmt.Fprintf(&b, "%s: %s", strings.Join(from.Translators, ", "), cmp.Or(string(from.Kind()), report.ClassName(from.Class)))
	how := "interrupted while it was "
	if g.Case != nil {
		how = ""
		for _, d := range g.Case.Disagreements {
			if d.Kind == from.Kind() {
				fmt.Fprintf(&b, " word %s", d.Word)
				break
			}
		}
	}
	fmt.Fprintf(&b, " (%sshrunk from %s, %d states and %d edges)", how, start.Source, start.States, start.Edges)
	// A text may end the comment.
	if _, err := fmt.Fprintf(w, "\n/* %s */\n", strings.ReplaceAll(b.String(), "*/", "* /")); err != nil {
		return err
	}
	return hoa.Write(ctx, w, g.Automaton)
}

// automata returns the automata of a plan, and how many there are, or 0 if that is not known.
func (p *Plan) automata() (next Inputs, total int, err error) {
	var given []Inputs
	files := p.Config.Formulas.Files
	for _, file := range files {
		list, err := p.Automata.Open(file.Path)
		if err != nil {
			return nil, 0, err
		}
		given = append(given, list)
	}
	r := p.random()
	if r == nil {
		return Concat(given...), 0, nil
	}
	o, seed := *p.Automata.Random, r.Seed
	o.Seed = seed
	g, err := random.NewGenerator(o)
	if err != nil {
		return nil, 0, err
	}
	given = append(given, Repeat(r.Number, func(ctx context.Context, k int) (cross.Input, error) {
		x, err := g.Next(ctx)
		return cross.Input{Automaton: x, Source: fmt.Sprintf("random %d", k), Seed: &seed}, err
	}))
	if len(files) == 0 {
		total = max(0, r.Number)
	}
	return Concat(given...), total, nil
}

// span returns the lines and columns of the first and the last character of an automaton.
func span(p *hoa.Piece) string {
	text := strings.TrimRight(string(p.Text), " \t\r\n")
	line, column := p.Line+strings.Count(text, "\n"), utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
	if line == p.Line {
		column += p.Column - 1
	}
	return fmt.Sprintf("%d.%d-%d.%d", p.Line, p.Column, line, column)
}

// AutomataFile returns the automata that a reader has, of a file with a name, which is closed after
// the last. What is no automaton, or can't be read, is an input that says so, and the next one
// follows.
func AutomataFile(name string, file io.Closer, r *hoa.Reader) Inputs {
	s, closed := input.NewAutomata(name, r), false
	return func(context.Context) (cross.Input, error) {
		if closed {
			return cross.Input{}, io.EOF
		}
		p, err := s.Next()
		if err == nil {
			in := cross.Input{Automaton: p.Automaton, Source: fmt.Sprintf("%s:%d", name, p.Line), Span: span(p.Piece)}
			if p.Err != nil {
				in.Text, in.Err = input.Start(string(p.Text)), s.At(p, p.Err)
			}
			return in, nil
		}
		closed = true
		file.Close()
		if err == io.EOF {
			return cross.Input{}, io.EOF
		}
		return cross.Input{Source: name, Err: err}, nil
	}
}
