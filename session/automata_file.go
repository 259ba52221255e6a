package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/session/input"
)

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
