package random

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Pattern describes random acceptance conditions.
type Pattern struct {
	text  string
	least int // number of marks
	make  func(r *rand.Rand) omega.Acceptance
}

// String returns the text that ParsePattern read.
func (p *Pattern) String() string { return p.text }

// Random returns a random condition of the pattern.
func (p *Pattern) Random(r *rand.Rand) omega.Acceptance { return p.make(r) }

// ParsePattern reads an argument of --acceptance as in Spot's randaut:
//
//	Streett 2..4               an acc-name of HOA; numbers may be ranges
//	generalized-Rabin 2 1..2 0
//	parity rand even 3..5      rand stands for min or max, even or odd
//	random RANGE               each mark occurs once
//	random RANGE P             each mark is used again with probability P, repeatedly
//	RANGE                      generalized Büchi
//	Fin(0) | Inf(1) & Fin(2)   a condition
//
// A range is N, A..B, or ..B, which starts at 1.
func ParsePattern(text string) (*Pattern, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, fmt.Errorf("acceptance %q: expected a name, a range of numbers, or a condition", text)
	}
	p := &Pattern{text: text}
	var err error
	if c := fields[0][0]; c == '.' || '0' <= c && c <= '9' {
		err = p.named("generalized-Buchi", fields)
	} else if fields[0] == "random" {
		err = p.random(fields[1:])
	} else if c, conditionErr := omega.ParseCondition(text); conditionErr == nil { // else it may be a name
		a := omega.Acceptance{Sets: c.Used(), Condition: c}
		p.least, p.make = a.Sets, func(*rand.Rand) omega.Acceptance { return a }
	} else if strings.ContainsAny(text, "()|&") { // it looks like one, so this error says more
		err = conditionErr
	} else if fields[0] == "parity" {
		err = p.parity(fields[1:])
	} else {
		err = p.named(fields[0], fields[1:])
	}
	if err != nil {
		return nil, fmt.Errorf("acceptance %q: %w", text, err)
	}
	return p, nil
}

// named makes the conditions of a name whose parameters are ranges.
func (p *Pattern) named(name string, fields []string) error {
	var ranges []interval
	for _, f := range fields {
		x, err := parseInterval(f)
		if err != nil {
			return err
		}
		ranges = append(ranges, x)
	}
	text := func(choose func(interval) int) string {
		name := name
		for _, x := range ranges {
			name += " " + strconv.Itoa(choose(x))
		}
		return name
	}
	smallest, err := omega.NamedAcceptance(text(func(x interval) int { return x.least }))
	if err != nil {
		return err
	}
	// A range may end above the limit of marks.
	if _, err := omega.NamedAcceptance(text(func(x interval) int { return x.most })); err != nil {
		return err
	}
	p.least = smallest.Sets
	p.make = func(r *rand.Rand) omega.Acceptance {
		a, _ := omega.NamedAcceptance(text(func(x interval) int { return x.random(r) })) // as the bounds are no errors
		return a
	}
	return nil
}

func (p *Pattern) parity(fields []string) error {
	if len(fields) != 3 {
		return fmt.Errorf("expected parity min|max|rand even|odd|rand RANGE")
	}
	choices := [][]string{{"min", "max"}, {"even", "odd"}}
	for i, all := range choices {
		switch fields[i] {
		case "rand", "random":
		case all[0], all[1]:
			choices[i] = []string{fields[i]}
		default:
			return fmt.Errorf("expected %s, %s or rand, found %s", all[0], all[1], fields[i])
		}
	}
	x, err := parseInterval(fields[2])
	if err != nil {
		return err
	}
	p.least = x.least
	p.make = func(r *rand.Rand) omega.Acceptance {
		name := "parity"
		for _, all := range choices {
			name += " " + all[r.IntN(len(all))]
		}
		return omega.Parity(name, x.random(r))
	}
	return nil
}

func (p *Pattern) random(fields []string) error {
	if len(fields) != 1 && len(fields) != 2 {
		return fmt.Errorf("expected random RANGE [PROBABILITY]")
	}
	x, err := parseInterval(fields[0])
	if err != nil {
		return err
	}
	again := 0.0
	if len(fields) == 2 {
		// With 1, a condition would not end.
		if again, err = strconv.ParseFloat(fields[1], 64); err != nil || !(again >= 0 && again <= 0.99) {
			return fmt.Errorf("expected a probability from 0 to 0.99, found %s", fields[1])
		}
	}
	p.least = x.least
	p.make = func(r *rand.Rand) omega.Acceptance {
		n := x.random(r)
		return omega.Acceptance{Sets: n, Condition: Condition(r, n, again)}
	}
	return nil
}

// An interval is a range of numbers.
type interval struct{ least, most int }

func (x interval) random(r *rand.Rand) int { return x.least + r.IntN(x.most-x.least+1) }

func parseInterval(text string) (x interval, err error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	} else if low == "" {
		low = "1"
	}
	x.least, err = strconv.Atoi(low)
	if err == nil {
		x.most, err = strconv.Atoi(high)
	}
	if err != nil || x.least < 0 || x.most < x.least || x.most > omega.MaxMarks {
		return x, fmt.Errorf("expected a number, or a range A..B or ..B of numbers up to %d, found %s", omega.MaxMarks, text)
	}
	return x, nil
}
