package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// automatonPrinter returns what prints the automaton with a number: in a format, or as a line of
// --format, if that is given.
func (a *app) automatonPrinter(to, format string, given bool, seed uint64) (func(*omega.Automaton, int) error, error) {
	if given {
		if a.json != "" || to != "hoa" {
			return nil, errors.New("--format cannot be combined with --json or --to")
		}
		if err := checkAutomatonFormat("format", format); err != nil {
			return nil, err
		}
		return func(x *omega.Automaton, k int) error {
			line, err := automatonLine(a.ctx, format, x, k, seed)
			if err == nil {
				_, err = io.WriteString(a.out, line+"\n")
			}
			return err
		}, nil
	}
	write, err := a.writer(to)
	if err != nil {
		return nil, err
	}
	return func(x *omega.Automaton, _ int) error {
		if to == "hoa" {
			return a.printAutomaton(x, automatonAnswer{})
		}
		return a.printAs(to, write, x)
	}, nil
}

// automatonSequences are the letters that stand for something of an automaton in a --format.
const automatonSequences = "%acdeFghlLnpstx"

// checkAutomatonFormat fails if the value of a flag has an unknown sequence.
func checkAutomatonFormat(flag, format string) error {
	for rest := format; ; {
		_, after, found := strings.Cut(rest, "%")
		if !found {
			return nil
		}
		if after == "" || !strings.Contains(automatonSequences, after[:1]) {
			if strings.HasPrefix(after, "[") {
				return fmt.Errorf("--%s %q: sequences take no brackets", flag, format)
			}
			list := strings.Join(strings.Split(automatonSequences, ""), " %")
			return fmt.Errorf("--%s %q: unknown sequence %%%.1s: expected one of %%%s", flag, format, after, list)
		}
		rest = after[1:]
	}
}

// automatonLine returns the line of the automaton with a number, as randaut prints it:
//
//	%s %e %t    states, edges, transitions
//	%a %g       acceptance sets, acceptance condition
//	%c %n %x    components, states with a choice, propositions
//	%d %p       1 if it is deterministic, 1 if it is complete
//	%h          in HOA on one line
//	%F %l %L    seed, number from 0, number from 1
func automatonLine(ctx context.Context, format string, x *omega.Automaton, k int, seed uint64) (string, error) {
	s, err := x.Statistics(ctx)
	if err != nil {
		return "", err
	}
	parts := map[byte]any{'%': "%", 's': s.States, 'e': s.Edges, 't': s.Transitions, 'a': x.Acceptance().Sets, 'g': x.Acceptance().Condition,
		'c': s.Components, 'n': s.NondetStates, 'x': x.Alphabet().Len(), 'd': 1, 'p': 0, 'F': seed, 'l': k, 'L': k + 1}
	if s.Nondeterministic {
		parts['d'] = 0
	}
	if s.Complete {
		parts['p'] = 1
	}
	if strings.Contains(format, "%h") {
		var text bytes.Buffer
		if err := hoa.Write(ctx, &text, x); err != nil {
			return "", err
		}
		parts['h'] = strings.Join(strings.Split(strings.TrimSpace(text.String()), "\n"), " ")
	}
	var line strings.Builder
	for rest := format; ; {
		before, after, found := strings.Cut(rest, "%")
		line.WriteString(before)
		if !found {
			return line.String(), nil
		}
		fmt.Fprint(&line, parts[after[0]])
		rest = after[1:]
	}
}
