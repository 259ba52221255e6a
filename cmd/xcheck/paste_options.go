package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// A foreign is an option of one of Spot's tools that is written in another way here.
type foreign struct {
	names []string // without dashes; a name of one letter is written with one dash
	value valueKind
	ours  func(value string) ([]string, error)
}

// A valueKind says whether an option has a value.
type valueKind uint8

const (
	noValue  valueKind = iota
	optional           // after = or a letter, and never the next argument
	required
)

// as is an option without a value that stands for some of our arguments.
func as(names string, ours ...string) foreign {
	return foreign{strings.Fields(names), noValue, func(value string) ([]string, error) {
		if value != "" {
			return nil, errors.New("takes no value")
		}
		return ours, nil
	}}
}

// plainly is an option that we have too, but without a value.
func plainly(names, ours string) foreign {
	return foreign{strings.Fields(names), optional, func(value string) ([]string, error) {
		if value != "" {
			return nil, fmt.Errorf("this format has no variants; use %s", ours)
		}
		return []string{ours}, nil
	}}
}

// with is an option whose value follows our flag.
func with(names, ours string) foreign {
	return foreign{strings.Fields(names), required, func(value string) ([]string, error) { return []string{ours + value}, nil }}
}

// ignored is an option with a value that changes nothing here.
func ignored(names string) foreign {
	return foreign{strings.Fields(names), required, func(string) ([]string, error) { return nil, nil }}
}

// without is an option that has no counterpart, and what to do instead.
func without(names string, value valueKind, instead string) foreign {
	return foreign{strings.Fields(names), value, func(string) ([]string, error) { return nil, errors.New(instead) }}
}

// Options of Spot's tools that print formulas: randltl, ltlmix, ltlgrind and genltl.
func formulaOptions() []foreign {
	return []foreign{
		as("spin s", "--to=spin"), as("spot", "--to=spot"), as("lbt l", "--to=lbt"), as("wring", "--to=wring"),
		as("utf8 8", "--to=utf8"), as("latex", "--to=latex"), with("stats", "--format="),
		without("csv-escape", noValue, `use --format '"%f"'`),
	}
}

// Options of randltl and ltlmix.
func randomOptions() []foreign {
	return append(formulaOptions(),
		as("B", "--boolean"), as("ltl L", "--boolean=false"),
		foreign{[]string{"r"}, optional, func(level string) ([]string, error) {
			if level == "" {
				return []string{"--simplify"}, nil
			}
			return []string{"--simplify=" + level}, nil
		}},
		propCount("A ap-count", "--ap="), propCount("polarized-ap", "--polarized-ap="),
		as("lbt-input", "--syntax=lbt"),
		foreign{[]string{"random-conjuncts", "C"}, required, conjuncts},
		without("ins", required, "only synthesis has inputs; leave it out"),
		without("outs", required, "only synthesis has outputs; leave it out"),
		without("part-file", required, "only synthesis has inputs and outputs; leave it out"),
	)
}

// Options of ltlmix alone.
func ltlmixOptions() []foreign {
	return append(randomOptions(), propCount("P", "--polarized-ap="))
}

func randltlOptions() []foreign {
	return append(randomOptions(), as("P", "--psl"),
		without("sere S", noValue, "an expression is no formula; for formulas {r}, use --psl --weights '{}=1000000'"))
}

// propCount is an option with propositions as its value. For synthesis, ltlmix has two numbers.
func propCount(names, ours string) foreign {
	return foreign{strings.Fields(names), required, func(value string) ([]string, error) {
		in, out, two := strings.Cut(value, ",")
		i, err := strconv.Atoi(in)
		o, err2 := strconv.Atoi(out)
		if two && err == nil && err2 == nil {
			return nil, fmt.Errorf("only synthesis tells inputs from outputs; use %s%d", ours, i+o)
		}
		return []string{ours + value}, nil
	}}
}

// conjuncts asks for conjunctions of n formulas.
func conjuncts(n string) ([]string, error) {
	k, err := strconv.Atoi(n)
	if err != nil || k < 1 || k > 1<<20 {
		return nil, errors.New("expected a number from 1 on")
	}
	return []string{fmt.Sprintf("--size=%d", 2*k-1), "--weights=not=0,or=0,xor=0,implies=0,equiv=0"}, nil
}

// Options of randaut.
func randautOptions() []foreign {
	return []foreign{
		foreign{[]string{"hoaf", "H"}, optional, hoaVariant}, plainly("dot d", "--to=dot"), plainly("lbtt", "--to=lbtt"), plainly("spin s", "--to=never"),
		as("buchi Buchi b", "--acceptance=Buchi"), as("utf8 8"), with("stats", "--format="),
		without("check", optional, "pipe the automata to xcheck lint, which decides all properties"),
		foreign{[]string{"automata"}, optional, func(n string) ([]string, error) {
			switch _, err := strconv.Atoi(n); {
			case n == "":
				return []string{"--automata"}, nil
			case err != nil:
				return []string{"--automata=" + n}, nil
			}
			return []string{"--automata", "--number=" + n}, nil
		}},
	}
}

// hoaVariant asks for HOA, or with l, for an automaton per line.
func hoaVariant(letters string) ([]string, error) {
	switch letters {
	case "", "1":
		return []string{"--to=hoa"}, nil
	case "l":
		return []string{"--format=%h"}, nil
	}
	return nil, errors.New("this format has no variants; use --to=hoa")
}

// Options of ltlcross and autcross.
func runOptions() []foreign {
	return []foreign{without("save-inclusion-products", required, "no product is made as a whole; use --save-automata FOLDER, and xcheck intersect")}
}

func autOptions() []foreign {
	return []foreign{as("low"), as("medium"), as("high"), ignored("trust-hoa")}
}

// Options of ltlgrind.
func grindOptions() []foreign {
	return append(formulaOptions(), as("lbt-input", "--syntax=lbt"), as("simplify-bounds", "--lower-ops"),
		without("lenient", noValue, "use xcheck run --lenient --grind, which writes propositions in quotes"))
}

// onlyLtlmix matches an option that randltl does not have. Without formulas, ltlmix reads them from
// standard input.
var onlyLtlmix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-[AC]|-P[0-9]|--(ap-c|polar|random-c))`) })

// foreignOptions returns the options that a command line may have, and adds to our line what they
// need.
func foreignOptions(command string, args []string, out *[]string) []foreign {
	given := func(starts ...string) bool {
		return slices.ContainsFunc(args, func(arg string) bool {
			return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(arg, start) })
		})
	}
	switch command {
	case "run":
		return runOptions()
	case "aut":
		return autOptions()
	case "grind":
		return grindOptions()
	case "patterns":
		return append(formulaOptions(), genltlOptions()...)
	case "random":
		switch {
		case given("--automata"):
			return randautOptions()
		case given("-f", "-F", "--formula=", "--file", "--patterns") || slices.Contains(args, "--formula"):
			return ltlmixOptions()
		case slices.ContainsFunc(args, onlyLtlmix().MatchString):
			*out = append(*out, "--file=-")
			return ltlmixOptions()
		}
		return randltlOptions()
	}
	return nil
}

// genltlOptions choose a list of formulas, or a family with a number, as genltl does.
func genltlOptions() (list []foreign) {
	list = append(list, as("negative negated neg", "--negative"))
	for _, s := range patterns.Sets() {
		o := foreign{append([]string{s.Name}, s.Also...), required, func(value string) ([]string, error) {
			request := []string{s.Name}
			if value == "" {
				return request, nil
			}
			if len(s.Parameters) == 2 && !strings.Contains(value, ",") {
				value += "," + value // the same numbers for both
			}
			for _, numbers := range strings.Split(value, ",") {
				if strings.HasPrefix(numbers, "..") {
					numbers = "1" + numbers
				}
				request = append(request, numbers)
			}
			return request, nil
		}}
		if s.Len() > 0 {
			o.value = optional
		}
		list = append(list, o)
	}
	return list
}
